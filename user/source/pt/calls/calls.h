/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds calls and returns in the executed branches of all CPUs, and bounds the durations of calls.
 * Each task has one stack (stack.h), whichever CPU it runs on, so the items of all CPUs must be
 * processed in order of time.
 *
 * Calls are numbered from 1, including those that are not shown. Decoding the same trace again
 * yields the same numbers.
 */
#ifndef FARGS_SOURCE_PT_CALLS_CALLS_H
#define FARGS_SOURCE_PT_CALLS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/machine.h"
#include "base/hash.h"
#include "source/pt/calls/stack.h"
#include "source/pt/calls/time_bounds.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/funcs.h"
#include "source/pt/decode/names.h"
#include "source/pt/input/input.h"
#include "source/pt/trace/context.h"
#include "source/pt/trace/trace.h"

struct fargs_pt_calls_options {
	const struct fargs_pt_funcs *roots;	/* depths are counted from these functions; NULL:
						 * none
						 */
	const struct fargs_pt_bounds *bounds;	/* NULL: no durations */
	/*
	 * Returns whether call number @node is hidden, with its callees. NULL: no call is hidden.
	 */
	bool (*is_hidden)(void *arg, uint64_t node);
	void *arg;
};

/* Counts include calls and returns that are not shown. */
struct fargs_pt_calls_counts {
	uint64_t calls;		/* including tail calls and interrupts */
	uint64_t returns;	/* returns from calls that were traced */
	uint64_t unseen;	/* returns from calls made before the trace began, or in a gap */
	uint64_t errors;	/* gaps in the trace */
};

/* Position in a CPU's stream of items. Callers must not modify it. */
struct fargs_pt_call_cursor {
	const struct fargs_pt_part *part;
	struct fargs_pt_stack *stack;	/* stack of the running task; NULL: no task was set yet */
	struct fargs_pt_count switched;
	uint32_t run;			/* number of the last task switch, counted over all CPUs */
	bool was_tracer;		/* the top frame was in fargs's code before the last step */
	struct fargs_pt_context context;	/* see fargs_pt_calls_context() */
	/* The following members are private to calls.c. */
	bool has_context;		/* @context is valid for the time @tsc */
	uint64_t tsc;
	uint64_t hole_node;		/* number of the last call before the last gap */
	/*
	 * The trace was disabled at @off_tsc. @is_off remains set until it is known whether tasks
	 * were switched while the trace was disabled.
	 */
	uint64_t off_tsc;
	bool is_off;
	bool is_on_again;
	/* Number of FARGS_PT_TICK items since the trace was enabled again. */
	unsigned int nr_ticks;
};

/* Private; declared here for the inline functions. */
struct fargs_pt_calls {
	const struct fargs_pt_input *in;
	struct fargs_pt_calls_options options;
	struct fargs_pt_names *names;
	struct fargs_pt_names_cache *cache;
	struct fargs_pt_call_cursor *cursors;	/* indexed by stream */
	struct fargs_pt_task **tasks;
	size_t nr_tasks;
	struct fargs_hash by_key;	/* maps keys of tasks to their indexes */
	struct fargs_pt_calls_counts counts;
	uint64_t nr_nodes;
	uint32_t nr_runs;
	unsigned int nr_off;	/* number of cursors whose is_off is set */
	bool has_records;	/* options.bounds contains records */
	bool has_simple_calls;	/* neither options.is_hidden nor options.roots is set */
	bool is_unsure;		/* task switches may be missing */
};

/*
 * @in and the data that @options points to must outlive the result. Returns NULL if out of memory.
 */
struct fargs_pt_calls *fargs_pt_calls_create(const struct fargs_pt_input *in,
					     const struct fargs_pt_calls_options *options);
void fargs_pt_calls_destroy(struct fargs_pt_calls *c);

const struct fargs_pt_calls_counts *fargs_pt_calls_counts(const struct fargs_pt_calls *c);
/* Returns the number of calls found until now, which is also the number of the latest call. */
uint64_t fargs_pt_calls_nr_nodes(const struct fargs_pt_calls *c);

/*
 * Returns the function names. They can be assigned to fargs_pt_view.begins: jumps are then omitted
 * from the items, unless a function begins at their target.
 */
const struct fargs_pt_names *fargs_pt_calls_names(const struct fargs_pt_calls *c);
/*
 * Returns the function at @addr in @context. The result is valid until the next item is processed
 * or the next name is looked up.
 */
static inline const struct fargs_pt_name *fargs_pt_calls_name(struct fargs_pt_calls *c,
							      struct fargs_pt_context *context,
							      uint64_t addr)
{
	/* Looking for the space takes longer than the rest. */
	int32_t space = fargs_machine_is_kernel(addr) && !context->is_guest ? -1 :
			fargs_pt_context_space(context);

	return fargs_pt_names_get(c->names, c->cache, space, addr, context->ns);
}

/* Returns the cursor of @part's stream, positioned at item @begin; NULL if out of memory. */
struct fargs_pt_call_cursor *fargs_pt_calls_cursor(struct fargs_pt_calls *c,
						   const struct fargs_pt_part *part, size_t begin);

/*
 * The two halves of fargs_pt_calls_take(), for callers that need the state in between.
 * fargs_pt_calls_step() applies @item to the stack. fargs_pt_calls_settle() then checks whether
 * @item is a gap, and updates the counts. fargs_pt_calls_step() returns 1; 0 if @item is
 * irrelevant and fargs_pt_calls_settle() need not be called; or -ENOMEM.
 */
