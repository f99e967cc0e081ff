// SPDX-License-Identifier: GPL-2.0-only
#include "topa.h"

#define ADDRESS(entry)	((entry) & 0xffffffffff000ull)
#define SIZE(entry)	(4096ull << ((entry) >> 6 & 15))

/*
 * MASK_PTRS with a table: bits 7 to 31 are the index of the entry, and the upper half is the offset
 * in the region.
 */
static uint64_t table_index(const struct topa *topa)
{
	return topa->mask_ptrs >> 7 & 0x1ffffff;
}

static uint64_t table_offset(const struct topa *topa)
{
	return topa->mask_ptrs >> 32;
}

static void set_table(struct topa *topa, uint64_t index, uint64_t offset)
{
	topa->mask_ptrs = offset << 32 | index << 7 | 0x7f;
}

static bool read_entry(struct topa *topa, const struct topa_memory *memory, uint64_t index,
		       uint64_t *entry)
{
	if (memory->read(memory->arg, ADDRESS(topa->base) + index * 8, entry, sizeof(*entry)))
		return true;
	topa->is_error = true;
	return false;
}

/* Reads the current entry. An END entry leads to another table. */
static bool current_entry(struct topa *topa, const struct topa_memory *memory, uint64_t *entry)
{
	int links;

	for (links = 0; links < 2; links++) {
		if (!read_entry(topa, memory, table_index(topa), entry))
			return false;
		if (!(*entry & TOPA_END))
			return true;
		topa->base = ADDRESS(*entry);
		set_table(topa, 0, 0);
	}
	topa->is_error = true;
	return false;
}

/* Handles the end of a region: moves to the next one, unless the entry has STOP set. */
static void region_is_full(struct topa *topa, const struct topa_memory *memory, uint64_t entry)
{
	topa->is_interrupt |= !!(entry & TOPA_INT);
	if (entry & TOPA_STOP) {
		topa->is_stopped = true;
		return;
	}
	set_table(topa, table_index(topa) + 1, 0);
	current_entry(topa, memory, &entry);
}

static size_t write_table(struct topa *topa, const struct topa_memory *memory, const void *bytes,
			  size_t size)
{
	uint64_t entry, offset;

	if (!current_entry(topa, memory, &entry))
		return 0;
	offset = table_offset(topa);
	if (offset >= SIZE(entry)) {
		topa->is_error = true;
		return 0;
	}
	if (size > SIZE(entry) - offset)
		size = SIZE(entry) - offset;
	if (!memory->write(memory->arg, ADDRESS(entry) + offset, bytes, size)) {
		topa->is_error = true;
		return 0;
	}
	set_table(topa, table_index(topa), offset + size);
	if (offset + size == SIZE(entry))
		region_is_full(topa, memory, entry);
	return size;
}

/*
 * Writes to a single range: the lower half of MASK_PTRS is its size minus one, and the upper half
 * is the offset.
 */
static size_t write_range(struct topa *topa, const struct topa_memory *memory, const void *bytes,
			  size_t size)
{
	uint64_t mask = topa->mask_ptrs & 0xffffffff, offset = topa->mask_ptrs >> 32 & mask;

	if (size > mask + 1 - offset)
		size = mask + 1 - offset;
	if (!memory->write(memory->arg, (topa->base & ~mask) + offset, bytes, size)) {
		topa->is_error = true;
		return 0;
	}
	topa->mask_ptrs = ((offset + size) & mask) << 32 | mask;
	return size;
}

size_t topa_write(struct topa *topa, const struct topa_memory *memory, const void *bytes,
		  size_t size)
{
	const uint8_t *from = bytes;
	size_t done = 0;

	while (done < size && !topa->is_stopped && !topa->is_error)
		done += topa->is_table ? write_table(topa, memory, from + done, size - done) :
					 write_range(topa, memory, from + done, size - done);
	return done;
}
