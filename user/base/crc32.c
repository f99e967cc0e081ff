// SPDX-License-Identifier: GPL-2.0-only
#include "base/crc32.h"

/* The polynomial, with the coefficient of x^31 in bit 0. */
#define POLYNOMIAL	0xedb88320u

/* Returns the CRC of one byte, without the inversions at the beginning and at the end. */
static uint32_t crc_of_byte(uint8_t byte)
{
	uint32_t crc = byte;
	int bit;

	for (bit = 0; bit < 8; bit++)
		crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
	return crc;
}

uint32_t fargs_crc32(uint32_t crc, const void *p, size_t bytes)
{
	const uint8_t *at = p, *end = at + bytes;
	uint32_t table[256];
	unsigned int i;

	for (i = 0; i < 256; i++)
		table[i] = crc_of_byte(i);
	crc = ~crc;
	while (at < end)
		crc = crc >> 8 ^ table[(uint8_t)(crc ^ *at++)];
	return ~crc;
}
