// SPDX-License-Identifier: GPL-2.0-only
#include "model/clock.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Number of the newest samples that a live session keeps when it drops old samples. */
#define LIVE_POINTS	1024

struct point {
	uint64_t tsc;
	uint64_t ns;
};

/* Samples of one CPU, or of all CPUs (struct fargs_clockline.one), sorted by time. */
struct line {
	struct point *points;
	size_t nr_points;
	size_t room;
	size_t last;		/* the last lookup was between points[last] and points[last + 1] */
};

struct fargs_clockline {
	unsigned int nr_cpus;
	uint32_t tsc_khz;
	size_t nr_rounds;	/* number of rounds of meta->clocks that were added */
	bool is_one;		/* the kernel trusted the TSC in all rounds */
	uint64_t settled_ns;	/* result of fargs_clockline_settled() */
	uint32_t width_tsc;	/* largest width of all samples, in TSC ticks */
	struct line *lines;
	struct line one;	/* line for all CPUs, used while @is_one is set */
	/*
	 * For each CPU, the index in @lines of its own line or, if the CPU has no samples, of a
	 * neighbour's line. Not used while @is_one is set.
	 */
	unsigned int *line_of;
};

static int add_point(struct line *line, uint64_t tsc, uint64_t ns)
{
	struct point *points;

	/*
	 * Ignore a sample whose TSC is not above that of the previous sample: the two do not define
	 * a line.
	 */
	if (line->nr_points && tsc <= line->points[line->nr_points - 1].tsc)
		return 0;
	if (line->nr_points == line->room) {
		points = realloc(line->points, (2 * line->room + 4) * sizeof(*points));
		if (!points)
			return -ENOMEM;
		line->points = points;
		line->room = 2 * line->room + 4;
	}
	line->points[line->nr_points++] = (struct point){ tsc, ns };
	return 0;
}

static void drop_old(struct line *line)
{
	size_t nr_old = line->nr_points - LIVE_POINTS;

	if (line->nr_points < 2 * LIVE_POINTS)
		return;
	memmove(line->points, line->points + nr_old, LIVE_POINTS * sizeof(*line->points));
	line->nr_points = LIVE_POINTS;
	line->last = 0;
}

/*
 * Sets c->line_of[], the line that each CPU uses. A CPU without samples uses the line of a
 * neighbour.
 */
static void share_lines(struct fargs_clockline *cl)
{
	unsigned int cpu, from = 0;

	for (cpu = 0; cpu < cl->nr_cpus; cpu++) {
		if (cl->lines[cpu].nr_points) {
			from = cpu;
			break;
		}
	}
	for (cpu = 0; cpu < cl->nr_cpus; cpu++) {
		if (cl->lines[cpu].nr_points)
			from = cpu;
		cl->line_of[cpu] = from;
	}
}

static int add_round(struct fargs_clockline *cl, const struct fargs_clock_sample *samples)
{
	const struct fargs_clock_sample *sample, *best = NULL;
	uint64_t settled_ns = UINT64_MAX;

	for (sample = samples; sample < samples + cl->nr_cpus; sample++) {
		if (!sample->is_valid)
			continue;
		if (add_point(&cl->lines[sample - samples], sample->tsc, sample->perf_ns))
			return -ENOMEM;
		if (!best || sample->width_tsc < best->width_tsc)
			best = sample;
		if (sample->perf_ns < settled_ns)
			settled_ns = sample->perf_ns;
		if (sample->width_tsc > cl->width_tsc)
			cl->width_tsc = sample->width_tsc;
		cl->is_one &= !(sample->is_valid & FARGS_CLOCK_UNSTABLE);
	}
	if (!best)
		return 0;
	cl->settled_ns = settled_ns;
	return add_point(&cl->one, best->tsc, best->perf_ns) ? -ENOMEM : 0;
}

int fargs_clockline_update(struct fargs_clockline *cl, const struct fargs_meta *meta)
{
	if (cl->nr_rounds == meta->nr_clocks)
		return 0;
	for (; cl->nr_rounds < meta->nr_clocks; cl->nr_rounds++)
		if (add_round(cl, meta->clocks[cl->nr_rounds].cpus))
			return -ENOMEM;
	share_lines(cl);
	return 0;
}

int fargs_clockline_add(struct fargs_clockline *cl, const struct fargs_clock_sample *samples)
{
	unsigned int cpu;

	if (add_round(cl, samples))
		return -ENOMEM;
	share_lines(cl);
	for (cpu = 0; cpu < cl->nr_cpus; cpu++)
		drop_old(&cl->lines[cpu]);
	drop_old(&cl->one);
	return 0;
}

struct fargs_clockline *fargs_clockline_create(const struct fargs_meta *meta,
					       struct fargs_error_text *err)
{
	struct fargs_clockline *cl;

