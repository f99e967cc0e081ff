/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the lines of /proc/kallsyms, of which there are 100,000 and more.
 */
#ifndef FARGS_KERNEL_SYM_KALLSYMS_LINE_H
#define FARGS_KERNEL_SYM_KALLSYMS_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "kernel/sym/ksyms.h"

/* Offset of the name in "0123456789abcdef T name". */
#define FARGS_KALLSYMS_NAME	19

/*
 * Parses the line at *@line of the text that ends at @end: "address type name" or "address type
 * name\t[module]". The byte at @end must be writable: line ends are overwritten with NULs, and
 * @sym points into the text. Moves *@line to the next line. Returns 1; 0 if the line is empty; or
 * -EINVAL if it is malformed.
 */
int fargs_kallsyms_any_line(char **line, char *end, struct fargs_ksym *sym);

#ifdef __x86_64__
/* Bytes that are read at once. */
#define FARGS_KALLSYMS_STEP	16u

/* Converts the 16 digits at @p. Returns false for other bytes. */
static inline bool fargs_kallsyms_addr(const char *p, uint64_t *value)
{
	__m128i text = _mm_loadu_si128((const __m128i *)p);
	__m128i letters = _mm_cmpgt_epi8(text, _mm_set1_epi8('9')), digits, limit, are_right;

	digits = _mm_sub_epi8(text, _mm_set1_epi8('0'));
	digits = _mm_sub_epi8(digits, _mm_and_si128(letters, _mm_set1_epi8('a' - '9' - 1)));
	/* As unsigned bytes, at most 15, and letters above 9: 'W', too, has become a digit. */
	limit = _mm_set1_epi8(0xf);
	are_right = _mm_and_si128(_mm_cmpeq_epi8(_mm_max_epu8(digits, limit), limit),
				  _mm_cmpeq_epi8(_mm_cmpgt_epi8(digits, _mm_set1_epi8(9)),
						 letters));
	if (_mm_movemask_epi8(are_right) != UINT16_MAX)
		return false;
	/* Two digits each, in 16 bits, whose lower byte has the first digit. */
	digits = _mm_or_si128(_mm_slli_epi16(digits, 4), _mm_srli_epi16(digits, 8));
	digits = _mm_and_si128(digits, _mm_set1_epi16(0xff));
	*value = __builtin_bswap64(_mm_cvtsi128_si64(_mm_packus_epi16(digits, digits)));
	return true;
}

/*
 * Returns the number of bytes at @p before the first that is a blank, a control character or not
 * ASCII; FARGS_KALLSYMS_STEP if it is not among these.
 */
static inline unsigned int fargs_kallsyms_clear(const char *p)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);
	/* Bytes that are not ASCII are negative. */
	__m128i stops = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' ' + 1));

	return __builtin_ctz(_mm_movemask_epi8(stops) | 1u << FARGS_KALLSYMS_STEP);
}

/* Returns the first such byte from @p on; NULL if it may be in the last bytes before @end. */
static inline char *fargs_kallsyms_name_end(char *p, const char *end)
{
	const char *last = end - FARGS_KALLSYMS_STEP;
	unsigned int nr;

	do {
		if (p > last)
			return NULL;
		nr = fargs_kallsyms_clear(p);
		p += nr;
	} while (nr == FARGS_KALLSYMS_STEP);
	return p;
}

/*
 * Returns the newline after "\t[module]" at @p, or NULL if the rest of the line is anything else.
 */
static inline char *fargs_kallsyms_module_end(char *p, const char *end)
{
	char *eol = p[1] == '[' ? memchr(p, '\n', end - p) : NULL;

	return eol && eol[-1] == ']' && eol - p > 3 && eol - p < FARGS_KSYM_NAME_LEN ? eol : NULL;
}

/*
 * Same as fargs_kallsyms_any_line(), but faster for lines that the kernel itself has written.
 * Nothing takes the address of *@line and *@sym, so that they can be in registers.
 */
static inline int fargs_kallsyms_next(char **line, char *end, struct fargs_ksym *sym)
{
	char *name = *line + FARGS_KALLSYMS_NAME, *p, *eol, *next = *line;
	uint64_t addr;
	char type;
	struct fargs_ksym other;
	int ret;

	if (name > end)
		goto any;
	type = next[17];
	if (next[16] != ' ' || type == '\n' || next[18] != ' ' ||
	    !fargs_kallsyms_addr(next, &addr))
		goto any;
	p = fargs_kallsyms_name_end(name, end);
	/* Also true if @p is NULL. */
	if ((uintptr_t)p - (uintptr_t)name - 1 >= FARGS_KSYM_NAME_LEN - 1)
		goto any;
	sym->addr = addr;
	sym->type = type;
	sym->name = name;
	sym->module = NULL;
	if (*p == '\n') {
		*p = '\0';
		*line = p + 1;
		return 1;
	}
	eol = *p == '\t' ? fargs_kallsyms_module_end(p, end) : NULL;
	if (!eol)
		goto any;
	sym->module = p + 2;
	*p = '\0';
	eol[-1] = '\0';
	*line = eol + 1;
	return 1;
any:
	ret = fargs_kallsyms_any_line(&next, end, &other);
	*line = next;
	if (ret > 0)
		*sym = other;
	return ret;
}

#else
static inline int fargs_kallsyms_next(char **line, char *end, struct fargs_ksym *sym)
{
	return fargs_kallsyms_any_line(line, end, sym);
}
#endif

#endif
