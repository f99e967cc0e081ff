/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the new part of a ring buffer that is overwritten continuously. The kernel reports where
 * it stopped writing, not how often it wrapped; that follows from a comparison with the buffer's
 * previous contents. Pure.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_SNAPSHOT_H
#define FARGS_SOURCE_PT_CAPTURE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_pt_snapshot {
	uint8_t *before;	/* previous contents of the buffer; at first zeroes */
	size_t bytes;		/* size of the buffer, a power of two */
	size_t at;		/* position up to which it was written the last time */
};

/* For a zeroed buffer of @bytes. Returns 0 or -ENOMEM. */
int fargs_pt_snapshot_init(struct fargs_pt_snapshot *s, size_t bytes);
void fargs_pt_snapshot_deinit(struct fargs_pt_snapshot *s);

/*
 * @buffer is not being written, and was written up to @head. Sets the new part: *@bytes, from
 * *@from on and wrapping at the end. Returns whether it continues the previous contents; false if
 * some trace in between was overwritten.
 */
bool fargs_pt_snapshot_take(struct fargs_pt_snapshot *s, const void *buffer, uint64_t head,
			    size_t *from, size_t *bytes);

#endif
