// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/depth.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/branch.h"

/* Size of a near call with a displacement: with 0, it only reads its own address. */
#define CALL_BYTES	5

struct call {
	uint64_t from;
	bool ends_trace;
	bool is_interrupt;	/* before the instruction at @from */
};

struct fargs_pt_depth {
	int32_t tid;
	uint32_t cpu;		/* only of the idle task */
	uint64_t trace;
	struct call *calls;
	size_t nr;
};

void fargs_pt_depths_deinit(struct fargs_pt_depths *d)
{
	while (d->nr)
		free(d->tasks[--d->nr].calls);
	free(d->tasks);
	*d = (struct fargs_pt_depths){ };
}

static struct fargs_pt_depth *find(struct fargs_pt_depths *d, int32_t tid, uint32_t cpu)
{
	struct fargs_pt_depth *task;
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (d->tasks[i].tid == tid && (tid || d->tasks[i].cpu == cpu))
			return &d->tasks[i];
	task = fargs_array_add(d->tasks, d->nr);
	if (task)
		*task = (struct fargs_pt_depth){ .tid = tid, .cpu = cpu };
	return task;
}

/* Is @to after the call at @from? Its size is not known: an instruction has at most 15 bytes. */
static bool returns_to(const struct call *call, uint64_t to)
{
	if (call->is_interrupt)
		return to == call->from;
	return to - call->from - 1 < FARGS_PT_INSN_MAX;
}

/* Removes the innermost call that returns to @to, and those in it. */
static void pop(struct fargs_pt_depth *task, uint64_t to)
{
	size_t i;

	for (i = task->nr; i; i--) {
		if (returns_to(&task->calls[i - 1], to)) {
			task->nr = i - 1;
			return;
		}
	}
}

static void pop_trace_end(struct fargs_pt_depth *task)
{
	size_t i;

	for (i = task->nr; i && task->calls[i - 1].ends_trace; i--)
		task->nr = i - 1;
}

static int push(struct fargs_pt_depth *task, const struct fargs_pt_item *item)
{
	struct call *call;

	if (item->insn == FARGS_PT_INSN_CALL && item->to == item->from + CALL_BYTES)
		return 0;
	call = fargs_array_add(task->calls, task->nr);
	if (!call)
		return -ENOMEM;
	*call = (struct call){
		.from = item->from, .ends_trace = item->flags & FARGS_PT_ENDS,
		.is_interrupt = item->kind == FARGS_PT_INTERRUPT,
	};
	return 0;
}

/* Is @item a call by its instruction, or an interrupt? The end of a trace alone is none. */
static bool is_call(const struct fargs_pt_item *item)
{
	struct fargs_pt_item without = *item;

	without.flags &= ~FARGS_PT_ENDS;
	return item->kind != FARGS_PT_END && fargs_pt_branch_is_call(&without);
}

int fargs_pt_depths_take(struct fargs_pt_depths *d, int32_t tid, uint32_t cpu, uint64_t trace,
			 const struct fargs_pt_item *item, unsigned int *depth)
{
	struct fargs_pt_depth *task = find(d, tid, cpu);
	int ret = 0;

	if (!task)
		return -ENOMEM;
	if (task->trace != trace)
		task->nr = 0;
	task->trace = trace;
	if (is_call(item)) {
		ret = push(task, item);
		*depth = task->nr;
	} else if (item->kind == FARGS_PT_BEGIN) {
		pop(task, item->to);
		pop_trace_end(task);
		*depth = task->nr;
	} else if (fargs_pt_branch_is_return(item)) {
		pop(task, item->to);
		*depth = task->nr + 1;
	} else {
		*depth = task->nr;
	}
	return ret;
}
