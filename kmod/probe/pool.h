/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of slots, each of which keeps one call of a function until it returns.
 *
 * Slots are taken and given back in any context, NMI included, on any CPU, in
 * any order and without a lock: a bit per slot, set and cleared atomically.
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

/* What is known of a call. Owned by whoever took it: nobody else looks but at task. */
struct fargs_slot {
	struct fargs_retprobe_own own;	/* first */
	u32 index;			/* in the pool; constant */
	/*
	 * Whose call it is; NULL until that is known, and in a free slot. For
	 * fargs_pool_abandon() alone.
	 */
	struct task_struct *task;
	/* Of record.body, the bytes of values that are there; 0: none were put there. */
	u32 values_len;
	/* Of a call that is composed: */
	u32 mark;			/* to be left at the return (probe/scope.h); 0: none */
	bool has_return;		/* it has a RETURN record */
	bool is_wanted;			/* to be recorded, if the return predicate accepts */
	bool is_trigger;		/* its next record may be a trigger (probe/ret.c) */
	struct fargs_template *template;	/* the entry of a struct fargs_programs */
	unsigned long ip;
	unsigned long parent_ip;
	u64 tsc;			/* at the call */
	u64 regs[FARGS_REGS];		/* as at the call, in the order of the ABI */
	/* The body as it was made at the call, where it would be in a record. */
	struct fargs_record record;
	u64 body[];
};

struct fargs_pool {
	u32 nr;
	u32 nr_words;
	unsigned long words_per_cpu;	/* so far apart CPUs begin to look for a free one */
	unsigned long slot_bytes;
	u64 last_word;			/* bits of the last word that are slots */
	void *slots;
	atomic64_t nr_abandoned;
	unsigned long used[];		/* bit per slot; what is none is set */
};

/**
 * fargs_pool_create() - make a pool of slots
 * @nr: how many; not 0
 * @body_bytes: of body in each
 *
 * Context: Process context. May sleep.
 * Return: The pool, or NULL if there is no memory.
 */
struct fargs_pool *fargs_pool_create(u32 nr, u32 body_bytes);

/**
 * fargs_pool_destroy() - free a pool
 * @pool: of which nobody has, or asks for, a slot any more; may be NULL
 *
 * Slots that were not given back go with it.
 *
 * Context: Process context. May sleep.
 */
void fargs_pool_destroy(struct fargs_pool *pool);

/**
 * fargs_pool_abandon() - give back a dead task's slots
 * @pool: the pool
 * @task: which is dead
 *
 * Its calls never returned: they are counted in nr_abandoned. Looks at every slot that is taken.
 *
 * Context: Any context, NMI included.
 */
void fargs_pool_abandon(struct fargs_pool *pool, const struct task_struct *task);

/**
 * fargs_pool_add_overruns() - add to own.overruns of a task's slots
 * @pool: the pool
 * @task: which is current: nobody else takes these slots or gives them back
 * @nr: how many
 *
 * Looks at every slot that is taken.
 *
 * Context: Any context, NMI included.
 */
void fargs_pool_add_overruns(struct fargs_pool *pool, const struct task_struct *task, u32 nr);

/**
 * fargs_pool_nr_pending() - count calls that have not returned
 * @pool: the pool
 *
 * Context: Any context.
 * Return: Those in slots now, and those abandoned.
 */
u64 fargs_pool_nr_pending(const struct fargs_pool *pool);

static __always_inline struct fargs_slot *
fargs_pool_slot(const struct fargs_pool *pool, unsigned long index)
{
	return pool->slots + index * pool->slot_bytes;
}

/* The word in which the CPU we are on begins to look for a free slot. */
static __always_inline unsigned long fargs_pool_first_word(const struct fargs_pool *pool)
{
	return raw_smp_processor_id() * pool->words_per_cpu;
}

/**
 * fargs_pool_get() - take a slot
 * @pool: the pool
 *
 * The caller sets its task at once.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: A free slot, or NULL.
 */
struct fargs_slot *fargs_pool_get(struct fargs_pool *pool);

/* The same into *@slot, but false already if there is none where the CPU begins. */
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
	/* Before the bit: who takes it next must not be found under our task. */
	WRITE_ONCE(slot->task, NULL);
	clear_bit_unlock(slot->index, pool->used);
}

#endif
