/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimates quantiles of a set of numbers: the numbers are counted and summed up in 32 ranges per
 * power of two. A quantile is off by at most 3%, and exact if its range contains only one distinct
 * number.
 */
#ifndef FARGS_SINK_SUMMARY_QUANTILES_H
#define FARGS_SINK_SUMMARY_QUANTILES_H

#include <stdint.h>

#define FARGS_QUANTILES_OCTAVES	60

struct fargs_quantiles_octave;

/* Initialize with zeroes. */
struct fargs_quantiles {
	unsigned __int128 sum;
	uint64_t nr;
	uint64_t min, max;
	struct fargs_quantiles_octave *octaves[FARGS_QUANTILES_OCTAVES];	/* NULL: empty */
};

void fargs_quantiles_deinit(struct fargs_quantiles *q);
/* Adds the number @v. Returns 0 or -ENOMEM. */
int fargs_quantiles_add(struct fargs_quantiles *q, uint64_t v);
/* Adds all numbers of @from. Returns 0 or -ENOMEM. */
int fargs_quantiles_merge(struct fargs_quantiles *q, const struct fargs_quantiles *from);
/*
 * Returns an estimate of the smallest number such that at least @permille thousandths of all
 * numbers are less than or equal to it. Returns 0 if there are no numbers.
 */
uint64_t fargs_quantiles_at(const struct fargs_quantiles *q, unsigned int permille);
/* Returns how many of the numbers are less than two to the power of @bits, which is at least 5. */
uint64_t fargs_quantiles_below(const struct fargs_quantiles *q, unsigned int bits);
uint64_t fargs_quantiles_mean(const struct fargs_quantiles *q);

#endif
