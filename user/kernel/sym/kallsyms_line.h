/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the lines of /proc/kallsyms, of which there are 100,000 and more.
 */
#ifndef FARGS_KERNEL_SYM_KALLSYMS_LINE_H
#define FARGS_KERNEL_SYM_KALLSYMS_LINE_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernel/sym/ksyms.h"

/* Byte @c in all bytes of a word. */
#define FARGS_KALLSYMS_ALL(c)	(UINT64_C(0x0101010101010101) * (c))
/* Offset of the name in "0123456789abcdef T name". */
#define FARGS_KALLSYMS_NAME	19

/*
 * Parses the line at *@line of the text that ends at @end: "address type name" or "address type
 * name\t[module]". The byte at @end must be writable: line ends are overwritten with NULs, and
 * @sym points into the text. Moves *@line to the next line. Returns 1; 0 if the line is empty; or
 * -EINVAL if it is malformed.
 */
int fargs_kallsyms_any_line(char **line, char *end, struct fargs_ksym *sym);

static inline uint64_t fargs_kallsyms_load(const char *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return le64toh(word);
}

/* Converts the 8 digits in @word, the first in its lowest byte. Returns false for other bytes. */
static inline bool fargs_kallsyms_hex(uint64_t word, uint64_t *value)
{
	const uint64_t ones = FARGS_KALLSYMS_ALL(1);
	uint64_t digits = (word & 0xf * ones) + (word >> 6 & ones) * 9;
	/* In each byte: 1 if its digit is above 9, that is, a letter. */
	uint64_t letters = (digits + (0x80 - 10) * ones) >> 7 & ones;

	/* Digits of 16 and more are those of 'g' and later letters. */
	word ^= digits + '0' * ones + letters * ('a' - '9' - 1);
	if (word | (digits & 0xf0 * ones))
		return false;
	word = __builtin_bswap64(digits);
	word = (word | word >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	word = (word | word >> 8) & UINT64_C(0x0000ffff0000ffff);
	*value = (word | word >> 16) & UINT32_MAX;
	return true;
}

/*
 * Finds the first byte from @p on that is a blank, a control character or not ASCII, eight bytes at
 * a time. Returns NULL if it may be in the last bytes before @end.
 */
static inline char *fargs_kallsyms_name_end(char *p, const char *end)
{
	const char *last = end - sizeof(uint64_t);
	uint64_t stops;

	do {
		if (p > last)
			return NULL;
		/* The subtraction sets the highest bit of bytes up to ' '. */
		stops = (fargs_kallsyms_load(p) - FARGS_KALLSYMS_ALL(' ' + 1)) &
			FARGS_KALLSYMS_ALL(0x80);
		p += sizeof(uint64_t);
	} while (!stops);
	return p + __builtin_ctzll(stops) / 8 - sizeof(uint64_t);
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
	const uint64_t blanks = UINT64_C(0xff00ff) << 40;
	uint64_t high = UINT32_MAX, low, around;
	struct fargs_ksym other;
	int ret;

	if (name > end - sizeof(around))
		goto any;
	/* The last digits of the address, and " T ". */
	around = fargs_kallsyms_load(name - sizeof(around));
	if ((around & blanks) != (FARGS_KALLSYMS_ALL(' ') & blanks) ||
	    (char)(around >> 48) == '\n')
		goto any;
	if ((memcmp(next, "ffffffff", 8) &&
	     !fargs_kallsyms_hex(fargs_kallsyms_load(next), &high)) ||
	    !fargs_kallsyms_hex(fargs_kallsyms_load(next + 8), &low))
		goto any;
	p = fargs_kallsyms_name_end(name, end);
	/* Also true if @p is NULL. */
	if ((uintptr_t)p - (uintptr_t)name - 1 >= FARGS_KSYM_NAME_LEN - 1)
		goto any;
	sym->addr = high << 32 | low;
	sym->type = around >> 48;
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

#endif
