/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_RING_MMAP_H
#define FARGS_KMOD_RING_MMAP_H

#include <linux/mm_types.h>
#include <linux/poll.h>

struct fargs_rings;

/**
 * fargs_rings_mmap() - map the data or the tail page of one ring
 * @rings: the rings of a session
 * @vma: the mapping; its offset selects the ring and the area (include/uapi/fargs_ring.h)
 *
 * Context: Process context. The caller holds mmap_lock for writing.
 * Return: 0 or -errno.
 */
int fargs_rings_mmap(struct fargs_rings *rings, struct vm_area_struct *vma);

/**
 * fargs_rings_is_due() - check whether the reader has data to read
 * @rings: the rings; may be NULL
 *
 * Context: Any context.
 * Return: True if the unread bytes of at least one ring have reached the ring's watermark; always
 *	false in overwrite mode.
 */
bool fargs_rings_is_due(struct fargs_rings *rings);

#endif
