/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's buffer of perf_event_open(2), as its only reader.
 */
#ifndef FARGS_EVENT_PERF_RING_H
#define FARGS_EVENT_PERF_RING_H

#include <stddef.h>
#include <stdint.h>

struct fargs_perf_ring {
	void *map;		/* NULL: there is none */
	size_t bytes;		/* of data, behind a page of the kernel's */
	size_t page;
};

/* Maps @bytes, a power of two of pages, of the event @fd. -errno. */
int fargs_perf_ring_map(struct fargs_perf_ring *ring, int fd, size_t bytes);
void fargs_perf_ring_unmap(struct fargs_perf_ring *ring);

/* Gets a record of the kernel, in one piece. Anything but 0 ends the reading. */
typedef int (*fargs_perf_ring_fn)(void *arg, const void *record, size_t bytes);

/*
 * Hands all that is there now to @fn, and gives the space back. 0, what @fn returned, or
 * -EIO for a buffer that makes no sense.
 */
int fargs_perf_ring_read(struct fargs_perf_ring *ring, fargs_perf_ring_fn fn, void *arg);

#endif
