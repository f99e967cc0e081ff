// SPDX-License-Identifier: GPL-2.0-only
#include "transfer.h"

void transfer_apply(struct machine *m, const struct machine_target *target, struct transfer *t)
{
	if (target->has_cr3) {
		m->cpu.cr3 = target->cr3;
		t->has_pip = true;
	}
	if (target->has_vmcs) {
		m->cpu.vmcs = target->vmcs;
		t->has_vmcs = true;
	}
	if (target->has_cpl)
		m->cpl = target->cpl;
	if (target->has_if)
		m->cpu.is_if = target->is_if;
}

void transfer_see_again(struct machine *m, uint64_t ip)
{
	if (!m->is_blind)
		return;
	m->is_blind = false;
	machine_note(m, RECORD_OVERFLOW, true, ip, 0, 0);
}

static void note_event(struct machine *m, const struct transfer *t)
{
	unsigned int i;

	if (!m->config.order.has_event || !t->has_cfe || m->is_losing)
		return;
	if (!t->before.has_context && !t->after.has_context)
		return;
	for (i = 0; i < t->nr_evd; i++)
		machine_note(m, RECORD_EVD, false, 0, t->evd[i].type, t->evd[i].payload);
	machine_note(m, RECORD_CFE, t->before.is_on, t->from, t->cfe, t->vector);
}

static void note_flow(struct machine *m, const struct transfer *t)
{
	bool is_async = t->kind == TRANSFER_ASYNC || t->kind == TRANSFER_SOFTWARE;
	bool has_ip = t->after.has_context && !t->is_in_filter;

	if (t->is_abort && t->before.is_on)
		machine_note(m, RECORD_TX, true, t->from, 0, 1);
	if (t->before.is_on && !t->after.is_on && is_async)
		machine_note(m, RECORD_ASYNC_DISABLED, has_ip, t->to, t->from, 0);
	else if (t->before.is_on && !t->after.is_on)
		machine_note(m, RECORD_DISABLED, has_ip, t->to, 0, 0);
	else if (t->before.is_on && is_async)
		machine_note(m, RECORD_ASYNC, true, t->from, t->to, 0);
}

void transfer_note_if(struct machine *m, const struct order_state *state, uint64_t ip)
{
	if (!m->config.order.has_event || !m->config.order.has_branch || !state->is_on ||
	    m->is_losing || m->noted_if == 1u + m->cpu.is_if)
		return;
	machine_note(m, RECORD_IF, true, ip, m->cpu.is_if, 0);
	m->noted_if = 1u + m->cpu.is_if;
}

/* Adds the records of a transfer, after that of its instruction. */
static void note_transfer(struct machine *m, const struct transfer *t)
{
	note_event(m, t);
	if (m->is_losing)
		return;
	if (m->config.order.has_branch)
		note_flow(m, t);
	if (t->has_pip && t->after.has_context && t->after.is_os)
		machine_note(m, RECORD_PAGING, false, 0, m->cpu.cr3, m->cpu.is_guest);
	if (t->has_vmcs && t->after.has_context && t->after.is_os)
		machine_note(m, RECORD_VMCS, false, 0, m->cpu.vmcs, 0);
	if (!t->before.is_on && t->after.is_on && m->config.order.has_branch)
		machine_note(m, RECORD_ENABLED, true, t->to, 0, 0);
	if (t->kind >= TRANSFER_FAR || !t->before.is_on)
		transfer_note_if(m, &t->after, t->to);
	if (t->is_stop)
		machine_note(m, RECORD_STOP, false, 0, 0, 0);
}

static bool has_ip_packet(const struct transfer *t)
{
	return t->kind == TRANSFER_INDIRECT || t->kind == TRANSFER_FAR ||
	       t->kind == TRANSFER_ASYNC || (t->kind == TRANSFER_RET && !t->is_taken) ||
	       (!t->before.is_on && t->after.is_on);
}

/* Whether a packet shows that the instruction was executed. */
static bool has_packet(const struct transfer *t)
{
	if (t->before.is_on != t->after.is_on)
		return true;
	if (t->kind == TRANSFER_NONE)
		return t->has_pip && t->after.has_context && t->after.is_os;
	return t->kind != TRANSFER_DIRECT;
}

/* Computes the enables after a transfer, and makes its records and packets. */
const char *transfer_run(struct machine *m, struct transfer *t)
{
	const struct code_insn *insn = code_find(&m->code, t->to);
	bool is_branch = t->kind != TRANSFER_NONE && t->kind != TRANSFER_SOFTWARE &&
			 (t->kind != TRANSFER_CONDITIONAL || t->is_taken);

	m->ip = t->to;
	if (insn)
		m->cpu.nr_bits = insn->nr_bits;
	if (is_branch) {
		m->is_filter_en = machine_is_traced(m, t->to);
		t->after = machine_state(m);
		if (t->after.has_context && machine_is_stop(m, t->to)) {
			t->is_stop = true;
			m->is_stopped = true;
			m->is_filter_en = false;
		}
	}
	t->is_in_filter = m->is_filter_en;
	/* ContextEn is still that of the branch when a TraceStop region is entered (6b). */
	t->after = machine_state(m);
	t->after.has_context |= t->is_stop;
	if (m->is_blind && t->kind == TRANSFER_CONDITIONAL)
		return "after an OVF without FUP, a packet with an IP must be next";
	if (has_ip_packet(t) && t->after.is_on)
		transfer_see_again(m, t->to);
	if (!t->after.is_on)
		m->calls.depth = 0;
	note_transfer(m, t);
	order_transfer(&m->order, t);
	if (has_packet(t))
		machine_prove(m);
	m->order.stream.timing.is_guest = m->cpu.is_guest;
	return NULL;
}
