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
	if (word != digits + '0' * ones + letters * ('a' - '9' - 1) || digits & 0xf0 * ones)
		return false;
	word = __builtin_bswap64(digits);
	word = (word | word >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	word = (word | word >> 8) & UINT64_C(0x0000ffff0000ffff);
	*value = (word | word >> 16) & UINT32_MAX;
	return true;
}

/*
 * Same as fargs_kallsyms_any_line(), but faster for lines without a module that the kernel itself
 * has written.
 */
static inline int fargs_kallsyms_next(char **line, char *end, struct fargs_ksym *sym)
{
	char *name = *line + FARGS_KALLSYMS_NAME, *p = name;
	uint64_t high = UINT32_MAX, low, word, stops;

	if (end - *line < FARGS_KALLSYMS_NAME || name[-3] != ' ' || name[-1] != ' ' ||
	    name[-2] == '\n' ||
	    (memcmp(*line, "ffffffff", 8) &&
	     !fargs_kallsyms_hex(fargs_kallsyms_load(*line), &high)) ||
	    !fargs_kallsyms_hex(fargs_kallsyms_load(*line + 8), &low))
		return fargs_kallsyms_any_line(line, end, sym);
	/*
	 * Find the first byte up to ' ', eight bytes at a time: the highest bit is set in it, by
	 * the subtraction, and in bytes that are not ASCII.
	 */
	do {
		if (end - p < (ptrdiff_t)sizeof(word))
			return fargs_kallsyms_any_line(line, end, sym);
		word = fargs_kallsyms_load(p);
		stops = (word - FARGS_KALLSYMS_ALL(' ' + 1)) & FARGS_KALLSYMS_ALL(0x80);
		p += sizeof(word);
	} while (!stops);
	p += __builtin_ctzll(stops) / 8 - sizeof(word);
	if (*p != '\n' || p == name || p - name >= FARGS_KSYM_NAME_LEN)
		return fargs_kallsyms_any_line(line, end, sym);
	*p = '\0';
	sym->addr = high << 32 | low;
	sym->type = name[-2];
	sym->name = name;
	sym->module = NULL;
	*line = p + 1;
	return 1;
}

#endif
