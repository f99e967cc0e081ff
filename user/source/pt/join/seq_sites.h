/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collects data about the seq sites, the instructions that allocate sequence numbers: their
 * executions on each CPU, with times and callers; gaps that may hide executions; and the calls that
 * enter fargs's own code. The CPUs are those on which the records were written: of the machine that
 * was traced, where each has a stream; or of a guest, whichever streams execute them.
 *
 * Items must be processed in the order in which source/pt/calls/calls.h processes them.
 */
#ifndef FARGS_SOURCE_PT_JOIN_SEQ_SITES_H
#define FARGS_SOURCE_PT_JOIN_SEQ_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"
#include "source/pt/calls/stack.h"
#include "source/pt/decode/flow.h"
#include "source/pt/input/input.h"
#include "source/pt/join/align.h"

struct fargs_pt_seq_sites;

/*
 * @code: the code of the machine that wrote the records. @nr: number of CPUs. @error: the largest
 * error of times in the trace, compared with those of the records, in TSC ticks; UINT64_MAX: times
 * are not used. @meta must outlive the result. Returns NULL if out of memory.
 */
struct fargs_pt_seq_sites *fargs_pt_seq_sites_create(const struct fargs_pt_input *code,
						     const struct fargs_meta *meta, size_t nr,
						     uint64_t error);
void fargs_pt_seq_sites_destroy(struct fargs_pt_seq_sites *s);

/*
 * The state of CPU @cpu after an item was applied to @stack. The frames of @stack whose epoch is
 * @trusted or higher certainly belong to the running task, @tid (-1: unknown). @was_tracer: before
 * the item, the top frame was in fargs's own code. @step: the item's effect on the stack.
 */
struct fargs_pt_site_context {
	size_t cpu;
	const struct fargs_pt_stack *stack;
	uint32_t trusted;
	int32_t tid;
	bool was_tracer;
	enum fargs_pt_step_kind step;
};

/* Processes the next item of a CPU. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_take(struct fargs_pt_seq_sites *s,
			    const struct fargs_pt_site_context *context,
			    const struct fargs_pt_item *item);

/* Adds a hole: a part of the trace of @cpu is missing here. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_hole(struct fargs_pt_seq_sites *s, size_t cpu);

/*
 * The virtual CPU @cpu stops here, and its stack is not followed any longer: executions that have
 * begun may end at any later time.
 */
void fargs_pt_seq_sites_pause(struct fargs_pt_seq_sites *s, size_t cpu);

/* Must be called after the last item. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_finish(struct fargs_pt_seq_sites *s);

/*
 * fargs_pt_seq_sites_tokens() returns the tokens of a CPU, which the caller may change;
 * fargs_pt_seq_sites_callers() returns the callers to which tokens refer.
 */
struct fargs_pt_token *fargs_pt_seq_sites_tokens(struct fargs_pt_seq_sites *s, size_t cpu,
						 size_t *nr);
const struct fargs_pt_caller *fargs_pt_seq_sites_callers(const struct fargs_pt_seq_sites *s);

/* Returns the numbers of the calls by which the kernel enters fargs's own code, sorted. */
const uint64_t *fargs_pt_seq_sites_hidden(const struct fargs_pt_seq_sites *s, size_t *nr);

/* Returns the number of calls of fargs's capture functions that allocated no sequence number. */
uint64_t fargs_pt_seq_sites_filtered(const struct fargs_pt_seq_sites *s);

#endif
