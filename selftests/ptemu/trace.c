// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "parts.h"

/* The following functions begin and end the trace. */

static void enable(struct trace *trace, uint64_t ip)
{
	if (trace->is_losing)
		lost_some(trace, 0);
	put_mtcs(trace);
	if (trace->machine->cr3() != trace->cr3)
		put_pip(trace);
	put_mode(trace);
	put_ip(trace, PACKET_TIP_PGE, ip);
	trace->is_enabled = true;
	trace->stack_depth = 0;
	note(trace, TRUTH_ENABLE, ip, trace->now, 0);
	run_begin(trace, ip);
	note_space(trace, ip);
	note_task(trace, ip);
}

/* Handles execution that continues in a context that is not traced. */
static void disable(struct trace *trace)
{
	run_end(trace);
	put_disable(trace);
	trace->is_enabled = false;
	note(trace, TRUTH_DISABLE, 0, 0, 0);
}

/* Handles execution that continues at @ip, outside of the ranges that are traced. */
static void leave(struct trace *trace, uint64_t ip)
{
	run_end(trace);
	put_ip(trace, PACKET_TIP_PGD, ip);
	trace->is_enabled = false;
	note(trace, TRUTH_DISABLE, ip, 0, 0);
}

/* Handles execution that continues at @ip, in a range where the trace stops. */
static void stop(struct trace *trace, uint64_t ip)
{
	if (trace->is_enabled)
		leave(trace, ip);
	if (trace->is_losing)
		lost_some(trace, 0);
	packet_trace_stop(&trace->out);
	note(trace, TRUTH_STOP, ip, 0, 0);
	trace->model.status |= STATUS_STOPPED;
	trace->is_on = false;
	trace->is_context = false;
	trace->is_walking = false;
	store(trace);
}

/* Writes packets that do not depend on the instructions. */
static void periodic(struct trace *trace, uint64_t ip)
{
	if (trace->is_losing && trace->nr_lost >= (uint32_t)trace->model.force_overflow)
		lost_some(trace, ip);
	if (!trace->is_losing && (trace->since_psb >= model_psb_period(&trace->model) ||
				  is_by_chance(trace, trace->model.random >> 32)))
		put_psb(trace, ip);
	lose_some(trace);
	if (trace->is_losing && !trace->is_run)
		run_begin(trace, ip);
}

/* Execution, in a traced context, continues at @ip: begins or stops the trace. */
static void arrive(struct trace *trace, uint64_t ip)
{
	if (in_stop_range(trace, ip))
		stop(trace, ip);
	else if (!trace->is_enabled && in_ranges(trace, ip))
		enable(trace, ip);
	else if (trace->is_enabled && !in_ranges(trace, ip))
		leave(trace, ip);
	if (trace->is_enabled)
		periodic(trace, ip);
}

/* The following functions follow the instructions. */

/* Must the trace look at each instruction, and not only at blocks? */
static bool is_by_insn(const struct trace *trace)
{
	return has_ranges(trace) || trace->model.random || trace->model.control & CTL_EVENT_EN;
}

/* All instructions of the block before index @to were executed. */
void walk(struct trace *trace, unsigned int to)
{
	if (!is_by_insn(trace)) {
		if (trace->is_enabled)
			trace->run_nr += to - trace->at;
		trace->at = to;
		return;
	}
	while (trace->is_on && trace->at < to) {
		const struct insn *insn = &trace->block[trace->at++];
		uint64_t next = insn_next(insn) + trace->moved;

		if (trace->is_enabled)
			trace->run_nr++;
		event_flags(trace, insn, next);
		arrive(trace, next);
	}
}

static void push(struct trace *trace, uint64_t ip)
{
	trace->stack[trace->stack_top++ % TRACE_RET_STACK] = ip;
	if (trace->stack_depth < TRACE_RET_STACK)
		trace->stack_depth++;
}

