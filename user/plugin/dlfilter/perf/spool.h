/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Redirects stdout to a temporary file, in order to complete lines with data that are known only at
 * the end. Marks in the file identify lines. When the text is released, a callback completes the
 * first line after each mark, or drops the text between the mark and the next one.
 */
#ifndef FARGS_PLUGIN_DLFILTER_PERF_SPOOL_H
#define FARGS_PLUGIN_DLFILTER_PERF_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

struct fargs_spool;

/*
 * Starts redirecting stdout. Returns NULL with @err on failure. Only one spool may exist at a time.
 */
struct fargs_spool *fargs_spool_create(struct fargs_error_text *err);
/* Restores stdout. Text that was not released is discarded. */
void fargs_spool_destroy(struct fargs_spool *s);

/* Marks the next line with @id. Returns 0 or -errno. */
int fargs_spool_mark(struct fargs_spool *s, uint64_t id);

/*
 * Appends the rest of the line with mark @id to @out. Returns 1 to keep the line, 0 to drop the
 * text up to the next mark, or -errno to stop.
 */
typedef int (*fargs_spool_fn)(void *arg, uint64_t id, struct fargs_buf *out);
/* Restores stdout and writes the held text to it. Returns 0 or -errno. */
int fargs_spool_release(struct fargs_spool *s, fargs_spool_fn fn, void *arg);

#endif
