/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hexadecimal digits of numbers, eight at a time.
 */
#ifndef FARGS_BASE_HEX_H
#define FARGS_BASE_HEX_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* Writes the 8 digits of @v to @to. */
static inline void fargs_hex_8(char *to, uint32_t v)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t digits = v, letters;

	/* Spread the digits over the bytes of a word. */
	digits = (digits | digits << 16) & UINT64_C(0x0000ffff0000ffff);
	digits = (digits | digits << 8) & UINT64_C(0x00ff00ff00ff00ff);
	digits = (digits | digits << 4) & 0xf * ones;
	/* In each byte: 1 if the digit is above 9. */
	letters = (digits + 6 * ones) >> 4 & ones;
	digits += '0' * ones + letters * ('a' - '9' - 1);
	digits = htobe64(digits);
	memcpy(to, &digits, sizeof(digits));
}

/* Number of digits of @v without leading zeroes; 1 for 0. */
static inline unsigned int fargs_hex_digits(uint64_t v)
{
	return (67 - __builtin_clzll(v | 1)) / 4;
}

/*
 * Writes the digits of @v, without leading zeroes, and up to 7 bytes after them: @to must have 16
 * bytes. Returns the number of digits.
 */
static inline unsigned int fargs_hex(char *to, uint64_t v)
{
	unsigned int n = fargs_hex_digits(v);

	/* Move the first digit to the top. */
	v <<= 4 * (16 - n);
	fargs_hex_8(to, v >> 32);
	if (n > 8)
		fargs_hex_8(to + 8, v);
	return n;
}

/* Writes the digits of @v to @to, right-aligned in 16 columns. */
static inline void fargs_hex_right(char *to, uint64_t v)
{
	/* Addresses of the kernel begin like this. */
	if (v >> 32 == UINT32_MAX)
		memcpy(to, "ffffffff", 8);
	else
		fargs_hex_8(to, v >> 32);
	fargs_hex_8(to + 8, v);
	if (!(v >> 60))
		memset(to, ' ', 16 - fargs_hex_digits(v));
}

#endif
