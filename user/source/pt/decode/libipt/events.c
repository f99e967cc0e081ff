// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handles libipt's events, such as the beginning and the end of the trace, interrupts and lost
 * packets.
 */
#include "source/pt/decode/libipt/state.h"

#include "source/pt/decode/libipt/config.h"
#include "source/pt/packet/packet.h"

void fargs_pt_begin_item(struct fargs_pt_libipt *d, uint64_t ip, bool was_on)
{
	struct fargs_pt_item *item = fargs_pt_add_item(d, FARGS_PT_BEGIN, 0, ip);

	if (!was_on)
		fargs_pt_led_by(d, FARGS_PT_LED_BY_PGE);
	fargs_pt_want_ticks(d);
	if (was_on)
		item->flags |= FARGS_PT_WAS_ON | (d->is_lost ? 0 : FARGS_PT_CONTINUES);
	fargs_pt_forget(d);
	d->is_new = false;
	d->is_lost = false;
}

static void on_disabled(struct fargs_pt_libipt *d, const struct pt_event *ev)
{
	uint64_t to = ev->ip_suppressed ? 0 : ev->variant.disabled.ip;
	struct fargs_pt_item *item;

	/* The last instruction is a branch, unless libipt has misplaced the event. */
	item = fargs_pt_add_item(d, FARGS_PT_BRANCH, d->last_ip, to);
	item->insn = fargs_pt_last_insn(d);
	item->flags |= FARGS_PT_ENDS;
	fargs_pt_led_by(d, FARGS_PT_LED_BY_PGD);
	fargs_pt_forget(d);
}

/* Returns FARGS_PT_ABORTS if a transaction was aborted after the last instruction, else 0. */
static uint8_t abort_flag(const struct fargs_pt_libipt *d)
{
	return d->aborted == d->nr_insns ? FARGS_PT_ABORTS : 0;
}

static void on_async_disabled(struct fargs_pt_libipt *d, const struct pt_event *ev)
{
	struct fargs_pt_item *item;

	fargs_pt_arrive(d, ev->variant.async_disabled.at);
	item = fargs_pt_add_item(d, FARGS_PT_END, ev->variant.async_disabled.at,
				 ev->ip_suppressed ? 0 : ev->variant.async_disabled.ip);
	item->flags |= abort_flag(d);
	fargs_pt_led_by(d, FARGS_PT_LED_BY_PGD);
	fargs_pt_forget(d);
}

static void on_async_branch(struct fargs_pt_libipt *d, const struct pt_event *ev)
{
	struct fargs_pt_item *item;

	fargs_pt_arrive(d, ev->variant.async_branch.from);
	item = fargs_pt_add_item(d, FARGS_PT_INTERRUPT, ev->variant.async_branch.from,
				 ev->ip_suppressed ? 0 : ev->variant.async_branch.to);
	item->flags |= abort_flag(d);
	fargs_pt_led_by(d, FARGS_PT_LED_BY_TIP);
	fargs_pt_forget(d);
}

/*
 * Returns the offset of the OVF packet of the current event; each overflow event has one such
 * packet. libipt's own offset is later, since it has already read on to where the trace continues.
 */
static uint64_t find_overflow(struct fargs_pt_libipt *d)
{
	struct pt_packet_decoder *packets;
	struct pt_packet packet = { .type = ppt_invalid };
	struct pt_config config;
	uint64_t offset = d->offset;

	fargs_pt_libipt_configure(&config, &d->in->config, d->bytes, d->nr_bytes);
	fargs_pt_libipt_extend(&config);
	packets = pt_pkt_alloc_decoder(&config);
	if (!packets)
		return offset;
	if (pt_pkt_sync_set(packets, d->overflow > d->sync_offset ? d->overflow :
								    d->sync_offset) >= 0)
		while (pt_pkt_next(packets, &packet, sizeof(packet)) >= 0 &&
		       packet.type != ppt_ovf)
			;
	if (packet.type == ppt_ovf && pt_pkt_get_offset(packets, &d->overflow) >= 0)
		offset = d->overflow - packet.size;
	pt_pkt_free_decoder(packets);
	return offset;
}

static void on_overflow(struct fargs_pt_libipt *d, const struct pt_event *ev)
{
	struct fargs_pt_item *item;

	item = fargs_pt_add_item(d, FARGS_PT_OVERFLOW, d->last_ip,
				 ev->ip_suppressed ? 0 : ev->variant.overflow.ip);
	item->offset = d->seg->begin + find_overflow(d);
	fargs_pt_led_by(d, FARGS_PT_LED_BY_OVF);
	fargs_pt_forget(d);
	d->is_new = false;
	d->is_lost = false;
	fargs_pt_want_ticks(d);
}

