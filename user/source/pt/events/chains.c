// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/chains.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/branch.h"

/* Calls of a task that are kept; older ones are forgotten. Some never return: longjmp(). */
#define CALLS_MAX	65536

struct call {
	uint64_t to;			/* where it returns to */
	bool ends;			/* tracing was turned off by it */
};

struct task {
	uint64_t id;
	struct call *calls;
	size_t nr_calls, room;
	struct fargs_last_branch *jumps;	/* a ring */
	size_t nr_jumps;		/* at most @branches_max */
	size_t next;			/* index of the next one in @jumps */
};

struct fargs_pt_chains {
	unsigned int chain_max, branches_max;
	struct task *tasks;
	size_t nr_tasks;
	struct fargs_hash by_id;
	struct task *task;		/* the current one; NULL: none */
};

struct fargs_pt_chains *fargs_pt_chains_create(unsigned int chain_max, unsigned int branches_max)
{
	struct fargs_pt_chains *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->chain_max = chain_max;
	c->branches_max = branches_max;
	return c;
}

void fargs_pt_chains_destroy(struct fargs_pt_chains *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->nr_tasks; i++) {
		free(c->tasks[i].calls);
		free(c->tasks[i].jumps);
	}
	free(c->tasks);
	fargs_hash_deinit(&c->by_id);
	free(c);
}

static struct task *add_task(struct fargs_pt_chains *c, uint64_t id)
{
	struct task *task;

	if (fargs_hash_reserve(&c->by_id, c->nr_tasks + 1))
		return NULL;
	task = fargs_array_add(c->tasks, c->nr_tasks);
	if (!task)
		return NULL;
	*task = (struct task){ .id = id };
	if (c->branches_max) {
		task->jumps = calloc(c->branches_max, sizeof(*task->jumps));
		if (!task->jumps) {
			c->nr_tasks--;
			return NULL;
		}
	}
	fargs_hash_add(&c->by_id, fargs_hash_u64(id), c->nr_tasks - 1);
	return task;
}

int fargs_pt_chains_switch(struct fargs_pt_chains *c, int32_t tid, uint32_t cpu)
{
	uint64_t id = tid > 0 ? (uint64_t)tid : (uint64_t)cpu << 32 | (uint32_t)tid;
	uint32_t at, i;

	if (c->task && c->task->id == id)
		return 0;
	c->task = NULL;
	fargs_hash_for_each(i, at, &c->by_id, fargs_hash_u64(id))
		if (c->tasks[i].id == id)
			c->task = &c->tasks[i];
	if (!c->task)
		c->task = add_task(c, id);
	return c->task ? 0 : -ENOMEM;
}

static int push_call(struct task *task, uint64_t to, bool ends)
{
	struct call *call;

	if (task->nr_calls == CALLS_MAX) {
		task->nr_calls /= 2;
		memmove(task->calls, task->calls + task->nr_calls,
			task->nr_calls * sizeof(*task->calls));
	}
	call = fargs_array_push(task->calls, task->nr_calls, task->room);
	if (!call)
		return -ENOMEM;
	*call = (struct call){ .to = to, .ends = ends };
	return 0;
}

/*
 * Ends the innermost call that returns to @to, and those made in it. If there is none, the call was
 * not traced, and its callers are still right.
 */
static void pop_call(struct task *task, uint64_t to)
{
	size_t i;

	for (i = task->nr_calls; i; i--) {
		if (task->calls[i - 1].to == to) {
			task->nr_calls = i - 1;
			return;
		}
	}
}

static void add_jump(struct fargs_pt_chains *c, const struct fargs_pt_item *item)
{
	struct task *task = c->task;

	task->jumps[task->next] = (struct fargs_last_branch){
		.from = item->from, .to = item->to,
		.is_in_tx = fargs_pt_branch_is_in_tx(item),
		.aborts = item->flags & FARGS_PT_ABORTS,
	};
	task->next = (task->next + 1) % c->branches_max;
	task->nr_jumps += task->nr_jumps < c->branches_max;
}

static bool ends_trace(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_END || item->flags & FARGS_PT_ENDS;
}

