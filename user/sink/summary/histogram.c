// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/histogram.h"

#define ZERO	FARGS_HISTOGRAM_SIDE

/* Returns the number of bits of the absolute value of @v, 1 to 128; @v must not be 0. */
static unsigned int bits_of(__int128 v)
{
	unsigned __int128 size = v;
	uint64_t high;

	if (v < 0)
		size = -size;
	high = size >> 64;
	return high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)size);
}

void fargs_histogram_add(struct fargs_histogram *h, __int128 v)
{
	h->nr++;
	if (!v)
		h->bars[ZERO]++;
	else if (v > 0)
		h->bars[ZERO + bits_of(v)]++;
	else
		h->bars[ZERO - bits_of(v)]++;
}

void fargs_histogram_range(unsigned int i, __int128 *from, __int128 *to)
{
	unsigned __int128 low = 1, high;
	unsigned int bits = i < ZERO ? ZERO - i : i - ZERO;

	low = bits ? low << (bits - 1) : 0;
	high = bits ? low + (low - 1) : 0;
	/* The absolute value of -2^127 has 128 bits; all others have fewer. */
	if (bits > 127) {
		*from = *to = (__int128)low;
		return;
	}
	*from = i < ZERO ? -(__int128)(high - 1) - 1 : (__int128)low;
	*to = i < ZERO ? -(__int128)(low - 1) - 1 : (__int128)high;
}
