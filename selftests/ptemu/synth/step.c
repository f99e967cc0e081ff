// SPDX-License-Identifier: GPL-2.0-only
/* Executes instructions. */
#include "machine.h"
#include "transfer.h"

#define STEPS_MAX	1000000

static void push(struct machine_stack *stack, uint64_t ip)
{
	stack->ips[stack->top++ % MACHINE_RET_STACK] = ip;
	if (stack->depth < MACHINE_RET_STACK)
		stack->depth++;
}

static uint64_t top_of(const struct machine_stack *stack)
{
	return stack->depth ? stack->ips[(stack->top - 1) % MACHINE_RET_STACK] : 0;
}

static void pop(struct machine_stack *stack)
{
	if (!stack->depth)
		return;
	stack->depth--;
	stack->top--;
}

static bool is_compressible(const struct machine *m)
{
	return m->config.has_ret_compression && !m->config.stream.has_no_tnt &&
	       m->config.order.has_branch;
}

/*
 * Executes a return to *@ip; 0: to its caller. Returns whether it is compressed: its target is that
 * of the last call (SDM, "Indirect Transfer Compression for Returns"). A return that goes elsewhere
 * leaves the CPU's stack as it is: libipt and perf read it so, also for retpolines.
 */
static bool do_return(struct machine *m, uint64_t *ip)
{
	if (!*ip)
		*ip = top_of(&m->software);
	pop(&m->software);
	if (!is_compressible(m) || !m->calls.depth || top_of(&m->calls) != *ip)
		return false;
	pop(&m->calls);
	return true;
}

/* A call to the next instruction is no call for the CPU's stack. */
static void do_call(struct machine *m, const struct code_insn *insn, bool is_on)
{
	uint64_t next = insn->ip + insn->size;

	push(&m->software, next);
	if (is_on && (insn->kind != CODE_CALL || insn->target != next))
		push(&m->calls, next);
}

/* Adds the record of an instruction that was executed while it was traced. */
static void note_insn(struct machine *m, uint64_t ip, const struct order_state *state)
{
	struct record *record;

	if (!state->is_on)
		return;
	record = machine_note(m, RECORD_INSN, true, ip, state->cr3 | state->is_guest,
			      state->nr_bits);
	record->is_tx = state->is_in_tx;
	record->is_lost = m->is_losing || m->is_blind;
}

/* Only the outermost transaction begins and ends with packets. */
static void begin_tx(struct machine *m, const struct code_insn *insn, uint64_t next)
{
	bool is_begin = insn->kind == CODE_XBEGIN;
	struct order_state state;

	if (is_begin ? m->nr_nested++ : !m->nr_nested || --m->nr_nested)
		return;
	m->cpu.is_in_tx = is_begin;
	m->abort_ip = is_begin ? insn->target : 0;
	state = machine_state(m);
	if (state.is_on)
		transfer_see_again(m, next);
	if (state.is_on && !m->is_losing)
		machine_note(m, RECORD_TX, true, next, m->cpu.is_in_tx, 0);
	order_tx(&m->order, &state, next);
	machine_prove(m);
}

static void change_if(struct machine *m, const struct code_insn *insn, uint64_t next)
{
	struct order_state state;

	m->cpu.is_if = insn->kind == CODE_STI;
	state = machine_state(m);
	transfer_note_if(m, &state, next);
	if (order_mode(&m->order, &state, next))
		machine_prove(m);
}

static enum transfer_kind kind_of(const struct code_insn *insn)
{
	switch (insn->kind) {
	case CODE_JCC:
		return TRANSFER_CONDITIONAL;
	case CODE_JMP:
	case CODE_CALL:
		return TRANSFER_DIRECT;
	case CODE_JMP_INDIRECT:
	case CODE_CALL_INDIRECT:
		return TRANSFER_INDIRECT;
	case CODE_RET:
		return TRANSFER_RET;
	case CODE_FAR:
	case CODE_SYSCALL:
	case CODE_SYSRET:
	case CODE_IRET:
	case CODE_VMENTRY:
	case CODE_RSM:
	case CODE_UIRET:
		return TRANSFER_FAR;
	case CODE_INT:
		return TRANSFER_ASYNC;
	default:
		return TRANSFER_NONE;
	}
}