	/* Events have times of the perf clock, so a recording of only events needs no TSC rate. */
	if ((!meta->info.tsc_khz && !meta->is_bare) || !meta->info.nr_cpus) {
		fargs_fail(err, EINVAL, "the frequency of the TSC is not known");
		return NULL;
	}
	cl = calloc(1, sizeof(*cl));
	if (!cl)
		goto no_memory;
	cl->nr_cpus = meta->info.nr_cpus;
	cl->tsc_khz = meta->info.tsc_khz;
	cl->is_one = meta->info.tsc_stable;
	cl->lines = calloc(cl->nr_cpus, sizeof(*cl->lines));
	cl->line_of = calloc(cl->nr_cpus, sizeof(*cl->line_of));
	if (!cl->lines || !cl->line_of || fargs_clockline_update(cl, meta))
		goto no_memory;
	return cl;

no_memory:
	fargs_clockline_destroy(cl);
	fargs_fail(err, ENOMEM, "out of memory");
	return NULL;
}

void fargs_clockline_destroy(struct fargs_clockline *cl)
{
	unsigned int cpu;

	if (!cl)
		return;
	for (cpu = 0; cl->lines && cpu < cl->nr_cpus; cpu++)
		free(cl->lines[cpu].points);
	free(cl->lines);
	free(cl->one.points);
	free(cl->line_of);
	free(cl);
}

/* Returns @ticks * @num / @den, rounded to the nearest integer. @den is not 0. */
static __int128 scale(uint64_t ticks, __int128 num, uint64_t den)
{
	__int128 product, half = den / 2;

	/* Fast path for the common case, without a 128-bit division. */
	if (num >= 0 && ticks < (1ull << 33) && num < (1ll << 30))
		return (ticks * (uint64_t)num + (uint64_t)half) / den;
	/*
	 * No overflow: between samples |num| < 2^64 and ticks < 2^62; when extrapolating with the
	 * TSC's rate, num < 2^21 and ticks < 2^63.
	 */
	product = (__int128)ticks * num;
	return product >= 0 ? (product + half) / den : -((-product + half) / den);
}

static uint64_t clamp(__int128 ns)
{
	if (ns < 0)
		return 0;
	return ns > (__int128)UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

/* Extrapolates from point @p with the TSC's rate. */
static uint64_t extrapolate(const struct fargs_clockline *cl, const struct point *p, uint64_t tsc)
{
	uint64_t ticks = tsc >= p->tsc ? tsc - p->tsc : p->tsc - tsc;
	__int128 ns;

	if (!cl->tsc_khz)
		return tsc;
	ns = scale(ticks >> 1, 2000000, cl->tsc_khz);
	if (ticks < (1ull << 33))
		ns = scale(ticks, 1000000, cl->tsc_khz);
	return clamp(tsc >= p->tsc ? (__int128)p->ns + ns : (__int128)p->ns - ns);
}

uint64_t fargs_clockline_ns(struct fargs_clockline *cl, unsigned int cpu, uint64_t tsc)
{
	static const struct point zero;
	const struct point *p;
	struct line *line;
	size_t low, high, mid;

	if (cpu >= cl->nr_cpus)
		cpu = 0;
	line = cl->is_one ? &cl->one : &cl->lines[cl->line_of[cpu]];
	if (!line->nr_points)
		return extrapolate(cl, &zero, tsc);
	p = line->points;
	if (tsc < p[0].tsc)
		return extrapolate(cl, &p[0], tsc);
	if (tsc >= p[line->nr_points - 1].tsc)
		return extrapolate(cl, &p[line->nr_points - 1], tsc);

	/* The line has at least two points, and tsc lies between the first and the last. */
	low = line->last;
	if (!(low + 1 < line->nr_points && p[low].tsc <= tsc && tsc < p[low + 1].tsc)) {
		low = 0;
		high = line->nr_points - 1;
		while (high - low > 1) {
			mid = low + (high - low) / 2;
			if (p[mid].tsc <= tsc)
				low = mid;
			else
				high = mid;
		}
		line->last = low;
	}
	p += low;
	if (p[1].tsc - p[0].tsc >= 1ull << 62)
		return extrapolate(cl, p, tsc);
	return clamp(p[0].ns + scale(tsc - p[0].tsc, (__int128)p[1].ns - (__int128)p[0].ns,
				     p[1].tsc - p[0].tsc));
}

uint64_t fargs_clockline_settled(const struct fargs_clockline *cl)
{
	return cl->is_one ? UINT64_MAX : cl->settled_ns;
}

bool fargs_clockline_is_tsc(const struct fargs_clockline *cl)
{
	return cl->is_one;
}

uint64_t fargs_clockline_error_ns(const struct fargs_clockline *cl)
{
	if (cl->is_one || !cl->tsc_khz)
		return 0;
	return (cl->width_tsc * 1000000ull + cl->tsc_khz - 1) / cl->tsc_khz;
}
