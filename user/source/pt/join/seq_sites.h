/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collects what a trace shows of the instructions that allocate sequence numbers: their executions
 * on each CPU, with time and callers, and where some may be missing; and which calls enter fargs's
 * own code.
 *
 * Items must be taken in the order in which source/pt/calls/calls.h takes them.
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

/* @in and @meta must outlive the result. NULL: out of memory. */
struct fargs_pt_seq_sites *fargs_pt_seq_sites_create(const struct fargs_pt_input *in,
						     const struct fargs_meta *meta);
void fargs_pt_seq_sites_destroy(struct fargs_pt_seq_sites *s);

/*
 * The CPU of stream @stream at an item that @stack already includes. @trusted: frames of this epoch
 * or later certainly belong to the task. @was_tracer: the last frame was fargs's own code before
 * the item.
 */
struct fargs_pt_site_context {
	size_t stream;
	const struct fargs_pt_stack *stack;
	uint32_t trusted;
	int32_t tid;
	bool was_tracer;
	enum fargs_pt_step_kind step;
};

/* Takes the next item of a stream. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_take(struct fargs_pt_seq_sites *s,
			    const struct fargs_pt_site_context *context,
			    const struct fargs_pt_item *item);

/* Part of the trace of stream @stream is missing here. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_hole(struct fargs_pt_seq_sites *s, size_t stream);

/* Call after the last item. Returns 0 or -ENOMEM. */
int fargs_pt_seq_sites_finish(struct fargs_pt_seq_sites *s);

/* The tokens of a stream, which may be changed, and the callers they refer to. */
struct fargs_pt_token *fargs_pt_seq_sites_tokens(struct fargs_pt_seq_sites *s, size_t stream,
						 size_t *nr);
const struct fargs_pt_caller *fargs_pt_seq_sites_callers(const struct fargs_pt_seq_sites *s);

/* Numbers of the calls by which the kernel enters fargs's own code, in ascending order. */
const uint64_t *fargs_pt_seq_sites_hidden(const struct fargs_pt_seq_sites *s, size_t *nr);

/* Number of calls of fargs's code that could have allocated a number and did not. */
uint64_t fargs_pt_seq_sites_filtered(const struct fargs_pt_seq_sites *s);

#endif
