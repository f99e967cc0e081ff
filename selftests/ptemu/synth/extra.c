// SPDX-License-Identifier: GPL-2.0-only
#include "extra.h"

static bool is_generating(const struct machine *m)
{
	return m->is_started && m->is_trace_en && !m->is_stopped && !m->is_losing;
}

/*
 * MWAIT, PWRE, EXSTOP, FUP: MWAIT "should bind to the IP of the next FUP", which it shares with
 * EXSTOP; "the PWRE packet will be followed by an EXSTOP". MWAIT depends on ContextEn, EXSTOP's FUP
 * on PacketEn. The FUP has the address of the oldest instruction that has not completed, which is
 * the MWAIT itself.
 */
static void fall_asleep(struct machine *m, const struct extra_sleep *sleep)
{
	struct packet_out *out = stream_out(&m->order.stream);
	struct order_state state = machine_state(m);

	if (sleep->is_mwait && state.has_context) {
		machine_note(m, RECORD_MWAIT, state.is_on, m->ip, sleep->hints, sleep->extensions);
		packet_mwait(out, sleep->hints, sleep->extensions);
	}
	machine_note(m, RECORD_PWRE, false, 0, sleep->state | sleep->sub_state << 8, sleep->is_hw);
	packet_pwre(out, sleep->is_hw, sleep->state, sleep->sub_state);
	machine_note(m, RECORD_EXSTOP, state.is_on, m->ip, 0, 0);
	packet_exstop(out, state.is_on);
	if (state.is_on)
		stream_ip(&m->order.stream, PACKET_FUP, m->ip);
	machine_prove(m);
}

const char *extra_sleep(struct machine *m, const struct extra_sleep *sleep)
{
	bool has_packets = m->config.order.has_power && is_generating(m);
	struct timing *timing = &m->order.stream.timing;
	struct packet_out *out = &m->order.stream.out;

	if (!m->is_started)
		return "the CPU was not started";
	if (has_packets)
		fall_asleep(m, sleep);
	timing_sleep(timing, sleep->ticks);
	if (!is_generating(m))
		return NULL;
	/* Timing packets precede PWRX (table "PWRX Packet Definition"). */
	timing_tsc(timing, stream_out(&m->order.stream));
	packet_cbr(out, (uint8_t)timing->config.cbr);
	machine_note(m, RECORD_CBR, false, 0, timing->config.cbr, 0);
	if (!has_packets)
		return NULL;
	machine_note(m, RECORD_PWRX, false, 0, sleep->last | sleep->deepest << 8, sleep->reason);
	packet_pwrx(out, sleep->last, sleep->deepest, sleep->reason);
	return NULL;
}

const char *extra_ratio(struct machine *m, unsigned int cbr)
{
	if (!m->is_started || !cbr || cbr > UINT8_MAX)
		return "the CPU was not started, or the ratio is not 1 to 255";
	timing_ratio(&m->order.stream.timing, cbr);
	if (!is_generating(m))
		return NULL;
	machine_note(m, RECORD_CBR, false, 0, cbr, 0);
	packet_cbr(stream_out(&m->order.stream), (uint8_t)cbr);
	return NULL;
}

const char *extra_mnt(struct machine *m, uint64_t payload)
{
	if (!is_generating(m))
		return "no packets are generated";
	machine_note(m, RECORD_MNT, false, 0, payload, 0);
	packet_mnt(stream_out(&m->order.stream), payload);
	return NULL;
}

const char *extra_wait(struct machine *m, uint64_t cycles)
{
	if (!m->is_started)
		return "the CPU was not started";
	stream_advance(&m->order.stream, cycles, is_generating(m));
	return NULL;
}

const char *extra_pebs_block(struct machine *m, uint8_t type, unsigned int size)
{
	struct order_state state = machine_state(m);

	if (!is_generating(m) || !state.has_context)
		return "no packets are generated";
	if ((size != 4 && size != 8) || type > 31)
		return "a block has a type of 0 to 31, and items of 4 or 8 bytes";
	if (!m->pebs_size)
		machine_note(m, RECORD_PEBS, state.is_on, m->ip, 0, 0);
	packet_bbp(stream_out(&m->order.stream), size, type);
	m->pebs_type = type;
	m->pebs_size = size;
	return NULL;
}

const char *extra_pebs_item(struct machine *m, uint8_t id, uint64_t value)
{
	if (!m->pebs_size || id > 31)
		return "there is no block, or the ID is not 0 to 31";
	if (m->pebs_size == 4 && value > UINT32_MAX)
		return "the value has more than 4 bytes";
	machine_note(m, RECORD_PEBS_ITEM, false, 0, m->pebs_type | id << 8 | m->pebs_size << 16,
		     value);
	packet_bip(stream_out(&m->order.stream), m->pebs_size, id, value);
	return NULL;
}

/* With BEP.IP, a FUP with the record's address follows (perf, intel_pt_fup_event()). */
const char *extra_pebs_end(struct machine *m)
{
	struct order_state state = machine_state(m);

	if (!m->pebs_size)
		return "there is no block";
	m->pebs_size = 0;
	packet_bep(stream_out(&m->order.stream), state.is_on);
	if (state.is_on)
		stream_ip(&m->order.stream, PACKET_FUP, m->ip);
	machine_prove(m);
	return NULL;
}
