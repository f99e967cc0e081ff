/* SPDX-License-Identifier: GPL-2.0-only */
/* Hash from fentry addresses to templates: open addressing, at most half full, never resized. */
#ifndef FARGS_KMOD_BASE_FUNCHASH_H
#define FARGS_KMOD_BASE_FUNCHASH_H

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct fargs_template;

struct fargs_funchash_slot {
	unsigned long ip;	/* 0: free; FARGS_FUNCHASH_GONE: the function was dropped */
	struct fargs_template *template;
};

#define FARGS_FUNCHASH_GONE	1ul	/* not the address of any function */

struct fargs_funchash {
	u32 mask;		/* size of all slots in bytes - that of one */
	u32 nr_slots;
	u32 nr;			/* number of functions that have not been dropped */
	/* No slot is on two cache lines, except with slab debugging. */
	struct fargs_funchash_slot slots[] __aligned(sizeof(struct fargs_funchash_slot));
};

/**
 * fargs_funchash_bytes() - get the memory that a hash uses
 * @nr: as in fargs_funchash_create()
 *
 * Context: Any context.
 * Return: The size of the hash in bytes.
 */
size_t fargs_funchash_bytes(u32 nr);

/**
 * fargs_funchash_create() - create an empty hash
 * @nr: maximum number of functions
 *
 * Context: Process context. May sleep.
 * Return: The hash, or NULL if out of memory.
 */
struct fargs_funchash *fargs_funchash_create(u32 nr);

/**
 * fargs_funchash_destroy() - free a hash
 * @hash: the hash, which is no longer used for lookups; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_funchash_destroy(struct fargs_funchash *hash);

/**
 * fargs_funchash_insert() - add a function
 * @hash: the hash
 * @ip: fentry address of the function, which is not in the hash yet
 * @template: template of the function, which outlives the hash
 *
 * Context: Process context. No lookups in the hash have begun yet.
 */
void fargs_funchash_insert(struct fargs_funchash *hash, unsigned long ip,
			   struct fargs_template *template);

/**
 * fargs_funchash_slot() - find the slot of a function
 * @hash: the hash
 * @ip: fentry address of the function
 *
 * Context: Process context.
 * Return: The slot, whose template may be replaced by WRITE_ONCE() while lookups run; or NULL if
 *	the function is not in the hash, or was dropped.
 */
struct fargs_funchash_slot *fargs_funchash_slot(struct fargs_funchash *hash, unsigned long ip);

/**
 * fargs_funchash_next() - walk the functions of a hash
 * @hash: the hash
 * @slot: the slot that was returned last; NULL: start with the first
 *
 * Skips functions that have been dropped. May reschedule.
 *
 * Context: Process context. May sleep.
 * Return: The next slot with a function; NULL: there are no more.
 */
struct fargs_funchash_slot *fargs_funchash_next(struct fargs_funchash *hash,
						struct fargs_funchash_slot *slot);

/**
 * fargs_funchash_drop() - make lookups of a function fail
 * @hash: the hash
 * @ip: fentry address of the function
 *
 * Marks the function's slot without moving other slots. Allocates no memory.
 *
 * Context: Process context. Lookups may run concurrently.
 */
void fargs_funchash_drop(struct fargs_funchash *hash, unsigned long ip);

/*
 * Returns the byte offset in the slots at which the search for @ip begins. @ip is multiplied by a
 * constant that fits into an instruction. Bit n of the product depends on bits 0 to n of @ip. The
 * shift is between two evils: of higher bits, those of neighbouring functions are the same; lower
 * bits do not depend on all bits in which addresses differ. With all functions of a kernel, or some
 * of them, a search takes 1.15 to 1.4 comparisons. The mask leaves the bits of an index multiplied
 * by the size of a slot.
 */
static __always_inline u32 fargs_funchash_first(const struct fargs_funchash *hash,
						unsigned long ip)
{
	return (u32)((u64)ip * 0x61c88647u >> 24) & hash->mask;
}

/*
 * Finds the template of @ip; returns false if there is none. Can be called in any context, NMI
 * included. The caller disables preemption: before a hash is freed, session/probes.c waits for
 * all sections with preemption disabled.
 */
static __always_inline bool fargs_funchash_find(const struct fargs_funchash *hash,
						unsigned long ip,
						struct fargs_template **template)
{
	const void *at = (const void *)hash + fargs_funchash_first(hash, ip);
	const struct fargs_funchash_slot *slot = at + offsetof(struct fargs_funchash, slots);

	/*
	 * The compiler may compare with memory, which READ_ONCE() would prevent. Only
	 * fargs_funchash_drop() changes @ip, once, and a comparison may see either value.
	 */
	if (likely(data_race(slot->ip) == ip)) {
		*template = READ_ONCE(slot->template);
		return true;
	}
	OPTIMIZER_HIDE_VAR(slot);	/* the address is computed only here, for the loop */
	while (data_race(slot->ip) != ip) {
		if (!READ_ONCE(slot->ip))
			return false;
		if (++slot == &hash->slots[hash->nr_slots])
			slot = hash->slots;
	}
	*template = READ_ONCE(slot->template);
	return true;
}

#endif
