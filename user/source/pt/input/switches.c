// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/switches.h"

#include "kernel/sym/ksyms.h"

static bool is_start(const struct fargs_pt_switch *sw)
{
	return sw->from == sw->to;
}

/*
 * A switch from a task to itself is not a real switch: it reports the task in which the trace
 * begins. Events of tasks begin again for each task, without a switch from one that has ended.
 */
void fargs_pt_switches_init(struct fargs_pt_switches *sw, const struct fargs_pt_input *in,
			    const struct fargs_pt_stream *s)
{
	size_t begin = 0, end;

	*sw = (struct fargs_pt_switches){ .first = s->tid };
	if (s->cpu == UINT32_MAX)
		return;
	while (begin < in->nr_switches && in->switches[begin].cpu < s->cpu)
		begin++;
	for (end = begin; end < in->nr_switches && in->switches[end].cpu == s->cpu;)
		end++;
	if (begin < end && is_start(&in->switches[begin]))
		sw->first = in->switches[begin].to;
	while (begin < end && is_start(&in->switches[begin]) &&
	       in->switches[begin].to == sw->first)
		begin++;
	sw->all = in->switches + begin;
	sw->nr = end - begin;
	/*
	 * The first switch reports the task before it, except if that task was reaped (from is -1).
	 * In that case, keep the task from the beginning of the trace.
	 */
	if (sw->nr && sw->all[0].from >= 0 && !is_start(&sw->all[0]))
		sw->first = sw->all[0].from;
}

/* Returns whether several tasks were recorded on one CPU. */
static bool are_several(const struct fargs_pt_input *in)
{
	const struct fargs_pt_switch *sw;
	uint32_t cpu = UINT32_MAX;
	int32_t first = 0;

	for (sw = in->switches; sw < in->switches + in->nr_switches; sw++) {
		const int32_t tids[] = { sw->from, sw->to };
		size_t i;

		if (sw->cpu != cpu)
			first = 0;
		cpu = sw->cpu;
		for (i = 0; i < 2; i++) {
			/* Idle tasks execute nothing in user space. */
			if (tids[i] <= 0)
				continue;
			if (first && tids[i] != first)
				return true;
			first = tids[i];
		}
	}
	return false;
}

int fargs_pt_switches_note(struct fargs_pt_input *in)
{
	const struct fargs_pt_config *config = &in->config;

	if (!config->has_user || config->has_kernel || config->has_mtc || config->has_cyc ||
	    !are_several(in))
		return 0;
	return fargs_pt_input_add_note(in, "the trace has few times ('mtc=0'): code of a task may "
				       "be shown as that of another one on the same CPU");
}

size_t fargs_pt_switches_at(const struct fargs_pt_switches *sw, uint64_t ns)
{
	size_t low = 0, high = sw->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (sw->all[mid].ns <= ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t fargs_pt_switches_check(const struct fargs_pt_switches *sw, size_t counted, uint64_t ns)
{
	size_t at = fargs_pt_switches_at(sw, ns);

	return counted == at || counted + 1 == at ? counted : at;
}

int32_t fargs_pt_switches_task(const struct fargs_pt_switches *sw, size_t nr)
{
	if (!nr || !sw->nr)
		return sw->first;
	return sw->all[(nr < sw->nr ? nr : sw->nr) - 1].to;
}

uint64_t fargs_pt_switches_addr(const struct fargs_pt_input *in)
{
	const struct fargs_ksym *sym;

	sym = in->ksyms ? fargs_ksyms_find_only(in->ksyms, FARGS_PT_SWITCH_FUNC) : NULL;
	return sym ? sym->addr : 0;
}

/* Returns whether @sw is a whole switch, and not the first task in the trace. */
static bool is_whole_switch(const struct fargs_pt_switch *sw)
{
	return sw->half == FARGS_PT_SWITCH_WHOLE && sw->from != sw->to;
}

/*
 * Joins @half with @last, the previous switch on the same CPU (NULL: none), if they belong
 * together. Returns true if @half must be kept as a separate switch.
 */
static bool join_half(struct fargs_pt_switch *half, struct fargs_pt_switch *last)
{
	int32_t task = last ? last->to : -1;

	if (half->half == FARGS_PT_SWITCH_OUT) {
		/*
		 * No record reports the switch to half->from: assume that this task has run since
		 * the last switch.
		 */
		if (last && task != half->from)
			last->to = half->from;
		return true;
	}
	/* Join both halves: between them, untraced tasks ran, and the trace was off. */
	if (last && last->half == FARGS_PT_SWITCH_OUT && task < 0) {
		last->to = half->to;
		return false;
	}
	half->from = last ? task : half->to;
	return half->to != task;
}

/*
 * Returns whether @sw reports that the trace begins in the task from which @last, the previous
 * switch (NULL: none), switches. That task is reported if the trace begins during the switch, for
 * the cgroup of the next task.
 */
static bool is_old_start(const struct fargs_pt_switch *sw, const struct fargs_pt_switch *last)
{
	return sw->from == sw->to && last && last->from != last->to && last->to >= 0 &&
	       sw->to == last->from;
}

/*
 * Joins the halves of one CPU's switches, which begin at index @begin. Writes *@nr switches to @to.
 * Returns the index where the next CPU's switches begin.
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
		if (has_whole && is_old_start(&sw, *nr ? &to[*nr - 1] : NULL))
			continue;
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

	/* Join in place: this never increases the number of a CPU's switches. */
	while (i < in->nr_switches) {
		i = join_cpu(in, i, in->switches + nr, &nr_cpu);
		nr += nr_cpu;
	}
	in->nr_switches = nr;
}
