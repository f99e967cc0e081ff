// SPDX-License-Identifier: GPL-2.0-only
#include "base/funchash.h"

#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/sched.h>

#include "base/pages.h"

static u32 nr_slots_of(u32 nr)
{
	return 1u << max_t(u32, order_base_2(nr * 2), 1);
}

size_t fargs_funchash_bytes(u32 nr)
{
	struct fargs_funchash *hash;

	return struct_size(hash, slots, nr_slots_of(nr));
}

struct fargs_funchash *fargs_funchash_create(u32 nr)
{
	struct fargs_funchash *hash = fargs_pages_alloc(fargs_funchash_bytes(nr));

	if (hash) {
		hash->nr_slots = nr_slots_of(nr);
		hash->mask = (hash->nr_slots - 1) * sizeof(hash->slots[0]);
	}
	return hash;
}

void fargs_funchash_destroy(struct fargs_funchash *hash)
{
	if (hash)
		fargs_pages_free(hash, struct_size(hash, slots, hash->nr_slots));
}

/* Returns the slot that contains @ip, or else the free slot into which @ip can be inserted. */
static struct fargs_funchash_slot *find_slot(struct fargs_funchash *hash, unsigned long ip)
{
	struct fargs_funchash_slot *slot;

	slot = (void *)hash->slots + fargs_funchash_first(hash, ip);
	while (slot->ip && slot->ip != ip) {
		if (++slot == &hash->slots[hash->nr_slots])
			slot = hash->slots;
	}
	return slot;
}

void fargs_funchash_insert(struct fargs_funchash *hash, unsigned long ip,
			   struct fargs_template *template)
{
	struct fargs_funchash_slot *slot = find_slot(hash, ip);

	slot->template = template;
	slot->ip = ip;
	hash->nr++;
}

struct fargs_funchash_slot *fargs_funchash_slot(struct fargs_funchash *hash, unsigned long ip)
{
	struct fargs_funchash_slot *slot = find_slot(hash, ip);

	return slot->ip ? slot : NULL;
}

struct fargs_funchash_slot *fargs_funchash_next(struct fargs_funchash *hash,
						struct fargs_funchash_slot *slot)
{
	for (slot = slot ? slot + 1 : hash->slots; slot < &hash->slots[hash->nr_slots]; slot++) {
		if (!((slot - hash->slots) % 1024))
			cond_resched();
		if (READ_ONCE(slot->ip) > FARGS_FUNCHASH_GONE)
			return slot;
	}
	return NULL;
}

void fargs_funchash_drop(struct fargs_funchash *hash, unsigned long ip)
{
	struct fargs_funchash_slot *slot = find_slot(hash, ip);

	/* The slot is not freed: lookups of other functions may have to continue past it. */
	if (!slot->ip)
		return;
	WRITE_ONCE(slot->ip, FARGS_FUNCHASH_GONE);
	hash->nr--;
}
