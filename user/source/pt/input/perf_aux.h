/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel's AUX records tell of the trace that perf took from its buffers: how much
 * there was, and where some was lost. The bytes themselves do not show it.
 */
#ifndef FARGS_PT_PERF_AUX_H
#define FARGS_PT_PERF_AUX_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_perf_aux_note {
	uint32_t cpu;			/* both as those of struct fargs_pt_stream */
	int32_t tid;
	uint64_t end;			/* offset behind the last byte that it is about */
	bool is_truncated;		/* there was no room for what came then */
};

/* All zeroes: empty. */
struct fargs_perf_aux {
	struct fargs_perf_aux_note *notes;
	size_t nr;
};

void fargs_perf_aux_deinit(struct fargs_perf_aux *aux);

/*
 * An AUX record, with the stream it is about (cpu, or UINT32_MAX and tid), and what it
 * says (PERF_AUX_FLAG_…). -ENOMEM.
 */
int fargs_perf_aux_note(struct fargs_perf_aux *aux, uint32_t cpu, int32_t tid, uint64_t offset,
			uint64_t bytes, uint64_t flags);

/*
 * Cuts the pieces of all streams, which must be in order, where something is missing, and
 * cuts off what perf filled them up with. -ENOMEM.
 */
int fargs_perf_aux_apply(struct fargs_perf_aux *aux, struct fargs_pt_input *in);

#endif
