/* SPDX-License-Identifier: GPL-2.0-only */
/* Identifies a cgroup of version 2 by the same id and level as the kernel. */
#ifndef FARGS_KERNEL_CGROUP_H
#define FARGS_KERNEL_CGROUP_H

#include <stdint.h>

#include "base/error.h"

struct fargs_cgroup {
	uint64_t id;		/* inode number of its directory */
	unsigned int level;	/* number of levels below the root; 0: the root */
};

/*
 * Identifies the cgroup with directory @path, absolute or relative to the cgroup2 mount. Returns 0,
 * or -errno with the reason if it is not a cgroup of version 2, or not all its ancestors are
 * visible.
 */
int fargs_cgroup_init(struct fargs_cgroup *cgroup, const char *path,
		      struct fargs_error_text *err);

/*
 * Opens the same directory, as perf_event_open(2) takes it. Returns the descriptor, or -errno with
 * the reason.
 */
int fargs_cgroup_open(const char *path, struct fargs_error_text *err);

#endif
