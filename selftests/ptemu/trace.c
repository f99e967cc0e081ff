// SPDX-License-Identifier: GPL-2.0-only
#include "trace.h"

#include <string.h>

#define ODD_SHOWN_MAX	20

static void note(struct trace *trace, enum truth_kind kind, uint64_t ip, uint64_t value,
		 uint32_t nr)
{
	const struct truth_record record = {
		.ip = ip, .value = value, .offset = trace->offset, .nr = nr, .kind = kind,
	};

	truth_write(&trace->truth, &record);
}

/* Runs of the truth. */

static void run_end(struct trace *trace)
{
	if (trace->is_run && trace->run_nr)
		note(trace, TRUTH_RUN, trace->run_ip, 0, trace->run_nr);
	trace->is_run = false;
	trace->run_nr = 0;
}

static void run_begin(struct trace *trace, uint64_t ip)
{
	trace->run_ip = ip;
	trace->run_nr = 0;
	trace->is_run = true;
}

/* Bytes on their way. */

void trace_store(struct trace *trace)
{
	struct topa *topa = &trace->topa;
	size_t stored;

	if (topa->is_stopped || topa->is_error) {
		trace->buffered = 0;
		return;
	}
	topa->base = trace->model.output_base;
	topa->mask_ptrs = trace->model.output_mask_ptrs;
	topa->is_table = trace->model.control & CTL_TOPA;
	stored = topa_write(topa, &trace->machine->memory, trace->buffer, trace->buffered);
	trace->model.output_base = topa->base;
	trace->model.output_mask_ptrs = topa->mask_ptrs;
	if (topa->is_interrupt) {
		topa->is_interrupt = false;
		trace->is_interrupt = true;
		trace->model.global_status |= GLOBAL_STATUS_TOPA_PMI;
		note(trace, TRUTH_PMI, 0, 0, 0);
	}
	if (topa->is_stopped || topa->is_error) {
		trace->model.status |= topa->is_stopped ? STATUS_STOPPED : STATUS_ERROR;
		note(trace, TRUTH_FULL, 0, trace->buffered - stored, 0);
	}
	trace->buffered = 0;
}

static void put_bytes(void *arg, const void *bytes, size_t size)
{
	struct trace *trace = arg;

	if (trace->is_losing)
		return;
	truth_packets(&trace->truth, bytes, size);
	trace->offset += size;
	trace->since_psb += size;
	trace->since_ovf += size;
	if (trace->buffered + size > sizeof(trace->buffer))
		trace_store(trace);
	memcpy(trace->buffer + trace->buffered, bytes, size);
	trace->buffered += size;
}

static void put_cycles(void *arg)
{
	struct trace *trace = arg;

	if (!trace->is_losing)
		clock_cyc(&trace->clock, &trace->out, trace->now);
}

void trace_init(struct trace *trace, const struct trace_machine *machine)
{
	trace->machine = machine;
	trace->out = (struct packet_out){ .put = put_bytes, .before = put_cycles, .arg = trace };
}

/* Overflows. */

static void lose_some(struct trace *trace)
{
	uint64_t every = trace->model.force_overflow >> 32;

	if (!every || trace->is_losing || trace->since_ovf < every)
		return;
	/* What was seen before is told. */
	packet_flush(&trace->out);
	run_end(trace);
	note(trace, TRUTH_LOSING, 0, 0, 0);
	trace->is_losing = true;
	trace->nr_lost = 0;
}

/* The trace goes on; at @ip, or, where it is 0, where it is next enabled. */
static void lost_some(struct trace *trace, uint64_t ip)
{
	trace->out.nr_tnt = 0;
	trace->out.tnt = 0;
	trace->is_losing = false;
	run_end(trace);
	note(trace, TRUTH_OVF, ip, trace->now, 0);
	packet_ovf(&trace->out);
	if (ip) {
		packet_ip(&trace->out, PACKET_FUP, ip);
		run_begin(trace, ip);
	}
	clock_tsc(&trace->clock, &trace->out, trace->now);
	trace->stack_depth = 0;
	trace->since_ovf = 0;
}

/* Packets. */

static bool has_branches(const struct trace *trace)
{
	return trace->model.control & CTL_BRANCH_EN;
}

static void put_tnt(struct trace *trace, bool is_taken)
{
	trace->nr_lost++;
	if (has_branches(trace))
		packet_tnt(&trace->out, is_taken);
}

static void put_ip(struct trace *trace, enum packet_ip kind, uint64_t ip)
{
	trace->nr_lost++;
	if (has_branches(trace))
		packet_ip(&trace->out, kind, ip);
}

static void put_disable(struct trace *trace)
{
	if (has_branches(trace))
		packet_ip_none(&trace->out, PACKET_TIP_PGD);
}

static void put_pip(struct trace *trace)
{
	trace->cr3 = trace->machine->cr3();
	if (trace->model.control & CTL_OS)
		packet_pip(&trace->out, trace->cr3);
}

