/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes flows (flow.h) of packets alone, without code: letters q and qq of perf's --itrace. Each
 * address that a packet has is an EXECUTED item of one instruction; branches are only those that
 * packets report as such: where tracing begins or ends, and asynchronous ones.
 */
#ifndef FARGS_SOURCE_PT_DECODE_WALK_QUICK_H
#define FARGS_SOURCE_PT_DECODE_WALK_QUICK_H

#include "source/pt/decode/flow.h"
#include "source/pt/decode/segments.h"
#include "source/pt/input/input.h"

/* What is read of the trace. */
enum fargs_pt_quick_level {
	FARGS_PT_QUICK_NOT,
	FARGS_PT_QUICK_ADDRESSES,	/* q: packets with addresses */
	FARGS_PT_QUICK_PSBS,		/* qq: only PSB+ */
};

struct fargs_pt_quick;

/* @wants: enum fargs_pt_wants. @in must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_quick *fargs_pt_quick_create(const struct fargs_pt_input *in,
					     enum fargs_pt_quick_level level, uint8_t wants);
void fargs_pt_quick_destroy(struct fargs_pt_quick *q);

/* Decodes @seg into @flow, whose previous content is discarded. Returns 0 or -ENOMEM. */
int fargs_pt_quick_run(struct fargs_pt_quick *q, const struct fargs_pt_segment *seg,
		       struct fargs_pt_flow *flow);

#endif
