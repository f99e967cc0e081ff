/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is new in a buffer that is overwritten round and round. The kernel tells where it
 * stopped writing, not how often it went round: that is found by what the buffer held
 * before. Pure.
 */
#ifndef FARGS_PT_SNAPSHOT_H
#define FARGS_PT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_pt_snapshot {
	uint8_t *before;	/* what the buffer held the last time; zeroes at first */
	size_t bytes;		/* of the buffer, a power of two */
	size_t at;		/* where it was written up to the last time */
};

/* Of a buffer of @bytes that is all zeroes. -ENOMEM. */
int fargs_pt_snapshot_init(struct fargs_pt_snapshot *s, size_t bytes);
void fargs_pt_snapshot_deinit(struct fargs_pt_snapshot *s);

/*
 * @buffer stands still, written up to @head. *@bytes of it are new, from *@from on and
 * round its end. Returns whether they continue what was there the last time; else some was
 * overwritten in between.
 */
bool fargs_pt_snapshot_take(struct fargs_pt_snapshot *s, const void *buffer, uint64_t head,
			    size_t *from, size_t *bytes);

#endif
