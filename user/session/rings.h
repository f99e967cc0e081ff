/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rings of a session as its only reader sees them: mapped once, then read
 * in runs of complete records without a copy. Knows nothing of records.
 */
#ifndef FARGS_RING_RINGS_H
#define FARGS_RING_RINGS_H

#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs.h"
#include "base/error.h"

struct fargs_rings;

/*
 * Maps the rings of every possible CPU of the session @fd, on which
 * FARGS_IOC_BUFFER has made rings of @bytes. @fd is not kept. NULL on failure.
 */
struct fargs_rings *fargs_rings_map(int fd, const struct fargs_info *info, uint64_t bytes,
				    struct fargs_error_text *err);
/* Unmaps; NULL is fine. */
void fargs_rings_destroy(struct fargs_rings *r);

/*
 * Gets @bytes of records of @cpu, one behind the other without a gap. They are
 * gone when it returns. Anything but 0 keeps them in the ring.
 */
typedef int (*fargs_ring_fn)(void *arg, unsigned int cpu, const void *records, size_t bytes);

/*
 * Hands all that @cpu's ring holds now to @fn, an eighth of the ring or so at a
 * time, and gives each part's space back if that returned 0. Returns 0 (also when
 * there was nothing), what @fn returned, or -EIO for a ring whose head makes no sense.
 */
int fargs_rings_read(struct fargs_rings *r, unsigned int cpu, fargs_ring_fn fn, void *arg);

/*
 * The same of a ring of FARGS_MODE_OVERWRITE, which stands still: hands out what it holds
 * from position *@from on, or from its oldest record if that is overwritten already, and
 * moves *@from (0 at first) behind it.
 */
int fargs_rings_read_frozen(struct fargs_rings *r, unsigned int cpu, uint64_t *from,
			    fargs_ring_fn fn, void *arg);

/* Number of rings; bytes unread in @cpu's ring now (0 for a ring that makes no sense). */
unsigned int fargs_rings_count(const struct fargs_rings *r);
uint64_t fargs_rings_unread(const struct fargs_rings *r, unsigned int cpu);

#endif
