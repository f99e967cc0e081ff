/* SPDX-License-Identifier: GPL-2.0-only */
/* Decodes whole streams of a recording, and reads their packets with libipt. */
#ifndef SELFTESTS_PT_RECORDED_H
#define SELFTESTS_PT_RECORDED_H

#include <intel-pt.h>
#include <stdlib.h>

#include "source/pt/trace/decoder.h"
#include "unit/ktap.h"

/*
 * Decodes all of @s into @flow, which the caller deinitializes. Streams are not cut, except where
 * trace is lost.
 */
__attribute__((unused)) static void pt_decode_stream(const struct fargs_pt_input *in,
						     const struct fargs_pt_stream *s,
						     enum fargs_pt_engine engine, bool is_by_insn,
						     struct fargs_pt_flow *flow)
{
	struct fargs_error_text err;
	struct fargs_pt_text *text = fargs_pt_text_create(in, engine, &err);
	struct fargs_pt_decoder *d = text ? fargs_pt_decoder_create(in, text, 0) : NULL;
	struct fargs_pt_segments segs = { };
	struct fargs_pt_flow part = { };
	size_t i, k;

	*flow = (struct fargs_pt_flow){ };
	CHECK(d && !fargs_pt_segments_init(&segs, s, UINT64_MAX));
	if (is_by_insn)
		fargs_pt_decoder_step_by_insn(d);
	for (i = 0; i < segs.nr; i++) {
		CHECK(!fargs_pt_decoder_run(d, &segs.all[i], &part));
		for (k = 0; k < part.nr; k++) {
			if (flow->nr == flow->room && !fargs_pt_flow_grow(flow))
				abort();
			flow->items[flow->nr++] = part.items[k];
		}
		flow->nr_insns += part.nr_insns;
	}
	fargs_pt_flow_deinit(&part);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
}

/* What the trace shows about the flow of control at one place. */
struct pt_shown {
	uint64_t offset;		/* of the first packet */
	uint64_t ip;			/* only with @has_ip */
	enum { SHOWS_TNT, SHOWS_TIP, SHOWS_EVENT, SHOWS_ON, SHOWS_OFF, SHOWS_PSB, SHOWS_OVF,
	       /* A packet that libipt does not know: what follows, up to a PSB, is not listed. */
	       SHOWS_UNKNOWN } kind;
	bool has_ip;			/* if the flow is not known, it is from here on, at @ip */
};

struct pt_shown_list {
	struct pt_shown *all;		/* sorted by offset */
	size_t nr, room;
};

__attribute__((unused)) static struct pt_shown *pt_shown_add(struct pt_shown_list *list,
							     uint64_t offset, int kind)
{
	/* A PSB may be found in what was read as packets before. */
	while (list->nr && list->all[list->nr - 1].offset >= offset)
		list->nr--;
	if (list->nr == list->room) {
		list->room = 2 * list->room + 4096;
		list->all = realloc(list->all, list->room * sizeof(*list->all));
	}
	list->all[list->nr] = (struct pt_shown){ .offset = offset, .kind = kind };
	return &list->all[list->nr++];
}

/* Decompresses @packet's address. Returns false if there is none. */
__attribute__((unused)) static bool pt_shown_ip(const struct pt_packet_ip *packet, uint64_t *ip)
{
	switch (packet->ipc) {
	case pt_ipc_update_16:
		*ip = (*ip & ~UINT64_C(0xffff)) | packet->ip;
		return true;
	case pt_ipc_update_32:
		*ip = (*ip & ~UINT64_C(0xffffffff)) | packet->ip;
		return true;
	case pt_ipc_update_48:
		*ip = (*ip & ~UINT64_C(0xffffffffffff)) | packet->ip;
		return true;
	case pt_ipc_sext_48:
		*ip = (uint64_t)((int64_t)(packet->ip << 16) >> 16);
		return true;
	case pt_ipc_full:
		*ip = packet->ip;
		return true;
	default:
		return false;
	}
}

/* Returns whether @packet cannot be in a PSB+. */
__attribute__((unused)) static bool pt_shown_is_flow(const struct pt_packet *packet)
{
	switch (packet->type) {
	case ppt_psb:
	case ppt_tnt_8:
	case ppt_tnt_64:
	case ppt_tip:
	case ppt_tip_pge:
	case ppt_tip_pgd:
		return true;
	default:
		return false;
	}
}

