// SPDX-License-Identifier: GPL-2.0-only
#include "order.h"

static bool has_erratum(const struct order *o, enum order_erratum erratum)
{
	return o->config.errata & erratum;
}

/* "If the mode has changed since the last MODE.Exec, or if no MODE.Exec since last PSB" */
static void put_mode(struct order *o, const struct order_state *state)
{
	bool is_if = o->config.has_event && state->is_if;

	if (o->last_bits == state->nr_bits && o->last_if == is_if)
		return;
	packet_mode_exec(stream_out(&o->stream), state->nr_bits, is_if);
	o->last_bits = state->nr_bits;
	o->last_if = is_if;
	o->is_mode_lost |= o->stream.is_losing;
}

/*
 * PIP and VMCS depend on TriggerEn, ContextEn and OS, but not on FilterEn (tables "PIP Packet
 * Definition", "VMCS Packet Definition").
 */
static void put_context(struct order *o, const struct transfer *t)
{
	if (!t->after.has_context || !t->after.is_os)
		return;
	if (t->has_pip)
		packet_pip_nr(stream_out(&o->stream), t->after.cr3, t->after.is_guest);
	if (t->has_vmcs)
		packet_vmcs(stream_out(&o->stream), t->after.vmcs);
}

/*
 * EVDs and the CFE precede the FUP or TIP of their event (libipt's ptet-int-iret.ptt). The bit IP
 * is clear if the event's own FUP and TIP follow; it is set, and a FUP follows, if there are none
 * (libipt's comment on struct pt_packet_cfe).
 */
static void put_event(struct order *o, const struct transfer *t)
{
	bool has_ip = !o->config.has_branch && t->before.is_on;
	unsigned int i;

	if (!o->config.has_event || !t->has_cfe)
		return;
	if (!t->before.has_context && !t->after.has_context)
		return;
	for (i = 0; i < t->nr_evd; i++)
		packet_evd(stream_out(&o->stream), t->evd[i].type, t->evd[i].payload);
	packet_cfe(stream_out(&o->stream), t->cfe, t->vector, has_ip);
	if (has_ip)
		stream_ip(&o->stream, PACKET_FUP, t->from);
}

/*
 * TIP.PGD has the target if FilterEn was cleared, and no IP if ContextEn or TraceEn were (cases 6b,
 * 9c, 10c, 10d, 11c, 11d).
 *
 * SKL014: it may lack the target of a direct unconditional branch.
 */
static void put_disable(struct order *o, const struct transfer *t)
{
	bool is_dropped = has_erratum(o, ORDER_SKL014) && t->kind == TRANSFER_DIRECT;

	if (t->after.has_context && !t->is_in_filter && !is_dropped)
		stream_ip(&o->stream, PACKET_TIP_PGD, t->to);
	else
		packet_ip_none(stream_out(&o->stream), PACKET_TIP_PGD);
	if (t->is_stop)
		packet_trace_stop(stream_out(&o->stream));
}

static void put_psb(struct order *o, const struct order_state *state, bool has_flow, uint64_t ip)
{
	struct packet_out *out = stream_out(&o->stream);

	packet_psb(out);
	o->last_bits = 0;
	timing_tsc(&o->stream.timing, out);
	if (state->has_context && state->is_os) {
		packet_pip_nr(out, state->cr3, state->is_guest);
		if (state->vmcs)
			packet_vmcs(out, state->vmcs);
	}
	packet_cbr(out, (uint8_t)o->stream.timing.config.cbr);
	if (state->has_context && o->config.has_branch && o->config.has_tsx)
		packet_mode_tx(out, state->is_in_tx, false);
	if (has_flow && o->config.has_branch) {
		put_mode(o, state);
		stream_ip(&o->stream, PACKET_FUP, ip);
	}
	packet_psbend(out);
}

/*
 * MODE.Exec and FUP are in a PSB+ only if PacketEn is set, MODE.TSX, PIP and VMCS if ContextEn is
 * (their tables' dependencies).
 *
 * SKL168: the CYC right before a PSB may be dropped, with its MTC. Only the CYC is dropped here;
 * its cycles were not seen by a decoder.
 */
