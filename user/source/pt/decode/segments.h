/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Splits streams into segments that can be decoded independently.
 *
 * A segment begins with a PSB and ends after the PSB+ of the next segment, which shows exactly at
 * which instruction the next segment begins. If the segment ended before that PSB+, the
 * instructions up to the beginning of the next segment would be missing.
 */
#ifndef FARGS_SOURCE_PT_DECODE_SEGMENTS_H
#define FARGS_SOURCE_PT_DECODE_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_segment {
	const struct fargs_pt_stream *stream;
	size_t piece;		/* index of the piece that contains @begin */
	uint64_t begin;		/* stream offset of the segment's PSB */
	/* Offset of the next segment's PSB; if @is_last, of the end of the contiguous trace. */
	uint64_t next;
	uint64_t end;		/* stream offset after the last byte to decode */
	uint64_t tsc;		/* time of the segment's PSB; 0: unknown */
	bool is_last;		/* no segment continues this one */
	/*
	 * This segment does not continue another one. Bytes from @skipped to @begin cannot be
	 * decoded.
	 */
	bool is_first;
	bool is_after_gap;	/* only with @is_first: parts of the stream precede this one */
	bool is_after_loss;	/* the trace preceding this segment was lost */
	uint64_t skipped;	/* offset of bytes that cannot be decoded; @begin: there are none */
};

struct fargs_pt_segments {
	struct fargs_pt_segment *all;	/* sorted by offset */
	size_t nr;
};

/* Default minimum size of segments. */
#define FARGS_PT_SEGMENT_BYTES	(2u << 10)

/*
 * Cuts @stream into segments, each at the first PSB that is at least @bytes after the previous
 * cut. Returns 0 or -ENOMEM.
 */
int fargs_pt_segments_init(struct fargs_pt_segments *segs, const struct fargs_pt_stream *stream,
			   uint64_t bytes);
void fargs_pt_segments_deinit(struct fargs_pt_segments *segs);

/* A buffer for bytes of several pieces. Initialize with zeroes; the owner must free @bytes. */
struct fargs_pt_window {
	uint8_t *bytes;
	size_t room;
};

/*
 * Returns up to @bytes of @stream, starting at @offset. @offset must be in @piece or a later piece.
 * *@got: number of bytes; fewer than @bytes if a gap follows. The result points into the piece or,
 * if several pieces are needed, to a copy in @w. Returns NULL if out of memory.
 */
const uint8_t *fargs_pt_window_get(struct fargs_pt_window *w,
				   const struct fargs_pt_stream *stream, size_t piece,
				   uint64_t offset, uint64_t bytes, uint64_t *got);

#endif