static bool is_compressed_ret(struct trace *trace, uint64_t ip)
{
	if (trace->model.control & (CTL_DIS_RETC | CTL_DIS_TNT) || !trace->stack_depth ||
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

enum outcome {
	AGAIN,	/* it was not executed, and will be executed again */
	NEXT,
	TAKEN,
};

/* Returns what became of @insn, if execution continues at @to. */
static enum outcome outcome(struct trace *trace, const struct insn *insn, uint64_t to)
{
	bool may_go_on = true, may_branch = false;

	switch (insn->kind) {
	case INSN_JMP_INDIRECT:
	case INSN_CALL_INDIRECT:
	case INSN_RET:
	case INSN_FAR:
	case INSN_IRET:
		return TAKEN;
	case INSN_JMP:
	case INSN_CALL:
		may_go_on = false;
		/* fall through */
	case INSN_JCC:
		may_branch = true;
	}
	/* A conditional branch to the next instruction may have been taken or not. */
	if (may_go_on && to == insn_next(insn))
		return NEXT;
	if (may_branch && to == insn->target)
		return TAKEN;
	if (to != insn->pc)
		odd(trace, insn->pc, to);
	return AGAIN;
}

/* Writes the packets of @insn, behind which execution continues at @to, which is traced. */
static void put_branch(struct trace *trace, const struct insn *insn, uint64_t to, bool is_taken)
{
	switch (insn->kind) {
	case INSN_JCC:
		put_tnt(trace, is_taken);
		break;
	case INSN_CALL:
		/*
		 * A CALL to the next instruction is only used to read its address, and has no
		 * matching RET.
		 */
		if (insn->target != insn_next(insn))
			push(trace, insn_next(insn));
		break;
	case INSN_CALL_INDIRECT:
		push(trace, insn_next(insn));
		/* fall through */
	case INSN_JMP_INDIRECT:
		put_target(trace, to);
		break;
	case INSN_RET:
		/* Its TIP is not deferred: a TNT would be taken for a compressed return. */
		if (is_compressed_ret(trace, to))
			put_tnt(trace, true);
		else
			put_ip(trace, PACKET_TIP, to);
		break;
	case INSN_IRET:
		event_iret(trace);
		/* fall through */
	case INSN_FAR:
		put_mode(trace);
		put_ip(trace, PACKET_TIP, to);
		break;
	}
	if (!is_taken)
		return;
	run_end(trace);
	run_begin(trace, to);
}

/*
 * Handles the end of a block, of which @insn was the last instruction that was started. Execution
 * continues at @to. Afterwards it has not yet arrived there.
 */
static void finish_block(struct trace *trace, const struct insn *insn, uint64_t to)
{
	enum outcome how;

	walk(trace, insn->index);
	trace->is_walking = false;
	if (!trace->is_on)
		return;
	how = outcome(trace, insn, to);
	if (how == AGAIN)
		return;
	if (trace->is_enabled)
		trace->run_nr++;
	event_flags(trace, insn, to);
	if (insn->kind == INSN_MOV_CR3)
		put_pip(trace);
	if (!in_context(trace, to)) {
		if (trace->is_enabled) {
			if (insn->kind == INSN_IRET)
				event_iret(trace);
			disable(trace);
		}
	} else if (trace->is_enabled && !in_ranges(trace, to)) {
		leave(trace, to);
	} else if (trace->is_enabled && !in_stop_range(trace, to)) {
		put_branch(trace, insn, to, how == TAKEN);
		if (insn->kind == INSN_FAR || insn->kind == INSN_IRET ||
		    insn->kind == INSN_MOV_CR3)
			note_space(trace, to);
	}
}

void trace_block(struct trace *trace, const struct insn *last, const struct insn *first,
		 uint64_t moved)
{
	uint64_t ip = first->pc + moved;

	if (!trace->is_on)
		return;
	trace->now = trace->machine->tsc();
	/*
	 * First write the MTCs that were due before the branch: the branch's CYC counts from the
	 * last of them.
	 */
	if (trace->is_enabled)
		put_mtcs(trace);
	idle_end(trace);
	if (trace->is_walking && last)
		finish_block(trace, last, ip);
	else if (trace->is_enabled && !last && ip != trace->expected)
		odd(trace, trace->expected, ip);
	else if (last && last->kind == INSN_IRET && in_context(trace, ip))
		event_iret(trace);
	if (!trace->is_on)
		return;
	trace->is_context = in_context(trace, ip);
	trace->is_walking = trace->is_context;
	if (!trace->is_context)
		return;
	trace->block = first;
	trace->moved = moved;
	trace->at = 0;
	trace->expected = ip;
	arrive(trace, ip);
	if (trace->is_enabled && is_kernel(ip))
		watch_task(trace, ip);
}

void trace_async(struct trace *trace, const struct insn *last, uint64_t from, uint64_t to)
{
	if (!trace->is_on)
		return;
	trace->now = trace->machine->tsc();
	put_mtcs(trace);
	idle_end(trace);
	if (trace->is_walking && last) {
		/*
		 * For INT3 and similar instructions, use the instruction's own address, not the
		 * return address.
		 */
		if (last->kind == INSN_TRAP && from == insn_next(last))
			from = last->pc;
		if (last->pc == from)
			walk(trace, last->index);
		else
			finish_block(trace, last, from);
	}
	trace->is_walking = false;
	if (!trace->is_on)
		return;
	trace->expected = to;
	if (trace->is_context || in_context(trace, to))
		event_interrupt(trace, from, to);
	trace->is_context = in_context(trace, to);
	if (trace->is_enabled) {
		run_end(trace);
		note(trace, TRUTH_ASYNC, from, to, 0);
		put_ip(trace, PACKET_FUP, from);
		if (!trace->is_context) {
			disable(trace);
		} else if (in_ranges(trace, to) && !in_stop_range(trace, to)) {
			put_mode(trace);
			put_ip(trace, PACKET_TIP, to);
			run_begin(trace, to);
			note_space(trace, to);
		} else {
			leave(trace, to);
		}
	}
	if (trace->is_context && in_stop_range(trace, to))
		stop(trace, to);
	else if (trace->is_context && !trace->is_enabled && in_ranges(trace, to))
		enable(trace, to);
}

void trace_ptwrite(struct trace *trace, const struct insn *insn, uint64_t value)
{
	bool has_ip = trace->model.control & CTL_FUP_ON_PTW;

	if (!trace->is_on || !trace->is_walking || !(trace->model.control & CTL_PTW_EN))
		return;
	trace->now = trace->machine->tsc();
	put_mtcs(trace);
	walk(trace, insn->index);
	if (!trace->is_enabled)
		return;
	if (insn->operand_size == 4)
		value &= UINT32_MAX;
	note(trace, TRUTH_PTW, insn->pc, value, insn->operand_size);
	packet_ptw(&trace->out, value, insn->operand_size, has_ip);
	if (has_ip)
		packet_ip(&trace->out, PACKET_FUP, insn->pc);
}
