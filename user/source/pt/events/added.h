/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains and last branches of samples that were recorded beside a trace: letters G and L of
 * perf's --itrace. A sample has what its task had done by the time of the sample, as far as the
 * times in the trace show it.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_ADDED_H
#define FARGS_SOURCE_PT_EVENTS_ADDED_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event.h"
#include "source/pt/input/input.h"
#include "source/pt/trace/trace.h"

struct fargs_pt_sample {
	uint64_t ns;
	uint64_t ip;
	int32_t tid;
	uint32_t cpu;
};

struct fargs_pt_added;

/*
 * Decodes the trace of @in. @samples, sorted by time, must outlive the result; @chain_max and
 * @branches_max as for fargs_pt_chains_create(). Returns NULL with @err on error.
 */
struct fargs_pt_added *fargs_pt_added_create(const struct fargs_pt_input *in,
					     const struct fargs_pt_trace_options *how,
					     const struct fargs_pt_sample *samples, size_t nr,
					     unsigned int chain_max, unsigned int branches_max,
					     struct fargs_error_text *err);
void fargs_pt_added_destroy(struct fargs_pt_added *a);

/* Sets the call chain and the last branches of @ev, the event of sample @i, if it has none. */
void fargs_pt_added_set(const struct fargs_pt_added *a, size_t i, struct fargs_event *ev);

#endif
