/* SPDX-License-Identifier: GPL-2.0-only */
/* A layout from user space (include/uapi/fargs_layout.h), to be verified. */
#ifndef FARGS_LAYOUT_H
#define FARGS_LAYOUT_H

#include <linux/types.h>

#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"

struct fargs_refusal;

/*
 * Verifies the @nr-th layout of a batch, of which @left bytes are there. Returns
 * its size, or -EINVAL with the reason.
 */
int fargs_layout_verify(const struct fargs_layout *layout, u64 left, u32 nr,
			struct fargs_refusal *refusal);
/* What a verified layout reads for which CAP_PERFMON is not enough. */
enum fargs_reads {
	FARGS_READS_NOTHING,
	FARGS_READS_SLOTS,	/* stack slots from FARGS_STACK_SLOTS_PLAIN on, in stores alone */
	FARGS_READS_MEMORY,	/* memory, by a program */
};

/* *@field: offset in the layout of the first store or instruction that does; else unchanged. */
enum fargs_reads fargs_layout_reads(const struct fargs_layout *layout, u32 *field);
/* By which path a verified layout is captured. */
enum fargs_path fargs_layout_path(const struct fargs_layout *layout);

#endif
