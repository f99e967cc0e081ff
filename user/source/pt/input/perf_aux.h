/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AUX records of perf.data: which ranges of trace the kernel wrote to its buffers, and where trace
 * was lost; and which events write PEBS records to the trace (attr.aux_output), with which counter.
 * The trace itself does not show this.
 */
#ifndef FARGS_SOURCE_PT_INPUT_PERF_AUX_H
#define FARGS_SOURCE_PT_INPUT_PERF_AUX_H

#include <stddef.h>
#include <stdint.h>

#include "source/perf_data/body.h"
#include "source/perf_data/file.h"
#include "source/pt/input/input.h"

struct fargs_perf_aux_note {
	/* @cpu and @tid have the same meaning as in struct fargs_pt_stream. */
	uint32_t cpu;
	int32_t tid;
	uint64_t end;			/* offset after the last byte of the record's range */
	bool is_truncated;		/* trace after @end was lost because the buffer was full */
};

/* Initialize with zeroes. */
struct fargs_perf_aux {
	struct fargs_perf_aux_note *notes;
	size_t nr;
};

void fargs_perf_aux_deinit(struct fargs_perf_aux *aux);

/*
 * Adds an AUX record. @cpu, @tid: its stream; @offset, @bytes: its range; @flags: PERF_AUX_FLAG_*.
 * Returns 0 or -ENOMEM.
 */
int fargs_perf_aux_note(struct fargs_perf_aux *aux, uint32_t cpu, int32_t tid, uint64_t offset,
			uint64_t bytes, uint64_t flags);

/*
 * Splits the pieces of all streams at the places where trace is missing, and removes perf's
 * padding. @in must be sorted. Returns 0 or -ENOMEM.
 */
int fargs_perf_aux_apply(struct fargs_perf_aux *aux, struct fargs_pt_input *in);

/*
 * Adds what the AUX_OUTPUT_HW_ID record @b reports: from its time on, the counter is that of
 * @event, an index in in->pebs_events, or SIZE_MAX: unknown. A damaged record is ignored. @is_cpu:
 * the trace is that of CPUs, not of threads. Returns 0 or -ENOMEM.
 */
int fargs_perf_aux_add_counter(struct fargs_pt_input *in, const struct fargs_perf_body *b,
			       bool is_cpu, size_t event);

/* Adds the events whose PEBS records are in the trace. All must be known. Returns 0 or -ENOMEM. */
int fargs_perf_aux_add_outputs(struct fargs_pt_input *in, const struct fargs_perf_file *file);

/*
 * The same for a record of @file, with the event that has its id.
 */
int fargs_perf_aux_take_output(struct fargs_pt_input *in, const struct fargs_perf_file *file,
			       const struct fargs_perf_body *b, bool is_cpu);

#endif
