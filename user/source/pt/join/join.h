/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a trace file on the calls of its Intel PT trace: what a function was called
 * with, and what it returned.
 *
 * The trace is gone through twice: first to learn which executions there were (sites.h), by
 * which the records find their calls (align.h); then calls are shown. Both times they have the
 * same numbers.
 */
#ifndef FARGS_PT_JOIN_H
#define FARGS_PT_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/decoder.h"
#include "source/pt/input/input.h"
#include "source/pt/join/sites.h"
#include "base/error.h"

struct fargs_pt_join;

/* Of each record that may be on a call of the trace one. */
struct fargs_pt_join_counts {
	uint64_t joined;
	uint64_t untraced;	/* its call was not traced, or not its execution */
	uint64_t unmatched;	/* several calls may be the one */
	uint64_t filtered;	/* none: calls of our code that took no number */
	uint64_t contradictions;	/* stretches of the trace in which nothing fits */
};

/* A record that has found its call. */
struct fargs_pt_joined {
	uint64_t node;
	const struct fargs_record *rec;
	unsigned int cpu;
	uint64_t nr_nodes;	/* calls in front of the record itself */
};

/*
 * Reads the records of @path, the file of @in; 0 and *@join NULL if that is not one of fargs, or
 * has no records. @in learns the tasks that only these name, and must outlive it. -errno with @err.
 */
int fargs_pt_join_create(struct fargs_pt_join **join, struct fargs_pt_input *in,
			 const char *path, struct fargs_error_text *err);
void fargs_pt_join_destroy(struct fargs_pt_join *j);

/* What is known beside the records of the file; may be changed as a decoder does it. */
struct fargs_meta *fargs_pt_join_meta(struct fargs_pt_join *j);

/* To be told of all of the trace, before: */
struct fargs_pt_sites *fargs_pt_join_sites(struct fargs_pt_join *j);
/* Joins. -ENOMEM. */
int fargs_pt_join_run(struct fargs_pt_join *j);
const struct fargs_pt_join_counts *fargs_pt_join_counts(const struct fargs_pt_join *j);

/* Is it our own code that call @node leads to? */
bool fargs_pt_join_is_hidden(const struct fargs_pt_join *j, uint64_t node);
/* All that were joined, by node. */
size_t fargs_pt_join_all(const struct fargs_pt_join *j, const struct fargs_pt_joined **all);
/* The records on @node, calls before returns: how many, in *@first. */
size_t fargs_pt_join_find(const struct fargs_pt_join *j, uint64_t node,
			  const struct fargs_pt_joined **first);
/* Their values: as of fargs_decoder_parse; the decoder in *@d. */
int fargs_pt_join_decode(struct fargs_pt_join *j, const struct fargs_pt_joined *joined,
			 struct fargs_event *ev, struct fargs_decoder **d);

#endif
