// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "parts.h"

void note(struct trace *trace, enum truth_kind kind, uint64_t ip, uint64_t value, uint32_t nr)
{
	const struct truth_record record = {
		.ip = ip, .value = value, .offset = trace->offset, .nr = nr, .kind = kind,
	};

	truth_write(&trace->truth, &record);
}

void run_end(struct trace *trace)
{
	if (trace->is_run && trace->run_nr)
		note(trace, TRUTH_RUN, trace->run_ip, 0, trace->run_nr);
	trace->is_run = false;
	trace->run_nr = 0;
}

void run_begin(struct trace *trace, uint64_t ip)
{
	trace->run_ip = ip;
	trace->run_nr = 0;
	trace->is_run = true;
}

void store(struct trace *trace)
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
		store(trace);
	memcpy(trace->buffer + trace->buffered, bytes, size);
	trace->buffered += (unsigned int)size;
}

static void put_cycles(void *arg)
{
	struct trace *trace = arg;
	uint64_t offset = trace->offset;

	if (trace->is_losing)
		return;
	clock_cyc(&trace->clock, &trace->out, trace->now);
	if (trace->offset != offset)
		note(trace, TRUTH_CYC, 0, trace->now, 0);
}

void trace_init(struct trace *trace, const struct trace_machine *machine)
{
	trace->machine = machine;
	trace->out = (struct packet_out){ .put = put_bytes, .before = put_cycles, .arg = trace };
}
