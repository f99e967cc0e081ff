// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/switch_halves.h"

/* Is this a switch, rather than the task that ran when tracing began? */
static bool is_whole_switch(const struct fargs_pt_switch *sw)
{
	return sw->half == FARGS_PT_SWITCH_WHOLE && sw->from != sw->to;
}

/*
 * Joins @half with @last, the last switch kept of its CPU, or NULL. Returns whether @half is kept
 * as a switch of its own.
 */
static bool join_half(struct fargs_pt_switch *half, struct fargs_pt_switch *last)
{
	int32_t task = last ? last->to : -1;

	if (half->half == FARGS_PT_SWITCH_OUT) {
		/* The switch to this task has no record; assume it ran since the last switch. */
		if (last && task != half->from)
			last->to = half->from;
		return true;
	}
	/* The time at which an untraced task begins to run is irrelevant: the trace is off then. */
	if (last && last->half == FARGS_PT_SWITCH_OUT && task < 0) {
		last->to = half->to;
		return false;
	}
	half->from = last ? task : half->to;
	return half->to != task;
}

/*
 * Joins the halves of one CPU, from index @begin on, and writes the *@nr switches to @to. Returns
 * the index at which the next CPU begins.
 */
static size_t join_cpu(const struct fargs_pt_input *in, size_t begin, struct fargs_pt_switch *to,
		       size_t *nr)
{
	struct fargs_pt_switch *all = in->switches, sw;
	bool has_whole = false;
	size_t end, i;

	for (end = begin; end < in->nr_switches && all[end].cpu == all[begin].cpu; end++)
		has_whole |= is_whole_switch(&all[end]);
	*nr = 0;
	for (i = begin; i < end; i++) {
		sw = all[i];
		if (sw.half == FARGS_PT_SWITCH_WHOLE ||
		    (!has_whole && join_half(&sw, *nr ? &to[*nr - 1] : NULL)))
			to[(*nr)++] = sw;
	}
	for (i = 0; i < *nr; i++)
		to[i].half = FARGS_PT_SWITCH_WHOLE;
	return end;
}

void fargs_pt_switch_halves_join(struct fargs_pt_input *in)
{
	size_t i = 0, nr = 0, nr_cpu;

	/* In place: the number of switches of a CPU never grows. */
	while (i < in->nr_switches) {
		i = join_cpu(in, i, in->switches + nr, &nr_cpu);
		nr += nr_cpu;
	}
	in->nr_switches = nr;
}
