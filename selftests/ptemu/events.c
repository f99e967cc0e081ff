// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power events and event trace. What the SDM leaves open is chosen as libipt's tests have it: an
 * MWAIT, a PWRE and an EXSTOP are followed by the address of the instruction that sleeps.
 */
#include "parts.h"

/* Where Linux maps the interrupt descriptor table, and how many gates it has. */
#define IDT_ADDRESS	0xfffffe0000000000ull
#define NR_VECTORS	256
#define PAGE_FAULT	14

/* Bits 4-7 of the hint of MWAIT are the C-state, less one, as in packets; 0-3 the sub-state. */
#define CSTATE(hint)	((hint) >> 4 & 15)
#define SUBSTATE(hint)	((hint) & 15)

static bool has_power_events(const struct trace *trace)
{
	return trace->is_on && trace->model.control & CTL_PWR_EVT_EN;
}

void trace_idle(struct trace *trace, const struct insn *insn, uint32_t eax, uint32_t ecx)
{
	bool is_mwait = insn->reg != INSN_NO_REGISTER;
	uint64_t ip;

	if (!has_power_events(trace))
		return;
	trace->now = trace->machine->tsc();
	if (trace->is_walking)
		walk(trace, insn->index);
	put_mtcs(trace);
	ip = trace->is_enabled ? insn->pc : 0;
	note(trace, TRUTH_IDLE, ip, is_mwait ? (uint64_t)ecx << 32 | eax : 0,
	     is_mwait ? TRUTH_MWAIT : 0);
	if (is_mwait && trace->is_context)
		packet_mwait(&trace->out, eax & 0xff, ecx & 3);
	/* HLT requests C1. */
	trace->idle_state = is_mwait ? CSTATE(eax) : 0;
	packet_pwre(&trace->out, false, trace->idle_state, is_mwait ? SUBSTATE(eax) : 0);
	packet_exstop(&trace->out, ip);
	if (ip)
		packet_ip(&trace->out, PACKET_FUP, ip);
	trace->is_idle = true;
}

void idle_end(struct trace *trace)
{
	if (!trace->is_idle)
		return;
	trace->is_idle = false;
	if (!has_power_events(trace))
		return;
	note(trace, TRUTH_WAKE, 0, trace->now, 0);
	packet_pwrx(&trace->out, trace->idle_state, trace->idle_state, PACKET_WAKE_INTERRUPT);
	packet_cbr(&trace->out, CLOCK_CBR);
}

static bool has_event_trace(const struct trace *trace)
{
	return trace->is_on && trace->model.control & CTL_EVENT_EN;
}

/* Returns the vector whose handler is at @to; NR_VECTORS if there is none. */
static unsigned int vector_of(const struct trace *trace, uint64_t to)
{
	struct {
		uint16_t low, selector, flags, middle;
		uint32_t high, unused;
	} gates[NR_VECTORS];
	unsigned int i;

	if (!trace->machine->read(IDT_ADDRESS, gates, sizeof(gates)))
		return NR_VECTORS;
	for (i = 0; i < NR_VECTORS; i++)
		if (((uint64_t)gates[i].high << 32 | (uint32_t)gates[i].middle << 16 |
		     gates[i].low) == to)
			break;
	return i;
}

/*
 * With branches, an interrupt has a FUP of its own, so the event's IP bit is clear; libipt's tests
 * (ptet-int-iret) have it so.
 */
static void put_event(struct trace *trace, enum packet_cfe type, unsigned int vector, uint64_t ip)
{
	bool has_ip = ip && !has_branches(trace);

	note(trace, TRUTH_EVENT, ip, 0, (uint32_t)type << 8 | vector);
	packet_cfe(&trace->out, type, (uint8_t)vector, has_ip);
	if (has_ip)
		packet_ip(&trace->out, PACKET_FUP, ip);
}

void event_interrupt(struct trace *trace, uint64_t from, uint64_t to)
{
	unsigned int vector;

	if (!has_event_trace(trace))
		return;
	vector = vector_of(trace, to);
	if (vector == NR_VECTORS) {
		note(trace, TRUTH_ODD, from, to, 0);
		return;
	}
	if (vector == PAGE_FAULT) {
		note(trace, TRUTH_DATA, 0, trace->machine->cr2(), PACKET_EVD_PFA);
		packet_evd(&trace->out, PACKET_EVD_PFA, trace->machine->cr2());
	}
	put_event(trace, PACKET_CFE_INTR, vector, trace->is_enabled ? from : 0);
}

void event_iret(struct trace *trace)
{
	if (has_event_trace(trace))
		put_event(trace, PACKET_CFE_IRET, 0, 0);
}

void event_flags(struct trace *trace, const struct insn *insn, uint64_t next)
{
	bool is_on;

	if (!has_event_trace(trace) || !trace->is_enabled)
		return;
	switch (insn->kind) {
	case INSN_CLI:
		is_on = false;
		break;
	case INSN_STI:
		is_on = true;
		break;
	case INSN_POPF:
		/* It ends its block, so the flags are those that it has set. */
		is_on = trace->machine->flags() & TRACE_FLAGS_IF;
		break;
	default:
		return;
	}
	if (is_on == trace->mode.is_if)
		return;
	trace->mode.is_if = is_on;
	note(trace, TRUTH_FLAGS, next, 0, is_on);
	packet_mode_exec(&trace->out, trace->mode.nr_bits, is_on);
	packet_ip(&trace->out, PACKET_FUP, next);
}
