// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "parts.h"

/* The kernel's stacks are at least this large, and aligned. */
#define STACK_BYTES	(16ull << 10)
/*
 * The pointer to the current task is written soon after the stack has changed: up to 66 blocks
 * later on 7.2, of which 48 fill the return stack buffer.
 */
#define TASK_CHECKS	256

bool is_kernel(uint64_t ip)
{
	return (int64_t)ip < 0;
}

bool in_context(const struct trace *trace, uint64_t ip)
{
	const struct model *model = &trace->model;

	if (!(model->control & (is_kernel(ip) ? CTL_OS : CTL_USER)))
		return false;
	return !(model->control & CTL_CR3_FILTER) || trace->machine->cr3() == model->cr3_match;
}

static bool in_range(const struct trace *trace, unsigned int i, uint64_t ip)
{
	return ip >= trace->model.range[2 * i] && ip <= trace->model.range[2 * i + 1];
}

bool has_ranges(const struct trace *trace)
{
	return trace->model.control >> CTL_ADDR_CFG_SHIFT & 0xff;
}

bool in_ranges(const struct trace *trace, uint64_t ip)
{
	bool has_filter = false;
	unsigned int i;

	for (i = 0; i < MODEL_NR_RANGES; i++) {
		if (model_range(&trace->model, i) != MODEL_RANGE_FILTER)
			continue;
		if (in_range(trace, i, ip))
			return true;
		has_filter = true;
	}
	return !has_filter;
}

bool in_stop_range(const struct trace *trace, uint64_t ip)
{
	unsigned int i;

	for (i = 0; i < MODEL_NR_RANGES; i++)
		if (model_range(&trace->model, i) == MODEL_RANGE_STOP && in_range(trace, i, ip))
			return true;
	return false;
}

bool trace_wants(const struct trace *trace, bool kernel)
{
	return trace->is_on &&
	       (trace->is_context || trace->model.control & (kernel ? CTL_OS : CTL_USER));
}

/* Logs something in the middle of a run, which goes on at @ip. */
static void note_amid(struct trace *trace, enum truth_kind kind, uint64_t ip,
		      const uint64_t values[2], uint32_t nr)
{
	bool is_run = trace->is_run;

	run_end(trace);
	note(trace, kind, values[0], values[1], nr);
	if (is_run)
		run_begin(trace, ip);
}

void note_task(struct trace *trace, uint64_t ip)
{
	const struct trace_machine *machine = trace->machine;
	const struct model *model = &trace->model;
	struct trace_task task;
	uint64_t address;

	if (!model->tasks || !machine->read(machine->kernel_gs() + model->current, &address, 8) ||
	    !machine->read(address + (model->tasks & 0xffff), &task.pid, sizeof(task.pid)) ||
	    !machine->read(address + (model->tasks >> 16 & 0xffff), task.name, sizeof(task.name)))
		return;
	if (task.pid == trace->task.pid && !memcmp(task.name, trace->task.name, sizeof(task.name)))
		return;
	trace->task = task;
	note_amid(trace, TRUTH_TASK, ip, task.name, task.pid);
}

void note_space(struct trace *trace, uint64_t ip)
{
	uint64_t cs = trace->machine->code_segment(), cr3 = trace->machine->cr3();
	uint32_t space = (cs & 3) | (cs == TRACE_USER32_CS ? TRUTH_32BIT : 0);

	if (space == trace->space && cr3 == trace->space_cr3)
		return;
	trace->space = space;
	trace->space_cr3 = cr3;
	note_amid(trace, TRUTH_SPACE, ip, (uint64_t[]){ 0, cr3 }, space);
	/* An NMI may take more blocks than watch_task() waits for. */
	note_task(trace, ip);
}

void watch_task(struct trace *trace, uint64_t ip)
{
	uint64_t base;

	if (!trace->model.tasks)
		return;
	base = trace->machine->stack() & -STACK_BYTES;
	if (base != trace->stack_base)
		trace->task_checks = TASK_CHECKS;
	trace->stack_base = base;
	if (!trace->task_checks)
		return;
	trace->task_checks--;
	note_task(trace, ip);
}
