// SPDX-License-Identifier: GPL-2.0-only
#include "probe/pool.h"

#include <linux/cpumask.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/vmalloc.h>

/* Slots consist of whole cache lines, so that no two slots share a cache line. */
static u32 slot_bytes(u32 body_bytes)
{
	return ALIGN(sizeof(struct fargs_slot) + body_bytes, L1_CACHE_BYTES);
}

static u64 block_bytes(u32 body_bytes)
{
	return sizeof(struct fargs_pool_block) + (u64)BITS_PER_LONG * slot_bytes(body_bytes);
}

/*
 * Returns the total size of the blocks in bytes. The last block belongs to the last word that is
 * not reserved. It has fewer than 64 slots unless @nr is a multiple of 64.
 */
static u64 blocks_bytes(u32 nr, u32 nr_reserved, u32 body_bytes)
{
	u32 nr_blocks = BITS_TO_LONGS(nr) + BITS_TO_LONGS(nr_reserved);

	return (u64)nr_blocks * sizeof(struct fargs_pool_block) +
	       (u64)(nr + nr_reserved) * slot_bytes(body_bytes);
}

/*
 * Divides the words among the CPUs. Returns the size in bytes of the words and of the bitmap that
 * follows them.
 */
static u64 divide_words(struct fargs_pool *pool, u32 nr, u32 nr_reserved)
{
	const u32 words_per_line = L1_CACHE_BYTES / sizeof(struct fargs_pool_word);
	u32 nr_words = BITS_TO_LONGS(nr);

	pool->nr = nr;
	pool->nr_reserved = nr_reserved;
	pool->nr_parts = min_t(u32, nr_words, nr_cpu_ids);
	pool->words_per_cpu = round_up(DIV_ROUND_UP(nr_words, pool->nr_parts), words_per_line);
	pool->nr_words = pool->nr_parts * pool->words_per_cpu;
	pool->nr_all_words = pool->nr_words + BITS_TO_LONGS(nr_reserved);
	pool->nr_absent = nr_words * BITS_PER_LONG - nr;
	return (u64)pool->nr_all_words * sizeof(*pool->words) +
	       BITS_TO_LONGS(pool->nr_all_words) * sizeof(long);
}

u64 fargs_pool_bytes(u32 nr, u32 nr_reserved, u32 body_bytes)
{
	struct fargs_pool pool;

	return struct_size(&pool, near, nr_cpu_ids) +
	       PAGE_ALIGN(divide_words(&pool, nr, nr_reserved)) +
	       PAGE_ALIGN(blocks_bytes(nr, nr_reserved, body_bytes));
}

static struct fargs_pool_word *first_word(const struct fargs_pool *pool, u32 cpu)
{
	return &pool->words[cpu % pool->nr_parts * pool->words_per_cpu];
}

static void init_word(struct fargs_pool *pool, struct fargs_pool_word *word, void *block,
		      u32 nr_slots)
{
	u32 i;

	word->block = block;
	word->used = nr_slots < BITS_PER_LONG ? ~(BIT(nr_slots) - 1) : 0;
	for (i = 0; i < nr_slots; i++) {
		struct fargs_slot *slot = fargs_pool_slot(pool, block, i);

		slot->word = word;
		slot->bit = i;
		slot->owner = &word->block->owner[i];
	}
}

/*
 * Distributes the words that have slots over the parts in turn, so the numbers of such words in any
 * two parts differ by at most one.
 */
static void init_words(struct fargs_pool *pool, u64 bytes)
{
	u32 i, nr_words = BITS_TO_LONGS(pool->nr);
	void *block = pool->blocks;

	for (i = 0; i < pool->nr_all_words; i++)
		pool->words[i].used = ~0ul;
	for (i = 0; i < pool->nr_reserved / BITS_PER_LONG; i++, block += bytes)
		init_word(pool, &pool->words[pool->nr_words + i], block, BITS_PER_LONG);
	for (i = 0; i < nr_words; i++, block += bytes) {
		init_word(pool, first_word(pool, i) + i / pool->nr_parts, block,
			  min_t(u32, pool->nr - i * BITS_PER_LONG, BITS_PER_LONG));
		cond_resched();
	}
	for (i = 0; i < nr_cpu_ids; i++)
		pool->near[i] = first_word(pool, i);
}

