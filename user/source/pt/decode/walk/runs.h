/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Remembers runs: what is executed from a node on, if the next bits of a TNT are these. Code often
 * takes the same way again, which is then not walked node by node. A run ends at the target of the
 * branch that uses its last bit. It contains direct branches, and compressed returns, if the call
 * they return to is the one that was expected.
 */
#ifndef FARGS_SOURCE_PT_DECODE_WALK_RUNS_H
#define FARGS_SOURCE_PT_DECODE_WALK_RUNS_H

#include <stdint.h>

#include "source/pt/code/graph.h"

struct fargs_pt_walker;
struct fargs_pt_runs;

/*
 * Makes memory for the runs of a walker. *@nr_changes: see struct fargs_pt_graph_options. Returns
 * NULL if out of memory.
 */
struct fargs_pt_runs *fargs_pt_runs_create(const uint64_t *nr_changes);
void fargs_pt_runs_destroy(struct fargs_pt_runs *r);

/*
 * Executes the run at @node by the pending bits of @w, of which at least one is there. Returns the
 * next node; NULL if there is no run: then nothing was done.
 */
struct fargs_pt_node *fargs_pt_runs_walk(struct fargs_pt_runs *r, struct fargs_pt_walker *w,
					 struct fargs_pt_node *node);

#endif
