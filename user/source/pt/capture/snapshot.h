/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the new part of a ring buffer in overwrite mode. The kernel reports where it stopped
 * writing, but not whether it overwrote the whole buffer since the last snapshot. To find out, the
 * buffer is compared with its previous contents. Does no I/O.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_SNAPSHOT_H
#define FARGS_SOURCE_PT_CAPTURE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_pt_snapshot {
	uint8_t *before;	/* previous contents of the buffer; at first zeroes */
	size_t bytes;		/* size of the buffer, a power of two */
	size_t limit;		/* maximum size of a snapshot */
	size_t at;		/* offset at which the kernel had stopped at the last snapshot */
};

/*
 * Initializes @s for a ring buffer of @bytes that contains only zeroes, and for snapshots of at
 * most @limit bytes. Returns 0 or -ENOMEM.
 */
int fargs_pt_snapshot_init(struct fargs_pt_snapshot *s, size_t bytes, size_t limit);
void fargs_pt_snapshot_deinit(struct fargs_pt_snapshot *s);

/*
 * Finds the new part of @buffer: *@bytes beginning at *@from, wrapping at the end of the buffer; of
 * more than s->limit bytes, the last ones. The kernel must have stopped writing, at @head. Returns
 * true if the new part continues the previous contents, false if some trace in between was
 * overwritten or is left out.
 */
bool fargs_pt_snapshot_take(struct fargs_pt_snapshot *s, const void *buffer, uint64_t head,
			    size_t *from, size_t *bytes);

#endif
