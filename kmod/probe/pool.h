/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of slots. Each slot describes one call of a function until it returns.
 *
 * Slots can be taken and released in any context, NMI included, on any CPU and in any order. There
 * is no lock: each slot has a bit, which is set and cleared atomically.
 *
 * The bits are in words of 64 slots. Each CPU has its own words, which share no cache line with
 * those of other CPUs. It takes slots of other CPUs only if none of its own is free. A slot may be
 * released on any CPU. Further words are reserved for calls that may trigger
 * (FARGS_LAYOUT_TRIGGER). Other calls cannot use them up: when a flight recorder is needed most,
 * thousands of tasks may be asleep in traced functions.
 *
 * The tasks that made the calls are stored in an array beside the slots. A search for the slots of
 * a task thus reads eight tasks with each cache line. Only two events search all slots: a task
 * exits inside a call whose return is hooked, or the kernel's shadow stack overflows. When any
 * other task is freed, one bit for each word is read (fargs_pool_release_exited()); see
 * Documentation/decisions/what-does-the-end-of-a-task-cost.md.
 */
#ifndef FARGS_KMOD_PROBE_POOL_H
#define FARGS_KMOD_PROBE_POOL_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "compat/retprobe.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

struct fargs_template;

/*
 * A call that has not returned. Only the context that has taken the slot uses it, with one
 * exception: fargs_pool_add_overruns() writes own.overruns.
 */
