/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fentry address -> template: open addressing, at most half full, never grown.
 */
#ifndef FARGS_KMOD_BASE_FUNCHASH_H
#define FARGS_KMOD_BASE_FUNCHASH_H

#include <linux/compiler.h>
#include <linux/types.h>

struct fargs_template;

struct fargs_funchash_slot {
	unsigned long ip;	/* 0: free; FARGS_FUNCHASH_GONE: its module went */
	struct fargs_template *template;
};

#define FARGS_FUNCHASH_GONE	1ul	/* no function's address */

struct fargs_funchash {
	u32 shift;
	u32 mask;		/* number of slots - 1 */
	struct fargs_funchash_slot slots[];
};

/**
 * fargs_funchash_create() - make an empty hash
 * @nr: functions that there will be room for
 *
 * Context: Process context. May sleep.
 * Return: The hash, or NULL if there is no memory.
 */
struct fargs_funchash *fargs_funchash_create(u32 nr);

/**
 * fargs_funchash_destroy() - free a hash
 * @hash: the hash, which nobody looks into any more; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_funchash_destroy(struct fargs_funchash *hash);

/**
 * fargs_funchash_insert() - add a function
 * @hash: the hash
 * @ip: its fentry address, which is not in the hash yet
 * @template: its template, which outlives the hash
 *
 * Context: Process context. Nobody looks into the hash yet.
 */
void fargs_funchash_insert(struct fargs_funchash *hash, unsigned long ip,
			   struct fargs_template *template);

/**
 * fargs_funchash_drop() - make lookups of a function fail
 * @hash: the hash
 * @ip: fentry address of the function
 *
 * In place, without allocating.
 *
 * Context: Process context. Lookups may go on meanwhile.
 */
void fargs_funchash_drop(struct fargs_funchash *hash, unsigned long ip);

/*
 * At which byte of the slots the search for @ip begins. The product's upper bits are the best
 * mixed; the shift leaves them times the size of a slot, so that they are an offset as they are.
 * Kernel and modules lie within 4 GiB: the low half of an address tells them apart.
 */
static __always_inline u32 fargs_funchash_first(const struct fargs_funchash *hash,
						unsigned long ip)
{
	u32 offset = ((u32)ip * 0x9e3779b1u) >> hash->shift;

	return offset & -(u32)sizeof(struct fargs_funchash_slot);
}

/*
 * The template of @ip, if it has one. Any context. The caller has preemption
 * disabled: a hash is freed only after that has been waited for (session/probes.c).
 */
static __always_inline bool fargs_funchash_find(const struct fargs_funchash *hash,
						unsigned long ip,
						struct fargs_template **template)
{
	const struct fargs_funchash_slot *slot;

	slot = (const void *)hash->slots + fargs_funchash_first(hash, ip);
	while (unlikely(READ_ONCE(slot->ip) != ip)) {
		if (!slot->ip)
			return false;
		if (++slot > &hash->slots[hash->mask])
			slot = hash->slots;
	}
	*template = slot->template;
	return true;
}

#endif
