/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.dat(5) of trace-cmd, read by libtracecmd, which is looked for when there is such a file:
 * fargs does without it else.
 *
 * The library believes what is in a file. Whoever opens one does so in a process that may crash.
 */
#ifndef FARGS_FILE_TRACE_DAT_H
#define FARGS_FILE_TRACE_DAT_H

#include <stdbool.h>

#include "base/error.h"

struct fargs_trace_dat;
struct tep_handle;
struct tep_record;

/* Does @path begin as such a file does? */
bool fargs_trace_dat_is(const char *path);

/* NULL with the reason. No plugin is loaded. */
struct fargs_trace_dat *fargs_trace_dat_open(const char *path, struct fargs_error_text *err);
void fargs_trace_dat_close(struct fargs_trace_dat *dat);

/* Formats, names of tasks, and what else is known; belongs to @dat. */
struct tep_handle *fargs_trace_dat_tep(struct fargs_trace_dat *dat);

/*
 * Hands the records of all CPUs and buffers to @fn, in the order of time, until that does not
 * return 0: what it returned.
 */
int fargs_trace_dat_each(struct fargs_trace_dat *dat,
			 int (*fn)(void *arg, struct tep_record *rec, unsigned int cpu), void *arg);

#endif
