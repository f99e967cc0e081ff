/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the trace goes: one physical range, or the regions of a table of physical
 * addresses (ToPA). The registers are the guest's and always up to date.
 */
#ifndef PTEMU_TOPA_H
#define PTEMU_TOPA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOPA_END	(1ull << 0)
#define TOPA_INT	(1ull << 2)
#define TOPA_STOP	(1ull << 4)

struct topa_memory {
	/* Physical memory; false where there is none. */
	bool (*read)(void *arg, uint64_t pa, void *to, size_t size);
	bool (*write)(void *arg, uint64_t pa, const void *from, size_t size);
	void *arg;
};

struct topa {
	uint64_t base;		/* IA32_RTIT_OUTPUT_BASE */
	uint64_t mask_ptrs;	/* IA32_RTIT_OUTPUT_MASK_PTRS */
	bool is_table;		/* RTIT_CTL.ToPA */
	/* Sticky; the owner clears them. */
	bool is_stopped;	/* a region with STOP is full */
	bool is_error;		/* neither table nor region is where the registers say */
	bool is_interrupt;	/* a region with INT was filled */
};

/* How many bytes were stored: fewer than @size once it is stopped or in error. */
size_t topa_write(struct topa *topa, const struct topa_memory *memory, const void *bytes,
		  size_t size);

#endif
