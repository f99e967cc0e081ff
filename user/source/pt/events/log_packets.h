/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads all packets of a stream for a log (log.h), as far as an item of the flow shows that they
 * were decoded.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_LOG_PACKETS_H
#define FARGS_SOURCE_PT_EVENTS_LOG_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "source/pt/decode/segments.h"
#include "source/pt/packet/packet.h"

/* A position in a stream. Initialize with zeroes. */
struct fargs_pt_log_packets {
	struct fargs_pt_segments segs;
	size_t nr;			/* index of the current segment */
	bool is_open;			/* the members below are valid */
	struct fargs_pt_window window;
	struct fargs_pt_reader reader;
	const uint8_t *bytes;		/* of the segment */
	const uint8_t *synced;		/* its first PSB, or the one after the last error */
};

/* Returns 0 or -ENOMEM. In both cases, call fargs_pt_log_packets_deinit(). */
int fargs_pt_log_packets_init(struct fargs_pt_log_packets *p, const struct fargs_pt_stream *s);
void fargs_pt_log_packets_deinit(struct fargs_pt_log_packets *p);

/*
 * Appends the lines of the packets up to the one at stream offset @until (included) to @out; NULL:
 * skips them. @errata: of the CPU. Returns 0 or -ENOMEM.
 */
int fargs_pt_log_packets_put(struct fargs_pt_log_packets *p, uint16_t errata, uint64_t until,
			     struct fargs_buf *out);

/* Returns whether the last packet was put. */
static inline bool fargs_pt_log_packets_is_at_end(const struct fargs_pt_log_packets *p)
{
	return p->nr == p->segs.nr;
}

/*
 * Appends what packets and instructions have in common: @at, after @indent blanks, and @nr bytes,
 * up to the column of the text.
 */
void fargs_pt_log_put_bytes(struct fargs_buf *out, unsigned int indent, uint64_t at,
			    const uint8_t *bytes, unsigned int nr);

#endif
