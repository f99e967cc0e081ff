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

const char *fargs_pt_context_comm(struct fargs_pt_context *c)
{
	int32_t pid;

	/* What a task of a guest is called is unknown. As in perf, it has the host's number. */
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
