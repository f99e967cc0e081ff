/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the trace to its output: one physical range, or the regions in a table of physical
 * addresses (ToPA). The registers are those of the guest, and are always up to date.
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
	/* Access physical memory. Return false if there is no memory at @pa. */
	bool (*read)(void *arg, uint64_t pa, void *to, size_t size);
	bool (*write)(void *arg, uint64_t pa, const void *from, size_t size);
	void *arg;
};

struct topa {
	uint64_t base;		/* IA32_RTIT_OUTPUT_BASE */
	uint64_t mask_ptrs;	/* IA32_RTIT_OUTPUT_MASK_PTRS */
	bool is_table;		/* RTIT_CTL.ToPA */
	/* The following members stay set until the owner clears them. */
	bool is_stopped;	/* a region with STOP is full */
	bool is_error;		/* the registers point to no valid table or region */
	bool is_interrupt;	/* a region with INT was filled */
};

/* Returns the number of bytes stored: fewer than @size after a stop or an error. */
size_t topa_write(struct topa *topa, const struct topa_memory *memory, const void *bytes,
		  size_t size);

#endif
