/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins the records of a trace file to the calls of its Intel PT trace: arguments and return values
 * of functions.
 *
 * There are two passes over the trace: the first finds the executions of the instructions that
 * allocate sequence numbers (learn.h, seq_sites.h), to match records with calls (align.h); the
 * second shows calls. Calls have the same numbers in both.
 */
#ifndef FARGS_SOURCE_PT_JOIN_JOIN_H
#define FARGS_SOURCE_PT_JOIN_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/decoder.h"
#include "source/pt/calls/time_bounds.h"
#include "source/pt/input/input.h"
#include "source/pt/join/seq_sites.h"

struct fargs_pt_join;

/* Counts of records; each record is in one of the first three. */
struct fargs_pt_join_counts {
	uint64_t joined;
	uint64_t untraced;	/* its call or its execution was not traced */
	uint64_t unmatched;	/* several calls are possible */
	uint64_t filtered;	/* not records: calls of fargs's code that allocated no number */
	uint64_t contradictions;	/* stretches of the trace in which nothing fits */
};

/* A record that was joined to a call. */
struct fargs_pt_joined {
	uint64_t node;
	const struct fargs_record *rec;
	unsigned int cpu;
	uint64_t nr_nodes;	/* calls before the record itself */
};

/*
 * Reads the records of @path, the file of @in. *@join is NULL if it is not a fargs.dat or has no
 * records. Adds tasks that only records name to @in, which must outlive the result. Returns 0 or
 * -errno with @err.
 */
int fargs_pt_join_create(struct fargs_pt_join **join, struct fargs_pt_input *in,
			 const char *path, struct fargs_error_text *err);
void fargs_pt_join_destroy(struct fargs_pt_join *j);

/* The metadata of the file; may be changed in the way a decoder does. */
struct fargs_meta *fargs_pt_join_meta(struct fargs_pt_join *j);

/* The seq sites, to which the whole trace must be reported before fargs_pt_join_run(): */
struct fargs_pt_seq_sites *fargs_pt_join_seq_sites(struct fargs_pt_join *j);
/* Joins the records. Returns 0 or -ENOMEM. */
int fargs_pt_join_run(struct fargs_pt_join *j);
const struct fargs_pt_join_counts *fargs_pt_join_counts(const struct fargs_pt_join *j);

/* Does call @node lead to fargs's own code? */
bool fargs_pt_join_is_hidden(const struct fargs_pt_join *j, uint64_t node);
/* Adds to @m the times of records at calls. Returns 0 or -ENOMEM. */
int fargs_pt_join_add_bounds(const struct fargs_pt_join *j, struct fargs_pt_bounds *m);
/*
 * The records joined to @node, entries before returns: returns their number, and the first in
 * *@first.
 */
size_t fargs_pt_join_find(const struct fargs_pt_join *j, uint64_t node,
			  const struct fargs_pt_joined **first);
/* Decodes a joined record like fargs_decoder_parse(); *@d is the decoder. */
int fargs_pt_join_decode(struct fargs_pt_join *j, const struct fargs_pt_joined *joined,
			 struct fargs_event *ev, struct fargs_decoder **d);

#endif
