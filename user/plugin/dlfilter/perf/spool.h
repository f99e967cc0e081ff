/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Holds back what this process writes to stdout, to fill in what is known only at the end: text
 * goes to a file, with marks in it, and comes out with something behind the first line after each
 * mark, or without what is between a mark and the next one.
 */
#ifndef FARGS_DLFILTER_SPOOL_H
#define FARGS_DLFILTER_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

struct fargs_spool;

/* From now on; NULL with @err. There can be one at a time. */
struct fargs_spool *fargs_spool_create(struct fargs_error_text *err);
/* As if it had never been: what was held back, and not told yet, is gone. */
void fargs_spool_destroy(struct fargs_spool *s);

/* Here comes the line of number @id. -errno. */
int fargs_spool_mark(struct fargs_spool *s, uint64_t id);

/* What @id's line is to end with goes to @out: 1; 0: it is to be left out; -errno ends it. */
typedef int (*fargs_spool_fn)(void *arg, uint64_t id, struct fargs_buf *out);
/* All that was held back goes to stdout, and so does what comes. 0 or -errno. */
int fargs_spool_release(struct fargs_spool *s, fargs_spool_fn fn, void *arg);

#endif
