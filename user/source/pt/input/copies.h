/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes streams of copies of the end of a trace: AUX samples, and snapshots of AUX buffers. Copies
 * may overlap, and trace is missing between others. Each byte of the trace is in the stream once;
 * its offset is the number of bytes before it in the stream.
 */
#ifndef FARGS_SOURCE_PT_INPUT_COPIES_H
#define FARGS_SOURCE_PT_INPUT_COPIES_H

#include "source/pt/input/input.h"

struct fargs_pt_copied_stream;

/* Initialize with zeroes. */
struct fargs_pt_copies {
	struct fargs_pt_copied_stream *all;
	size_t nr;
};

void fargs_pt_copies_deinit(struct fargs_pt_copies *c);

/*
 * Adds a copy to @s, in which there are copies only. Copies of a stream must be added in the order
 * in which they were made. copy->offset: the copy's place in the buffer, which is UINT64_MAX if it
 * is unknown; a copy that begins where the previous one ends continues it. Returns 0 or -ENOMEM.
 */
int fargs_pt_copies_add(struct fargs_pt_copies *c, struct fargs_pt_stream *s,
			const struct fargs_pt_piece *copy);

#endif
