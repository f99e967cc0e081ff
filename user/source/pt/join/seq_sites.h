/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collects data about the seq sites, the instructions that allocate sequence numbers: their
 * executions on each CPU, with times and callers; gaps that may hide executions; and the calls that
 * enter fargs's own code.
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

/* @in and @meta must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_seq_sites *fargs_pt_seq_sites_create(const struct fargs_pt_input *in,
						     const struct fargs_meta *meta);
void fargs_pt_seq_sites_destroy(struct fargs_pt_seq_sites *s);

/*
 * The state of stream @stream after an item was applied to @stack. The frames of @stack whose epoch
 * is @trusted or higher certainly belong to the running task, @tid. @was_tracer: before the item,
 * the top frame was in fargs's own code. @step: the item's effect on the stack.
 */
struct fargs_pt_site_context {
	size_t stream;
	const struct fargs_pt_stack *stack;
	uint32_t trusted;
	int32_t tid;
	bool was_tracer;
	enum fargs_pt_step_kind step;
};

/* Processes the next item of a stream. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_take(struct fargs_pt_seq_sites *s,
			    const struct fargs_pt_site_context *context,
			    const struct fargs_pt_item *item);

/* Adds a hole: a part of the trace of stream @stream is missing here. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_hole(struct fargs_pt_seq_sites *s, size_t stream);

/* Must be called after the last item. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_finish(struct fargs_pt_seq_sites *s);

/*
 * fargs_pt_seq_sites_tokens() returns the tokens of a stream, which the caller may change;
 * fargs_pt_seq_sites_callers() returns the callers to which tokens refer.
 */
struct fargs_pt_token *fargs_pt_seq_sites_tokens(struct fargs_pt_seq_sites *s, size_t stream,
						 size_t *nr);
const struct fargs_pt_caller *fargs_pt_seq_sites_callers(const struct fargs_pt_seq_sites *s);

/* Returns the numbers of the calls by which the kernel enters fargs's own code, sorted. */
const uint64_t *fargs_pt_seq_sites_hidden(const struct fargs_pt_seq_sites *s, size_t *nr);

/* Returns the number of calls of fargs's capture functions that allocated no sequence number. */
uint64_t fargs_pt_seq_sites_filtered(const struct fargs_pt_seq_sites *s);

#endif
