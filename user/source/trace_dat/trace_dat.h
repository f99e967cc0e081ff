/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads trace.dat(5) files of trace-cmd with libtracecmd, which is loaded on first use: fargs
 * does not depend on it.
 *
 * The library trusts the contents of a file, so callers open one in a process that may crash.
 */
#ifndef FARGS_SOURCE_TRACE_DAT_TRACE_DAT_H
#define FARGS_SOURCE_TRACE_DAT_TRACE_DAT_H

#include <stdbool.h>

#include "base/error.h"

struct fargs_trace_dat;
struct tep_handle;
struct tep_record;

/* Does @path begin with the magic of trace.dat? */
bool fargs_trace_dat_is(const char *path);

/* NULL with @err on failure. Loads no plugins. */
struct fargs_trace_dat *fargs_trace_dat_open(const char *path, struct fargs_error_text *err);
void fargs_trace_dat_close(struct fargs_trace_dat *dat);

/* Event formats, names of tasks etc.; owned by @dat. */
struct tep_handle *fargs_trace_dat_tep(struct fargs_trace_dat *dat);

/*
 * Calls @fn for the records of all CPUs and buffers in order of time. Stops at the first nonzero
 * result and returns it.
 */
int fargs_trace_dat_each(struct fargs_trace_dat *dat,
			 int (*fn)(void *arg, struct tep_record *rec, unsigned int cpu), void *arg);

#endif
