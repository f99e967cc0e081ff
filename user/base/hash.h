/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash table that finds elements of an array by their keys. The array and the keys belong to the
 * caller. The table maps the hash of each key to the index of its element; the caller compares the
 * keys of elements with equal hashes.
 *
 *	uint32_t at, i;
 *
 *	fargs_hash_for_each(i, at, &tasks->by_tid, fargs_hash_u64(tid))
 *		if (tasks->all[i].tid == tid)
 *			return &tasks->all[i];
 *
 * Iterate over the array, not the table, so that printed output does not depend on hashes.
 *
 * Open addressing with linear probing; 16 to 32 bytes of memory per element. Hashes are not keyed:
 * a crafted recording can contain keys that collide, which makes reading it slow.
 */
#ifndef FARGS_BASE_HASH_H
#define FARGS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct fargs_hash_slot {
	uint32_t hash;
	uint32_t end;		/* index of the element + 1; 0: the slot is free */
};

/* A zeroed struct is an empty table, which owns no memory. */
struct fargs_hash {
	struct fargs_hash_slot *slots;	/* owned by the table */
	uint32_t nr;		/* number of used slots */
	uint32_t mask;		/* number of slots (a power of two) - 1 */
	uint8_t shift;		/* hash >> shift is the first slot to probe */
};

/* Returned instead of an element's index if there is no (further) element. */
#define FARGS_HASH_NONE		UINT32_MAX
/* Maximum number of elements in a table. */
#define FARGS_HASH_MAX		(1u << 31)

/* 2^64 / golden ratio */
#define FARGS_HASH_FACTOR	0x9e3779b97f4a7c15ull

/* Fibonacci hashing, which spreads keys that are equally spaced, such as pids and addresses. */
static inline uint32_t fargs_hash_u64(uint64_t key)
{
	return key * FARGS_HASH_FACTOR >> 32;
}

/* Hash of @nr bytes. It depends on the machine's byte order, so do not store it in files. */
uint32_t fargs_hash_bytes(const void *bytes, size_t nr);
/* Hash of the bytes of @text, without the NUL. */
uint32_t fargs_hash_string(const char *text);

/*
 * FNV-1a, of 64 bits, of @nr bytes after those with hash @hash; FARGS_HASH_FNV before the first.
 * Unlike the hashes above, it may be stored in files.
 */
#define FARGS_HASH_FNV		0xcbf29ce484222325ull
static inline uint64_t fargs_hash_fnv(uint64_t hash, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;
	size_t i;

	for (i = 0; i < nr; i++)
		hash = (hash ^ at[i]) * 0x100000001b3ull;
	return hash;
}

/* Frees the table's memory and makes it empty. */
void fargs_hash_deinit(struct fargs_hash *h);
/* Makes the table empty, and keeps its memory. */
void fargs_hash_clear(struct fargs_hash *h);

/*
 * Makes room for @nr elements in total: until the table has @nr elements, adding cannot fail.
 * Returns 0; or -ENOMEM, with nothing changed, if out of memory or if @nr is above FARGS_HASH_MAX.
 */
int fargs_hash_reserve(struct fargs_hash *h, size_t nr);
/*
 * Adds the element with index @number, below FARGS_HASH_NONE, whose key has this @hash. Does not
 * check for duplicates. Returns 0, or -ENOMEM with nothing changed.
 */
int fargs_hash_add(struct fargs_hash *h, uint32_t hash, uint32_t number);
/*
 * Removes the element with index @number, which was added with @hash. Does nothing if it is not in
 * the table.
 */
void fargs_hash_remove(struct fargs_hash *h, uint32_t hash, uint32_t number);

/*
 * Returns the index of the first element that was added with @hash, searching from slot *@at on,
 * and sets *@at to the slot of that element. Returns FARGS_HASH_NONE if there is none.
 */
static inline uint32_t fargs_hash_find(const struct fargs_hash *h, uint32_t hash, uint32_t *at)
{
	const struct fargs_hash_slot *slot;

	if (!h->slots)
		return FARGS_HASH_NONE;
	for (slot = &h->slots[*at]; slot->end && slot->hash != hash; slot = &h->slots[*at])
		*at = (*at + 1) & h->mask;
	return slot->end - 1;
}

/*
 * Iterates over the elements that were added with @hash, in the order in which they were added.
 * @number: index of the current element. @at: a uint32_t used by the loop. @h and @hash are
 * evaluated on each iteration. The table must not be changed in the loop.
 */
#define fargs_hash_for_each(number, at, h, hash)				\
	for ((at) = (hash) >> (h)->shift;					\
	     ((number) = fargs_hash_find(h, hash, &(at))) != FARGS_HASH_NONE;	\
	     (at) = ((at) + 1) & (h)->mask)

#endif
