/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of slots. Each slot keeps one call of a function until it returns.
 *
 * Slots can be taken and released in any context, NMI included, on any CPU and in any order. There
 * is no lock: each slot has a bit, which is set and cleared atomically.
 */
#ifndef FARGS_KMOD_PROBE_POOL_H
#define FARGS_KMOD_PROBE_POOL_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "compat/retprobe.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

struct fargs_template;
struct task_struct;

/*
 * A call that has not returned. Only the context that has taken the slot uses it, except that
 * fargs_pool_abandon() and fargs_pool_add_overruns() read task, and the latter writes own.overruns.
 */
struct fargs_slot {
	struct fargs_retprobe_own own;	/* first */
	u32 index;			/* in the pool; constant */
	/*
	 * The task that made the call; NULL in a free slot, and in one that has just been taken.
	 * For fargs_pool_abandon() and fargs_pool_add_overruns().
	 */
	struct task_struct *task;
	/* Bytes of the call's values in body; 0: no values */
	u32 values_len;
	/* For composed calls only: mark, has_return, is_wanted, is_trigger */
	u32 mark;			/* to leave at the return (probe/scope.h); 0: none */
	bool has_return;		/* the call may get a RETURN record */
	bool is_wanted;			/* record the call if the return predicate accepts it */
	bool is_trigger;		/* its next record may be a trigger (probe/ret.c) */
	struct fargs_template *template;	/* entry of a struct fargs_programs */
	unsigned long ip;
	unsigned long parent_ip;
	u64 tsc;			/* at the call */
	u64 regs[FARGS_REGS];		/* arguments at the call, in the order of the ABI */
	/* The body as composed at the call, at the same offset from record as in a real record. */
	struct fargs_record record;
	u64 body[];
};

struct fargs_pool {
	u32 nr;
	u32 nr_words;
	unsigned long words_per_cpu;	/* distance of the words at which CPUs start to search */
	unsigned long slot_bytes;
	u64 last_word;			/* bits of the last word that are slots */
	void *slots;
	atomic64_t nr_abandoned;
	unsigned long used[];		/* bit per slot; bits beyond the last slot are set */
};

/**
 * fargs_pool_create() - create a pool of slots
 * @nr: number of slots; not 0
 * @body_bytes: bytes of body in each slot
 *
 * Context: Process context. May sleep.
 * Return: The pool, or NULL if there is no memory.
 */
struct fargs_pool *fargs_pool_create(u32 nr, u32 body_bytes);

/**
 * fargs_pool_destroy() - free a pool
 * @pool: the pool, which is no longer used; may be NULL
 *
 * Slots that were not released are freed too.
 *
 * Context: Process context. May sleep.
 */
void fargs_pool_destroy(struct fargs_pool *pool);

/**
 * fargs_pool_abandon() - release the slots of a dead task
 * @pool: the pool
 * @task: the dead task
 *
 * The task's calls never returned; they are counted in nr_abandoned. Walks all slots in use.
 *
 * Context: Any context, NMI included.
 */
void fargs_pool_abandon(struct fargs_pool *pool, const struct task_struct *task);

/**
 * fargs_pool_add_overruns() - add to own.overruns of a task's slots
 * @pool: the pool
 * @task: the current task: no other task takes or releases its slots
 * @nr: number of overruns to add
 *
 * Walks all slots in use.
 *
 * Context: Any context, NMI included.
 */
void fargs_pool_add_overruns(struct fargs_pool *pool, const struct task_struct *task, u32 nr);

/**
 * fargs_pool_nr_pending() - count calls that have not returned
 * @pool: the pool
 *
 * Context: Any context.
 * Return: The number of calls in slots and of abandoned calls.
 */
u64 fargs_pool_nr_pending(const struct fargs_pool *pool);

static __always_inline struct fargs_slot *
fargs_pool_slot(const struct fargs_pool *pool, unsigned long index)
{
	return pool->slots + index * pool->slot_bytes;
}

/* The word at which this CPU starts to search for a free slot. */
static __always_inline unsigned long fargs_pool_first_word(const struct fargs_pool *pool)
{
	return raw_smp_processor_id() * pool->words_per_cpu;
}

/**
 * fargs_pool_get() - take a slot
 * @pool: the pool
 *
 * The caller must set the slot's task at once.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The slot, or NULL if all are in use.
 */
struct fargs_slot *fargs_pool_get(struct fargs_pool *pool);

/* Fast path: takes a slot from the CPU's first word only. Returns false if that fails. */
static __always_inline bool fargs_pool_get_near(struct fargs_pool *pool, struct fargs_slot **slot)
{
	unsigned long word = fargs_pool_first_word(pool), free = ~READ_ONCE(pool->used[word]);
	unsigned long bit;

	if (unlikely(!free))
		return false;
	bit = __ffs(free);
	if (unlikely(test_and_set_bit(bit, &pool->used[word])))
		return false;
	*slot = fargs_pool_slot(pool, word * BITS_PER_LONG + bit);
	return true;
}

static __always_inline void fargs_pool_put(struct fargs_pool *pool, struct fargs_slot *slot)
{
	/*
	 * Before the bit: else fargs_pool_abandon() of our task could release the slot of its next
	 * owner.
	 *
	 *	CPU A (this function)		CPU B (fargs_pool_get())
	 *	slot->task = NULL		test_and_set_bit()
	 *	clear_bit_unlock()		slot->task = current
	 *
	 * The release in clear_bit_unlock() pairs with the full barrier in test_and_set_bit().
	 */
	WRITE_ONCE(slot->task, NULL);
	clear_bit_unlock(slot->index, pool->used);
}

#endif