/*
 * Lists what @size bytes at @bytes show. A FUP and the TIP after it are one: the FUP's. Traces with
 * PTWRITE, transactions, or event trace are not supported.
 */
__attribute__((unused)) static struct pt_shown_list pt_list_shown(const uint8_t *bytes,
								  uint64_t size)
{
	struct pt_shown_list list = { };
	struct pt_packet_decoder *d;
	struct pt_shown *psb = NULL, *fup = NULL, *s;
	struct pt_packet packet;
	struct pt_config config;
	bool is_in_psb = false, has_ip = false;
	uint64_t ip = 0, at;
	int n, kind;

	pt_config_init(&config);
	config.begin = (uint8_t *)bytes;
	config.end = (uint8_t *)bytes + size;
	d = pt_pkt_alloc_decoder(&config);
	while (pt_pkt_sync_forward(d) >= 0) {
		for (;;) {
			pt_pkt_get_offset(d, &at);
			n = pt_pkt_next(d, &packet, sizeof(packet));
			if (n < 0 || (is_in_psb && pt_shown_is_flow(&packet)))
				break;
			switch (packet.type) {
			case ppt_psb:
				psb = pt_shown_add(&list, at, SHOWS_PSB);
				is_in_psb = true;
				ip = 0;
				break;
			case ppt_psbend:
				if (psb)
					psb->has_ip = has_ip;
				is_in_psb = false;
				has_ip = false;
				psb = NULL;
				break;
			case ppt_ovf:
				psb = NULL;
				is_in_psb = false;
				has_ip = false;
				pt_shown_add(&list, at, SHOWS_OVF);
				break;
			case ppt_tnt_8:
			case ppt_tnt_64:
				pt_shown_add(&list, at, SHOWS_TNT);
				fup = NULL;
				break;
			case ppt_fup:
				if (psb) {
					has_ip = pt_shown_ip(&packet.payload.ip, &ip);
					psb->ip = ip;
					break;
				}
				fup = pt_shown_add(&list, at, SHOWS_EVENT);
				fup->has_ip = pt_shown_ip(&packet.payload.ip, &ip);
				fup->ip = ip;
				break;
			case ppt_tip:
			case ppt_tip_pge:
			case ppt_tip_pgd:
				if (fup && packet.type != ppt_tip_pge) {
					has_ip = pt_shown_ip(&packet.payload.ip, &ip);
					if (has_ip && !fup->has_ip && packet.type == ppt_tip)
						*fup = (struct pt_shown){
							fup->offset, ip, SHOWS_TIP, true
						};
					has_ip = false;
				} else {
					kind = packet.type == ppt_tip ? SHOWS_TIP :
					       packet.type == ppt_tip_pge ? SHOWS_ON : SHOWS_OFF;
					s = pt_shown_add(&list, at, kind);
					s->has_ip = pt_shown_ip(&packet.payload.ip, &ip) &&
						    packet.type != ppt_tip_pgd;
					s->ip = ip;
				}
				fup = NULL;
				break;
			default:
				break;
			}
		}
		if (n == -pte_eos)
			break;
		if (n == -pte_bad_opc)
			pt_shown_add(&list, at, SHOWS_UNKNOWN);
		/* Anything but a PSB is wrong in a PSB+, up to the next PSB. */
		if (n >= 0 && packet.type == ppt_psb)
			pt_pkt_sync_set(d, at);
		psb = NULL;
		fup = NULL;
		is_in_psb = false;
		has_ip = false;
	}
	pt_pkt_free_decoder(d);
	return list;
}

/* Returns the first element at or after offset @from; list->nr if there is none. */
__attribute__((unused)) static size_t pt_shown_find(const struct pt_shown_list *list,
						    uint64_t from)
{
	size_t low = 0, high = list->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (list->all[middle].offset < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the first element at or after offset @from with an address; NULL if there is none. */
__attribute__((unused)) static const struct pt_shown *pt_shown_next(
						const struct pt_shown_list *list, uint64_t from)
{
	size_t i;

	for (i = pt_shown_find(list, from); i < list->nr; i++)
		if (list->all[i].has_ip)
			return &list->all[i];
	return NULL;
}

#endif
