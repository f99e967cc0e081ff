/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds calls and returns in the executed branches of all CPUs, and how long calls took. Each
 * task has a stack (stack.h), which follows it from CPU to CPU, so items must be taken in order
 * of time.
 *
 * Calls are numbered from 1 on, including those that are not shown. The same trace always gets
 * the same numbers.
 */
#ifndef FARGS_SOURCE_PT_CALLS_CALLS_H
#define FARGS_SOURCE_PT_CALLS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "source/pt/calls/time_bounds.h"
#include "source/pt/calls/stack.h"
#include "source/pt/decode/context.h"
#include "source/pt/decode/funcs.h"
#include "source/pt/decode/insn.h"
#include "source/pt/decode/names.h"
#include "source/pt/decode/trace.h"
#include "source/pt/input/input.h"

struct fargs_pt_calls_options {
	const struct fargs_pt_funcs *roots;	/* depths are counted from these functions; NULL:
						 * none
						 */
	const struct fargs_pt_bounds *bounds;	/* NULL: no durations */
	/* Is call @node hidden, with its callees? NULL: none is. */
	bool (*is_hidden)(void *arg, uint64_t node);
	void *arg;
};

/* Counts, including what is not shown. */
struct fargs_pt_calls_counts {
	uint64_t calls;		/* including tail calls and interrupts */
	uint64_t returns;	/* returns to calls that were seen */
	uint64_t unseen;	/* other returns */
	uint64_t errors;	/* gaps in the trace */
};

/* Position in a stream. Read only for callers. */
struct fargs_pt_call_cursor {
	const struct fargs_pt_part *part;
	struct fargs_pt_stack *stack;	/* of the running task; NULL: not begun yet */
	struct fargs_pt_count switched;
	uint32_t run;			/* number of the run of the task between two switches */
	bool was_tracer;		/* the last frame was fargs's code before the last step */
	struct fargs_pt_context context;	/* see fargs_pt_calls_context() */
	/* The rest is private to calls.c: */
	bool has_context;		/* context is that of tsc */
	uint64_t tsc;
	uint64_t hole_node;		/* calls up to this one precede the last gap */
	/*
	 * The trace was disabled at off_tsc; is_off until it is known whether a task was switched
	 * since:
	 */
	uint64_t off_tsc;
	bool is_off;
	bool is_on_again;
	unsigned int nr_ticks;		/* ticks since it was enabled again */
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
	struct fargs_hash by_key;	/* indexes of tasks */
	struct fargs_pt_calls_counts counts;
	uint64_t nr_nodes;
	uint32_t nr_runs;
	unsigned int nr_off;	/* number of streams with is_off */
	bool has_records;	/* records bound durations */
	bool has_simple_calls;	/* calls need no more than the function's name */
	bool is_unsure;		/* which tasks run is uncertain: switches may be missing */
};

/* @in and the data that @options points to must outlive the result. NULL: out of memory. */
struct fargs_pt_calls *fargs_pt_calls_create(const struct fargs_pt_input *in,
					     const struct fargs_pt_calls_options *options);
void fargs_pt_calls_destroy(struct fargs_pt_calls *c);

const struct fargs_pt_calls_counts *fargs_pt_calls_counts(const struct fargs_pt_calls *c);
/* Number of calls so far, which is the number of the last one. */
uint64_t fargs_pt_calls_nr_nodes(const struct fargs_pt_calls *c);

/*
 * Function names, for struct fargs_pt_view.begins. Jumps to addresses that are not in it may be
 * skipped.
 */
const struct fargs_pt_names *fargs_pt_calls_names(const struct fargs_pt_calls *c);
/* The function at @addr; valid until the next item or name lookup. */
static inline const struct fargs_pt_name *fargs_pt_calls_name(struct fargs_pt_calls *c,
							      uint64_t addr, uint64_t ns)
{
	return fargs_pt_names_get(c->names, c->cache, addr, ns);
}

/* The cursor of @part's stream, positioned at item @begin. NULL: out of memory. */
struct fargs_pt_call_cursor *fargs_pt_calls_cursor(struct fargs_pt_calls *c,
						   const struct fargs_pt_part *part, size_t begin);

/*
 * fargs_pt_calls_take() in two parts, for callers that need the state in between: step applies the
 * item to the stack; settle then checks whether the item is a gap. step returns 1, 0 if @item is
 * irrelevant and needs no settle, or -ENOMEM.
 */
int fargs_pt_calls_step(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *cursor,
			const struct fargs_pt_item *item, struct fargs_pt_step *step);
void fargs_pt_calls_settle(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *cursor,
			   const struct fargs_pt_item *item, const struct fargs_pt_step *step);

/* Is there a gap in the trace after @item, or up to it? */
bool fargs_pt_calls_is_hole(const struct fargs_pt_call_cursor *cursor,
			    const struct fargs_pt_item *item);

/* Frames of this epoch or later certainly belong to the cursor's task. */
uint32_t fargs_pt_calls_trusted(const struct fargs_pt_calls *c,
				const struct fargs_pt_call_cursor *cursor);

/*
 * Bounds the duration of the call of @frame, from which @item, the last one taken, returns.
 * False: the duration is unknown, or the call may be another task's.
 */
bool fargs_pt_calls_duration(const struct fargs_pt_calls *c,
			     const struct fargs_pt_call_cursor *cursor,
			     const struct fargs_pt_item *item, const struct fargs_pt_frame *frame,
			     uint64_t *least_ns, uint64_t *most_ns);

void fargs_pt_calls_set_context(struct fargs_pt_call_cursor *cursor, uint64_t tsc);

/* CPU, time and task of the last item taken, at @tsc; cached, since many items share them. */
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

/* Does this call need nothing but the function's name? Most calls are of that kind. */
static inline bool fargs_pt_calls_is_simple(struct fargs_pt_calls *c,
					    struct fargs_pt_call_cursor *cursor,
					    const struct fargs_pt_item *item)
{
	const struct fargs_pt_name *name;

	if (item->insn != FARGS_PT_INSN_CALL || item->flags & FARGS_PT_ENDS || !c->has_simple_calls)
		return false;
	name = fargs_pt_calls_name(c, item->to, fargs_pt_calls_context(cursor, item->tsc)->ns);
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
 * Takes the next item of @cursor's part, and sets @step to its effect on the stack of its task.
 * The items of a stream must be taken in order and without gaps. Returns 0 or -ENOMEM.
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
