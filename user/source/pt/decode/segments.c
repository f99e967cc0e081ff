// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/segments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "source/pt/packet/packet.h"
#include "source/pt/packet/psb.h"

/* Number of bytes that are searched for a PSB at a time. */
#define LOOK_BYTES	(1u << 20)
#define LOOK_MIN	(4 * PSB_BYTES)
#define PSB_BYTES	FARGS_PT_PSB_BYTES
/* Upper limit for a plausible PSB+; real ones have about 60 bytes. */
#define PSB_PLUS_MAX	512u

static uint64_t end_of(const struct fargs_pt_piece *piece)
{
	return piece->offset + piece->size;
}

const uint8_t *fargs_pt_window_get(struct fargs_pt_window *w,
				   const struct fargs_pt_stream *stream, size_t piece,
				   uint64_t offset, uint64_t bytes, uint64_t *got)
{
	const struct fargs_pt_piece *p = stream->pieces + piece;
	const struct fargs_pt_piece *end = stream->pieces + stream->nr_pieces;
	uint64_t n;

	while (p + 1 < end && end_of(p) <= offset && !p[1].begins)
		p++;
	*got = 0;
	if (offset < p->offset || offset >= end_of(p))
		return w->bytes ? w->bytes : (const uint8_t *)"";
	if (bytes <= end_of(p) - offset || p + 1 == end || p[1].begins) {
		n = end_of(p) - offset;
		*got = bytes < n ? bytes : n;
		return p->bytes + (offset - p->offset);
	}
	if (w->room < bytes) {
		free(w->bytes);
		w->bytes = malloc(bytes);
		w->room = w->bytes ? bytes : 0;
		if (!w->bytes)
			return NULL;
	}
	for (;;) {
		n = end_of(p) - (offset + *got);
		n = n < bytes - *got ? n : bytes - *got;
		memcpy(w->bytes + *got, p->bytes + (offset + *got - p->offset), n);
		*got += n;
		if (*got == bytes || p + 1 == end || p[1].begins)
			return w->bytes;
		p++;
	}
}

/* A run of contiguous pieces. */
struct run {
	const struct fargs_pt_stream *stream;
	size_t piece;		/* index of the first piece */
	uint64_t begin, end;
	struct fargs_pt_window window;
};

/*
 * Returns how many bytes to look at from @from on: as many as need not be copied, except around the
 * end of a piece.
 */
static uint64_t look_bytes(const struct run *r, uint64_t from)
{
	const struct fargs_pt_piece *p = r->stream->pieces + r->piece;
	const struct fargs_pt_piece *end = r->stream->pieces + r->stream->nr_pieces;
	uint64_t n;

	while (p + 1 < end && end_of(p) <= from && !p[1].begins)
		p++;
	n = end_of(p) - from;
	return n < LOOK_MIN ? LOOK_MIN : n > LOOK_BYTES ? LOOK_BYTES : n;
}

/*
 * Finds the first PSB at or after @from. Returns 1 with its offset in *@at, 0 if there is none, or
 * -ENOMEM.
 */
static int find_psb(struct run *r, uint64_t from, uint64_t *at)
{
	const uint8_t *bytes, *found;
	uint64_t n, got;

	for (; from + PSB_BYTES <= r->end; from += got - 2 * PSB_BYTES + 1) {
		n = look_bytes(r, from);
		bytes = fargs_pt_window_get(&r->window, r->stream, r->piece, from, n, &got);
		if (!bytes)
			return -ENOMEM;
		found = fargs_pt_psb_pattern(bytes, got);
		if (found > bytes && got == n && found + 2 * PSB_BYTES > bytes + got) {
			/* The PSB may extend past the window: search again, starting at @found. */
			from += (uint64_t)(found - bytes);
			got = 2 * PSB_BYTES - 1;
			continue;
		}
		if (found) {
			*at = from + (uint64_t)(fargs_pt_psb_begin(found, bytes + got) - bytes);
			return 1;
		}
		if (got < n)
			break;
	}
	return 0;
}