struct fargs_pool *fargs_pool_create(u32 nr, u32 nr_reserved, u32 body_bytes)
{
	/* Allocations fail rather than invoke the OOM killer. */
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;
	struct fargs_pool *pool;

	pool = kvmalloc(struct_size(pool, near, nr_cpu_ids), gfp);
	if (!pool)
		return NULL;
	pool->slot_bytes = slot_bytes(body_bytes);
	/* vmalloc() memory is page-aligned, so slots and each CPU's words begin at a cache line. */
	pool->words = __vmalloc(divide_words(pool, nr, nr_reserved), gfp);
	pool->blocks = __vmalloc(blocks_bytes(nr, nr_reserved, body_bytes), gfp);
	if (!pool->words || !pool->blocks) {
		fargs_pool_destroy(pool);
		return NULL;
	}
	pool->exiting = (void *)(pool->words + pool->nr_all_words);
	init_words(pool, block_bytes(body_bytes));
	return pool;
}

void fargs_pool_destroy(struct fargs_pool *pool)
{
	if (!pool)
		return;
	vfree(pool->blocks);
	vfree(pool->words);
	kvfree(pool);
}

/* Takes a slot of @word; returns NULL if none is free. */
static notrace struct fargs_slot *pool_get_in_word(struct fargs_pool *pool,
						   struct fargs_pool_word *word)
{
	unsigned long free;

	/* Repeats only if another context has taken the slot in the meantime. */
	while ((free = ~READ_ONCE(word->used))) {
		unsigned long bit = __ffs(free);

		if (!test_and_set_bit(bit, &word->used))
			return fargs_pool_slot(pool, word->block, bit);
	}
	return NULL;
}

/*
 * Takes a slot that is not reserved: one of this CPU or, if none of them is free, one of another
 * CPU. If the slot's word is one of this CPU's, the fast path (fargs_pool_get_near()) uses that
 * word from now on. It never uses a word of another CPU: the word's cache line would move between
 * the CPUs at each call, even after slots of this CPU are free again.
 */
static notrace struct fargs_slot *pool_get_unreserved(struct fargs_pool *pool)
{
	u32 cpu = raw_smp_processor_id(), i;
	struct fargs_pool_word *first = first_word(pool, cpu), *word = first;

	for (i = 0; i < pool->nr_words; i++, word++) {
		struct fargs_slot *slot;

		if (word == pool->words + pool->nr_words)
			word = pool->words;
		slot = pool_get_in_word(pool, word);
		if (!slot)
			continue;
		if (i < pool->words_per_cpu)
			WRITE_ONCE(pool->near[cpu], word);
		return slot;
	}
	return NULL;
}

static notrace struct fargs_slot *pool_get_reserved(struct fargs_pool *pool)
{
	struct fargs_slot *slot = NULL;
	u32 i;

	for (i = pool->nr_words; i < pool->nr_all_words && !slot; i++)
		slot = pool_get_in_word(pool, &pool->words[i]);
	return slot;
}

/*
 * Makes the current task, which has PF_EXITING, the owner of a slot, and sets the bit of the slot's
 * word in pool->exiting. The owner is written before the bit is read, so that
 * fargs_pool_release_exited() finds the slot: see pool_release_flagged().
 */
static notrace void pool_set_exiting_owner(struct fargs_pool *pool, struct fargs_slot *slot)
{
	u32 word = slot->word - pool->words;

	WRITE_ONCE(*slot->owner, (unsigned long)current | FARGS_POOL_EXITING);
	smp_mb(); /* pairs with the smp_mb__after_atomic() in pool_release_flagged() */
	if (!test_bit(word, pool->exiting))
		set_bit(word, pool->exiting);
}

notrace struct fargs_slot *fargs_pool_get(struct fargs_pool *pool, bool is_trigger)
{
	struct fargs_slot *slot = pool_get_unreserved(pool);

	if (!slot && is_trigger)
		slot = pool_get_reserved(pool);
	if (!slot)
		return NULL;
	if (unlikely(current->flags & PF_EXITING))
		pool_set_exiting_owner(pool, slot);
	else
		WRITE_ONCE(*slot->owner, (unsigned long)current);
	return slot;
}

/*
 * Releases the slots of @owner in a word. Returns whether slots of other tasks that had PF_EXITING
 * are left. The calls in the slots of @owner never return, so nothing else releases these slots.
 * Not inlined: selftests/abi_ends.c counts the calls of this function with a kprobe.
 */
