// SPDX-License-Identifier: GPL-2.0-only
/* Emulates the MSRs of a trace, of which RTIT_CTL turns it on and off. */
#include "parts.h"

static void turn_on(struct trace *trace)
{
	trace->is_on = !(trace->model.status & (STATUS_STOPPED | STATUS_ERROR));
	trace->topa.is_stopped = trace->model.status & STATUS_STOPPED;
	trace->topa.is_error = trace->model.status & STATUS_ERROR;
	trace->is_context = false;
	trace->is_walking = false;
	trace->is_enabled = false;
	trace->is_losing = false;
	trace->is_idle = false;
	trace->since_psb = trace->model.status >> STATUS_BYTES_SHIFT & STATUS_BYTES_MASK;
	trace->since_ovf = 0;
	trace->random = (uint32_t)trace->model.random;
	clock_start(&trace->clock, trace->model.control, trace->now);
	if (trace->is_on && !trace->since_psb)
		put_psb(trace, 0);
	else if (trace->is_on)
		clock_wake(&trace->clock, &trace->out, trace->now);
}

static void turn_off(struct trace *trace, const struct insn *insn)
{
	if (trace->is_on)
		put_mtcs(trace);
	if (trace->is_walking)
		walk(trace, insn->index);
	if (trace->is_enabled) {
		run_end(trace);
		if (!trace->is_losing && has_branches(trace))
			packet_ip(&trace->out, PACKET_FUP, insn->pc);
		put_disable(trace);
		note(trace, TRUTH_DISABLE, insn->pc, 1, 0);
	}
	if (trace->is_losing)
		lost_some(trace, 0);
	packet_flush(&trace->out);
	store(trace);
	trace->is_on = false;
	trace->is_context = false;
	trace->is_walking = false;
	trace->is_enabled = false;
	trace->model.status &= ~(STATUS_BYTES_MASK << STATUS_BYTES_SHIFT);
	trace->model.status |= (trace->since_psb & STATUS_BYTES_MASK) << STATUS_BYTES_SHIFT;
	truth_flush(&trace->truth);
}

static void write_control(struct trace *trace, const struct insn *insn, uint64_t value)
{
	bool was_on = trace->model.control & CTL_TRACE_EN;

	if (was_on && !(value & CTL_TRACE_EN))
		turn_off(trace, insn);
	if (value & CTL_TRACE_EN)
		value |= trace->model.force_control;
	trace->model.control = value;
	note(trace, TRUTH_CONTROL, insn->pc, value, 0);
	if (!was_on && value & CTL_TRACE_EN)
		turn_on(trace);
}

bool trace_wrmsr(struct trace *trace, const struct insn *insn, uint32_t msr, uint64_t value)
{
	uint64_t *stored = model_msr(&trace->model, msr);

	if (msr == MSR_GLOBAL_OVF_CTRL) {
		trace->model.global_status &= ~value;
		return true;
	}
	if (!stored)
		return false;
	if (model_is_fault(&trace->model, msr, value)) {
		note(trace, TRUTH_FAULT, msr, value, 0);
		if (trace->nr_faults++ < ODD_SHOWN_MAX)
			fprintf(stderr, "ptemu: MSR %x = %lx at %lx: a CPU would refuse that\n",
				msr, value, insn->pc);
	}
	trace->now = trace->machine->tsc();
	if (msr == MSR_RTIT_CTL)
		write_control(trace, insn, value);
	else
		*stored = msr == MSR_MATCH_CR3 ? trace->machine->cr3() : value;
	return true;
}

bool trace_rdmsr(struct trace *trace, uint32_t msr, uint64_t *value)
{
	uint64_t *stored = model_msr(&trace->model, msr);

	if (msr == MSR_PLATFORM_INFO) {
		*value = CLOCK_CBR << 8;
		return true;
	}
	if (msr == MSR_GLOBAL_OVF_CTRL) {
		*value = 0;
		return true;
	}
	if (!stored)
		return false;
	if (trace->is_on && msr >= MSR_RTIT_OUTPUT_BASE && msr <= MSR_RTIT_CR3_MATCH)
		store(trace);
	*value = *stored;
	return true;
}
