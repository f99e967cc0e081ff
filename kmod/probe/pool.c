// SPDX-License-Identifier: GPL-2.0-only
#include "probe/pool.h"

#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

/* Slots consist of whole cache lines, so that no two slots share one. */
static u32 slot_bytes(u32 body_bytes)
{
	return ALIGN(sizeof(struct fargs_slot) + body_bytes, L1_CACHE_BYTES);
}

u64 fargs_pool_bytes(u32 nr, u32 body_bytes)
{
	return sizeof(struct fargs_pool) + BITS_TO_LONGS(nr) * sizeof(long) +
	       (u64)nr * slot_bytes(body_bytes);
}

struct fargs_pool *fargs_pool_create(u32 nr, u32 body_bytes)
{
	u32 i, nr_words = BITS_TO_LONGS(nr);
	/* Allocations fail rather than invoke the OOM killer. */
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;
	struct fargs_pool *pool;

	pool = kvmalloc(struct_size(pool, used, nr_words), gfp);
	if (!pool)
		return NULL;
	pool->nr = nr;
	pool->nr_words = nr_words;
	pool->words_per_cpu = nr_words / nr_cpu_ids;
	pool->slot_bytes = slot_bytes(body_bytes);
	pool->last_word = nr % BITS_PER_LONG ? BIT(nr % BITS_PER_LONG) - 1 : ~0ul;
	pool->used[nr_words - 1] = ~pool->last_word;
	pool->slots = __vmalloc(array_size(nr, pool->slot_bytes), gfp);
	if (!pool->slots) {
		kvfree(pool);
		return NULL;
	}
	for (i = 0; i < nr; i++)
		fargs_pool_slot(pool, i)->index = i;
	return pool;
}

void fargs_pool_destroy(struct fargs_pool *pool)
{
	if (!pool)
		return;
	vfree(pool->slots);
	kvfree(pool);
}

notrace struct fargs_slot *fargs_pool_get(struct fargs_pool *pool)
{
	unsigned long word = fargs_pool_first_word(pool);
	u32 left = pool->nr_words;

	for (; left; left--, word++) {
		unsigned long free;

		if (word >= pool->nr_words)
			word = 0;
		/* The loop ends: each repetition means that another context has taken a slot. */
		while ((free = ~READ_ONCE(pool->used[word]))) {
			unsigned long bit = __ffs(free);

			if (!test_and_set_bit(bit, &pool->used[word]))
				return fargs_pool_slot(pool, word * BITS_PER_LONG + bit);
		}
	}
	return NULL;
}

static notrace u64 slots_of_word(const struct fargs_pool *pool, u32 word)
{
	u64 used = READ_ONCE(pool->used[word]);

	return word == pool->nr_words - 1 ? used & pool->last_word : used;
}

void notrace fargs_pool_abandon(struct fargs_pool *pool, const struct task_struct *task)
{
	u32 word;

	for (word = 0; word < pool->nr_words; word++) {
		u64 used = slots_of_word(pool, word);

		for (; used; used &= used - 1) {
			struct fargs_slot *slot;

			slot = fargs_pool_slot(pool, word * BITS_PER_LONG + __ffs(used));
			if (READ_ONCE(slot->task) != task)
				continue;
			atomic64_inc(&pool->nr_abandoned);
			fargs_pool_put(pool, slot);
		}
	}
}

void notrace fargs_pool_add_overruns(struct fargs_pool *pool, const struct task_struct *task,
				     u32 nr)
{
	u32 word;

	for (word = 0; word < pool->nr_words; word++) {
		u64 used = slots_of_word(pool, word);

		for (; used; used &= used - 1) {
			struct fargs_slot *slot;

			slot = fargs_pool_slot(pool, word * BITS_PER_LONG + __ffs(used));
			/*
			 * No update of overruns is lost: an interrupt may take slots for this task,
			 * but releases them before it returns.
			 */
			if (READ_ONCE(slot->task) == task)
				WRITE_ONCE(slot->own.overruns, slot->own.overruns + nr);
		}
	}
}

u64 fargs_pool_nr_pending(const struct fargs_pool *pool)
{
	u64 nr = atomic64_read(&pool->nr_abandoned);
	u32 word;

	for (word = 0; word < pool->nr_words; word++)
		nr += hweight64(slots_of_word(pool, word));
	return nr;
}
