/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AUX records of perf.data: how much trace the kernel wrote to its buffers, and where some was
 * lost, which the trace itself does not show.
 */
#ifndef FARGS_SOURCE_PT_INPUT_PERF_AUX_H
#define FARGS_SOURCE_PT_INPUT_PERF_AUX_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_perf_aux_note {
	uint32_t cpu;			/* both as in struct fargs_pt_stream */
	int32_t tid;
	uint64_t end;			/* offset after the last byte of the record's range */
	bool is_truncated;		/* the trace after it was lost for want of room */
};

/* Zero-initialized: empty. */
struct fargs_perf_aux {
	struct fargs_perf_aux_note *notes;
	size_t nr;
};

void fargs_perf_aux_deinit(struct fargs_perf_aux *aux);

/*
 * Adds an AUX record: the stream (cpu, or UINT32_MAX and tid), its range and its PERF_AUX_FLAG_…
 * flags. Returns 0 or -ENOMEM.
 */
int fargs_perf_aux_note(struct fargs_perf_aux *aux, uint32_t cpu, int32_t tid, uint64_t offset,
			uint64_t bytes, uint64_t flags);

/*
 * Splits the pieces of all streams, which must be sorted, where trace is missing, and removes
 * perf's padding. Returns 0 or -ENOMEM.
 */
int fargs_perf_aux_apply(struct fargs_perf_aux *aux, struct fargs_pt_input *in);

#endif
