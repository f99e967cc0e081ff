/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bytes of a synthetic stream. Collects branches, defers TIPs, chooses sizes and compressions,
 * and drops packets during an overflow.
 */
#ifndef SYNTH_STREAM_H
#define SYNTH_STREAM_H

#include "fuzz/random.h"
#include "ptemu/packet.h"
#include "timing.h"

#define STREAM_DEFERRED_MAX	4

enum stream_tnt { STREAM_TNT_AUTO, STREAM_TNT_SHORT, STREAM_TNT_LONG, STREAM_TNT_RANDOM };

struct stream_config {
	enum stream_tnt tnt;
	bool is_ip_random;	/* any compression that fits, instead of the shortest */
	bool is_deferring;	/* TIPs may follow a TNT with later branches */
	bool has_no_tnt;	/* TNT packets are disabled (RTIT_CTL.DisTNT) */
	uint32_t seed;
};

struct stream {
	struct stream_config config;
	struct packet_out out;
	struct timing timing;
	struct fuzz_random random;
	uint8_t *bytes;
	size_t nr_bytes;
	uint64_t tnt_cycles;		/* when the oldest collected branch was executed */
	bool is_in_tnt;			/* the packet that is being written is a TNT */
	bool is_losing;
	bool is_counted_dropped;	/* no CYC before the next packet */
	/* TIPs that were deferred, and when their branches were executed. */
	struct { uint64_t ip, cycles; } deferred[STREAM_DEFERRED_MAX];
	unsigned int nr_deferred;
};

void stream_init(struct stream *s, const struct stream_config *config,
		 const struct timing_config *timing);
void stream_deinit(struct stream *s);
/* Writes what was collected or deferred. */
void stream_flush(struct stream *s);
/* Lets cycles pass. @is_counting: MTCs that become due are written after what was collected. */
void stream_advance(struct stream *s, uint64_t cycles, bool is_counting);
/* Flushes, and returns where to write packets of other kinds. */
struct packet_out *stream_out(struct stream *s);
/* A conditional branch, or a compressed return (taken). */
void stream_branch(struct stream *s, bool is_taken);
/* A near indirect branch, whose TIP may be deferred. */
void stream_tip(struct stream *s, uint64_t ip);
/* A packet with an IP, after everything before it. */
void stream_ip(struct stream *s, enum packet_ip kind, uint64_t ip);
void stream_raw(struct stream *s, const void *bytes, size_t size);

#endif