/* A PSB+: a PSB and the packets up to PSBEND. */
struct psb_plus {
	uint64_t end;		/* offset after the PSBEND */
	uint64_t tsc;		/* 0: unknown */
};

/*
 * Returns whether the next relevant packet is a TIP.PGE. If the PSB+ before a TIP.PGE reports that
 * the trace is already on, that report is wrong (erratum BDM70 of some CPUs). The decoder
 * recognizes this from the packets after the PSB+, which the previous segment does not contain.
 */
static bool is_turned_on(struct fargs_pt_reader *r)
{
	struct fargs_pt_packet p;

	for (;;) {
		fargs_pt_packet_read(r, &p);
		switch (p.kind) {
		case FARGS_PT_PACKET_PGE:
			return true;
		case FARGS_PT_PACKET_PAD:
		case FARGS_PT_PACKET_TSC:
		case FARGS_PT_PACKET_CBR:
		case FARGS_PT_PACKET_TMA:
		case FARGS_PT_PACKET_MTC:
		case FARGS_PT_PACKET_CYC:
		case FARGS_PT_PACKET_PIP:
		case FARGS_PT_PACKET_VMCS:
		case FARGS_PT_PACKET_EXEC:
		case FARGS_PT_PACKET_TSX:
		case FARGS_PT_PACKET_MNT:
			break;
		default:
			return false;
		}
	}
}

/*
 * Parses a PSB+. Returns true if the previous segment may end with it: the PSB+ ends with PSBEND
 * (and not, for instance, with an overflow), and the decoder does not need the packets after it.
 */
static bool read_psb_plus(struct fargs_pt_reader *r, struct psb_plus *plus)
{
	const uint8_t *begin = r->at;
	struct fargs_pt_packet p;
	bool is_on = false;

	for (;;) {
		fargs_pt_packet_read(r, &p);
		switch (p.kind) {
		case FARGS_PT_PACKET_BAD:
		case FARGS_PT_PACKET_CUT:
		case FARGS_PT_PACKET_OVF:
			return false;
		case FARGS_PT_PACKET_TSC:
			plus->tsc = p.value;
			break;
		case FARGS_PT_PACKET_FUP:
			is_on |= p.nr != FARGS_PT_IPC_NONE;
			break;
		case FARGS_PT_PACKET_PSBEND:
			plus->end = r->at - begin;
			return !(is_on && is_turned_on(r));
		default:
			break;
		}
	}
}

/* Parses the PSB+ at offset @at. Returns 1 if a segment may end with it, 0 if not, or -ENOMEM. */
static int find_psb_plus(struct run *r, uint64_t at, struct psb_plus *plus)
{
	struct fargs_pt_reader reader;
	const uint8_t *bytes;
	uint64_t got;
	int ret;

	*plus = (struct psb_plus){ };
	bytes = fargs_pt_window_get(&r->window, r->stream, r->piece, at, PSB_PLUS_MAX, &got);
	if (!bytes)
		return -ENOMEM;
	reader = (struct fargs_pt_reader){ .at = bytes, .end = bytes + got };
	ret = read_psb_plus(&reader, plus);
	plus->end += at;
	return ret;
}

static int add_segment(struct fargs_pt_segments *segs, const struct fargs_pt_segment *seg)
{
	struct fargs_pt_segment *to = fargs_array_add(segs->all, segs->nr);

	if (!to)
		return -ENOMEM;
	*to = *seg;
	return 0;
}

/*
 * Finds the end of the segment that begins with the PSB at seg->begin, and sets *@tsc to the time
 * of the next segment's PSB. Returns 0 or -ENOMEM.
 */
