// SPDX-License-Identifier: GPL-2.0-only
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_MAX	6
#define LONG_MAX	47

void stream_raw(struct stream *s, const void *bytes, size_t size)
{
	if (s->is_losing)
		return;
	s->bytes = realloc(s->bytes, s->nr_bytes + size);
	if (!s->bytes) {
		perror("synth");
		exit(2);
	}
	memcpy(s->bytes + s->nr_bytes, bytes, size);
	s->nr_bytes += size;
}

static void put(void *arg, const void *bytes, size_t size)
{
	stream_raw(arg, bytes, size);
}

/* The CYC before a TNT has the time of its first branch (SDM, "Cycle Packet Semantics"). */
static void put_cyc(void *arg)
{
	struct stream *s = arg;

	if (!s->is_losing)
		timing_cyc(&s->timing, &s->out, s->is_in_tnt ? s->tnt_cycles : s->timing.cycles);
}

void stream_init(struct stream *s, const struct stream_config *config,
		 const struct timing_config *timing)
{
	*s = (struct stream){ .config = *config };
	s->out.put = put;
	s->out.before = put_cyc;
	s->out.arg = s;
	s->random.state = config->seed;
	timing_init(&s->timing, timing);
}

void stream_deinit(struct stream *s)
{
	free(s->bytes);
	s->bytes = NULL;
}

static bool is_long(struct stream *s)
{
	unsigned int nr = s->out.nr_tnt;

	/* All branches around a deferred TIP are in one packet. */
	if (s->nr_deferred && nr > SHORT_MAX)
		return true;
	switch (s->config.tnt) {
	case STREAM_TNT_SHORT:
		return false;
	case STREAM_TNT_LONG:
		return true;
	case STREAM_TNT_RANDOM:
		return fuzz_random(&s->random) & 1;
	default:
		return nr > SHORT_MAX;
	}
}

static void put_ip(struct stream *s, enum packet_ip kind, uint64_t ip)
{
	static const enum packet_ipc all[] = {
		PACKET_IPC_UPDATE_16, PACKET_IPC_UPDATE_32, PACKET_IPC_SEXT_48,
		PACKET_IPC_UPDATE_48, PACKET_IPC_FULL,
	};
	enum packet_ipc ipc;

	if (!s->config.is_ip_random) {
		packet_ip(&s->out, kind, ip);
		return;
	}
	do {
		ipc = all[fuzz_random(&s->random) % 5];
	} while (!packet_ip_fits(&s->out, ipc, ip));
	packet_ip_as(&s->out, kind, ipc, ip);
}

/*
 * Deferred TIPs follow the TNT that has the branches before and after them, in order (SDM,
 * "Deferred TIPs"). Nothing else may come between.
 */
void stream_flush(struct stream *s)
{
	unsigned int i, nr = s->nr_deferred;
	uint64_t now = s->timing.cycles;

	s->is_in_tnt = true;
	packet_flush_as(&s->out, is_long(s));
	s->is_in_tnt = false;
	s->nr_deferred = 0;
	for (i = 0; i < nr; i++) {
		s->timing.cycles = s->deferred[i].cycles;
		put_ip(s, PACKET_TIP, s->deferred[i].ip);
	}
	s->timing.cycles = now;
}

void stream_advance(struct stream *s, uint64_t cycles, bool is_counting)
{
	if (is_counting && timing_is_due(&s->timing, cycles))
		stream_flush(s);
	timing_advance(&s->timing, is_counting ? &s->out : NULL, cycles);
}

struct packet_out *stream_out(struct stream *s)
{
	stream_flush(s);
	return &s->out;
}

void stream_branch(struct stream *s, bool is_taken)
{
	unsigned int max = s->config.tnt == STREAM_TNT_SHORT ? SHORT_MAX : LONG_MAX;

	if (s->config.has_no_tnt)
		return;
	if (!s->out.nr_tnt)
		s->tnt_cycles = s->timing.cycles;
	/* At random, a TNT ends before it is full: hardware does that for reasons of its own. */
	if (s->config.tnt == STREAM_TNT_RANDOM && fuzz_random(&s->random) % 8 == 0)
		max = s->out.nr_tnt + 1;
	/* The last place is not left to packet_tnt(), which would write the packet itself. */
	s->out.tnt = s->out.tnt << 1 | is_taken;
	if (++s->out.nr_tnt >= max)
		stream_flush(s);
}

void stream_tip(struct stream *s, uint64_t ip)
{
	if (s->config.is_deferring && !s->config.has_no_tnt &&
	    s->nr_deferred < STREAM_DEFERRED_MAX &&
	    (s->config.tnt != STREAM_TNT_RANDOM || fuzz_random(&s->random) & 1)) {
		s->deferred[s->nr_deferred].ip = ip;
		s->deferred[s->nr_deferred++].cycles = s->timing.cycles;
		return;
	}
	stream_flush(s);
	put_ip(s, PACKET_TIP, ip);
}

void stream_ip(struct stream *s, enum packet_ip kind, uint64_t ip)
{
	stream_flush(s);
	put_ip(s, kind, ip);
}
