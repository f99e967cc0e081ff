/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fentry address -> template: open addressing, at most half full, never grown.
 */
#ifndef FARGS_FUNCHASH_H
#define FARGS_FUNCHASH_H

#include <linux/compiler.h>
#include <linux/types.h>

struct fargs_template;

struct fargs_funchash_slot {
	unsigned long ip;	/* 0: free; FARGS_FUNCHASH_GONE: its module went */
	const struct fargs_template *template;
};

#define FARGS_FUNCHASH_GONE	1ul	/* no function's address */

struct fargs_funchash {
	u32 shift;
	u32 mask;		/* number of slots - 1 */
	struct fargs_funchash_slot slots[];
};

/* Room for @nr functions; process context. */
struct fargs_funchash *fargs_funchash_create(u32 nr);
void fargs_funchash_destroy(struct fargs_funchash *hash);
/* @ip is not in it yet. Not while anybody looks up. */
void fargs_funchash_insert(struct fargs_funchash *hash, unsigned long ip,
			   const struct fargs_template *template);
/* From now on the lookup of @ip finds nothing. Lookups may go on meanwhile. */
void fargs_funchash_drop(struct fargs_funchash *hash, unsigned long ip);

/*
 * Where the search for @ip begins. The product's upper bits are the best mixed;
 * the shift leaves them times the size of a slot, so that they are an offset as
 * they are. Kernel and modules lie within 4 GiB: the low half of an address
 * tells them apart.
 */
static __always_inline const struct fargs_funchash_slot *
fargs_funchash_first(const struct fargs_funchash *hash, unsigned long ip)
{
	u32 offset = ((u32)ip * 0x9e3779b1u) >> hash->shift;

	return (const void *)hash->slots + (offset & -(u32)sizeof(struct fargs_funchash_slot));
}

/*
 * The template of @ip, if it has one. Any context. The caller has preemption
 * disabled: a hash is freed only after that has been waited for (probes.c).
 */
static __always_inline bool fargs_funchash_find(const struct fargs_funchash *hash,
						unsigned long ip,
						const struct fargs_template **template)
{
	const struct fargs_funchash_slot *slot = fargs_funchash_first(hash, ip);

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
