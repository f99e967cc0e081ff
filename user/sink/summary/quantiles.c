// SPDX-License-Identifier: GPL-2.0-only
#include "sink/summary/quantiles.h"

#include <errno.h>
#include <stdlib.h>

#define BITS	5
#define RANGES	(1u << BITS)

struct fargs_quantiles_octave {
	struct {
		unsigned __int128 sum;
		uint64_t nr;
	} ranges[RANGES];
};

void fargs_quantiles_deinit(struct fargs_quantiles *q)
{
	unsigned int i;

	for (i = 0; i < FARGS_QUANTILES_OCTAVES; i++)
		free(q->octaves[i]);
	*q = (struct fargs_quantiles){ };
}

int fargs_quantiles_add(struct fargs_quantiles *q, uint64_t v)
{
	/*
	 * An octave holds the numbers from one power of two to the next, in RANGES ranges. The
	 * first octave holds all numbers below RANGES, with a separate range for each number.
	 */
	unsigned int shift = v < RANGES ? 0 : 63 - __builtin_clzll(v) - BITS;
	unsigned int octave = v < RANGES ? 0 : shift + 1, range = (v >> shift) % RANGES;
	struct fargs_quantiles_octave **at = &q->octaves[octave];

	if (!*at)
		*at = calloc(1, sizeof(**at));
	if (!*at)
		return -ENOMEM;
	(*at)->ranges[range].nr++;
	(*at)->ranges[range].sum += v;
	if (!q->nr || v < q->min)
		q->min = v;
	if (v > q->max)
		q->max = v;
	q->nr++;
	q->sum += v;
	return 0;
}

static int merge_octave(struct fargs_quantiles_octave **to,
			const struct fargs_quantiles_octave *from)
{
	unsigned int i;

	if (!*to)
		*to = calloc(1, sizeof(**to));
	if (!*to)
		return -ENOMEM;
	for (i = 0; i < RANGES; i++) {
		(*to)->ranges[i].nr += from->ranges[i].nr;
		(*to)->ranges[i].sum += from->ranges[i].sum;
	}
	return 0;
}

int fargs_quantiles_merge(struct fargs_quantiles *q, const struct fargs_quantiles *from)
{
	unsigned int i;

	if (!from->nr)
		return 0;
	for (i = 0; i < FARGS_QUANTILES_OCTAVES; i++)
		if (from->octaves[i] && merge_octave(&q->octaves[i], from->octaves[i]))
			return -ENOMEM;
	if (!q->nr || from->min < q->min)
		q->min = from->min;
	if (from->max > q->max)
		q->max = from->max;
	q->nr += from->nr;
	q->sum += from->sum;
	return 0;
}

uint64_t fargs_quantiles_at(const struct fargs_quantiles *q, unsigned int permille)
{
	uint64_t rank = ((unsigned __int128)q->nr * permille + 999) / 1000, seen = 0;
	unsigned int i, j;

	if (!rank)
		rank = 1;
	for (i = 0; i < FARGS_QUANTILES_OCTAVES; i++) {
		for (j = 0; q->octaves[i] && j < RANGES; j++) {
			seen += q->octaves[i]->ranges[j].nr;
			if (seen >= rank)
				return q->octaves[i]->ranges[j].sum / q->octaves[i]->ranges[j].nr;
		}
	}
	return 0;
}

uint64_t fargs_quantiles_below(const struct fargs_quantiles *q, unsigned int bits)
{
	unsigned int i, j, octaves = bits - BITS + 1;
	uint64_t nr = 0;

	for (i = 0; i < octaves && i < FARGS_QUANTILES_OCTAVES; i++)
		for (j = 0; q->octaves[i] && j < RANGES; j++)
			nr += q->octaves[i]->ranges[j].nr;
	return nr;
}

uint64_t fargs_quantiles_mean(const struct fargs_quantiles *q)
{
	return q->nr ? q->sum / q->nr : 0;
}