void order_psb(struct order *o, const struct order_state *state, uint64_t ip)
{
	if (has_erratum(o, ORDER_BDM70) && !state->is_on) {
		o->is_psb_due = true;
		return;
	}
	stream_flush(&o->stream);
	if (has_erratum(o, ORDER_SKL168))
		o->stream.timing.last_cyc = o->stream.timing.cycles;
	else
		timing_cyc(&o->stream.timing, &o->stream.out, o->stream.timing.cycles);
	put_psb(o, state, state->is_on, ip);
}

/*
 * BDM70: a PSB+ before a TIP.PGE may have a FUP and MODE.Exec. The address of the TIP.PGE is
 * written in full: libipt does not take the FUP's as the last IP, perf does.
 */
static void put_enable(struct order *o, const struct order_state *state, uint64_t ip)
{
	if (o->is_psb_due) {
		put_psb(o, state, true, ip);
		o->stream.out.is_ip_unknown = true;
	}
	o->is_psb_due = false;
	put_mode(o, state);
	stream_ip(&o->stream, PACKET_TIP_PGE, ip);
}

/* A branch in traced code, whose target is traced, too. */
static void put_flow(struct order *o, const struct transfer *t)
{
	switch (t->kind) {
	case TRANSFER_CONDITIONAL:
		stream_branch(&o->stream, t->is_taken);
		break;
	case TRANSFER_RET:
		/* "An uncompressed RET will not be deferred, and hence will force out any
		 * accumulated TNTs or TIPs" (SDM, "Indirect Transfer Compression for Returns").
		 */
		if (t->is_taken)
			stream_branch(&o->stream, true);
		else
			stream_ip(&o->stream, PACKET_TIP, t->to);
		break;
	case TRANSFER_INDIRECT:
		stream_tip(&o->stream, t->to);
		break;
	case TRANSFER_FAR:		/* 10e, 17i */
	case TRANSFER_ASYNC:		/* 11e, 12e, 13e */
		put_context(o, t);
		put_mode(o, &t->after);
		stream_ip(&o->stream, PACKET_TIP, t->to);
		break;
	case TRANSFER_NONE:		/* 5d */
		put_context(o, t);
		break;
	default:
		break;
	}
}

/*
 * BDM64: after a conditional branch, right before an abort, its TNT may be wrong. The branch is the
 * last that was collected.
 */
static void put_abort(struct order *o, const struct transfer *t)
{
	if (has_erratum(o, ORDER_BDM64) && o->is_branch_last && o->stream.out.nr_tnt)
		o->stream.out.tnt ^= 1;
	/* MODE.TSX immediately precedes a FUP (table "MODE.TSX Packet Definition"). */
	packet_mode_tx(stream_out(&o->stream), false, true);
}

static void put_transfer(struct order *o, const struct transfer *t)
{
	bool has_fup = t->kind == TRANSFER_ASYNC || t->kind == TRANSFER_SOFTWARE;

	put_event(o, t);
	if (!o->config.has_branch) {
		put_context(o, t);
		return;
	}
	if (t->is_abort && t->before.has_context)
		put_abort(o, t);
	if (!t->before.is_on) {
		put_context(o, t);
		if (t->after.is_on)
			put_enable(o, &t->after, t->to);
		else if (t->is_stop)
			packet_trace_stop(stream_out(&o->stream));
		return;
	}
	/* SKD022: a FUP precedes the TIP.PGD of a VM entry that clears TraceEn. */
	if (has_fup || (t->is_entry_off && has_erratum(o, ORDER_SKD022)))
		stream_ip(&o->stream, PACKET_FUP, t->from);
	if (t->after.is_on) {
		put_flow(o, t);
		return;
	}
	put_context(o, t);
	put_disable(o, t);
}

void order_transfer(struct order *o, const struct transfer *t)
{
	put_transfer(o, t);
	o->is_branch_last = t->kind == TRANSFER_CONDITIONAL;
}

/*
 * Cases 2b to 2e. The first packets of a trace are a PSB+ (in Linux' recordings before MODE.Exec
 * and TIP.PGE, where the table has it after them); later on TSC, TMA and CBR are generated.
 */