/* Those that were due since the last look, each with the time when it was. */
static void put_mtcs(struct trace *trace)
{
	uint64_t now = trace->now;

	while (clock_is_mtc_due(&trace->clock, now, &trace->now))
		clock_mtc(&trace->clock, &trace->out, trace->now);
	trace->now = now;
}

/* PSB+. @ip: the next instruction, or 0 while nothing is traced. */
static void put_psb(struct trace *trace, uint64_t ip)
{
	packet_flush(&trace->out);
	run_end(trace);
	/* Cycles so far in front of it: the TSC in it is the time from then on. */
	put_cycles(trace);
	note(trace, TRUTH_PSB, ip, trace->now, 0);
	packet_psb(&trace->out);
	trace->since_psb = 0;
	clock_tsc(&trace->clock, &trace->out, trace->now);
	packet_cbr(&trace->out, CLOCK_CBR);
	put_pip(trace);
	packet_mode_exec64(&trace->out);
	packet_mode_tsx(&trace->out);
	if (ip && has_branches(trace))
		packet_ip(&trace->out, PACKET_FUP, ip);
	packet_psbend(&trace->out);
	trace->stack_depth = 0;
	if (ip)
		run_begin(trace, ip);
}

/* What is traced, and when. */

static bool is_kernel(uint64_t ip)
{
	return (int64_t)ip < 0;
}

static bool is_context(const struct trace *trace, uint64_t ip)
{
	return trace->model.control & (is_kernel(ip) ? CTL_OS : CTL_USER);
}

bool trace_wants(const struct trace *trace, bool kernel)
{
	return trace->is_on &&
	       (trace->is_enabled || trace->model.control & (kernel ? CTL_OS : CTL_USER));
}

static void enable(struct trace *trace, uint64_t ip)
{
	if (trace->is_losing)
		lost_some(trace, 0);
	put_mtcs(trace);
	if (trace->machine->cr3() != trace->cr3)
		put_pip(trace);
	put_ip(trace, PACKET_TIP_PGE, ip);
	trace->is_enabled = true;
	trace->stack_depth = 0;
	note(trace, TRUTH_ENABLE, ip, trace->now, 0);
	run_begin(trace, ip);
}

/* It went where nothing is traced. */
static void disable(struct trace *trace)
{
	run_end(trace);
	put_disable(trace);
	trace->is_enabled = false;
	note(trace, TRUTH_DISABLE, 0, 0, 0);
}

static void push(struct trace *trace, uint64_t ip)
{
	trace->stack[trace->stack_top++ % TRACE_RET_STACK] = ip;
	if (trace->stack_depth < TRACE_RET_STACK)
		trace->stack_depth++;
}

static bool is_compressed_ret(struct trace *trace, uint64_t ip)
{
	if (trace->model.control & CTL_DIS_RETC || !trace->stack_depth ||
	    trace->stack[(trace->stack_top - 1) % TRACE_RET_STACK] != ip)
		return false;
	trace->stack_top--;
	trace->stack_depth--;
	return true;
}

static void odd(struct trace *trace, uint64_t from, uint64_t to)
{
	note(trace, TRUTH_ODD, from, to, 0);
	if (trace->nr_odd++ < ODD_SHOWN_MAX)
		fprintf(stderr, "ptemu: from %lx to %lx: not foreseen\n", from, to);
}

/* Was it taken? -1: it was not even executed, and will be once more. */
static int jcc(struct trace *trace, const struct insn *insn, uint64_t to)
{
	if (to != insn->target && to != insn_next(insn)) {
		if (to != insn->pc)
			odd(trace, insn->pc, to);
		return -1;
	}
	put_tnt(trace, to == insn->target);
	return to == insn->target;
}

static int direct(struct trace *trace, const struct insn *insn, uint64_t to)
{
	if (to != insn->target) {
		if (to != insn->pc)
			odd(trace, insn->pc, to);
		return -1;
	}
	/* A call of what follows only asks where it is: nobody returns from it. */
	if (insn->kind == INSN_CALL && insn->target != insn_next(insn))
		push(trace, insn_next(insn));
	return 1;
}

static int ret(struct trace *trace, uint64_t to)
{
	if (is_compressed_ret(trace, to))
		put_tnt(trace, true);
	else
		put_ip(trace, PACKET_TIP, to);
	return 1;
}

static int other(struct trace *trace, const struct insn *insn, uint64_t to)
{
	if (to == insn_next(insn)) {
		if (insn->kind == INSN_MOV_CR3)
			put_pip(trace);
		return 0;
	}
	if (to != insn->pc)
		odd(trace, insn->pc, to);
	return -1;
}

static int far(struct trace *trace, uint64_t to)
{
	if (is_context(trace, to))
		put_ip(trace, PACKET_TIP, to);
	return 1;
}

