/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many callers the function that a task executes has, as perf script indents calls. As in perf,
 * the stack of a task begins with its first call in the trace, and is emptied where the trace is
 * interrupted.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_DEPTH_H
#define FARGS_SOURCE_PT_EVENTS_DEPTH_H

#include <stdint.h>

#include "source/pt/decode/flow.h"

/* Initialize with zeroes. */
struct fargs_pt_depths {
	struct fargs_pt_depth *tasks;
	size_t nr;
};

void fargs_pt_depths_deinit(struct fargs_pt_depths *d);

/*
 * Takes the branch @item of task @tid; of the idle tasks, that of @cpu. @trace: differs after the
 * trace was interrupted, and on another CPU. Sets *@depth to the depth after a call, or before a
 * return. Returns 0 or -ENOMEM.
 */
int fargs_pt_depths_take(struct fargs_pt_depths *d, int32_t tid, uint32_t cpu, uint64_t trace,
			 const struct fargs_pt_item *item, unsigned int *depth);

#endif
