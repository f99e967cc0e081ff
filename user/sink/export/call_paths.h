/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call paths, numbered from 1 in the order in which they are added. A path is a function and the
 * path of its caller, so that paths with the same callers share them.
 */
#ifndef FARGS_SINK_EXPORT_CALL_PATHS_H
#define FARGS_SINK_EXPORT_CALL_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"

/* Initialize with zeroes. */
struct fargs_call_paths {
	struct fargs_intern all;
};

void fargs_call_paths_deinit(struct fargs_call_paths *p);

/*
 * Sets *@path to the number of the path that ends in @function, called by the end of path @parent
 * (0: by nothing that is known), and *@is_new if it was added. Returns 0 or -ENOMEM.
 */
int fargs_call_paths_add(struct fargs_call_paths *p, int64_t parent, int64_t function,
			 int64_t *path, bool *is_new);

#endif
