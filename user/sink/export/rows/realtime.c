// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/rows/realtime.h"

#include <errno.h>

#include "model/clock.h"
#include "sink/export/named.h"

#define NS_PER_S	1000000000
/* The kernel slews CLOCK_REALTIME by at most this much, as a fraction (500 ppm). */
#define SLEW_PER	2000

int fargs_realtime_init(struct fargs_realtime *t, struct fargs_meta *meta)
{
	const struct fargs_origin *o = &meta->origin;
	struct fargs_error_text err;
	struct fargs_clockline *line;

	*t = (struct fargs_realtime){ .origin = o };
	if (!o->real_ns || meta->is_bare || o->real_cpu >= meta->info.nr_cpus)
		return 0;
	line = fargs_clockline_create(meta, &err);
	if (!line)
		return -ENOMEM;
	t->perf_ns = fargs_clockline_ns(line, o->real_cpu, o->real_tsc + o->real_width / 2);
	t->error_ns = fargs_clockline_error_ns(line) +
		      o->real_width * 1000000 / meta->info.tsc_khz / 2 + 1;
	fargs_clockline_destroy(line);
	t->has_both = t->perf_ns;
	t->minus_perf = (int64_t)(o->real_ns - t->perf_ns);
	return 0;
}

int64_t fargs_realtime_begin(const struct fargs_realtime *t)
{
	return t->has_both ? (int64_t)t->origin->real_ns : t->origin->date * NS_PER_S;
}

int64_t fargs_realtime_at(struct fargs_realtime *t, const struct fargs_event *ev, uint64_t *error)
{
	uint64_t ns = fargs_named_ns(ev), distance;

	*error = UINT64_MAX;
	if (ev->has_no_time || !ns)
		return fargs_realtime_begin(t);
	if (!t->has_first)
		t->first_ns = ns;
	t->has_first = true;
	if (!t->has_both)
		return fargs_realtime_begin(t) + (int64_t)(ns - t->first_ns);
	distance = ns > t->perf_ns ? ns - t->perf_ns : t->perf_ns - ns;
	*error = t->error_ns + distance / SLEW_PER;
	return (int64_t)ns + t->minus_perf;
}
