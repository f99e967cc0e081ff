/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples that have a trace (in->sampled), among its items: a sample comes after all that was
 * executed before it. Views get the items of all CPUs in order of time, so that samples are, too.
 */
#ifndef FARGS_SOURCE_PT_TRACE_SAMPLES_H
#define FARGS_SOURCE_PT_TRACE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/id_set.h"
#include "base/time_window.h"
#include "source/pt/trace/trace.h"

struct fargs_pt_samples {
	const struct fargs_pt_input *in;
	const struct fargs_id_set *cpus;	/* NULL or an empty set: all */
	const struct fargs_time_window *window;
	size_t nr;			/* number of samples before the next one */
};

/*
 * Returns the index of the first item of @part, from @begin to @end, that is later than the next
 * sample; @end: there is none.
 */
size_t fargs_pt_samples_items(const struct fargs_pt_samples *s, const struct fargs_pt_part *part,
			      size_t begin, size_t end);

/*
 * Returns the next sample, if it is before @tsc, and goes on to the one after it; NULL: there is
 * none. Leaves out those of other CPUs and times.
 */
const struct fargs_pt_sampled *fargs_pt_samples_next(struct fargs_pt_samples *s, uint64_t tsc);

#endif
