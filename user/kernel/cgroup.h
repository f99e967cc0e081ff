/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A cgroup of version 2, as the kernel's structures know it.
 */
#ifndef FARGS_CTL_CGROUP_H
#define FARGS_CTL_CGROUP_H

#include <stdint.h>

#include "base/error.h"

struct fargs_cgroup {
	uint64_t id;		/* the number of its directory's inode */
	unsigned int level;	/* 0: the root */
};

/*
 * Of the directory @path, or the one of that name where version 2 is mounted. -errno
 * with the reason: it is none of version 2, or not all above it can be seen.
 */
int fargs_cgroup_init(struct fargs_cgroup *cgroup, const char *path,
		      struct fargs_error_text *err);

#endif
