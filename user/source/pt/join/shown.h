/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects the calls, returns, tracepoints and errors of a trace that are shown.
 */
#ifndef FARGS_SOURCE_PT_JOIN_SHOWN_H
#define FARGS_SOURCE_PT_JOIN_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id_set.h"
#include "base/time_window.h"
#include "source/pt/calls/calls.h"
#include "source/pt/decode/funcs.h"
#include "source/pt/join/join.h"

struct fargs_pt_shown_options {
	bool has_returns;		/* also show returns, with durations */
	bool has_tracer;		/* also show fargs's own code */
	/* Show only what these CPUs executed; NULL or an empty set: all CPUs. */
	const struct fargs_id_set *cpus;
	struct fargs_time_window window;
	/* Show only these functions and the calls inside them; NULL: all functions. */
	const struct fargs_pt_funcs *roots;
	uint32_t depth_max;		/* maximum depth of nested calls; 0: unlimited */
	struct fargs_pt_join *join;	/* records joined to calls; NULL: no records */
};

/*
 * Callbacks for each selected call, return, tracepoint and error. cursor->context contains its CPU,
 * time and task. The callbacks return 0, or -errno to stop processing the trace.
 */
struct fargs_pt_shown_ops {
	int (*step)(void *arg, struct fargs_pt_call_cursor *cursor,
		    const struct fargs_pt_item *item, const struct fargs_pt_step *step,
		    bool is_call);
	/*
	 * Called for a function that ended in a tail call and to whose call a record was joined,
	 * when the function that it called returns.
	 */
	int (*jumped)(void *arg, struct fargs_pt_call_cursor *cursor,
		      const struct fargs_pt_frame *frame);
	/*
	 * Called for a tracepoint. @frame: call of fargs's probe function, to which the record of
	 * the tracepoint was joined.
	 */
	int (*tpoint)(void *arg, struct fargs_pt_call_cursor *cursor,
		      const struct fargs_pt_frame *frame);
	/* Called for a trace error, or changed kernel code (FARGS_PT_POKED). */
	int (*error)(void *arg, struct fargs_pt_call_cursor *cursor,
		     const struct fargs_pt_item *item);
};

struct fargs_pt_shown {
	const struct fargs_pt_shown_options *options;
	const struct fargs_pt_shown_ops *ops;
	void *arg;
	struct fargs_pt_bounds *bounds;	/* NULL: durations are not needed */
	struct fargs_pt_calls *calls;
	size_t item;			/* index of the current item in its part */
};

/*
 * @in and @options must outlive @s. Returns 0 or -ENOMEM. Call fargs_pt_shown_deinit() in both
 * cases.
 */
int fargs_pt_shown_init(struct fargs_pt_shown *s, const struct fargs_pt_input *in,
			const struct fargs_pt_shown_options *options,
			const struct fargs_pt_shown_ops *ops, void *arg);
void fargs_pt_shown_deinit(struct fargs_pt_shown *s);

/*
 * Processes the items of @part from @begin to @end (exclusive). The items of all CPUs must be
 * processed, in order of time. Returns 0; -ENOMEM; or the nonzero result of a callback.
 */
int fargs_pt_shown_take(struct fargs_pt_shown *s, const struct fargs_pt_part *part, size_t begin,
			size_t end);

/*
 * Returns the number of records joined to the call @node, and sets *@first to the first of them.
 */
size_t fargs_pt_shown_joined(const struct fargs_pt_shown *s, uint64_t node,
			     const struct fargs_pt_joined **first);

/*
 * Sets lower and upper bounds of the duration of the call that ends with @step. Returns false if
 * the bounds are unknown, or if a record contains the duration.
 */
bool fargs_pt_shown_duration(const struct fargs_pt_shown *s,
			     struct fargs_pt_call_cursor *cursor,
			     const struct fargs_pt_item *item, const struct fargs_pt_step *step,
			     uint64_t *least_ns, uint64_t *most_ns);

/* Returns perf's word for a call or return, such as "call", "jmp" or "hw int". */
const char *fargs_pt_shown_word(const struct fargs_pt_item *item,
				const struct fargs_pt_step *step);

#endif