void order_enable(struct order *o, const struct order_state *state, uint64_t next)
{
	struct packet_out *out = stream_out(&o->stream);
	struct order_state off = *state;

	timing_restart(&o->stream.timing);
	off.is_on = false;
	if (!o->stream.nr_bytes) {
		put_psb(o, &off, false, 0);
	} else {
		timing_tsc(&o->stream.timing, out);
		packet_cbr(out, (uint8_t)o->stream.timing.config.cbr);
	}
	if (state->is_on && o->config.has_branch)
		put_enable(o, state, next);
}

/* The new mode applies to the FUP's IP (libipt's ptet-mode_exec-if.ptt). */
bool order_mode(struct order *o, const struct order_state *state, uint64_t next)
{
	bool is_if = o->config.has_event && state->is_if;

	if (!state->is_on || !o->config.has_branch || o->last_if == is_if)
		return false;
	put_mode(o, state);
	stream_ip(&o->stream, PACKET_FUP, next);
	return true;
}

/*
 * "If the TXAbort bit is zero, then the mode change applies to the IP address in the payload of the
 * FUP": that of the next instruction. MODE.TSX depends on ContextEn, its FUP on PacketEn.
 */
void order_tx(struct order *o, const struct order_state *state, uint64_t next)
{
	if (!state->has_context || !o->config.has_branch)
		return;
	packet_mode_tx(stream_out(&o->stream), state->is_in_tx, false);
	if (state->is_on)
		stream_ip(&o->stream, PACKET_FUP, next);
}

void order_vmcs(struct order *o, const struct order_state *state)
{
	if (state->has_context && state->is_os)
		packet_vmcs(stream_out(&o->stream), state->vmcs);
}

/* The FUP has the IP of the PTWRITE itself (table "PTW Packet Definition"). */
void order_ptwrite(struct order *o, uint64_t ip, uint64_t value, unsigned int size)
{
	if (!o->config.has_ptw)
		return;
	packet_ptw(stream_out(&o->stream), value, size, o->config.has_fup_on_ptw);
	if (o->config.has_fup_on_ptw)
		stream_ip(&o->stream, PACKET_FUP, ip);
}

void order_lose(struct order *o)
{
	stream_flush(&o->stream);
	o->stream.is_losing = true;
}

/*
 * SKD007: OVF follows the first byte of a longer CYC. The bit that announces the second byte makes
 * a decoder take the OVF's first byte for it.
 */
static void put_overflow(struct order *o)
{
	struct timing *timing = &o->stream.timing;
	uint64_t cycles = timing->cycles - timing->last_cyc;
	const uint8_t cut = (uint8_t)((cycles & 0x1f) << 3 | 7);

	if (has_erratum(o, ORDER_SKD007) && timing->config.has_cyc && cycles > 0x1f) {
		stream_raw(&o->stream, &cut, 1);
		timing->last_cyc = timing->cycles;
	}
	packet_ovf(&o->stream.out);
}

/*
 * A FUP follows the OVF if PacketEn is set; otherwise the next TIP.PGE (table "OVF Packet
 * Definition").
 *
 * SKD010: the FUP may be dropped. APL11: a TIP.PGD may follow if TraceEn is cleared in this moment.
 * APL12: a FUP may follow although FilterEn is clear.
 */
void order_recover(struct order *o, const struct order_state *state, uint64_t ip, bool is_off)
{
	/* What was collected meanwhile is lost. */
	stream_flush(&o->stream);
	o->stream.is_losing = false;
	if (o->is_mode_lost)
		o->last_bits = 0;
	o->is_mode_lost = false;
	put_overflow(o);
	if (!o->config.has_branch)
		return;
	if (is_off) {
		if (has_erratum(o, ORDER_APL11))
			packet_ip_none(&o->stream.out, PACKET_TIP_PGD);
		return;
	}
	if (state->is_on ? !has_erratum(o, ORDER_SKD010) :
			   state->has_context && has_erratum(o, ORDER_APL12))
		stream_ip(&o->stream, PACKET_FUP, ip);
}
