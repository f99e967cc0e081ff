// SPDX-License-Identifier: GPL-2.0-only
#include "parts.h"

bool is_by_chance(struct trace *trace, uint32_t every)
{
	uint64_t x = trace->random;

	if (!every)
		return false;
	/* Marsaglia's xorshift. */
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	trace->random = x;
	return !((x >> 32) % every);
}

static bool is_random(const struct trace *trace)
{
	return (uint32_t)trace->model.random;
}

/* The following functions simulate overflows. */

void lose_some(struct trace *trace)
{
	uint64_t every = trace->model.force_overflow >> 32;

	if (!every || trace->is_losing || trace->since_ovf < every)
		return;
	/* Write the branches that were executed before the loss. */
	packet_flush(&trace->out);
	run_end(trace);
	note(trace, TRUTH_LOSING, 0, 0, 0);
	trace->is_losing = true;
	trace->nr_lost = 0;
}

void lost_some(struct trace *trace, uint64_t ip)
{
	packet_drop(&trace->out);
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

/* The following functions generate packets. */

bool has_branches(const struct trace *trace)
{
	return trace->model.control & CTL_BRANCH_EN;
}

void put_tnt(struct trace *trace, bool is_taken)
{
	trace->nr_lost++;
	if (!has_branches(trace) || trace->model.control & CTL_DIS_TNT)
		return;
	packet_tnt(&trace->out, is_taken);
	if (is_random(trace) && is_by_chance(trace, 12))
		packet_flush(&trace->out);
}

void put_target(struct trace *trace, uint64_t ip)
{
	trace->nr_lost++;
	if (!has_branches(trace))
		return;
	/*
	 * A TIP may follow branches that were executed after it, so that their TNT is long.
	 */
	if (is_random(trace) && !(trace->model.control & CTL_DIS_TNT) && !is_by_chance(trace, 3))
		packet_tip_deferred(&trace->out, ip);
	else
		packet_ip(&trace->out, PACKET_TIP, ip);
}

void put_ip(struct trace *trace, enum packet_ip kind, uint64_t ip)
{
	trace->nr_lost++;
	if (has_branches(trace))
		packet_ip(&trace->out, kind, ip);
}

void put_disable(struct trace *trace)
{
	if (has_branches(trace))
		packet_ip_none(&trace->out, PACKET_TIP_PGD);
}

void put_pip(struct trace *trace)
{
	trace->cr3 = trace->machine->cr3();
	if (trace->model.control & CTL_OS)
		packet_pip(&trace->out, trace->cr3);
}

/* Returns the present mode. Only event trace tells whether interrupts are enabled. */
static struct trace_mode mode_now(const struct trace *trace)
{
	bool is_32 = trace->machine->code_segment() == TRACE_USER32_CS;

	return (struct trace_mode){
		.nr_bits = is_32 ? 32 : 64,
		.is_if = trace->model.control & CTL_EVENT_EN &&
			 trace->machine->flags() & TRACE_FLAGS_IF,
	};
}

void put_mode(struct trace *trace)
{
	struct trace_mode mode = mode_now(trace);

	if (mode.nr_bits == trace->mode.nr_bits && mode.is_if == trace->mode.is_if)
		return;
	trace->mode = mode;
	packet_mode_exec(&trace->out, mode.nr_bits, mode.is_if);
}

void put_mtcs(struct trace *trace)
{
	uint64_t now = trace->now;

	while (clock_is_mtc_due(&trace->clock, now, &trace->now))
		clock_mtc(&trace->clock, &trace->out, trace->now);
	trace->now = now;
}

void put_psb(struct trace *trace, uint64_t ip)
{
	packet_flush(&trace->out);
	run_end(trace);
	/*
	 * Write the cycles so far before the PSB, since the TSC in the PSB+ is the time from then
	 * on.
	 */
	trace->out.before(trace);
	note(trace, TRUTH_PSB, ip, trace->now, 0);
	packet_psb(&trace->out);
	trace->since_psb = 0;
	clock_tsc(&trace->clock, &trace->out, trace->now);
	packet_cbr(&trace->out, CLOCK_CBR);
	put_pip(trace);
	trace->mode = mode_now(trace);
	packet_mode_exec(&trace->out, trace->mode.nr_bits, trace->mode.is_if);
	packet_mode_tsx(&trace->out);
	if (ip && has_branches(trace))
		packet_ip(&trace->out, PACKET_FUP, ip);
	packet_psbend(&trace->out);
	trace->stack_depth = 0;
	if (ip)
		run_begin(trace, ip);
}
