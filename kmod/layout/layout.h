/* SPDX-License-Identifier: GPL-2.0-only */
/* Verifies layouts from user space (include/uapi/fargs_layout.h). */
#ifndef FARGS_KMOD_LAYOUT_LAYOUT_H
#define FARGS_KMOD_LAYOUT_LAYOUT_H

#include <linux/types.h>

#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"

struct fargs_refusal;

/* Layouts with one of these flags name a function, which is looked up when its module is loaded. */
#define FARGS_LAYOUT_NAMED	(FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_RELOAD)

/**
 * fargs_layout_verify() - verify a layout from user space
 * @layout: the layout
 * @left: bytes from @layout to the end of the batch
 * @nr: index of the layout in the batch
 * @refusal: filled in if the layout is refused
 *
 * Context: Process context. May sleep.
 * Return: The size of the layout, or -EINVAL with the reason in @refusal.
 */
int fargs_layout_verify(const struct fargs_layout *layout, u64 left, u32 nr,
			struct fargs_refusal *refusal);

/* The reads of a verified layout that require more than CAP_PERFMON. */
enum fargs_reads {
	FARGS_READS_NOTHING,
	FARGS_READS_SLOTS,	/* stack slots from FARGS_STACK_SLOTS_PLAIN on, by a store */
	FARGS_READS_MEMORY,	/* memory, by a program */
};

/**
 * fargs_layout_reads() - find reads that require more than CAP_PERFMON
 * @layout: a verified layout
 * @field: set to the offset in the layout of the first store or instruction with such a read;
 *	unchanged if there is none
 *
 * Context: Any context.
 * Return: The highest value of enum fargs_reads that applies.
 */
enum fargs_reads fargs_layout_reads(const struct fargs_layout *layout, u32 *field);

/**
 * fargs_layout_path() - get the path that captures the calls of a layout's function
 * @layout: a verified layout
 *
 * Context: Any context.
 * Return: The path.
 */
enum fargs_path fargs_layout_path(const struct fargs_layout *layout);

#endif
