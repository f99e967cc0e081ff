/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers by powers of two, those below 0 by that of their size.
 */
#ifndef FARGS_REPORT_HISTOGRAM_H
#define FARGS_REPORT_HISTOGRAM_H

#include <stdint.h>

/* Numbers of up to 128 bits: -2^127 to -1, 0, 1 to 2^127 - 1. */
#define FARGS_HISTOGRAM_SIDE	128
#define FARGS_HISTOGRAM_BARS	(2 * FARGS_HISTOGRAM_SIDE + 1)

/* Begin with zeroes. */
struct fargs_histogram {
	uint64_t nr;
	uint64_t bars[FARGS_HISTOGRAM_BARS];	/* in the order of their numbers */
};

void fargs_histogram_add(struct fargs_histogram *h, __int128 v);
/* The least and the greatest number that bar @i may hold. */
void fargs_histogram_range(unsigned int i, __int128 *from, __int128 *to);

#endif