static int find_end(struct run *r, struct fargs_pt_segment *seg, uint64_t bytes, uint64_t *tsc)
{
	uint64_t left = r->end - seg->begin, from;
	struct psb_plus plus;
	int ret;

	from = seg->begin + (bytes < PSB_BYTES ? PSB_BYTES : bytes < left ? bytes : left);
	while ((ret = find_psb(r, from, &seg->next)) > 0) {
		ret = find_psb_plus(r, seg->next, &plus);
		seg->end = plus.end;
		*tsc = plus.tsc;
		if (ret)
			return ret < 0 ? ret : 0;
		from = seg->next + PSB_BYTES;
	}
	seg->next = r->end;
	seg->end = r->end;
	seg->is_last = true;
	return ret;
}

/* Adds @seg, whose PSB has been found, and all later segments of the run. */
static int cut_from(struct fargs_pt_segments *segs, struct run *r, struct fargs_pt_segment seg,
		    uint64_t bytes)
{
	uint64_t tsc = 0;

	for (;;) {
		if (find_end(r, &seg, bytes, &tsc) || add_segment(segs, &seg))
			return -ENOMEM;
		if (seg.is_last)
			return 0;
		seg = (struct fargs_pt_segment){
			.stream = r->stream, .piece = r->piece, .begin = seg.next,
			.skipped = seg.next, .tsc = tsc,
		};
		while (end_of(&r->stream->pieces[seg.piece]) <= seg.begin)
			seg.piece++;
		r->piece = seg.piece;
	}
}

/*
 * Advances *@at, at most to @end, over zeroes: the unwritten part of a buffer that was never full.
 * Returns 0 or -ENOMEM.
 */
static int skip_padding(struct run *r, uint64_t end, uint64_t *at)
{
	const uint8_t *bytes;
	uint64_t got, i;

	while (*at < end) {
		bytes = fargs_pt_window_get(&r->window, r->stream, r->piece, *at,
					    end - *at < LOOK_BYTES ? end - *at : LOOK_BYTES, &got);
		if (!bytes)
			return -ENOMEM;
		for (i = 0; i < got && !bytes[i];)
			i++;
		*at += i;
		if (i < got || !got)
			break;
	}
	return 0;
}

static int cut_run(struct fargs_pt_segments *segs, struct run *r, bool is_after_loss,
		   uint64_t bytes)
{
	struct fargs_pt_segment seg = {
		.stream = r->stream, .piece = r->piece, .skipped = r->begin, .is_first = true,
		.is_after_gap = r->piece > 0, .is_after_loss = is_after_loss,
	};
	struct psb_plus plus = { };
	int ret = find_psb(r, r->begin, &seg.begin);

	if (ret >= 0)
		ret = skip_padding(r, ret ? seg.begin : r->end, &seg.skipped) < 0 ? -ENOMEM : ret;
	if (ret > 0 && find_psb_plus(r, seg.begin, &plus) >= 0) {
		seg.tsc = plus.tsc;
		return cut_from(segs, r, seg, bytes);
	}
	if (ret)
		return -ENOMEM;
	/* Nothing can be decoded: add an empty segment to report it. */
	seg.begin = r->end;
	seg.next = r->end;
	seg.end = r->end;
	seg.is_last = true;
	return add_segment(segs, &seg);
}

int fargs_pt_segments_init(struct fargs_pt_segments *segs, const struct fargs_pt_stream *stream,
			   uint64_t bytes)
{
	struct run r = { .stream = stream };
	size_t i, end;
	int ret = 0;

	*segs = (struct fargs_pt_segments){ };
	for (i = 0; !ret && i < stream->nr_pieces; i = end) {
		for (end = i + 1; end < stream->nr_pieces && !stream->pieces[end].begins;)
			end++;
		r.piece = i;
		r.begin = stream->pieces[i].offset;
		r.end = end_of(&stream->pieces[end - 1]);
		ret = cut_run(segs, &r, stream->pieces[i].is_after_loss, bytes);
	}
	free(r.window.bytes);
	return ret;
}

void fargs_pt_segments_deinit(struct fargs_pt_segments *segs)
{
	free(segs->all);
	*segs = (struct fargs_pt_segments){ };
}
