/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Perf records that wait until something is worth keeping: the last ones, and of those
 * before them all that are about code, since they tell what it became. Pure.
 */
#ifndef FARGS_PT_BACKLOG_H
#define FARGS_PT_BACKLOG_H

#include <stddef.h>
#include <stdint.h>

struct fargs_pt_backlog;

/* Keeps the last records of up to @bytes, of at least 64 KiB. NULL: no memory. */
struct fargs_pt_backlog *fargs_pt_backlog_create(size_t bytes);
void fargs_pt_backlog_destroy(struct fargs_pt_backlog *b);

/* Adds the record at @record, whose header is its own. -ENOMEM. */
int fargs_pt_backlog_add(struct fargs_pt_backlog *b, const void *record);

/* Gets whole records, one behind the other. Anything but 0 ends it. */
typedef int (*fargs_pt_backlog_fn)(void *arg, const void *records, size_t bytes);
/* Hands all over in the order they came, at most @most bytes at a time, and forgets them. */
int fargs_pt_backlog_take(struct fargs_pt_backlog *b, size_t most, fargs_pt_backlog_fn fn,
			  void *arg);

#endif