/* Is the branch of @item a call, or an interrupt, which returns like one? */
static bool is_call(const struct fargs_pt_item *item)
{
	struct fargs_pt_item branch = *item;

	if (item->kind == FARGS_PT_INTERRUPT || item->kind == FARGS_PT_END)
		return !(item->flags & FARGS_PT_ABORTS);
	/* Without the flag that the trace ends, which makes it a call for --itrace=c. */
	branch.flags = 0;
	return fargs_pt_branch_is_call(&branch);
}

static bool is_kernel(uint64_t ip)
{
	return ip >> 63;
}

/* Returns whether @item is a return to user space; its target is 0 where that is not traced. */
static bool leaves_kernel(const struct fargs_pt_item *item)
{
	return (item->insn == FARGS_PT_INSN_IRET || item->insn == FARGS_PT_INSN_SYSRET) &&
	       is_kernel(item->from) && !is_kernel(item->to);
}

static int follow_calls(struct task *task, const struct fargs_pt_item *item, unsigned int size)
{
	if (item->kind == FARGS_PT_BEGIN) {
		pop_call(task, item->to);
		/* What the calls that turned tracing off did has ended. */
		while (task->nr_calls && task->calls[task->nr_calls - 1].ends)
			task->nr_calls--;
		return 0;
	}
	if (is_call(item)) {
		/*
		 * A call of the next instruction only reads its address. With a byte in between,
		 * which is never executed, it fills the CPU's return stack buffer.
		 */
		if (!item->to || item->to - (item->from + size) <= 1)
			return 0;
		return push_call(task, item->from + size, ends_trace(item));
	}
	if (!fargs_pt_branch_is_return(item))
		return 0;
	pop_call(task, item->to);
	/* The kernel's stack is empty, though some of its code makes calls that never return. */
	if (leaves_kernel(item))
		while (task->nr_calls && is_kernel(task->calls[task->nr_calls - 1].to))
			task->nr_calls--;
	return 0;
}

int fargs_pt_chains_take(struct fargs_pt_chains *c, const struct fargs_pt_item *item,
			 unsigned int size)
{
	if (!c->task)
		return 0;
	if (c->branches_max)
		add_jump(c, item);
	if (!c->chain_max)
		return 0;
	return follow_calls(c->task, item, item->kind == FARGS_PT_BRANCH ? size : 0);
}

/*
 * A chain of perf has a marker where it goes from the kernel to user space or back, which counts as
 * an address, and so does the sample's own address.
 */
static size_t put_callers(const struct fargs_pt_chains *c, size_t nr_calls, uint64_t ip,
			  uint64_t *to)
{
	const struct task *task = c->task;
	bool was_kernel = is_kernel(ip);
	size_t nr = 0, used, i;

	for (i = nr_calls, used = 1; i && used < c->chain_max; i--, used++) {
		ip = task->calls[i - 1].to;
		if (is_kernel(ip) != was_kernel && ++used >= c->chain_max)
			break;
		was_kernel = is_kernel(ip);
		to[nr++] = ip;
	}
	return nr;
}

size_t fargs_pt_chains_callers(const struct fargs_pt_chains *c, uint64_t ip, uint64_t *to)
{
	return c->task ? put_callers(c, c->task->nr_calls, ip, to) : 0;
}

size_t fargs_pt_chains_callers_late(const struct fargs_pt_chains *c, uint64_t ip, uint64_t *to)
{
	const struct call *call;
	size_t i;

	for (i = c->task ? c->task->nr_calls : 0; i; i--) {
		call = &c->task->calls[i - 1];
		/* The interrupt that took the sample returns to its address. */
		if (call->to == ip)
			return put_callers(c, i - 1, ip, to);
		if (!is_kernel(call->to))
			return put_callers(c, i, ip, to);
	}
	return 0;
}

size_t fargs_pt_chains_branches(const struct fargs_pt_chains *c, struct fargs_last_branch *to)
{
	const struct task *task = c->task;
	size_t i;

	if (!task)
		return 0;
	for (i = 0; i < task->nr_jumps; i++)
		to[i] = task->jumps[(task->next + c->branches_max - 1 - i) % c->branches_max];
	return task->nr_jumps;
}