/* Things that instructions do besides going to the next one. */
static void do_special(struct machine *m, const struct code_insn *insn, uint64_t next,
		       const struct machine_target *target)
{
	struct order_state state = machine_state(m);

	switch (insn->kind) {
	case CODE_XBEGIN:
	case CODE_XEND:
		begin_tx(m, insn, next);
		break;
	case CODE_STI:
	case CODE_CLI:
		change_if(m, insn, next);
		break;
	case CODE_VMPTRLD:
		if (!target || !target->has_vmcs)
			break;
		m->cpu.vmcs = target->vmcs;
		state.vmcs = target->vmcs;
		if (state.has_context && state.is_os && !m->is_losing)
			machine_note(m, RECORD_VMCS, false, 0, state.vmcs, 0);
		order_vmcs(&m->order, &state);
		machine_prove(m);
		break;
	case CODE_PTWRITE:
		if (!state.is_on || !m->config.order.has_ptw || m->is_losing)
			break;
		machine_note(m, RECORD_PTWRITE, true, insn->ip, target ? target->value : 0,
			     insn->value);
		order_ptwrite(&m->order, insn->ip, target ? target->value : 0, insn->value);
		/* Without FUP, it belongs to the next PTWRITE. */
		machine_prove(m);
		break;
	}
}

/* Event trace has an event for each return from one. */
static void set_cfe(struct transfer *t, const struct code_insn *insn)
{
	t->has_cfe = true;
	switch (insn->kind) {
	case CODE_IRET:
		t->cfe = PACKET_CFE_IRET;
		break;
	case CODE_RSM:
		t->cfe = PACKET_CFE_RSM;
		break;
	case CODE_UIRET:
		t->cfe = PACKET_CFE_UIRET;
		break;
	case CODE_VMENTRY:
		t->cfe = PACKET_CFE_VMENTRY;
		break;
	case CODE_INT:
		t->cfe = PACKET_CFE_INTR;
		t->vector = insn->value;
		break;
	default:
		t->has_cfe = false;
	}
}

/* The privilege level after an instruction that implies it. */
static void set_cpl(struct machine *m, const struct code_insn *insn)
{
	if (insn->kind == CODE_SYSCALL || insn->kind == CODE_INT)
		m->cpl = 0;
	else if (insn->kind == CODE_SYSRET)
		m->cpl = 3;
}

static const char *enter_guest(struct machine *m, const struct machine_target *target)
{
	if (!target->has_cr3)
		return "a VM entry needs the guest's cr3";
	m->host_cr3 = m->cpu.cr3;
	m->cpu.is_guest = true;
	if (target->is_entry_off)
		m->is_trace_en = false;
	return NULL;
}

static const char *branch_to(struct machine *m, const struct code_insn *insn, struct transfer *t,
			     const struct machine_target *target)
{
	const char *error;

	t->kind = kind_of(insn);
	t->to = target && target->has_ip ? target->ip : 0;
	if (insn->kind == CODE_RET)
		t->is_taken = do_return(m, &t->to);
	if (t->kind == TRANSFER_DIRECT || t->kind == TRANSFER_CONDITIONAL)
		t->to = t->is_taken ? insn->target : insn->ip + insn->size;
	if (t->kind == TRANSFER_NONE)
		t->to = insn->ip + insn->size;
	if (!t->to)
		return "the target of the instruction is missing";
	if (insn->kind == CODE_CALL || insn->kind == CODE_CALL_INDIRECT)
		do_call(m, insn, t->before.is_on);
	set_cfe(t, insn);
	set_cpl(m, insn);
	if (insn->kind == CODE_VMENTRY) {
		error = target ? enter_guest(m, target) : "the target is missing";
		if (error)
			return error;
		t->is_entry_off = target->is_entry_off;
	}
	if (target)
		transfer_apply(m, target, t);
	return NULL;
}

