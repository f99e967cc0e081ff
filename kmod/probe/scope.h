/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The set of tasks and interrupts that are in scope: inside a function with FARGS_LAYOUT_SCOPE.
 *
 * The key of a task is the address of its task_struct, not its id: the address stays the same as
 * long as the task exists, while an id changes when a thread execs, and can be reused; and the idle
 * tasks all have the id 0, but different addresses. The key of an interrupt consists of the CPU and
 * of the interrupt's kind and nesting depth, which do not change until it ends.
 *
 * No ordering is needed between contexts: each context adds, removes and looks up only its own key.
 * The exception is a task that exits while in scope: probe/tasks.c removes its key when the task is
 * freed.
 *
 * A context has at most one mark, even if functions with FARGS_LAYOUT_SCOPE are nested or
 * recursive: the outermost accepted call sets the mark, and its return clears the mark.
 */
#ifndef FARGS_KMOD_PROBE_SCOPE_H
#define FARGS_KMOD_PROBE_SCOPE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/kconfig.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "arch/cpu.h"
#include "compat/preempt.h"

struct fargs_scope {
	u32 bits;		/* log2 of the number of places in @marks */
	/*
	 * How many places a lookup searches: no mark is farther away from the first place of its
	 * key. Never decreases until fargs_scope_close() sets it to 0, after which lookups find no
	 * mark, and nothing is in scope.
	 */
	u32 nr_scan;
	atomic64_t nr_unmarked;		/* fargs_stats.nr_unmarked */
	atomic64_t nr_undecided;	/* fargs_stats.nr_untold */
	unsigned long marks[];	/* a key in each place; 0: the place is free */
};

/**
 * fargs_scope_bytes() - get the memory that a set uses
 * @nr: as in fargs_scope_create()
 *
 * Context: Any context.
 * Return: The size of the set in bytes.
 */
u64 fargs_scope_bytes(u32 nr);

/**
 * fargs_scope_create() - create an empty set
 * @nr: maximum number of marks at the same time
 *
 * Allocates four times as many places, so that marks are close to the first place of their key.
 *
 * Context: Process context. May sleep.
 * Return: The set, or NULL if out of memory.
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
 * Must be called before the probes are unregistered: marks of calls that have not returned by then
 * are never cleared. After this, no context can be put in scope.
 *
 * Context: Any context.
 */
void fargs_scope_close(struct fargs_scope *scope);

/**
 * fargs_scope_enter() - put the current context in scope
 * @scope: the set, which does not contain the context
 *
 * Increments nr_unmarked if there is no room.
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

/* Returns the index in marks at which the search for @key starts. */
static __always_inline u32 fargs_scope_place(const struct fargs_scope *scope, unsigned long key)
{
	return hash_64(key, scope->bits);
}

static __always_inline unsigned long *fargs_scope_mark(struct fargs_scope *scope, u32 place)
{
	return &scope->marks[place & ((1u << scope->bits) - 1)];
}

/* Returns the key of the current context, which no other context has. */
static __always_inline unsigned long fargs_scope_key(void)
{
	u32 interrupts = fargs_arch_preempt() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);

	if (likely(!interrupts)) {
		/*
		 * With PREEMPT_RT, tasks serve soft interrupts, and can be preempted while they do.
		 * So the key is the address of the task plus 1, an odd number, which is not the key
		 * of the task itself.
		 */
		if (IS_ENABLED(CONFIG_PREEMPT_RT) && (fargs_compat_preempt() & SOFTIRQ_OFFSET))
			return (unsigned long)current | 1;
		return (unsigned long)current;
	}
	/* An odd number, unlike the address of a task. */
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

/* Is the current context in scope? Can be called in any context, NMI included. */
static __always_inline bool fargs_scope_is_inside(struct fargs_scope *scope)
{
	return fargs_scope_find(scope, fargs_scope_key());
}

#endif