static noinline bool pool_release_owned(struct fargs_pool *pool,
					const struct fargs_pool_word *word, unsigned long owner)
{
	unsigned long used = word->block ? READ_ONCE(word->used) : 0;
	bool has_exiting = false;

	for (; used; used &= used - 1) {
		unsigned long bit = __ffs(used), other = READ_ONCE(word->block->owner[bit]);

		if (other == owner) {
			atomic64_inc(&pool->nr_abandoned);
			fargs_pool_put(fargs_pool_slot(pool, word->block, bit));
		} else {
			has_exiting |= other & FARGS_POOL_EXITING;
		}
	}
	return has_exiting;
}

/*
 * Slots with FARGS_POOL_EXITING are not released: their calls began after do_exit() had set
 * PF_EXITING, and may return. For example, the kernel function that calls the probes of
 * sched_process_exit, and through them this function, may itself be traced. Calls that began before
 * and have not returned are those of do_exit() and its callers, which never return.
 */
void fargs_pool_release_exiting(struct fargs_pool *pool)
{
	u32 i;

	for (i = 0; i < pool->nr_all_words; i++)
		pool_release_owned(pool, &pool->words[i], (unsigned long)current);
}

/*
 * Releases the slots of @owner in a word with a bit in pool->exiting, and clears that bit if no
 * slot with FARGS_POOL_EXITING is left. When a task is freed, the bits of all its slots are set:
 *
 *	CPU A (pool_set_exiting_owner())		CPU B (here)
 *	*owner = current | EXITING		clear_bit()
 *	smp_mb()				smp_mb__after_atomic()
 *	test_bit()				reads owners
 *	set_bit() if clear			set_bit() if one is EXITING
 *
 * Either CPU A finds the bit clear and sets it, or CPU B finds the owner and sets the bit. Between
 * the clear_bit() and the set_bit() of CPU B the bit is wrong. But CPU B clears it only if a search
 * in the same read-side critical section of RCU has not found the owner. So a grace period that
 * begins after CPU A has written the owner does not end before CPU B has set the bit, and the task
 * of CPU A is freed after such a grace period.
 */
static void pool_release_flagged(struct fargs_pool *pool, u32 word, unsigned long owner)
{
	if (pool_release_owned(pool, &pool->words[word], owner))
		return;
	clear_bit(word, pool->exiting);
	smp_mb__after_atomic(); /* pairs with the smp_mb() in pool_set_exiting_owner() */
	if (pool_release_owned(pool, &pool->words[word], owner))
		set_bit(word, pool->exiting);
}

void fargs_pool_release_exited(struct fargs_pool *pool, const struct task_struct *task)
{
	unsigned long word;

	rcu_read_lock();
	for_each_set_bit(word, pool->exiting, pool->nr_all_words)
		pool_release_flagged(pool, word, (unsigned long)task | FARGS_POOL_EXITING);
	rcu_read_unlock();
}

/*
 * No update of overruns is lost: only the current task takes or releases its slots; an interrupt
 * may take slots for it, but releases them before it returns.
 */
void notrace fargs_pool_add_overruns(struct fargs_pool *pool, u32 nr)
{
	const unsigned long task = (unsigned long)current;
	u32 i;

	for (i = 0; i < pool->nr_all_words; i++) {
		const struct fargs_pool_word *word = &pool->words[i];
		unsigned long used = word->block ? READ_ONCE(word->used) : 0;

		for (; used; used &= used - 1) {
			unsigned long bit = __ffs(used);
			struct fargs_slot *slot;

			if ((READ_ONCE(word->block->owner[bit]) & ~FARGS_POOL_EXITING) != task)
				continue;
			slot = fargs_pool_slot(pool, word->block, bit);
			WRITE_ONCE(slot->own.overruns, slot->own.overruns + nr);
		}
	}
}

u64 fargs_pool_nr_pending(const struct fargs_pool *pool)
{
	u64 nr = atomic64_read(&pool->nr_abandoned) - pool->nr_absent;
	u32 i;

	for (i = 0; i < pool->nr_all_words; i++) {
		if (pool->words[i].block)
			nr += hweight64(READ_ONCE(pool->words[i].used));
	}
	return nr;
}