/* @insn was executed, and execution goes on at @to. */
static void branch(struct trace *trace, const struct insn *insn, uint64_t to)
{
	int taken;

	switch (insn->kind) {
	case INSN_JCC:
		taken = jcc(trace, insn, to);
		break;
	case INSN_JMP:
	case INSN_CALL:
		taken = direct(trace, insn, to);
		break;
	case INSN_CALL_INDIRECT:
		push(trace, insn_next(insn));
		/* fall through */
	case INSN_JMP_INDIRECT:
		put_ip(trace, PACKET_TIP, to);
		taken = 1;
		break;
	case INSN_RET:
		taken = ret(trace, to);
		break;
	case INSN_FAR:
		taken = far(trace, to);
		break;
	default:
		taken = other(trace, insn, to);
	}
	trace->run_nr += insn->index + (taken >= 0);
	if (taken <= 0)
		return;
	run_end(trace);
	run_begin(trace, to);
	if (!is_context(trace, to))
		disable(trace);
}

/* Packets that no instruction asked for. */
static void periodic(struct trace *trace, uint64_t ip)
{
	put_mtcs(trace);
	if (trace->is_losing && trace->nr_lost >= (uint32_t)trace->model.force_overflow)
		lost_some(trace, ip);
	if (!trace->is_losing && trace->since_psb >= model_psb_period(&trace->model))
		put_psb(trace, ip);
	lose_some(trace);
	if (trace->is_losing && !trace->is_run)
		run_begin(trace, ip);
}

void trace_block(struct trace *trace, const struct insn *last, uint64_t first)
{
	if (!trace->is_on)
		return;
	trace->now = trace->machine->tsc();
	if (trace->is_enabled) {
		/* Those that were due before the branch: its CYC counts from the last one. */
		put_mtcs(trace);
		if (last)
			branch(trace, last, first);
		else if (first != trace->expected)
			odd(trace, trace->expected, first);
	}
	if (!trace->is_enabled) {
		if (!is_context(trace, first))
			return;
		enable(trace, first);
	}
	trace->expected = first;
	periodic(trace, first);
}

void trace_async(struct trace *trace, const struct insn *last, uint64_t from, uint64_t to)
{
	if (!trace->is_on)
		return;
	trace->now = trace->machine->tsc();
	put_mtcs(trace);
	if (trace->is_enabled && last) {
		/* INT3 and its kin are where they are, wherever they return to. */
		if (last->kind == INSN_TRAP && from == insn_next(last))
			from = last->pc;
		if (last->pc == from)
			trace->run_nr += last->index;
		else
			branch(trace, last, from);
	}
	trace->expected = to;
	if (!trace->is_enabled) {
		if (is_context(trace, to))
			enable(trace, to);
		return;
	}
	run_end(trace);
	note(trace, TRUTH_ASYNC, from, to, 0);
	put_ip(trace, PACKET_FUP, from);
	if (!is_context(trace, to)) {
		disable(trace);
		return;
	}
	put_ip(trace, PACKET_TIP, to);
	run_begin(trace, to);
}

void trace_ptwrite(struct trace *trace, const struct insn *insn, uint64_t value)
{
	bool has_ip = trace->model.control & CTL_FUP_ON_PTW;

	if (!trace->is_on || !trace->is_enabled || !(trace->model.control & CTL_PTW_EN))
		return;
	trace->now = trace->machine->tsc();
	put_mtcs(trace);
	if (insn->operand_size == 4)
		value &= UINT32_MAX;
	note(trace, TRUTH_PTW, insn->pc, value, insn->operand_size);
	packet_ptw(&trace->out, value, insn->operand_size, has_ip);
	if (has_ip)
		packet_ip(&trace->out, PACKET_FUP, insn->pc);
}

/* The registers. */

static void turn_on(struct trace *trace)
{
	trace->is_on = !(trace->model.status & (STATUS_STOPPED | STATUS_ERROR));
	trace->topa.is_stopped = trace->model.status & STATUS_STOPPED;
	trace->topa.is_error = trace->model.status & STATUS_ERROR;
	trace->is_enabled = false;
	trace->is_losing = false;
	trace->since_psb = trace->model.status >> STATUS_BYTES_SHIFT & STATUS_BYTES_MASK;
	trace->since_ovf = 0;
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
	if (trace->is_enabled) {
		trace->run_nr += insn->index;
		run_end(trace);
		if (!trace->is_losing && has_branches(trace))
			packet_ip(&trace->out, PACKET_FUP, insn->pc);
		put_disable(trace);
		note(trace, TRUTH_DISABLE, insn->pc, 1, 0);
	}
	if (trace->is_losing)
		lost_some(trace, 0);
	packet_flush(&trace->out);
	trace_store(trace);
	trace->is_on = false;
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
		*stored = value;
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
		trace_store(trace);
	*value = *stored;
	return true;
}
