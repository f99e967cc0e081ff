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
