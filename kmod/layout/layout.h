/* SPDX-License-Identifier: GPL-2.0-only */
/* Verifies layouts from user space (include/uapi/fargs_layout.h). */
#ifndef FARGS_KMOD_LAYOUT_LAYOUT_H
#define FARGS_KMOD_LAYOUT_LAYOUT_H

#include <linux/types.h>

#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"

struct fargs_refusal;

/**
 * fargs_layout_verify() - verify a layout from user space
 * @layout: the layout
 * @left: bytes of the batch from @layout to its end
 * @nr: index of the layout in the batch
 * @refusal: where the reason of a refusal is recorded
 *
 * Context: Process context. May sleep.
 * Return: The size of the layout, or -EINVAL with the reason in @refusal.
 */
int fargs_layout_verify(const struct fargs_layout *layout, u64 left, u32 nr,
			struct fargs_refusal *refusal);

/* What a verified layout reads that needs more than CAP_PERFMON. */
enum fargs_reads {
	FARGS_READS_NOTHING,
	FARGS_READS_SLOTS,	/* stack slots from FARGS_STACK_SLOTS_PLAIN on, only in stores */
	FARGS_READS_MEMORY,	/* memory, by a program */
};

/**
 * fargs_layout_reads() - get what a layout reads that needs more than CAP_PERFMON
 * @layout: a verified layout
 * @field: set to the offset in the layout of the first store or instruction that reads it;
 *	unchanged if there is none
 *
 * Context: Any context.
 * Return: The highest value of enum fargs_reads that applies.
 */
enum fargs_reads fargs_layout_reads(const struct fargs_layout *layout, u32 *field);

/**
 * fargs_layout_path() - get the path that captures calls with a layout
 * @layout: a verified layout
 *
 * Context: Any context.
 * Return: The path.
 */
enum fargs_path fargs_layout_path(const struct fargs_layout *layout);

#endif
