/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts instructions and cycles between two branches of the same CPU.
 */
#ifndef FARGS_SOURCE_PT_DECODE_IPC_H
#define FARGS_SOURCE_PT_DECODE_IPC_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/decode/trace.h"

struct fargs_pt_ipc {
	uint64_t nr_insns;
	uint64_t nr_cycles;	/* 0: the trace does not report cycles at this branch */
};

/* One for each stream. Initialize with zeroes. */
struct fargs_pt_ipc_count {
	size_t mark;			/* index of the flow's next cycle mark */
	uint64_t nr_insns;		/* instructions executed so far */
	struct fargs_pt_ipc reported;	/* counts up to the last branch that had cycles */
};

/* Begins counting @part. Must be called for all parts of a stream, in order. */
void fargs_pt_ipc_begin(struct fargs_pt_ipc_count *c, const struct fargs_pt_part *part);

/* Counts the instructions of item @i of @part. Must be called for each item, in order. */
static inline void fargs_pt_ipc_executed(struct fargs_pt_ipc_count *c,
					 const struct fargs_pt_part *part, size_t i)
{
	c->nr_insns += part->flow.items[i].nr_insns;
}

/*
 * If the trace reports cycles at item @i of @part, sets @ipc to the counts since the last item that
 * had cycles. Otherwise leaves @ipc unchanged.
 */
void fargs_pt_ipc_take(struct fargs_pt_ipc_count *c, const struct fargs_pt_part *part, size_t i,
		       struct fargs_pt_ipc *ipc);

#endif
