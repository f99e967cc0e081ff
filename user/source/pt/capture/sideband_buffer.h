/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sideband buffer for snapshots. It keeps the newest perf records. It also keeps all older perf
 * records that report changes of code or the start of the trace, which are needed to reconstruct
 * the current code. Does no I/O.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_SIDEBAND_BUFFER_H
#define FARGS_SOURCE_PT_CAPTURE_SIDEBAND_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct fargs_pt_sideband_buffer;

/* Keeps the newest records, up to @bytes (at least 64 KiB). NULL: out of memory. */
struct fargs_pt_sideband_buffer *fargs_pt_sideband_buffer_create(size_t bytes);
void fargs_pt_sideband_buffer_destroy(struct fargs_pt_sideband_buffer *b);

/* Appends a copy of @record, whose size is in its perf_event_header. Returns 0 or -ENOMEM. */
int fargs_pt_sideband_buffer_add(struct fargs_pt_sideband_buffer *b, const void *record);

/*
 * Called with one or more consecutive, complete records. A nonzero result stops
 * fargs_pt_sideband_buffer_take().
 */
typedef int (*fargs_pt_sideband_buffer_fn)(void *arg, const void *records, size_t bytes);
/*
 * Passes all records to @fn in order of arrival, at most @most bytes in each call of @fn, and
 * empties the buffer. Returns 0 or the nonzero result of @fn.
 */
int fargs_pt_sideband_buffer_take(struct fargs_pt_sideband_buffer *b, size_t most,
				  fargs_pt_sideband_buffer_fn fn, void *arg);

#endif
