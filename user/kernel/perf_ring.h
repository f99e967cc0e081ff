/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Consumes a CPU's buffer of perf_event_open(2).
 */
#ifndef FARGS_KERNEL_PERF_RING_H
#define FARGS_KERNEL_PERF_RING_H

#include <stddef.h>
#include <stdint.h>

struct fargs_perf_ring {
	void *map;		/* NULL: not mapped */
	size_t bytes;		/* size of the data area, which follows the control page */
	size_t page;
};

/*
 * Maps the buffer of perf event @fd. @bytes: size of the data, a power of two of pages. Returns 0
 * or -errno.
 */
int fargs_perf_ring_map(struct fargs_perf_ring *ring, int fd, size_t bytes);
void fargs_perf_ring_unmap(struct fargs_perf_ring *ring);

/* Called with a contiguous perf record. A result other than 0 stops reading. */
typedef int (*fargs_perf_ring_fn)(void *arg, const void *record, size_t bytes);

/*
 * Passes all available records to @fn and releases their space. Returns 0, the result of @fn, or
 * -EIO if the buffer is malformed.
 */
int fargs_perf_ring_read(struct fargs_perf_ring *ring, fargs_perf_ring_fn fn, void *arg);

#endif