int fargs_pt_calls_step(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *cursor,
			const struct fargs_pt_item *item, struct fargs_pt_step *step);
void fargs_pt_calls_settle(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *cursor,
			   const struct fargs_pt_item *item, const struct fargs_pt_step *step);

/* Returns whether the trace has a gap directly before or after @item. */
bool fargs_pt_calls_is_hole(const struct fargs_pt_call_cursor *cursor,
			    const struct fargs_pt_item *item);

/* Returns whether task switches may be missing, so that another task may run than is known. */
static inline bool fargs_pt_calls_is_unsure(const struct fargs_pt_calls *c)
{
	return c->is_unsure;
}

/* Returns an epoch: frames of this or a later epoch certainly belong to the cursor's task. */
uint32_t fargs_pt_calls_trusted(const struct fargs_pt_calls *c,
				const struct fargs_pt_call_cursor *cursor);

/*
 * Returns a new epoch, which frames that are entered from now on have: only those certainly belong
 * to the task of the guest that runs.
 */
uint32_t fargs_pt_calls_begin_epoch(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *cursor);

/*
 * Sets a lower and an upper bound of the duration of @frame's call. @item, the item processed
 * last, is the return from this call. Returns false if the duration is unknown, or if the call may
 * be another task's.
 */
bool fargs_pt_calls_duration(const struct fargs_pt_calls *c,
			     const struct fargs_pt_call_cursor *cursor,
			     const struct fargs_pt_item *item, const struct fargs_pt_frame *frame,
			     uint64_t *least_ns, uint64_t *most_ns);

void fargs_pt_calls_set_context(struct fargs_pt_call_cursor *cursor, uint64_t tsc);

/*
 * Returns CPU, time and task of the item processed last, which has the time @tsc. The result is
 * cached, since many consecutive items have the same time.
 */
static inline struct fargs_pt_context *fargs_pt_calls_context(struct fargs_pt_call_cursor *cursor,
							      uint64_t tsc)
{
	if (!cursor->has_context || cursor->tsc != tsc)
		fargs_pt_calls_set_context(cursor, tsc);
	return &cursor->context;
}

/* Private, for the inline functions below. */
int fargs_pt_calls_enter(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *cursor,
			 const struct fargs_pt_item *item, struct fargs_pt_step *step);
void fargs_pt_calls_set_entered(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *cursor,
				const struct fargs_pt_item *item);
int fargs_pt_calls_take_other(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *cursor,
			      const struct fargs_pt_item *item, struct fargs_pt_step *step);

/*
 * Returns whether @item calls the beginning of an ordinary function, as most calls do, so that
 * fargs_pt_stack_call() is sufficient.
 */
static inline bool fargs_pt_calls_is_simple(struct fargs_pt_calls *c,
					    struct fargs_pt_call_cursor *cursor,
					    const struct fargs_pt_item *item)
{
	const struct fargs_pt_name *name;

	if (item->insn != FARGS_PT_INSN_CALL || item->flags & FARGS_PT_ENDS || !c->has_simple_calls)
		return false;
	name = fargs_pt_calls_name(c, fargs_pt_calls_context(cursor, item->tsc), item->to);
	return name->addr == item->to && !name->kinds;
}

/* Applies @item to its task's stack. */
static inline int fargs_pt_calls_step_over(struct fargs_pt_calls *c,
					   struct fargs_pt_call_cursor *cursor,
					   const struct fargs_pt_item *item,
					   struct fargs_pt_step *step)
{
	if (fargs_pt_stack_return(cursor->stack, item, step))
		return 0;
	return fargs_pt_calls_enter(c, cursor, item, step);
}

static inline void fargs_pt_calls_count(struct fargs_pt_calls *c,
					struct fargs_pt_call_cursor *cursor,
					const struct fargs_pt_item *item,
					const struct fargs_pt_step *step)
{
	switch (step->kind) {
	case FARGS_PT_STEP_NONE:
		break;
	case FARGS_PT_STEP_ENTERED:
	case FARGS_PT_STEP_JUMPED:
		c->counts.calls++;
		if (c->options.bounds)
			fargs_pt_calls_set_entered(c, cursor, item);
		break;
	case FARGS_PT_STEP_LEFT:
		c->counts.returns++;
		break;
	default:
		c->counts.unseen++;
	}
}

/*
 * Processes @item, the next item of @cursor's part, and sets @step to its effect on the task's
 * stack. All items of a stream must be processed, in order. Returns 0 or -ENOMEM.
 */
static inline int fargs_pt_calls_take(struct fargs_pt_calls *c,
				      struct fargs_pt_call_cursor *cursor,
				      const struct fargs_pt_item *item, struct fargs_pt_step *step)
{
	int ret;

	if (item->kind != FARGS_PT_BRANCH)
		return fargs_pt_calls_take_other(c, cursor, item, step);
	ret = fargs_pt_calls_is_simple(c, cursor, item) ?
	      fargs_pt_stack_call(cursor->stack, item, step) :
	      fargs_pt_calls_step_over(c, cursor, item, step);
	if (!ret)
		fargs_pt_calls_count(c, cursor, item, step);
	return ret;
}

#endif
