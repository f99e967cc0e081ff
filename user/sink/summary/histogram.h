/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A histogram of numbers by powers of two of their absolute values.
 */
#ifndef FARGS_SINK_SUMMARY_HISTOGRAM_H
#define FARGS_SINK_SUMMARY_HISTOGRAM_H

#include <stdint.h>

/*
 * A bar counts the numbers of one sign whose absolute values have the same number of bits, 1 to
 * 128. One more bar counts the number 0.
 */
#define FARGS_HISTOGRAM_SIDE	128
#define FARGS_HISTOGRAM_BARS	(2 * FARGS_HISTOGRAM_SIDE + 1)

/* Initialize with zeroes. */
struct fargs_histogram {
	uint64_t nr;
	uint64_t bars[FARGS_HISTOGRAM_BARS];	/* counts, in ascending order of the numbers */
};

void fargs_histogram_add(struct fargs_histogram *h, __int128 v);
/* Sets *@from and *@to to the smallest and the largest number that are counted in bar @i. */
void fargs_histogram_range(unsigned int i, __int128 *from, __int128 *to);

#endif
