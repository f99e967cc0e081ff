// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/switch_halves.h"

/* Was a switch there, and not only a task that the trace began with? */
static bool is_whole_switch(const struct fargs_pt_switch *sw)
{
	return sw->half == FARGS_PT_SWITCH_WHOLE && sw->from != sw->to;
}

/*
 * What @half means after what was kept of its CPU so far, of which @last is the last one, or NULL.
 * True: it is kept as a switch of its own.
 */
static bool join_half(struct fargs_pt_switch *half, struct fargs_pt_switch *last)
{
	int32_t task = last ? last->to : -1;

	if (half->half == FARGS_PT_SWITCH_OUT) {
		/* What came in before has no record: it was there since the switch before. */
		if (last && task != half->from)
			last->to = half->from;
		return true;
	}
	/* From when on tasks run that are not traced does not matter: the trace is off then. */
	if (last && last->half == FARGS_PT_SWITCH_OUT && task < 0) {
		last->to = half->to;
		return false;
	}
	half->from = last ? task : half->to;
	return half->to != task;
}

/*
 * Makes switches of the halves of one CPU, from @begin on; returns where the next CPU begins. Those
 * that are kept go to @to on, *@nr of them.
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

	/* In place: no CPU has more of them than before. */
	while (i < in->nr_switches) {
		i = join_cpu(in, i, in->switches + nr, &nr_cpu);
		nr += nr_cpu;
	}
	in->nr_switches = nr;
}
