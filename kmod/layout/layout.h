/* SPDX-License-Identifier: GPL-2.0-only */
/* A layout from user space (include/uapi/fargs_layout.h), to be verified. */
#ifndef FARGS_KMOD_LAYOUT_LAYOUT_H
#define FARGS_KMOD_LAYOUT_LAYOUT_H

#include <linux/types.h>

#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"

struct fargs_refusal;

/**
 * fargs_layout_verify() - verify a layout from user space
 * @layout: the layout
 * @left: bytes of the batch from there on
 * @nr: its index in the batch
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. May sleep.
 * Return: The layout's size, or -EINVAL with the reason in @refusal.
 */
int fargs_layout_verify(const struct fargs_layout *layout, u64 left, u32 nr,
			struct fargs_refusal *refusal);

/* What a verified layout reads for which CAP_PERFMON is not enough. */
enum fargs_reads {
	FARGS_READS_NOTHING,
	FARGS_READS_SLOTS,	/* stack slots from FARGS_STACK_SLOTS_PLAIN on, in stores alone */
	FARGS_READS_MEMORY,	/* memory, by a program */
};

/**
 * fargs_layout_reads() - what a verified layout reads for which CAP_PERFMON is not enough
 * @layout: the layout
 * @field: set to the offset in the layout of the first store or instruction that does
 *
 * Context: Any context.
 * Return: The most that it reads; *@field is unchanged if that is nothing.
 */
enum fargs_reads fargs_layout_reads(const struct fargs_layout *layout, u32 *field);

/**
 * fargs_layout_path() - by which path a verified layout is captured
 * @layout: the layout
 *
 * Context: Any context.
 * Return: The path.
 */
enum fargs_path fargs_layout_path(const struct fargs_layout *layout);

#endif
