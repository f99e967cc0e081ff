/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU, time and task of items of the flow, cached since many consecutive items share them.
 */
#ifndef FARGS_SOURCE_PT_TRACE_CONTEXT_H
#define FARGS_SOURCE_PT_TRACE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/guests.h"
#include "source/pt/input/input.h"
#include "source/pt/input/spaces.h"
#include "source/pt/trace/trace.h"

struct fargs_pt_context {
	const struct fargs_pt_input *in;	/* set by the caller */
	const struct fargs_pt_stream *stream;
	bool has_time;
	uint64_t ns;			/* time on the perf clock; valid only if @has_time */
	int32_t tid;			/* -1: unknown */
	bool is_guest;			/* the task is a guest; set by the caller */
	const char *comm;		/* name of task @tid; NULL: not looked up yet */
	char unknown[24];		/* ":TID" or "[guest/PID]", for a guest's task */
	struct fargs_pt_task_space space;	/* see fargs_pt_context_space() */
};

/* Sets @c for an item of @part with the time @tsc, after @nr_switched task switches on its CPU. */
void fargs_pt_context_set(struct fargs_pt_context *c, const struct fargs_pt_part *part,
			  size_t nr_switched, uint64_t tsc);

/* Returns the space of task c->tid at c->ns (index in in->spaces); -1: none. */
static inline int32_t fargs_pt_context_space(struct fargs_pt_context *c)
{
	if (__builtin_expect(c->is_guest, 0))
		return fargs_pt_guests_task_space(c->in, c->tid, c->ns);
	return fargs_pt_task_space(c->in, &c->space, c->tid, c->ns);
}

/* Takes the VM entry or exit @item: what follows is executed by a guest, or by the host. */
static inline void fargs_pt_context_take_vm(struct fargs_pt_context *c,
					    const struct fargs_pt_item *item)
{
	c->is_guest = item->flags & FARGS_PT_IN_GUEST;
}

/*
 * Finds the task of the guest that c->tid executes. Returns false if it is not a guest, or the
 * task is unknown.
 */
bool fargs_pt_context_guest_task(const struct fargs_pt_context *c,
				 struct fargs_pt_guest_task *task);

/* Returns the number of the task to be shown: that of the guest, if it is known, or else c->tid. */
int32_t fargs_pt_context_tid(const struct fargs_pt_context *c);

/* Returns the name of task c->tid at c->ns; ":-1" if unknown. Valid until @c is set again. */
const char *fargs_pt_context_comm(struct fargs_pt_context *c);

#endif
