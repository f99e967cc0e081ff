// SPDX-License-Identifier: GPL-2.0-only
#include "machine.h"

#include <string.h>

#include "transfer.h"

void machine_init(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	m->config.order.has_branch = true;
	m->config.has_user = true;
	m->config.has_os = true;
	m->config.has_ret_compression = true;
	m->config.timing = (struct timing_config){
		.nominal = 20, .cbr = 20, .ctc_eax = 2, .ctc_ebx = 168, .tsc = 1000000,
	};
	m->config.cycles_per_insn = 1;
}

void machine_deinit(struct machine *m)
{
	code_deinit(&m->code);
	stream_deinit(&m->order.stream);
	records_deinit(&m->records);
}

struct record *machine_note(struct machine *m, enum record_kind kind, bool has_ip, uint64_t ip,
			    uint64_t a, uint64_t b)
{
	const struct timing *timing = &m->order.stream.timing;
	struct record record = {
		.kind = kind, .has_ip = has_ip, .ip = ip, .a = a, .b = b,
		.tsc = timing_now(timing), .guest_tsc = timing_guest_now(timing),
	};

	records_add(&m->records, &record);
	return &m->records.all[m->records.nr - 1];
}

struct order_state machine_state(const struct machine *m)
{
	struct order_state state = m->cpu;

	state.is_os = m->config.has_os;
	state.has_context = m->is_trace_en && !m->is_stopped && !m->is_waiting &&
			    (m->cpl ? m->config.has_user : m->config.has_os) &&
			    (!m->config.has_cr3_match || m->config.cr3_match == m->cpu.cr3);
	state.is_on = state.has_context && m->is_filter_en;
	return state;
}

void machine_prove(struct machine *m)
{
	if (!m->is_losing && !m->is_blind)
		m->nr_certain = m->records.nr;
}

bool machine_is_stop(const struct machine *m, uint64_t ip)
{
	unsigned int i;

	for (i = 0; i < m->config.nr_ranges; i++)
		if (m->config.ranges[i].is_stop && ip >= m->config.ranges[i].first &&
		    ip <= m->config.ranges[i].last)
			return true;
	return false;
}

bool machine_is_traced(const struct machine *m, uint64_t ip)
{
	bool has_filter = false;
	unsigned int i;

	for (i = 0; i < m->config.nr_ranges; i++) {
		if (m->config.ranges[i].is_stop)
			continue;
		if (ip >= m->config.ranges[i].first && ip <= m->config.ranges[i].last)
			return true;
		has_filter = true;
	}
	return !has_filter;
}

const char *machine_start(struct machine *m, uint64_t ip, bool is_on)
{
	const char *error = code_link(&m->code);
	const struct code_insn *insn = code_find(&m->code, ip);
	struct order_state state;

	if (error || m->is_started)
		return error ? error : "the CPU was started already";
	if (!insn)
		return "there is no instruction";
	m->config.timing.is_skz84 = m->config.order.errata & ORDER_SKZ84;
	m->order.config = m->config.order;
	stream_init(&m->order.stream, &m->config.stream, &m->config.timing);
	m->is_started = true;
	m->ip = ip;
	m->cpu.nr_bits = insn->nr_bits;
	m->host_cr3 = m->cpu.cr3;
	if (!is_on)
		return NULL;
	m->is_trace_en = true;
	m->is_filter_en = machine_is_traced(m, ip);
	state = machine_state(m);
	machine_note(m, RECORD_PSB, false, 0, 0, 0);
	order_enable(&m->order, &state, ip);
	if (state.is_on)
		machine_note(m, RECORD_ENABLED, true, ip, 0, 0);
	transfer_note_if(m, &state, ip);
	machine_prove(m);
	return NULL;
}

void machine_advance(struct machine *m)
{
	struct order *o = &m->order;
	bool is_counting = m->is_trace_en && !m->is_stopped && !m->is_losing;

	stream_advance(&o->stream, m->config.cycles_per_insn, is_counting);
	if (m->config.psb_period && is_counting &&
	    o->stream.nr_bytes - m->last_psb >= m->config.psb_period)
		machine_psb(m);
}

const char *machine_trace(struct machine *m, bool is_on)
{
	const struct code_insn *insn = code_find(&m->code, m->ip);
	struct transfer t = { .kind = TRANSFER_SOFTWARE, .from = m->ip };
	struct order_state state;

	if (!m->is_started || !insn)
		return "there is no instruction";
	if (is_on && machine_is_stop(m, m->ip + insn->size))
		return "TraceEn must not be set in a TraceStop region";
	if (m->is_trace_en == is_on && !m->is_stopped)
		return "TraceEn has this value already";
	machine_advance(m);
	t.before = machine_state(m);
	m->is_trace_en = is_on;
	m->is_stopped = false;
	if (!is_on) {
		t.to = m->ip + insn->size;
		return transfer_run(m, &t);
	}
	m->ip += insn->size;
	m->is_filter_en = machine_is_traced(m, m->ip);
	state = machine_state(m);
	if (!m->order.stream.nr_bytes)
		machine_note(m, RECORD_PSB, false, 0, 0, 0);
	else
		machine_note(m, RECORD_CBR, false, 0, m->order.stream.timing.config.cbr, 0);
	order_enable(&m->order, &state, m->ip);
	if (state.is_on && m->config.order.has_branch)
		machine_note(m, RECORD_ENABLED, true, m->ip, 0, 0);
	transfer_note_if(m, &state, m->ip);
	machine_prove(m);
	return NULL;
}

const char *machine_psb(struct machine *m)
{
	struct order_state state = machine_state(m);

	if (!m->is_started || !m->is_trace_en || m->is_stopped || m->is_losing)
		return "no packets are generated";
	stream_flush(&m->order.stream);
	if (state.is_on)
		transfer_see_again(m, m->ip);
	m->last_psb = m->order.stream.nr_bytes;
	machine_note(m, RECORD_PSB, state.is_on, m->ip, m->last_psb, 0);
	order_psb(&m->order, &state, m->ip);
	if (state.is_on)
		m->noted_if = 1u + m->cpu.is_if;
	/* Returns are not compressed across a PSB, an overflow, or while PacketEn is clear. */
	m->calls.depth = 0;
	machine_prove(m);
	return NULL;
}

const char *machine_lose(struct machine *m)
{
	size_t i;

	if (!m->is_trace_en || m->is_stopped || m->is_losing)
		return "packets are lost already, or none are generated";
	for (i = m->nr_certain; i < m->records.nr; i++)
		m->records.all[i].is_lost |= m->records.all[i].kind == RECORD_INSN;
	order_lose(&m->order);
	m->is_losing = true;
	return NULL;
}

const char *machine_recover(struct machine *m, bool is_off)
{
	struct order_state state = machine_state(m);

	if (!m->is_losing)
		return "no packets are being lost";
	machine_advance(m);
	m->is_losing = false;
	m->is_blind = state.is_on && !is_off && (m->config.order.errata & ORDER_SKD010);
	order_recover(&m->order, &state, m->ip, is_off);
	if (is_off)
		m->is_trace_en = false;
	if (!m->is_blind)
		machine_note(m, RECORD_OVERFLOW, state.is_on && !is_off, m->ip, 0, 0);
	m->calls.depth = 0;
	machine_prove(m);
	return NULL;
}

void machine_end(struct machine *m)
{
	size_t i;

	if (m->is_started)
		stream_flush(&m->order.stream);
	for (i = m->nr_certain; i < m->records.nr; i++)
		m->records.all[i].is_lost |= m->records.all[i].kind == RECORD_INSN;
}
