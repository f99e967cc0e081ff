// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/log_packets.h"

#include <errno.h>
#include <stdlib.h>

#include "base/put.h"
#include "source/pt/packet/psb.h"
#include "source/pt/trace/packet_text.h"

/* A line of perf has the PADs after a packet, up to that many bytes together. */
#define LINE_PADDED	8
/* Bytes that a line has room for. */
#define LINE_BYTES	16
#define OFFSET_DIGITS	8

int fargs_pt_log_packets_init(struct fargs_pt_log_packets *p, const struct fargs_pt_stream *s)
{
	return fargs_pt_segments_init(&p->segs, s, FARGS_PT_SEGMENT_BYTES);
}

void fargs_pt_log_packets_deinit(struct fargs_pt_log_packets *p)
{
	fargs_pt_segments_deinit(&p->segs);
	free(p->window.bytes);
}

static void put_hex(struct fargs_buf *out, uint64_t v, unsigned int digits)
{
	while (digits < 16 && v >> (4 * digits))
		digits++;
	for (; digits; digits--)
		fargs_put_char(out, "0123456789abcdef"[v >> (4 * (digits - 1)) & 15]);
}

void fargs_pt_log_put_bytes(struct fargs_buf *out, unsigned int indent, uint64_t at,
			    const uint8_t *bytes, unsigned int nr)
{
	unsigned int i;

	fargs_buf_fill(out, ' ', indent);
	put_hex(out, at, OFFSET_DIGITS);
	fargs_put(out, ": ");
	for (i = 0; i < nr; i++) {
		fargs_put_char(out, ' ');
		put_hex(out, bytes[i], 2);
	}
	fargs_buf_fill(out, ' ', 3 * (LINE_BYTES - nr) + 1);
}

static int open_segment(struct fargs_pt_log_packets *p, uint16_t errata)
{
	const struct fargs_pt_segment *seg = &p->segs.all[p->nr];
	uint64_t got;

	p->bytes = fargs_pt_window_get(&p->window, seg->stream, seg->piece, seg->begin,
				       seg->end - seg->begin, &got);
	if (!p->bytes)
		return -ENOMEM;
	p->reader = (struct fargs_pt_reader){
		.at = p->bytes, .end = p->bytes + got, .errata = errata,
	};
	p->synced = p->bytes;
	p->is_open = true;
	return 0;
}

/*
 * Reads the packet that is next, and its line. @limit: end of the segment. Returns false at the end
 * of the segment: after the last packet, or at one that is incomplete.
 */
static bool read_line(struct fargs_pt_log_packets *p, uint64_t at, const uint8_t *limit,
		      struct fargs_buf *out)
{
	const uint8_t *from = p->reader.at, *to;
	struct fargs_pt_packet packet;
	bool is_bad;

	fargs_pt_packet_read(&p->reader, &packet);
	if (packet.kind == FARGS_PT_PACKET_CUT)
		return false;
	is_bad = packet.kind == FARGS_PT_PACKET_BAD;
	to = is_bad ? from + 1 : p->reader.at;
	while (!is_bad && to < limit && to - from < LINE_PADDED && !*to)
		to++;
	if (out) {
		fargs_pt_log_put_bytes(out, 2, at, from, to - from);
		fargs_pt_packet_put_text(out, &packet);
		fargs_put_char(out, '\n');
	}
	if (!is_bad) {
		p->reader.at = to;
		return true;
	}
	if (!fargs_pt_psb_sync(&p->reader, p->bytes, p->synced))
		return false;
	p->synced = p->reader.at;
	return true;
}

int fargs_pt_log_packets_put(struct fargs_pt_log_packets *p, uint16_t errata, uint64_t until,
			     struct fargs_buf *out)
{
	const struct fargs_pt_segment *seg;
	const uint8_t *limit;
	uint64_t at;

	for (; p->nr < p->segs.nr; p->nr++) {
		seg = &p->segs.all[p->nr];
		if (seg->begin > until)
			return 0;
		/* Without a PSB, nothing of the segment can be decoded. */
		if (seg->begin == seg->end)
			continue;
		if (!p->is_open && open_segment(p, errata))
			return -ENOMEM;
		limit = p->bytes + (seg->next - seg->begin);
		if (limit > p->reader.end)
			limit = p->reader.end;
		while (p->reader.at < limit) {
			at = seg->begin + (p->reader.at - p->bytes);
			if (at > until)
				return 0;
			if (!read_line(p, at, limit, out))
				break;
		}
		p->is_open = false;
	}
	return 0;
}
