/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table "calls": finds calls in the branches of a trace, by the rules of perf, so that calls
 * and call paths are those of perf's databases. A stack of each task has the calls that have not
 * returned; a row is added when a call returns. Memory use: a frame for each open call, of which a
 * task has at most FARGS_PDB_DEPTH_MAX.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_CALLS_H
#define FARGS_SINK_EXPORT_PERF_DB_CALLS_H

#include <stdbool.h>

#include "base/hash.h"
#include "sink/export/perf_db/places.h"
#include "sink/export/perf_db/tasks.h"
#include "sink/export/perf_db/writer.h"

/* At this number of open calls of a task, all are closed. */
#define FARGS_PDB_DEPTH_MAX	65536

/* perf's flags of a call. */
enum fargs_pdb_call_flags {
	FARGS_PDB_NO_CALL = 1,		/* the call itself is not in the trace */
	FARGS_PDB_NO_RETURN = 2,
	FARGS_PDB_JUMP = 4,		/* the function was entered by a jump */
};

/* A branch, as the table "samples" has it. */
struct fargs_pdb_branch {
	int64_t sample;
	int64_t stack;			/* identifies the stack: fargs_task_id() */
	struct fargs_pdb_task task;
	bool is_leader;			/* the task is the first one of its process */
	uint64_t ns;
	unsigned int flags;		/* perf's */
	struct fargs_pdb_place from, to;	/* address 0: the trace begins or ends here */
	uint64_t insn_bytes;		/* size of the instruction; 0: not one that branches */
	uint64_t nr_insns, nr_cycles;
	uint64_t piece;			/* as in struct fargs_event_sample */
};

struct fargs_pdb_stack;

struct fargs_pdb_calls {
	struct fargs_pdb_writer *w;
	struct fargs_pdb_places *places;
	struct fargs_pdb_stack **stacks;
	size_t nr_stacks;
	struct fargs_hash by_id;
	int64_t nr_calls;		/* the last id */
};

/* Initialize with the writer, the places and zeroes. */
void fargs_pdb_calls_deinit(struct fargs_pdb_calls *c);
/* Takes a branch. Returns 0 or -errno. */
int fargs_pdb_calls_take(struct fargs_pdb_calls *c, const struct fargs_pdb_branch *b);
/* Adds the calls that have not returned, after the last branch. Returns 0 or -errno. */
int fargs_pdb_calls_finish(struct fargs_pdb_calls *c);

#endif