struct fargs_slot {
	struct fargs_retprobe_own own;	/* must be the first member */
	u32 bit;			/* number of the slot in @word; constant */
	struct fargs_pool_word *word;	/* constant */
	unsigned long *owner;		/* the slot's element of fargs_pool_block.owner; constant */
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
	struct fargs_template *template;	/* points to fargs_programs.entry */
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

/* Bit 0 of an owner: the task had PF_EXITING when it took the slot. Task addresses are even. */
#define FARGS_POOL_EXITING	1ul

/* The 64 slots of a word. */
struct fargs_pool_block {
	/*
	 * The task that made the call of each slot, possibly with FARGS_POOL_EXITING; 0: the slot
	 * is free, or has just been taken. Written by the context that has taken the slot; read by
	 * searches.
	 */
	unsigned long owner[BITS_PER_LONG];
	u8 slots[];
};

struct fargs_pool_word {
	unsigned long used;	/* a bit per slot: set if the slot is taken, or does not exist */
	struct fargs_pool_block *block;	/* constant; NULL: the word is padding, without slots */
};

struct fargs_pool {
	u32 nr;			/* number of slots that are not reserved */
	u32 nr_reserved;	/* number of reserved slots: a multiple of 64, or 0 */
	/*
	 * The words are divided into @nr_parts parts of @words_per_cpu words, padding included.
	 * The words of CPU n are those of part n % @nr_parts. The reserved words follow the last
	 * part.
	 */
	u32 nr_parts;
	u32 words_per_cpu;
	u32 nr_words;		/* number of words, without the reserved ones */
	u32 nr_all_words;
	u32 nr_absent;		/* number of bits without a slot, not counting padding words */
	unsigned long slot_bytes;
	struct fargs_pool_word *words;
	void *blocks;
	/*
	 * One bit for each word; set if the word may have a slot with FARGS_POOL_EXITING. Stored
	 * after @words, since each call reads the cache lines of this struct.
	 */
	unsigned long *exiting;
	atomic64_t nr_abandoned;	/* calls that never return, whose slots were released */
	/*
	 * The word from which each CPU takes slots first: one of its own words. Changed by that CPU
	 * when the word is full.
	 */
	struct fargs_pool_word *near[];
};

/**
 * fargs_pool_bytes() - get the memory that a pool uses
 * @nr: as in fargs_pool_create()
 * @nr_reserved: as in fargs_pool_create()
 * @body_bytes: as in fargs_pool_create()
 *
 * Context: Any context.
 * Return: The size of the pool and its slots in bytes.
 */
u64 fargs_pool_bytes(u32 nr, u32 nr_reserved, u32 body_bytes);

/**
 * fargs_pool_create() - create a pool of slots
 * @nr: number of slots for any call; not 0
 * @nr_reserved: number of slots that only calls that may trigger can take; a multiple of 64, or 0
 * @body_bytes: bytes of body in each slot
 *
 * Context: Process context. May sleep.
 * Return: The pool, or NULL if out of memory.
 */
struct fargs_pool *fargs_pool_create(u32 nr, u32 nr_reserved, u32 body_bytes);

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
 * fargs_pool_release_exiting() - release the slots of the current task, which is exiting
 * @pool: the pool
 *
 * Releases the slots of calls that began before the task had PF_EXITING, and adds these calls,
 * which will never return, to nr_abandoned. To be called from do_exit(), when the task has
 * PF_EXITING, and only if it is inside a call whose return is hooked (fargs_retprobe_is_inside()),
 * since this function searches all slots. Later calls of the task, such as those that close its
 * files, get slots as before.
 *
 * Context: Process context.
 */
void fargs_pool_release_exiting(struct fargs_pool *pool);

/**
 * fargs_pool_release_exited() - release the slots that a dead task took when it had PF_EXITING
 * @pool: the pool
 * @task: the dead task
 *
 * Adds the calls, which never returned, to nr_abandoned. Searches only words with slots of tasks
 * that had PF_EXITING: usually none.
 *
 * Context: Softirq or process context, after an RCU grace period that began after the task's last
 *	instruction.
 */
void fargs_pool_release_exited(struct fargs_pool *pool, const struct task_struct *task);

/**
 * fargs_pool_add_overruns() - add to own.overruns of all slots of the current task
 * @pool: the pool
 * @nr: number of overruns to add
 *
 * Searches all slots in use.
 *
 * Context: Any context, NMI included.
 */
void fargs_pool_add_overruns(struct fargs_pool *pool, u32 nr);

/**
 * fargs_pool_nr_pending() - count calls that have not returned
 * @pool: the pool
 *
 * Context: Any context.
 * Return: The number of calls in slots, plus the number of abandoned calls.
 */
u64 fargs_pool_nr_pending(const struct fargs_pool *pool);

/**
 * fargs_pool_get() - take a slot
 * @pool: the pool
 * @is_trigger: the call may trigger: it may take a reserved slot if no other one is free
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The slot, or NULL if all are in use.
 */
struct fargs_slot *fargs_pool_get(struct fargs_pool *pool, bool is_trigger);

static __always_inline struct fargs_slot *
fargs_pool_slot(const struct fargs_pool *pool, struct fargs_pool_block *block, unsigned long bit)
{
	return (void *)block->slots + bit * pool->slot_bytes;
}

/*
 * Fast path: takes a slot only from the CPU's near word. Returns false if that fails. The current
 * task does not have PF_EXITING.
 */
static __always_inline bool fargs_pool_get_near(struct fargs_pool *pool, struct fargs_slot **slot)
{
	struct fargs_pool_word *word = READ_ONCE(pool->near[raw_smp_processor_id()]);
	unsigned long free = ~READ_ONCE(word->used);
	struct fargs_pool_block *block;
	unsigned long bit;

	if (unlikely(!free))
		return false;
	bit = __ffs(free);
	if (unlikely(test_and_set_bit(bit, &word->used)))
		return false;
	block = word->block;
	WRITE_ONCE(block->owner[bit], (unsigned long)current);
	*slot = fargs_pool_slot(pool, block, bit);
	return true;
}

static __always_inline void fargs_pool_put(struct fargs_slot *slot)
{
	/*
	 * Clear the owner before the bit; otherwise a search for slots of our task could release
	 * the slot after another task has taken it.
	 *
	 *	CPU A (this function)		CPU B (fargs_pool_get())
	 *	*owner = 0			test_and_set_bit()
	 *	clear_bit_unlock()		*owner = current
	 *
	 * The release in clear_bit_unlock() pairs with the full barrier in test_and_set_bit().
	 */
	WRITE_ONCE(*slot->owner, 0);
	clear_bit_unlock(slot->bit, &slot->word->used);
}

#endif
