/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel recorded beside a trace, in order of time, for a log (log.h).
 */
#ifndef FARGS_SOURCE_PT_EVENTS_LOG_RECORDS_H
#define FARGS_SOURCE_PT_EVENTS_LOG_RECORDS_H

#include <stdint.h>

#include "base/buf.h"
#include "base/time_window.h"
#include "source/pt/input/input.h"

struct fargs_pt_log_records;

/* @in must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_log_records *fargs_pt_log_records_create(const struct fargs_pt_input *in);
void fargs_pt_log_records_destroy(struct fargs_pt_log_records *r);

/*
 * Appends the lines of records up to the time @until_ns that were not taken yet, and are in @window
 * (NULL: all).
 */
void fargs_pt_log_records_put(struct fargs_pt_log_records *r, uint64_t until_ns,
			      const struct fargs_time_window *window, struct fargs_buf *out);

#endif
