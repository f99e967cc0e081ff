/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Splits streams into segments that can be decoded independently.
 *
 * A segment begins with a PSB and ends where the PSB+ of the next segment ends: from that the
 * decoder knows exactly at which instruction the next segment continues. If it were cut at the
 * PSB itself, the instructions up to there would be missing.
 */
#ifndef FARGS_SOURCE_PT_DECODE_SEGMENTS_H
#define FARGS_SOURCE_PT_DECODE_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_segment {
	const struct fargs_pt_stream *stream;
	size_t piece;		/* index of the piece where it begins */
	uint64_t begin;		/* offset of its PSB */
	uint64_t next;		/* offset of the PSB of the next segment, or of the end */
	uint64_t end;		/* offset after the last byte to decode */
	uint64_t tsc;		/* time of its PSB; 0: unknown */
	bool is_last;		/* no segment continues it */
	/* It does not continue the one before: bytes from skipped on cannot be decoded. */
	bool is_first;
	bool is_after_loss;	/* trace before it was lost during recording */
	uint64_t skipped;	/* offset; equal to begin if there are none */
};

struct fargs_pt_segments {
	struct fargs_pt_segment *all;	/* sorted by offset */
	size_t nr;
};

/* Default minimum size of segments. */
#define FARGS_PT_SEGMENT_BYTES	(2u << 10)

/*
 * Cuts @stream at PSBs, each the first one @bytes or more after the cut before. Returns 0 or
 * -ENOMEM.
 */
int fargs_pt_segments_init(struct fargs_pt_segments *segs, const struct fargs_pt_stream *stream,
			   uint64_t bytes);
void fargs_pt_segments_deinit(struct fargs_pt_segments *segs);

/* Offset of the first PSB at or after @from in @bytes; @n: none. */
uint64_t fargs_pt_psb_find(const uint8_t *bytes, uint64_t n, uint64_t from);

/* A buffer for bytes of several pieces; zero-initialized: empty. The caller frees bytes. */
struct fargs_pt_window {
	uint8_t *bytes;
	size_t room;
};

/*
 * Returns @bytes from @offset on, which must be in @piece or after it, as far as pieces are
 * contiguous; *@got is their number. The result points into the piece or, if necessary, to a copy
 * in @w. NULL: out of memory.
 */
const uint8_t *fargs_pt_window_get(struct fargs_pt_window *w,
				   const struct fargs_pt_stream *stream, size_t piece,
				   uint64_t offset, uint64_t bytes, uint64_t *got);

#endif
