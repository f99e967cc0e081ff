/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The open calls of a task, for calls.c.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_STACK_H
#define FARGS_SINK_EXPORT_PERF_DB_STACK_H

#include "sink/export/perf_db/calls.h"

struct fargs_pdb_counts {
	uint64_t nr_branches, nr_insns, nr_cycles;
};

/* An open call. */
struct fargs_pdb_frame {
	int64_t id;			/* 0: not yet needed */
	int64_t path;
	uint64_t return_addr;		/* 0: none */
	uint64_t ns;
	int64_t sample;			/* the branch that made the call */
	struct fargs_pdb_counts counts;	/* of the stack at the call */
	bool has_no_call;
	bool ends_trace;
	bool is_jump;
};

struct fargs_pdb_stack {
	int64_t id;
	struct fargs_pdb_task task;
	struct fargs_pdb_frame *frames;	/* outermost first */
	size_t nr, room;
	struct fargs_pdb_counts counts;	/* of the task */
	uint64_t last_ns;
	uint64_t piece;
	/* The last branch was a call into the middle of its own function, as retpolines make it. */
	bool is_retpoline;
};

/* Opens a call that @b shows. Sets the rest of @frame. Returns 0 or -errno. */
int fargs_pdb_stack_push(struct fargs_pdb_stack *s, const struct fargs_pdb_branch *b,
			 struct fargs_pdb_frame *frame);
/*
 * Closes the innermost call, and adds its row: @sample at @ns shows the return, unless there
 * @is_no_return. Returns 0 or -errno.
 */
int fargs_pdb_stack_pop(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s, uint64_t ns,
			int64_t sample, bool is_no_return);
/* Closes all calls, which have not returned. Returns 0 or -errno. */
int fargs_pdb_stack_flush(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s);

static inline struct fargs_pdb_frame *fargs_pdb_stack_top(const struct fargs_pdb_stack *s)
{
	return s->nr ? &s->frames[s->nr - 1] : NULL;
}

#endif
