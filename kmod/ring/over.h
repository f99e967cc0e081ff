/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rings that overwrite what is oldest: for the flight recorder.
 */
#ifndef FARGS_KMOD_RING_OVER_H
#define FARGS_KMOD_RING_OVER_H

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

/**
 * fargs_ring_over_renew() - fargs_ring_renew() of a ring in overwrite mode
 * @ring: this CPU's ring
 * @pos: as there
 * @len: as there
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: As there.
 */
bool fargs_ring_over_renew(struct fargs_ring *ring, u64 pos, u32 len);

/**
 * fargs_rings_freeze() - end writing to rings in overwrite mode
 * @rings: the rings of a session
 *
 * When it has returned 0 nothing is written any more, what is complete is published, and the
 * beginning of it; records that come are counted as lost.
 *
 * Context: Process context. May sleep. One caller at a time.
 * Return: 0; -ENOMEM, and nothing has changed; or -EINTR if a fatal signal came first: then
 *	nothing new is claimed, as after a trigger (probe/trigger.c), but a record may still be
 *	in the making. Freeze again, or thaw.
 */
int fargs_rings_freeze(struct fargs_rings *rings);

/**
 * fargs_rings_thaw() - undo fargs_rings_freeze()
 * @rings: the rings of a session
 *
 * Forgets what has triggered; of drop mode, too.
 *
 * Context: Process context. One caller at a time.
 */
void fargs_rings_thaw(struct fargs_rings *rings);

/**
 * fargs_rings_settle() - publish the beginning of rings in overwrite mode
 * @rings: of which no writer is left
 *
 * Context: Process context.
 */
void fargs_rings_settle(struct fargs_rings *rings);

#endif
