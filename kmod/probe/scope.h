/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The set of tasks and interrupts that are in scope: inside a function with FARGS_LAYOUT_SCOPE.
 *
 * The key of a task is the address of its task_struct, not its id: the address stays the same as
 * long as the task lives, while ids change when threads exec and are reused; and the idle tasks,
 * which all have the id 0, have different addresses. The key of an interrupt is made of its CPU
 * and of its kind and nesting depth, which do not change until it ends.
 *
 * No ordering is needed between contexts: each one adds, removes and looks up only its own key.
 * The exception is a task that dies in scope, which probe/tasks.c removes when it is freed.
 *
 * A context has at most one mark, also with several such functions and with recursion: the
 * outermost accepted call sets it, and the return of that call clears it.
 */
#ifndef FARGS_KMOD_PROBE_SCOPE_H
#define FARGS_KMOD_PROBE_SCOPE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "arch/cpu.h"

struct fargs_scope {
	u32 bits;		/* log2 of the number of places in marks */
	/*
	 * How many places a lookup probes: no mark is farther away from where its key belongs. It
	 * only grows, until it becomes 0 when the set is closed: then nothing is in scope.
	 */
	u32 nr_scan;
	atomic64_t nr_unmarked;		/* fargs_stats.nr_unmarked */
	atomic64_t nr_undecided;	/* fargs_stats.nr_untold */
	unsigned long marks[];	/* keys; 0: free */
};

/**
 * fargs_scope_create() - create an empty set
 * @nr: most marks at the same time
 *
 * Allocates four times as many places, so that marks are close to where their key belongs.
 *
 * Context: Process context. May sleep.
 * Return: The set, or NULL if there is no memory.
 */
struct fargs_scope *fargs_scope_create(u32 nr);

/**
 * fargs_scope_destroy() - free a set
 * @scope: the set, which is no longer used
 *
 * Context: Process context. May sleep.
 */
void fargs_scope_destroy(struct fargs_scope *scope);

/**
 * fargs_scope_close() - remove all contexts from scope
 * @scope: the set
 *
 * To be called before the functions lose their probes: marks of calls that have not returned by
 * then are never cleared. The set stays closed.
 *
 * Context: Any context.
 */
void fargs_scope_close(struct fargs_scope *scope);

/**
 * fargs_scope_enter() - put the current context in scope
 * @scope: the set, which does not have the context yet
 *
 * Counts nr_unmarked if there is no room.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The mark to pass to fargs_scope_leave(); 0 if there is no room or the set is closed.
 */
u32 fargs_scope_enter(struct fargs_scope *scope);

/**
 * fargs_scope_forget() - remove a dead task from scope
 * @scope: the set
 * @task: the dead task
 *
 * Context: Any context.
 */
void fargs_scope_forget(struct fargs_scope *scope, const struct task_struct *task);

static __always_inline void fargs_scope_leave(struct fargs_scope *scope, u32 mark)
{
	WRITE_ONCE(scope->marks[mark - 1], 0);
}

/* The place at which the search for @key starts. */
static __always_inline u32 fargs_scope_place(const struct fargs_scope *scope, unsigned long key)
{
	return hash_64(key, scope->bits);
}

static __always_inline unsigned long *fargs_scope_mark(struct fargs_scope *scope, u32 place)
{
	return &scope->marks[place & ((1u << scope->bits) - 1)];
}

/* The key of the current context, which is unique among all contexts. */
static __always_inline unsigned long fargs_scope_key(void)
{
	u32 interrupts = fargs_arch_preempt() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);

	if (likely(!interrupts))
		return (unsigned long)current;
	/* Odd, unlike the address of a task. */
	return (unsigned long)raw_smp_processor_id() << 32 | interrupts | 1;
}

static __always_inline unsigned long *fargs_scope_find(struct fargs_scope *scope,
						       unsigned long key)
{
	u32 place = fargs_scope_place(scope, key);
	u32 left = READ_ONCE(scope->nr_scan);

	for (; left; left--, place++) {
		unsigned long *mark = fargs_scope_mark(scope, place);

		if (READ_ONCE(*mark) == key)
			return mark;
	}
	return NULL;
}

/* Is the current context in scope? Any context, NMI included. */
static __always_inline bool fargs_scope_is_inside(struct fargs_scope *scope)
{
	return fargs_scope_find(scope, fargs_scope_key());
}

#endif
