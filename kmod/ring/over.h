/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rings that overwrite what is oldest: for the flight recorder.
 */
#ifndef FARGS_RING_OVER_H
#define FARGS_RING_OVER_H

#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "uapi/fargs_record.h"

struct fargs_ring;
struct fargs_rings;

/* Of a ring of @size bytes, a power of two from FARGS_BUFFER_MIN. */
static inline u64 fargs_ring_over_sub_bytes(u64 size)
{
	BUILD_BUG_ON(FARGS_RECORD_MAX > 4096);
	return max_t(u64, size / 16, 4096);
}

/* fargs_ring_renew() of such a ring. */
bool fargs_ring_over_renew(struct fargs_ring *ring, u64 pos, u32 len);

/*
 * Process context; may sleep; one caller at a time. Of overwrite mode.
 *
 * Freeze: when it returns nothing is written any more, what is complete is
 * published, and the beginning of it; records that come are counted as lost. 0, or -EINTR
 * if a fatal signal came first: then rings are as a trigger leaves them (trigger.c), nothing
 * new is claimed, but a record may still be in the making; freeze again, or thaw. -ENOMEM:
 * nothing has changed. Thaw undoes it, and forgets what has triggered; of drop mode, too.
 * Settle publishes the beginning when no writer is left at all.
 */
int fargs_rings_freeze(struct fargs_rings *rings);
void fargs_rings_thaw(struct fargs_rings *rings);
void fargs_rings_settle(struct fargs_rings *rings);

#endif
