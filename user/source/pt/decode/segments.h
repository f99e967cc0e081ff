/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streams in parts that can be decoded by themselves.
 *
 * A part begins with a PSB and ends where the PSB+ of the next part's ends: what the decoder
 * finds in that tells it how far to go, to the very instruction at which the next part goes
 * on. Cut at the PSB itself, the instructions up to there would be missing.
 */
#ifndef FARGS_PT_SEGMENTS_H
#define FARGS_PT_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_segment {
	const struct fargs_pt_stream *stream;
	size_t piece;		/* where it begins */
	uint64_t begin;		/* offset of its PSB */
	uint64_t next;		/* of the PSB with which the next one begins, or of its end */
	uint64_t end;		/* behind the last byte to decode */
	uint64_t tsc;		/* at its PSB; 0: not told */
	bool is_last;		/* nothing continues it */
	/* It does not continue what is in front of it: bytes from here on cannot be decoded. */
	bool is_first;
	bool is_after_loss;	/* what is in front was lost when it was recorded */
	uint64_t skipped;	/* offset; begin, if there is none */
};

struct fargs_pt_segments {
	struct fargs_pt_segment *all;	/* in the order of their offsets */
	size_t nr;
};

/* How long they are to be, at least, if nothing else is asked for. */
#define FARGS_PT_SEGMENT_BYTES	(2u << 10)

/* Cuts @stream at the first PSBs that are @bytes or more behind the one before. -ENOMEM. */
int fargs_pt_segments_init(struct fargs_pt_segments *segs, const struct fargs_pt_stream *stream,
			   uint64_t bytes);
void fargs_pt_segments_deinit(struct fargs_pt_segments *segs);

/* Where the first PSB at or after @from begins in @bytes; @n: there is none. */
uint64_t fargs_pt_psb_find(const uint8_t *bytes, uint64_t n, uint64_t from);

/* A buffer for bytes of several pieces; all zeroes: empty. free() its bytes. */
struct fargs_pt_window {
	uint8_t *bytes;
	size_t room;
};

/*
 * @bytes from @offset on, which must be in or behind @piece, as far as pieces continue each
 * other; how many there are in *@got. In place or, if need be, in @w. NULL: no memory.
 */
const uint8_t *fargs_pt_window_get(struct fargs_pt_window *w,
				   const struct fargs_pt_stream *stream, size_t piece,
				   uint64_t offset, uint64_t bytes, uint64_t *got);

#endif
