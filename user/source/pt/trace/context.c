// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/context.h"

#include <stdio.h>

#include "base/row.h"
#include "source/pt/input/switches.h"

void fargs_pt_context_set(struct fargs_pt_context *c, const struct fargs_pt_part *part,
			  size_t nr_switched, uint64_t tsc)
{
	c->stream = part->seg->stream;
	c->has_time = c->in->config.has_time && tsc;
	c->ns = fargs_pt_input_ns(&c->in->config, tsc);
	c->tid = fargs_pt_switches_task(part->switches, nr_switched);
	c->comm = NULL;
}

bool fargs_pt_context_guest_task(const struct fargs_pt_context *c,
				 struct fargs_pt_guest_task *task)
{
	return c->is_guest && fargs_pt_guests_task(c->in, c->tid, c->ns, task);
}

int32_t fargs_pt_context_tid(const struct fargs_pt_context *c)
{
	struct fargs_pt_guest_task task;

	return fargs_pt_context_guest_task(c, &task) ? task.tid : c->tid;
}

/* Returns the name of the guest's task; NULL: unknown. */
static const char *guest_comm(struct fargs_pt_context *c)
{
	struct fargs_pt_guest_task task;
	const char *comm;

	if (!fargs_pt_context_guest_task(c, &task))
		return NULL;
	comm = fargs_pt_input_comm(&task.guest->in, task.tid, c->ns);
	if (comm || !task.tid)
		return comm ? comm : "swapper";
	snprintf(c->unknown, sizeof(c->unknown), ":%d", (int)task.tid);
	return c->unknown;
}

const char *fargs_pt_context_comm(struct fargs_pt_context *c)
{
	int32_t pid;

	if (!c->comm && c->is_guest)
		c->comm = guest_comm(c);
	/*
	 * Without records of the guest, what its task is called is unknown. As in perf, it has the
	 * host's number.
	 */
	if (!c->comm && c->is_guest && fargs_row(E5)) {
		pid = c->in->has_guest_code ? fargs_pt_input_pid(c->in, c->tid, c->ns) : -1;
		if (pid > 0)
			snprintf(c->unknown, sizeof(c->unknown), "[guest/%d]", (int)pid);
		else
			snprintf(c->unknown, sizeof(c->unknown), ":%d", (int)c->tid);
		c->comm = c->unknown;
	}
	if (!c->comm)
		c->comm = fargs_pt_input_comm(c->in, c->tid, c->ns);
	if (!c->comm)
		c->comm = c->tid ? ":-1" : "swapper";
	return c->comm;
}
