// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/truncated.h"

#include <intel-pt.h>
#include <stdbool.h>

#include "source/pt/packet/errata.h"
#include "source/pt/packet/packet.h"
#include "source/pt/packet/psb.h"

/* The packet that must still follow before the packets parsed until now are complete. */
enum wait {
	NOTHING,
	PSBEND,		/* after a PSB: the rest of the PSB+ */
	TIP,		/* after a FUP or MODE.Exec: the TIP of the same event */
	FUP,		/* after a packet that reports an event's type: the FUP with its address */
	OVERFLOW_FUP,	/* after an OVF: a FUP or TIP.PGE; the trace is complete without it */
};

static enum wait wait_after_fup(enum wait wait)
{
	switch (wait) {
	case NOTHING:
	case TIP:
		return TIP;
	case PSBEND:
		return PSBEND;
	default:
		return NOTHING;
	}
}

static enum wait wait_after(enum wait wait, const struct fargs_pt_packet *packet)
{
	switch (packet->kind) {
	case FARGS_PT_PACKET_PSB:
		return PSBEND;
	case FARGS_PT_PACKET_OVF:
		return OVERFLOW_FUP;
	case FARGS_PT_PACKET_PSBEND:
	case FARGS_PT_PACKET_TIP:
	case FARGS_PT_PACKET_PGE:
	case FARGS_PT_PACKET_PGD:
	case FARGS_PT_PACKET_TNT:
		return NOTHING;
	case FARGS_PT_PACKET_FUP:
		return wait_after_fup(wait);
	case FARGS_PT_PACKET_EXEC:
		return wait == NOTHING ? TIP : wait;
	case FARGS_PT_PACKET_TSX:
		return wait == NOTHING ? FUP : wait;
	case FARGS_PT_PACKET_PTW:
	case FARGS_PT_PACKET_EXSTOP:
		return packet->flags ? FUP : wait;
	default:
		return wait;
	}
}

/*
 * Reads packets up to what is no packet, or the end. *@end: after the last complete packets.
 * Returns whether it came to the end.
 */
static bool find_complete(struct fargs_pt_reader *r, const uint8_t **end)
{
	enum wait wait = NOTHING;
	struct fargs_pt_packet packet;

	for (;;) {
		fargs_pt_packet_read(r, &packet);
		if (!packet.size)
			return packet.kind == FARGS_PT_PACKET_CUT;
		wait = wait_after(wait, &packet);
		if (wait == NOTHING || wait == OVERFLOW_FUP)
			*end = r->at;
	}
}

int64_t fargs_pt_complete_bytes(const struct pt_config *config)
{
	struct fargs_pt_reader r = {
		.at = config->begin, .end = config->end,
		.errata = (config->errata.skd007 ? FARGS_PT_SKD007 : 0) |
			  (config->errata.skz84 ? FARGS_PT_SKZ84 : 0),
	};
	const uint8_t *end = config->begin, *sync = config->begin;

	while (!find_complete(&r, &end)) {
		/* Bytes that cannot be decoded count as complete: the decoder reports them. */
		if (!fargs_pt_psb_sync(&r, config->begin, sync))
			return config->end - config->begin;
		sync = r.at;
		end = sync;
	}
	return end - config->begin;
}
