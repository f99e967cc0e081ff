// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BITS_FIRST	4

static uint64_t load64(const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static uint64_t load32(const uint8_t *p)
{
	uint32_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/*
 * Loads @nr bytes, at most 8, into a word. The loads may overlap and so read a byte twice. For the
 * same @nr, different bytes still give different words; for different @nr, the words may be equal,
 * so fargs_hash_bytes() hashes @nr, too.
 */
static uint64_t load_last(const uint8_t *p, size_t nr)
{
	if (nr >= 4)
		return load32(p) | load32(p + nr - 4) << 32;
	return nr ? p[0] | p[nr / 2] << 8 | p[nr - 1] << 16 : 0;
}

/*
 * Maps different words to different words. The shift copies upper bits down, so that the next
 * multiplication spreads them.
 */
static uint64_t mix(uint64_t word)
{
	word *= FARGS_HASH_FACTOR;
	return word ^ word >> 29;
}

uint32_t fargs_hash_bytes(const void *bytes, size_t nr)
{
	const uint8_t *p = bytes;
	uint64_t hash = nr;

	for (; nr > 8; nr -= 8, p += 8)
		hash = mix(hash ^ load64(p));
	return fargs_hash_u64(mix(hash ^ load_last(p, nr)));
}

uint32_t fargs_hash_string(const char *text)
{
	return fargs_hash_bytes(text, strlen(text));
}

void fargs_hash_deinit(struct fargs_hash *h)
{
	free(h->slots);
	*h = (struct fargs_hash){ };
}

void fargs_hash_clear(struct fargs_hash *h)
{
	if (h->nr)
		memset(h->slots, 0, ((size_t)h->mask + 1) * sizeof(*h->slots));
	h->nr = 0;
}

/* Inserts @slot. The table must have a free slot. */
static void put(struct fargs_hash *h, struct fargs_hash_slot slot)
{
	uint32_t i = slot.hash >> h->shift;

	while (h->slots[i].end)
		i = (i + 1) & h->mask;
	h->slots[i] = slot;
}

/*
 * Copies the slots of @from, starting after a free slot and wrapping around, so that elements with
 * equal hashes keep their order even if they wrap around the end of the table.
 */
static void put_all(struct fargs_hash *to, const struct fargs_hash *from)
{
	uint32_t first = 0, i = 0;

	if (!from->nr)
		return;
	while (from->slots[first].end)
		first++;
	do {
		if (from->slots[(first + i) & from->mask].end)
			put(to, from->slots[(first + i) & from->mask]);
	} while (i++ < from->mask);
}

/* Returns how many elements the table can hold: half the number of its slots. */
static size_t room(const struct fargs_hash *h)
{
	return h->slots ? ((size_t)h->mask + 1) / 2 : 0;
}

int fargs_hash_reserve(struct fargs_hash *h, size_t nr)
{
	struct fargs_hash larger = { .nr = h->nr };
	unsigned int bits = BITS_FIRST;

	if (nr <= room(h))
		return 0;
	if (nr > FARGS_HASH_MAX)
		return -ENOMEM;
	while (1ull << bits < 2 * (uint64_t)nr)
		bits++;
	larger.slots = calloc(1ull << bits, sizeof(*larger.slots));
	if (!larger.slots)
		return -ENOMEM;
	larger.mask = (1ull << bits) - 1;
	larger.shift = 32 - bits;
	put_all(&larger, h);
	free(h->slots);
	*h = larger;
	return 0;
}

int fargs_hash_add(struct fargs_hash *h, uint32_t hash, uint32_t number)
{
	if (h->nr >= room(h) && fargs_hash_reserve(h, (size_t)h->nr + 1))
		return -ENOMEM;
	put(h, (struct fargs_hash_slot){ .hash = hash, .end = number + 1 });
	h->nr++;
	return 0;
}

/*
 * Fills the free slot @gap with a later element of the same run of used slots, and likewise each
 * gap that this leaves, so that linear probing still finds all elements.
 */
static void close_gap(struct fargs_hash *h, uint32_t gap)
{
	uint32_t i, begin;

	for (i = (gap + 1) & h->mask; h->slots[i].end; i = (i + 1) & h->mask) {
		begin = h->slots[i].hash >> h->shift;
		if (((i - begin) & h->mask) < ((i - gap) & h->mask))
			continue;
		h->slots[gap] = h->slots[i];
		gap = i;
	}
	h->slots[gap].end = 0;
}

void fargs_hash_remove(struct fargs_hash *h, uint32_t hash, uint32_t number)
{
	uint32_t at, i;

	fargs_hash_for_each(i, at, h, hash) {
		if (i != number)
			continue;
		close_gap(h, at);
		h->nr--;
		return;
	}
}
