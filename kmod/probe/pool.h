/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of slots. Each slot describes one call of a function until it returns.
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
 * A call that has not returned. Only the context that has taken the slot uses it, with two
 * exceptions: fargs_pool_abandon() and fargs_pool_add_overruns() read task, and
 * fargs_pool_add_overruns() writes own.overruns.
 */
struct fargs_slot {
	struct fargs_retprobe_own own;	/* must be the first member */
	u32 index;			/* index of the slot in the pool; constant */
	/*
	 * The task that made the call; NULL in a free slot, and in a slot that has just been taken.
	 * Read by fargs_pool_abandon() and fargs_pool_add_overruns().
	 */
	struct task_struct *task;
	/* Length in bytes of the call's values in @body; 0: no values. */
	u32 values_len;
	/*
	 * @mark, @has_return, @is_wanted and @is_trigger are used only for calls of composed
	 * functions (struct fargs_programs).
	 */
	u32 mark;			/* mark to clear at the return (probe/scope.h); 0: none */
	bool has_return;		/* the call may get a RETURN record */
	bool is_wanted;			/* record the call if the return predicate accepts it */
	bool is_trigger;		/* the call's next record may be a trigger (probe/ret.c) */
	struct fargs_template *template;	/* the member entry of a struct fargs_programs */
	unsigned long ip;
	unsigned long parent_ip;
	u64 tsc;			/* time of the call */
	u64 regs[FARGS_REGS];		/* argument registers at the call, in ABI order */
	/*
	 * This header is unused. @body, which is composed at the call, follows it as in a real
	 * record, because templates contain offsets from the start of a record.
	 */
	struct fargs_record record;
	u64 body[];
};

struct fargs_pool {
	u32 nr;
	u32 nr_words;
	/* The search of CPU n for a free slot begins at word n * @words_per_cpu of @used. */
	unsigned long words_per_cpu;
	unsigned long slot_bytes;
	u64 last_word;			/* the bits of the last word of @used that have a slot */
	void *slots;
	atomic64_t nr_abandoned;
	/* One bit for each slot, set if the slot is taken. Bits without a slot are always set. */
	unsigned long used[];
};

/**
 * fargs_pool_bytes() - get the memory that a pool uses
 * @nr: as of fargs_pool_create()
 * @body_bytes: as of fargs_pool_create()
 *
 * Context: Any context.
 * Return: Bytes of the pool and its slots.
 */
u64 fargs_pool_bytes(u32 nr, u32 body_bytes);

/**
 * fargs_pool_create() - create a pool of slots
 * @nr: number of slots; not 0
 * @body_bytes: bytes of body in each slot
 *
 * Context: Process context. May sleep.
 * Return: The pool, or NULL if out of memory.
 */
struct fargs_pool *fargs_pool_create(u32 nr, u32 body_bytes);

/**
 * fargs_pool_destroy() - free a pool
 * @pool: the pool, which is no longer used; may be NULL
 *
 * Also frees slots that are still in use.
 *
 * Context: Process context. May sleep.
 */
void fargs_pool_destroy(struct fargs_pool *pool);

/**
 * fargs_pool_abandon() - release the slots of a dead task
 * @pool: the pool
 * @task: the dead task
 *
 * Adds the task's calls, which never returned, to nr_abandoned. Searches all slots in use.
 *
 * Context: Any context, NMI included.
 */
void fargs_pool_abandon(struct fargs_pool *pool, const struct task_struct *task);

/**
 * fargs_pool_add_overruns() - add to own.overruns of all slots of the current task
 * @pool: the pool
 * @task: the current task; only this task takes or releases its slots
 * @nr: number of overruns to add
 *
 * Searches all slots in use.
 *
 * Context: Any context, NMI included.
 */
void fargs_pool_add_overruns(struct fargs_pool *pool, const struct task_struct *task, u32 nr);

/**
 * fargs_pool_nr_pending() - count calls that have not returned
 * @pool: the pool
 *
 * Context: Any context.
 * Return: The number of calls in slots, plus the number of abandoned calls.
 */
u64 fargs_pool_nr_pending(const struct fargs_pool *pool);

static __always_inline struct fargs_slot *
fargs_pool_slot(const struct fargs_pool *pool, unsigned long index)
{
	return pool->slots + index * pool->slot_bytes;
}

/* Returns the index of the first word that this CPU searches for a free slot. */
static __always_inline unsigned long fargs_pool_first_word(const struct fargs_pool *pool)
{
	return raw_smp_processor_id() * pool->words_per_cpu;
}

/**
 * fargs_pool_get() - take a slot
 * @pool: the pool
 *
 * The caller must set the slot's task immediately.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The slot, or NULL if all are in use.
 */
struct fargs_slot *fargs_pool_get(struct fargs_pool *pool);

/* Fast path: takes a slot only from the first word of this CPU. Returns false if that fails. */
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
	 * Clear task before the bit; otherwise fargs_pool_abandon() of our task could release the
	 * slot after another task has taken it.
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
