// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/run.h"

#include <string.h>

/* Sets the task of @run, which is that of a guest, if it is known. */
static void set_task(struct fargs_run *run, const struct fargs_pt_context *c)
{
	const struct fargs_pt_input *in = c->in;
	struct fargs_pt_guest_task task;
	int32_t tid = c->tid;

	if (fargs_pt_context_guest_task(c, &task)) {
		in = &task.guest->in;
		tid = task.tid;
		run->machine_pid = task.guest->pid;
		run->vcpu = task.vcpu;
	}
	run->task.tid = tid;
	run->task.tgid = fargs_pt_input_pid(in, tid, c->ns);
	run->named_ns = fargs_pt_input_named(in, tid, c->ns, &run->is_named_by_exec);
}

/* Is the task of the guest the same as in @run? */
static bool is_same_guest(const struct fargs_run *run, const struct fargs_pt_context *c)
{
	struct fargs_pt_guest_task task;

	if (!c->is_guest)
		return true;
	if (!fargs_pt_context_guest_task(c, &task))
		return !run->machine_pid;
	return run->machine_pid == task.guest->pid && run->task.tid == task.tid;
}

uint16_t fargs_pt_run_of(struct fargs_batch *batch, struct fargs_pt_context *c)
{
	unsigned int cpu = c->stream->cpu == UINT32_MAX ? 0 : c->stream->cpu;
	const char *comm = fargs_pt_context_comm(c);
	struct fargs_run *run;

	if (batch->nr_runs) {
		run = &batch->runs[batch->nr_runs - 1];
		if (run->cpu == cpu && run->host_tid == c->tid && run->is_guest == c->is_guest &&
		    !strncmp(run->task.comm, comm, FARGS_COMM_LEN) && is_same_guest(run, c))
			return batch->nr_runs - 1;
	}
	run = &batch->runs[batch->nr_runs++];
	*run = (struct fargs_run){
		.cpu = cpu, .has_task = true, .is_guest = c->is_guest, .host_tid = c->tid,
	};
	set_task(run, c);
	memcpy(run->task.comm, comm, strnlen(comm, FARGS_COMM_LEN));
	return batch->nr_runs - 1;
}
