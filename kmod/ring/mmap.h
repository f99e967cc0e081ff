/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_RING_MMAP_H
#define FARGS_RING_MMAP_H

#include <linux/mm_types.h>
#include <linux/poll.h>

struct fargs_rings;

/* One of the mappings of include/uapi/fargs_ring.h. Under mmap_lock. */
int fargs_rings_mmap(struct fargs_rings *rings, struct vm_area_struct *vma);
/* Whether some ring has as much unread as its watermark. Rings may be NULL. */
bool fargs_rings_is_due(struct fargs_rings *rings);

#endif
