// SPDX-License-Identifier: GPL-2.0-only
#include "base/crc32c.h"

#include <string.h>

/* The bit-reversed polynomial, for processing the least significant bit first. */
#define POLY	0x82f63b78u

static uint32_t by_table(uint32_t crc, const uint8_t *p, size_t bytes)
{
	static uint32_t table[256];
	uint32_t v;
	int i, bit;

	/*
	 * Entry 255 is stored last, so if it is not 0, the whole table is filled. Several threads
	 * may fill the table at the same time, since all store the same values.
	 */
	if (!__atomic_load_n(&table[255], __ATOMIC_ACQUIRE)) {
		for (i = 0; i < 256; i++) {
			v = i;
			for (bit = 0; bit < 8; bit++)
				v = v & 1 ? v >> 1 ^ POLY : v >> 1;
			__atomic_store_n(&table[i], v, __ATOMIC_RELEASE);
		}
	}
	while (bytes--)
		crc = crc >> 8 ^ table[(crc ^ *p++) & 0xff];
	return crc;
}

#ifdef __x86_64__
__attribute__((target("sse4.2")))
static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t bytes)
{
	uint64_t word, wide = crc;

	for (; bytes >= 8; p += 8, bytes -= 8) {
		memcpy(&word, p, 8);
		wide = __builtin_ia32_crc32di(wide, word);
	}
	crc = (uint32_t)wide;
	while (bytes--)
		crc = __builtin_ia32_crc32qi(crc, *p++);
	return crc;
}
#endif

uint32_t fargs_crc32c(uint32_t crc, const void *p, size_t bytes)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("sse4.2"))
		return ~by_instruction(~crc, p, bytes);
#endif
	return ~by_table(~crc, p, bytes);
}