/* Far transfers and changes of CR3 and IF are not executed in transactions. */
static bool is_aborting(const struct code_insn *insn)
{
	return kind_of(insn) == TRANSFER_FAR || kind_of(insn) == TRANSFER_ASYNC ||
	       insn->kind == CODE_MOV_CR3 || insn->kind == CODE_MWAIT ||
	       insn->kind == CODE_VMPTRLD || insn->kind == CODE_STI || insn->kind == CODE_CLI;
}

const char *machine_step(struct machine *m, bool is_taken, const struct machine_target *target)
{
	const struct code_insn *insn = code_find(&m->code, m->ip);
	struct transfer t = { .is_taken = is_taken, .from = m->ip };
	const char *error;

	if (!m->is_started || !insn)
		return m->is_started ? "there is no instruction" : "the CPU was not started";
	if (m->is_waiting)
		return "the CPU waits for a SIPI";
	if (m->cpu.is_in_tx && is_aborting(insn))
		return "the instruction aborts the transaction: abort comes before it";
	machine_advance(m);
	t.before = machine_state(m);
	if (kind_of(insn) == TRANSFER_DIRECT)
		t.is_taken = true;
	/* INT n is shown as an event before it, because its FUP has its own address (12e). */
	if (insn->kind != CODE_INT)
		note_insn(m, m->ip, &t.before);
	if (kind_of(insn) == TRANSFER_NONE && insn->kind != CODE_MOV_CR3) {
		do_special(m, insn, m->ip + insn->size, target);
		m->ip += insn->size;
		m->order.is_branch_last = false;
		return NULL;
	}
	error = branch_to(m, insn, &t, target);
	return error ? error : transfer_run(m, &t);
}

static bool is_decided(const struct code_insn *insn)
{
	return insn->kind != CODE_JCC && insn->kind != CODE_MOV_CR3 &&
	       insn->kind != CODE_VMPTRLD &&
	       (insn->kind == CODE_RET ||
		kind_of(insn) == TRANSFER_DIRECT || kind_of(insn) == TRANSFER_NONE);
}

/* Returns whether the next instruction can be executed without being told how. */
static bool can_run(const struct machine *m)
{
	const struct code_insn *insn = code_find(&m->code, m->ip);

	return insn && is_decided(insn) && (insn->kind != CODE_RET || m->software.depth);
}

const char *machine_run(struct machine *m, bool has_until, uint64_t until)
{
	const char *error = NULL;
	unsigned int i;

	for (i = 0; i < STEPS_MAX && (!has_until || m->ip != until); i++) {
		if (!can_run(m))
			return has_until ? "an instruction before it needs a decision" : NULL;
		error = machine_step(m, true, NULL);
		if (error)
			return error;
	}
	return i < STEPS_MAX ? NULL : "the code does not end";
}

const char *machine_branch(struct machine *m, bool is_taken)
{
	const char *error = machine_run(m, false, 0);
	const struct code_insn *insn = code_find(&m->code, m->ip);

	if (error || !insn)
		return error ? error : "there is no instruction";
	if (insn->kind != CODE_JCC)
		return "the next instruction that needs a decision is no conditional branch";
	return machine_step(m, is_taken, NULL);
}

const char *machine_to(struct machine *m, const struct machine_target *target)
{
	const struct code_insn *insn;
	const char *error = NULL;

	/* Also a return may go where it did not come from. */
	while (!error && (insn = code_find(&m->code, m->ip)) && insn->kind != CODE_RET &&
	       can_run(m))
		error = machine_step(m, true, NULL);
	return error ? error : machine_step(m, true, target);
}

const char *machine_ptwrite(struct machine *m, uint64_t value)
{
	const struct machine_target target = { .value = value };
	const struct code_insn *insn;
	const char *error = NULL;

	while (!error && (insn = code_find(&m->code, m->ip)) && insn->kind != CODE_PTWRITE)
		error = can_run(m) ? machine_step(m, true, NULL) :
				     "an instruction before it needs a decision";
	return error ? error : machine_step(m, true, &target);
}
