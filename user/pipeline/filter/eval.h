/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Evaluates expressions that are numbers (fargs-select(7)) on the values of an event. A value that
 * is computed, such as a sum, is taken from the event if the same expression was recorded.
 */
#ifndef FARGS_PIPELINE_FILTER_EVAL_H
#define FARGS_PIPELINE_FILTER_EVAL_H

#include <stdbool.h>
#include <stddef.h>

#include "pipeline/filter/lookup.h"
#include "select/typing/constant.h"

/* Initialize with zeroes. */
struct fargs_eval {
	struct fargs_constants constants;
	struct fargs_lookup lookup;
	struct fargs_eval_memo *memos;
	size_t nr_memos;
	/* BTF for values that have no BTF of their own; owned by the caller. */
	const struct btf *btf;
	/* The following members are the state while an event is evaluated. */
	struct fargs_decoder *d;
	const struct fargs_event *ev;
	bool is_short;		/* the evaluation ran out of memory */
};

void fargs_eval_deinit(struct fargs_eval *e);

/*
 * Evaluates @node for the current event. @beside: the value of the other operand, an enumerator of
 * whose enum @node may be; NULL: none. Returns false if @node is not a number in this event.
 */
bool fargs_eval_number(struct fargs_eval *e, const struct fargs_node *node,
		       const struct fargs_found *beside, struct fargs_found *found);
/*
 * Evaluates @node, which is not a number by itself, as a constant beside a value. Unlike
 * fargs_eval_number(), looks up nothing again: the time would double at each level of operators.
 */
bool fargs_eval_beside(struct fargs_eval *e, const struct fargs_node *node,
		       const struct fargs_found *beside, struct fargs_found *found);

#endif
