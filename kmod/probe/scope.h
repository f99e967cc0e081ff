/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is inside a function with FARGS_LAYOUT_SCOPE: a set of tasks, and of interrupts.
 *
 * A task is its struct, not its number: that it has for itself as long as it lives,
 * whatever becomes of numbers when threads exec or numbers come round again, and the
 * idle tasks, which are all number 0, have one each. An interrupt is its CPU and its
 * kind and depth, which stay what they are until it ends. Each puts itself in and
 * takes itself out, and asks for itself alone; so there is nothing to be ordered
 * between them. For a task that dies inside probe/tasks.c takes it out, when it is freed.
 *
 * "Inside A or B" and recursion take one mark: the outermost call that was accepted
 * makes it, and it goes when that returns; whatever is inside that is inside.
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
	u32 bits;		/* of the number of a mark */
	/*
	 * No mark is farther than this from where its key belongs. It only grows; 0: closed,
	 * nobody is inside any more.
	 */
	u32 nr_scan;
	atomic64_t nr_unmarked;
	atomic64_t nr_undecided;
	unsigned long marks[];	/* keys; 0: free */
};

/**
 * fargs_scope_create() - make an empty set
 * @nr: how many marks there may be
 *
 * There is room for four times as many, so that a mark is close to where its key belongs.
 *
 * Context: Process context. May sleep.
 * Return: The set, or NULL if there is no memory.
 */
struct fargs_scope *fargs_scope_create(u32 nr);

/**
 * fargs_scope_destroy() - free a set
 * @scope: which nobody looks into any more
 *
 * Context: Process context. May sleep.
 */
void fargs_scope_destroy(struct fargs_scope *scope);

/**
 * fargs_scope_close() - from now on nobody is inside
 * @scope: the set
 *
 * Before the functions lose their probes: the marks of those that are inside then stay.
 *
 * Context: Any context.
 */
void fargs_scope_close(struct fargs_scope *scope);

/**
 * fargs_scope_enter() - put the context of the caller inside
 * @scope: the set
 *
 * It is not inside yet. If there is no room that is counted.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: What to leave it with; 0 if there is no room.
 */
u32 fargs_scope_enter(struct fargs_scope *scope);

/**
 * fargs_scope_forget() - a task is dead
 * @scope: the set
 * @task: which
 *
 * Context: Any context.
 */
void fargs_scope_forget(struct fargs_scope *scope, const struct task_struct *task);

static __always_inline void fargs_scope_leave(struct fargs_scope *scope, u32 mark)
{
	WRITE_ONCE(scope->marks[mark - 1], 0);
}

/* Where @key belongs. */
static __always_inline u32 fargs_scope_place(const struct fargs_scope *scope, unsigned long key)
{
	return hash_64(key, scope->bits);
}

static __always_inline unsigned long *fargs_scope_mark(struct fargs_scope *scope, u32 place)
{
	return &scope->marks[place & ((1u << scope->bits) - 1)];
}

/* Of this context: no other has the same. */
static __always_inline unsigned long fargs_scope_key(void)
{
	u32 interrupts = fargs_arch_preempt() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);

	if (likely(!interrupts))
		return (unsigned long)current;
	/* Odd, as no task's address is. */
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

/* Is the context of the caller inside? Any context. */
static __always_inline bool fargs_scope_is_inside(struct fargs_scope *scope)
{
	return fargs_scope_find(scope, fargs_scope_key());
}

#endif
