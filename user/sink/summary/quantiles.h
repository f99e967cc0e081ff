/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers, as far as it takes to tell their quantiles: how many there are in each of 32 ranges
 * to a power of two, and their sum. A quantile is off by 3% at most, and not at all where a range
 * has one number only, however often.
 */
#ifndef FARGS_REPORT_QUANTILES_H
#define FARGS_REPORT_QUANTILES_H

#include <stdint.h>

#define FARGS_QUANTILES_OCTAVES	60

struct fargs_quantiles_octave;

/* Begin with zeroes. */
struct fargs_quantiles {
	unsigned __int128 sum;
	uint64_t nr;
	uint64_t min, max;
	struct fargs_quantiles_octave *octaves[FARGS_QUANTILES_OCTAVES];	/* NULL: empty */
};

void fargs_quantiles_deinit(struct fargs_quantiles *q);
/* 0 or -ENOMEM. */
int fargs_quantiles_add(struct fargs_quantiles *q, uint64_t v);
/* Adds all of @from. 0 or -ENOMEM. */
int fargs_quantiles_merge(struct fargs_quantiles *q, const struct fargs_quantiles *from);
/* The least number that at least @permille of all do not exceed; 0 if there is none. */
uint64_t fargs_quantiles_at(const struct fargs_quantiles *q, unsigned int permille);
uint64_t fargs_quantiles_mean(const struct fargs_quantiles *q);

#endif
