// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/switch.h"

static void set_task(struct fargs_event_task *task, const struct fargs_perf_tasks *tasks,
		     int32_t pid, int32_t tid)
{
	*task = (struct fargs_event_task){
		.tid = tid, .tgid = pid, .comm = fargs_perf_tasks_comm(tasks, pid, tid),
	};
	task->named_ns = fargs_perf_tasks_named(tasks, pid, tid, &task->is_named_by_exec);
	/* perf names the idle task. */
	if (!task->comm && !tid)
		task->comm = "swapper";
}

bool fargs_perf_switch_read(struct fargs_recorded *to, const struct fargs_perf_body *b,
			    const struct fargs_perf_tasks *tasks)
{
	bool is_wide = b->head->type == PERF_RECORD_SWITCH_CPU_WIDE;
	struct fargs_event_switch *sw = &to->sw;

	if (!b->sample.has_task || (is_wide && b->bytes < 8))
		return false;
	*to = (struct fargs_recorded){
		.is_switch = true, .event = "switch",
		.sample = {
			.pid = b->sample.pid, .tid = b->sample.tid,
			.cpu = b->sample.has_cpu ? (int32_t)b->sample.cpu : -1,
			.ns = b->sample.has_time ? b->sample.ns : UINT64_MAX,
		},
	};
	sw->is_out = b->head->misc & PERF_RECORD_MISC_SWITCH_OUT;
	sw->is_preempted = sw->is_out && b->head->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	set_task(&sw->own, tasks, b->sample.pid, b->sample.tid);
	sw->other = (struct fargs_event_task){ .tid = -1, .tgid = -1 };
	if (is_wide)
		set_task(&sw->other, tasks, (int32_t)fargs_perf_body_u32(b, 0),
			 (int32_t)fargs_perf_body_u32(b, 4));
	to->comm = sw->own.comm;
	to->named_ns = sw->own.named_ns;
	to->is_named_by_exec = sw->own.is_named_by_exec;
	return true;
}
