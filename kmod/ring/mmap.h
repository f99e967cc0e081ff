/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_RING_MMAP_H
#define FARGS_KMOD_RING_MMAP_H

#include <linux/mm_types.h>
#include <linux/poll.h>

struct fargs_rings;

/**
 * fargs_rings_mmap() - map one of the areas of include/uapi/fargs_ring.h
 * @rings: the rings of a session
 * @vma: the mapping
 *
 * Context: Process context. Expects mmap_lock held for writing.
 * Return: 0 or -errno.
 */
int fargs_rings_mmap(struct fargs_rings *rings, struct vm_area_struct *vma);

/**
 * fargs_rings_is_due() - has some ring as much unread as its watermark?
 * @rings: the rings; may be NULL
 *
 * Context: Any context.
 * Return: Whether one has.
 */
bool fargs_rings_is_due(struct fargs_rings *rings);

#endif
