// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/stack.h"

#include <errno.h>

#include "base/array.h"

int fargs_pdb_stack_push(struct fargs_pdb_stack *s, const struct fargs_pdb_branch *b,
			 struct fargs_pdb_frame *frame)
{
	struct fargs_pdb_frame *to = fargs_array_push(s->frames, s->nr, s->room);

	if (!to)
		return -ENOMEM;
	*to = *frame;
	to->ns = b->ns;
	to->sample = b->sample;
	to->counts = s->counts;
	return 0;
}

static void give_id(struct fargs_pdb_calls *c, struct fargs_pdb_frame *frame)
{
	if (!frame->id)
		frame->id = ++c->nr_calls;
}

int fargs_pdb_stack_pop(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s, uint64_t ns,
			int64_t sample, bool is_no_return)
{
	struct fargs_pdb_frame *frame = &s->frames[--s->nr], *parent = fargs_pdb_stack_top(s);
	int flags = (frame->has_no_call ? FARGS_PDB_NO_CALL : 0) |
		    (is_no_return ? FARGS_PDB_NO_RETURN : 0) |
		    (frame->is_jump ? FARGS_PDB_JUMP : 0);

	/* The row of the parent follows later, but this one refers to it. */
	give_id(c, frame);
	if (parent)
		give_id(c, parent);
	return fargs_pdb_row(c->w, FARGS_PDB_CALLS, (struct fargs_pdb_value []){
		FARGS_PDB_N(frame->id), FARGS_PDB_N(s->task.thread), FARGS_PDB_N(s->task.comm),
		FARGS_PDB_N(frame->path), FARGS_PDB_N(frame->ns), FARGS_PDB_N(ns),
		FARGS_PDB_N(s->counts.nr_branches - frame->counts.nr_branches),
		FARGS_PDB_N(frame->sample), FARGS_PDB_N(sample),
		FARGS_PDB_N(fargs_pdb_path(c->places, frame->path)->parent), FARGS_PDB_N(flags),
		FARGS_PDB_N(parent ? parent->id : 0),
		FARGS_PDB_N(s->counts.nr_insns - frame->counts.nr_insns),
		FARGS_PDB_N(s->counts.nr_cycles - frame->counts.nr_cycles),
	});
}

int fargs_pdb_stack_flush(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s)
{
	int ret = 0;

	while (s->nr && !ret)
		ret = fargs_pdb_stack_pop(c, s, s->last_ns, 0, true);
	return ret;
}