static void on_tsx(struct fargs_pt_libipt *d, const struct pt_event *ev)
{
	uint64_t what = (ev->variant.tsx.speculative ? FARGS_PT_TSX_IN : 0) |
			(ev->variant.tsx.aborted ? FARGS_PT_TSX_ABORT : 0);

	d->in_tx = ev->variant.tsx.speculative ? FARGS_PT_IN_TX : 0;
	if (ev->status_update)
		return;
	if (ev->variant.tsx.aborted)
		d->aborted = d->nr_insns;
	if (!ev->ip_suppressed)
		fargs_pt_arrive(d, ev->variant.tsx.ip);
	if (d->wants & FARGS_PT_WANTS_TSX)
		fargs_pt_add_item(d, FARGS_PT_TSX, ev->ip_suppressed ? 0 : ev->variant.tsx.ip,
				  what);
}

/* @ip: of the event, if it is not suppressed. */
static void on_power(struct fargs_pt_libipt *d, const struct pt_event *ev,
		     enum fargs_pt_item_kind kind, uint64_t ip, uint64_t value)
{
	struct fargs_pt_item *item;

	if (!(d->wants & FARGS_PT_WANTS_POWER))
		return;
	item = fargs_pt_add_item(d, kind, ev->ip_suppressed ? 0 : ip, value);
	item->flags |= kind == FARGS_PT_EXSTOP && !ev->ip_suppressed ? FARGS_PT_EXACT : 0;
}

void fargs_pt_on_event(struct fargs_pt_libipt *d, const struct pt_event *ev)
{
	struct fargs_pt_item *item;

	if (ev->has_tsc)
		fargs_pt_set_time(d, ev->tsc);
	/*
	 * Ignore status updates: since 2.1, libipt reports at each PSB+ whether the trace is on,
	 * but the trace neither begins nor ends there. If decoding begins, the first block adds an
	 * item.
	 */
	if (ev->status_update && (ev->type == ptev_enabled || ev->type == ptev_disabled))
		return;
	switch (ev->type) {
	case ptev_enabled:
		fargs_pt_begin_item(d, ev->variant.enabled.ip, false);
		fargs_pt_enter_after_hole(d, ev->variant.enabled.ip);
		break;
	case ptev_disabled:
		on_disabled(d, ev);
		break;
	case ptev_async_disabled:
		on_async_disabled(d, ev);
		break;
	case ptev_async_branch:
		on_async_branch(d, ev);
		break;
	case ptev_overflow:
		on_overflow(d, ev);
		if (!ev->ip_suppressed)
			fargs_pt_enter_after_hole(d, ev->variant.overflow.ip);
		break;
	case ptev_exec_mode:
		/*
		 * If the event is in the PSB+ of the next segment, its address is where that
		 * segment begins.
		 */
		if (!ev->ip_suppressed)
			fargs_pt_arrive(d, ev->variant.exec_mode.ip);
		break;
	case ptev_tsx:
		on_tsx(d, ev);
		break;
	case ptev_ptwrite:
		item = fargs_pt_add_item(d, FARGS_PT_PTWRITE, ev->ip_suppressed ? d->last_ip :
					 ev->variant.ptwrite.ip, ev->variant.ptwrite.payload);
		/* Without an address in the trace, libipt also reports that of the instruction. */
		item->flags |= !ev->ip_suppressed && d->in->config.has_ptwrite_ip ?
			       FARGS_PT_EXACT : 0;
		break;
	case ptev_cbr:
		on_power(d, ev, FARGS_PT_CBR, 0, ev->variant.cbr.ratio);
		break;
	case ptev_mwait:
		on_power(d, ev, FARGS_PT_MWAIT, ev->variant.mwait.ip,
			 ev->variant.mwait.hints | (uint64_t)ev->variant.mwait.ext << 32);
		break;
	case ptev_pwre:
		on_power(d, ev, FARGS_PT_PWRE, 0, ev->variant.pwre.sub_state << 8 |
			 ev->variant.pwre.state << 12 | ev->variant.pwre.hw << 7);
		break;
	case ptev_exstop:
		on_power(d, ev, FARGS_PT_EXSTOP, ev->variant.exstop.ip, 0);
		break;
	case ptev_pwrx:
		on_power(d, ev, FARGS_PT_PWRX, 0, ev->variant.pwrx.deepest |
			 ev->variant.pwrx.last << 4 | (uint64_t)ev->variant.pwrx.interrupt << 8 |
			 (uint64_t)ev->variant.pwrx.store << 10 |
			 (uint64_t)ev->variant.pwrx.autonomous << 11);
		break;
	default:
		break;
	}
}
