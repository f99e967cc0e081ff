/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rings in overwrite mode: new records overwrite the oldest.
 */
#ifndef FARGS_KMOD_RING_OVER_H
#define FARGS_KMOD_RING_OVER_H

#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "uapi/fargs_record.h"

struct fargs_ring;
struct fargs_rings;

/*
 * Returns the size of a sub-buffer in bytes. @size: size of the ring in bytes, a power of two, at
 * least FARGS_BUFFER_MIN.
 */
static inline u64 fargs_ring_over_sub_bytes(u64 size)
{
	BUILD_BUG_ON(FARGS_RECORD_MAX > 4096);
	return max_t(u64, size / 16, 4096);
}

/**
 * fargs_ring_over_renew() - make room in a ring in overwrite mode
 * @ring: this CPU's ring
 * @pos: position at which the reservation is to begin
 * @len: bytes to reserve
 *
 * fargs_ring_renew() calls this for rings in overwrite mode.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: Same as fargs_ring_renew().
 */
bool fargs_ring_over_renew(struct fargs_ring *ring, u64 pos, u32 len);

/**
 * fargs_rings_freeze() - stop writing to rings in overwrite mode
 * @rings: the rings of a session
 *
 * After this has returned 0, nothing is written to the rings, data_head and data_start are
 * published (include/uapi/fargs_ring.h), and further calls are counted as lost.
 *
 * Context: Process context. May sleep. Callers are serialized.
 * Return: 0; -ENOMEM, with the rings unchanged; or -EINTR if a fatal signal is pending. After
 *	-EINTR sub-buffers are no longer claimed, as after a trigger (probe/trigger.c), but a
 *	record may still be incomplete: the caller must freeze the rings again, or thaw them.
 */
int fargs_rings_freeze(struct fargs_rings *rings);

/**
 * fargs_rings_thaw() - undo fargs_rings_freeze()
 * @rings: the rings of a session, in drop or overwrite mode
 *
 * Also clears rings->is_triggered.
 *
 * Context: Process context. Callers are serialized.
 */
void fargs_rings_thaw(struct fargs_rings *rings);

/**
 * fargs_rings_settle() - publish the start of the data of rings in overwrite mode
 * @rings: the rings of a session, which have no writers
 *
 * Context: Process context.
 */
void fargs_rings_settle(struct fargs_rings *rings);

#endif
