/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --realtime: what reads the rings is not kept from it by other tasks.
 */
#ifndef FARGS_REALTIME_H
#define FARGS_REALTIME_H

#include "base/error.h"

/* A priority of SCHED_FIFO, as written, NULL being the default; or -EINVAL with @err. */
int fargs_realtime_parse(int *priority, const char *text, struct fargs_error_text *err);

/*
 * Makes the calling thread one of SCHED_FIFO; what it starts from then on is not. 0 or -errno,
 * with @err saying what is missing.
 */
int fargs_realtime_set(int priority, struct fargs_error_text *err);

#endif
