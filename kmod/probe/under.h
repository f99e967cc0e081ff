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
#ifndef FARGS_UNDER_H
#define FARGS_UNDER_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "arch/cpu.h"

struct fargs_under {
	u32 bits;		/* of the number of a mark */
	/*
	 * No mark is farther than this from where its key belongs. It only grows; 0: closed,
	 * nobody is inside any more.
	 */
	u32 nr_scan;
	atomic64_t nr_unmarked;
	atomic64_t nr_untold;
	unsigned long marks[];	/* keys; 0: free */
};

/**
 * fargs_under_create() - make an empty set
 * @nr: how many marks there may be
 *
 * There is room for four times as many, so that a mark is close to where its key belongs.
 *
 * Context: Process context. May sleep.
 * Return: The set, or NULL if there is no memory.
 */
struct fargs_under *fargs_under_create(u32 nr);

/**
 * fargs_under_destroy() - free a set
 * @under: which nobody looks into any more
 *
 * Context: Process context. May sleep.
 */
void fargs_under_destroy(struct fargs_under *under);

/**
 * fargs_under_close() - from now on nobody is inside
 * @under: the set
 *
 * Before the functions lose their probes: the marks of those that are inside then stay.
 *
 * Context: Any context.
 */
void fargs_under_close(struct fargs_under *under);

/**
 * fargs_under_enter() - put the context of the caller inside
 * @under: the set
 *
 * It is not inside yet. If there is no room that is counted.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: What to leave it with; 0 if there is no room.
 */
u32 fargs_under_enter(struct fargs_under *under);

/**
 * fargs_under_forget() - a task is dead
 * @under: the set
 * @task: which
 *
 * Context: Any context.
 */
void fargs_under_forget(struct fargs_under *under, const struct task_struct *task);

static __always_inline void fargs_under_leave(struct fargs_under *under, u32 mark)
{
	WRITE_ONCE(under->marks[mark - 1], 0);
}

/* Where @key belongs. */
static __always_inline u32 fargs_under_place(const struct fargs_under *under, unsigned long key)
{
	return hash_64(key, under->bits);
}

static __always_inline unsigned long *fargs_under_mark(struct fargs_under *under, u32 place)
{
	return &under->marks[place & ((1u << under->bits) - 1)];
}

/* Of this context: no other has the same. */
static __always_inline unsigned long fargs_under_key(void)
{
	u32 interrupts = fargs_arch_preempt() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);

	if (likely(!interrupts))
		return (unsigned long)current;
	/* Odd, as no task's address is. */
	return (unsigned long)raw_smp_processor_id() << 32 | interrupts | 1;
}

static __always_inline unsigned long *fargs_under_find(struct fargs_under *under,
						       unsigned long key)
{
	u32 place = fargs_under_place(under, key);
	u32 left = READ_ONCE(under->nr_scan);

	for (; left; left--, place++) {
		unsigned long *mark = fargs_under_mark(under, place);

		if (READ_ONCE(*mark) == key)
			return mark;
	}
	return NULL;
}

/* Is the context of the caller inside? Any context. */
static __always_inline bool fargs_under_is_inside(struct fargs_under *under)
{
	return fargs_under_find(under, fargs_under_key());
}

#endif
