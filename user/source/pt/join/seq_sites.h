/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a trace tells of the instructions that take numbers: their executions on each CPU, from
 * which calls these came and when, where some may be missing; and which calls are our own
 * code, from where the kernel goes to it on.
 *
 * Events must come in the order in which source/pt/calls/calls.h makes calls of them.
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

/* NULL: no memory. Both must outlive it. */
struct fargs_pt_seq_sites *fargs_pt_seq_sites_create(const struct fargs_pt_input *in,
						     const struct fargs_meta *meta);
void fargs_pt_seq_sites_destroy(struct fargs_pt_seq_sites *s);

/*
 * On the CPU of stream @nr @item comes, of which @stack knows already. @trusted: frames of this
 * epoch and later ones are surely those of the task. @was_tracer: the last frame was our own
 * code, before. -ENOMEM.
 */
struct fargs_pt_site_context {
	size_t stream;
	const struct fargs_pt_stack *stack;
	uint32_t trusted;
	int32_t tid;
	bool was_tracer;
	enum fargs_pt_step_kind step;
};

int fargs_pt_seq_sites_take(struct fargs_pt_seq_sites *s,
			    const struct fargs_pt_site_context *context,
			    const struct fargs_pt_item *item);

/* There is a hole in stream @nr: some was not traced. -ENOMEM. */
int fargs_pt_seq_sites_hole(struct fargs_pt_seq_sites *s, size_t stream);

/* When all was told. -ENOMEM. */
int fargs_pt_seq_sites_finish(struct fargs_pt_seq_sites *s);

/* Those of a stream, and what they refer to; may be changed. */
struct fargs_pt_token *fargs_pt_seq_sites_tokens(struct fargs_pt_seq_sites *s, size_t stream,
						 size_t *nr);
const struct fargs_pt_caller *fargs_pt_seq_sites_callers(const struct fargs_pt_seq_sites *s);

/* Calls of our own code, by number, rising: those from the kernel to it. */
const uint64_t *fargs_pt_seq_sites_hidden(const struct fargs_pt_seq_sites *s, size_t *nr);

/* How often our code was called that takes numbers, and took none. */
uint64_t fargs_pt_seq_sites_filtered(const struct fargs_pt_seq_sites *s);

#endif
