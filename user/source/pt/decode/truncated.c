// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/truncated.h"

#include <errno.h>
#include <intel-pt.h>
#include <stdbool.h>

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

static enum wait wait_after_mode(enum wait wait, enum pt_mode_leaf leaf)
{
	if (wait != NOTHING)
		return wait;
	return leaf == pt_mol_tsx ? FUP : TIP;
}

static enum wait wait_after(enum wait wait, const struct pt_packet *packet)
{
	switch (packet->type) {
	case ppt_psb:
		return PSBEND;
	case ppt_ovf:
		return OVERFLOW_FUP;
	case ppt_psbend:
	case ppt_tip:
	case ppt_tip_pge:
	case ppt_tip_pgd:
	case ppt_tnt_8:
	case ppt_tnt_64:
		return NOTHING;
	case ppt_fup:
		return wait_after_fup(wait);
	case ppt_mode:
		return wait_after_mode(wait, packet->payload.mode.leaf);
	case ppt_ptw:
		return packet->payload.ptw.ip ? FUP : wait;
	case ppt_exstop:
		return packet->payload.exstop.ip ? FUP : wait;
	default:
		return wait;
	}
}

/* Parses packets up to an error or the end. *@end: offset after the last complete packets. */
static int find_complete(struct pt_packet_decoder *decoder, uint64_t *end)
{
	enum wait wait = NOTHING;
	struct pt_packet packet;
	int status;

	while ((status = pt_pkt_next(decoder, &packet, sizeof(packet))) > 0) {
		wait = wait_after(wait, &packet);
		if (wait == NOTHING || wait == OVERFLOW_FUP)
			pt_pkt_get_offset(decoder, end);
	}
	return status;
}

/* Moves to the next PSB, at *@at. Returns false if there is none, or if *@at did not advance. */
static bool sync_to_next_psb(struct pt_packet_decoder *decoder, uint64_t *at)
{
	uint64_t before = *at;

	return pt_pkt_sync_forward(decoder) >= 0 && pt_pkt_get_sync_offset(decoder, at) >= 0 &&
	       *at > before;
}

int64_t fargs_pt_complete_bytes(const struct pt_config *config)
{
	struct pt_packet_decoder *decoder = pt_pkt_alloc_decoder(config);
	uint64_t end = 0, at = 0;

	if (!decoder)
		return -ENOMEM;
	if (pt_pkt_sync_set(decoder, 0) >= 0) {
		/* Bytes that cannot be decoded count as complete: the decoder reports them. */
		while (find_complete(decoder, &end) != -pte_eos) {
			if (!sync_to_next_psb(decoder, &at)) {
				end = config->end - config->begin;
				break;
			}
			end = at;
		}
	}
	pt_pkt_free_decoder(decoder);
	return end;
}
