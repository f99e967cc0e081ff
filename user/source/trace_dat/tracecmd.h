/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads trace.dat(5) files of trace-cmd with libtracecmd. The library is loaded on first use, so
 * that fargs does not depend on it.
 *
 * The library does not validate the contents of a file, and may crash. Therefore callers open a
 * file in a child process.
 */
#ifndef FARGS_SOURCE_TRACE_DAT_TRACECMD_H
#define FARGS_SOURCE_TRACE_DAT_TRACECMD_H

#include <stdbool.h>

#include "base/error.h"

struct fargs_tracecmd;
struct tep_handle;
struct tep_record;

/* Returns whether @path begins with the magic of trace.dat. */
bool fargs_tracecmd_is_file(const char *path);

/* Opens a file without loading plugins. Returns NULL with @err on error. */
struct fargs_tracecmd *fargs_tracecmd_open(const char *path, struct fargs_error_text *err);
void fargs_tracecmd_close(struct fargs_tracecmd *dat);

/* Returns the formats of events, names of tasks etc., which are owned by @dat. */
struct tep_handle *fargs_tracecmd_tep(struct fargs_tracecmd *dat);

/*
 * Calls @fn for the records of all CPUs and buffers in time order. Stops at the first nonzero
 * result, and returns that result.
 */
int fargs_tracecmd_each(struct fargs_tracecmd *dat,
			 int (*fn)(void *arg, struct tep_record *rec, unsigned int cpu), void *arg);

#endif
