/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Identifies a cgroup of version 2 as the kernel's structures do.
 */
#ifndef FARGS_KERNEL_CGROUP_H
#define FARGS_KERNEL_CGROUP_H

#include <stdint.h>

#include "base/error.h"

struct fargs_cgroup {
	uint64_t id;		/* inode number of its directory */
	unsigned int level;	/* 0: the root */
};

/*
 * For the directory @path, absolute or relative to the cgroup2 mount. -errno with the reason: it is
 * not a cgroup of version 2, or some of its ancestors are not visible.
 */
int fargs_cgroup_init(struct fargs_cgroup *cgroup, const char *path,
		      struct fargs_error_text *err);

#endif
