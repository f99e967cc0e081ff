/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of slots, each of which keeps one call of a function until it returns.
 *
 * Slots are taken and given back in any context, NMI included, on any CPU, in
 * any order and without a lock: a bit per slot, set and cleared atomically.
 */
#ifndef FARGS_POOL_H
#define FARGS_POOL_H

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
	u32 mark;			/* to be left at the return (under.h); 0: none */
	bool has_return;		/* it has a RETURN record */
	bool is_wanted;			/* to be recorded, if the return predicate accepts */
	bool is_trigger;		/* its next record is a trigger's, or may be (ret.c) */
	const struct fargs_template *template;	/* the entry of a struct fargs_programs */
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

/*
 * @nr slots (not 0) with @body_bytes of body each. Process context. NULL: no memory.
 */
struct fargs_pool *fargs_pool_create(u32 nr, u32 body_bytes);
/* Nobody has, or will ask for, a slot any more; slots that were not given back go with it. */
void fargs_pool_destroy(struct fargs_pool *pool);

/*
 * @task is dead: gives back its slots, whose calls never returned, and counts them
 * in nr_abandoned. Any context.
 */
void fargs_pool_abandon(struct fargs_pool *pool, const struct task_struct *task);
/*
 * Adds @nr to own.overruns of all slots of @task, which is current: nobody else takes these or
 * gives them back. Any context. As fargs_pool_abandon(), it looks at every slot that is taken.
 */
void fargs_pool_add_overruns(struct fargs_pool *pool, const struct task_struct *task, u32 nr);
/* Calls that have not returned: those in slots now, and those abandoned. */
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

/*
 * A free slot, or NULL. The caller has preemption disabled, and sets the slot's
 * task at once.
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
