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
/* By which path a verified layout is captured. */
enum fargs_path fargs_layout_path(const struct fargs_layout *layout);

#endif
