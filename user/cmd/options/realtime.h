/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --realtime: keeps other tasks from delaying the reader of the rings.
 */
#ifndef FARGS_CMD_OPTIONS_REALTIME_H
#define FARGS_CMD_OPTIONS_REALTIME_H

#include "base/error.h"

/* Parses a SCHED_FIFO priority; NULL is the default. Returns 0, or -EINVAL with @err. */
int fargs_realtime_parse(int *priority, const char *text, struct fargs_error_text *err);

#endif
