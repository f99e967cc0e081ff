/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sideband buffer for snapshots: keeps the newest perf records, and of the older ones all that
 * are about code, since they are needed to know the current code. Pure.
 */
#ifndef FARGS_PT_BACKLOG_H
#define FARGS_PT_BACKLOG_H

#include <stddef.h>
#include <stdint.h>

struct fargs_pt_backlog;

/* Keeps the newest records, up to @bytes (at least 64 KiB). NULL: out of memory. */
struct fargs_pt_backlog *fargs_pt_backlog_create(size_t bytes);
void fargs_pt_backlog_destroy(struct fargs_pt_backlog *b);

/* Appends a copy of the record at @record; its header has its size. Returns 0 or -ENOMEM. */
int fargs_pt_backlog_add(struct fargs_pt_backlog *b, const void *record);

/* Gets whole consecutive records. A nonzero result stops fargs_pt_backlog_take(). */
typedef int (*fargs_pt_backlog_fn)(void *arg, const void *records, size_t bytes);
/*
 * Passes all records to @fn in order of arrival, at most @most bytes a call, and empties the
 * buffer. Returns 0 or the nonzero result of @fn.
 */
int fargs_pt_backlog_take(struct fargs_pt_backlog *b, size_t most, fargs_pt_backlog_fn fn,
			  void *arg);

#endif
