/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Consumes the rings of a session: maps them once, then passes on runs of complete records without
 * copying them. Does not interpret records.
 */
#ifndef FARGS_SESSION_RINGS_H
#define FARGS_SESSION_RINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "uapi/fargs.h"

struct fargs_rings;

/*
 * Maps the rings of all possible CPUs of session @fd. @bytes: size of a ring, as set by
 * FARGS_IOC_BUFFER. @fd is not used afterwards. Returns NULL on failure.
 */
struct fargs_rings *fargs_rings_map(int fd, const struct fargs_info *info, uint64_t bytes,
				    struct fargs_error_text *err);
/* Unmaps the rings; @r may be NULL. */
void fargs_rings_destroy(struct fargs_rings *r);

/*
 * Called with @bytes of contiguous records of @cpu, which are valid until it returns. If it returns
 * a value other than 0, the records stay in the ring.
 */
typedef int (*fargs_ring_fn)(void *arg, unsigned int cpu, const void *records, size_t bytes);

/*
 * Passes the current contents of @cpu's ring to @fn, about an eighth of the ring at a time.
 * Releases the space of each part for which @fn returned 0. Returns 0 (also for an empty ring), the
 * first other result of @fn, or -EIO if the ring's head is invalid.
 */
int fargs_rings_read(struct fargs_rings *r, unsigned int cpu, fargs_ring_fn fn, void *arg);

/*
 * Like fargs_rings_read(), for a frozen ring of FARGS_MODE_OVERWRITE. Starts at position *@from
 * (initially 0), or at the oldest record if that position has been overwritten, and sets *@from to
 * the end of the ring's contents.
 */
int fargs_rings_read_frozen(struct fargs_rings *r, unsigned int cpu, uint64_t *from,
			    fargs_ring_fn fn, void *arg);

/*
 * Return the number of rings, and the number of unread bytes in @cpu's ring; 0 if that number is
 * larger than the ring, or if there is no such CPU.
 */
unsigned int fargs_rings_count(const struct fargs_rings *r);
uint64_t fargs_rings_unread(const struct fargs_rings *r, unsigned int cpu);

#endif
