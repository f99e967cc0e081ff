/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins the records of a trace file to the calls of its Intel PT trace, or of another one:
 * arguments and return values of functions.
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

/* The guest whose records are joined, in the trace of its host. */
struct fargs_pt_join_guest {
	size_t guest;		/* index in in->guests */
	/*
	 * Of its TSC, as in struct fargs_pt_vmcs. Without them, records are joined by their order.
	 */
	bool has_tsc;
	uint64_t offset, ratio;
};

/* Each record is counted in one of @joined, @untraced and @unmatched. */
struct fargs_pt_join_counts {
	uint64_t joined;
	uint64_t untraced;	/* number of records of untraced calls, executions or CPUs */
	uint64_t unmatched;	/* number of records for which several calls are possible */
	uint64_t filtered;	/* number of calls of fargs's code that allocated no number */
	uint64_t contradictions;	/* number of parts of the trace that contradict records */
};

/* A record that was joined to a call. */
struct fargs_pt_joined {
	uint64_t node;
	const struct fargs_record *rec;
	unsigned int cpu;
	uint64_t nr_nodes;	/* number of calls on all CPUs before the record was written */
};

/*
 * Reads the records of @path: of the machine of @in, for instance the file from which @in was read;
 * or, if @guest is not NULL, of this guest. *@join is NULL if the file is not a fargs.dat or has no
 * records. Adds tasks to @in that are known only from records. @in must outlive *@join. Returns 0
 * or -errno with @err.
 */
int fargs_pt_join_create(struct fargs_pt_join **join, struct fargs_pt_input *in,
			 const char *path, const struct fargs_pt_join_guest *guest,
			 struct fargs_error_text *err);
void fargs_pt_join_destroy(struct fargs_pt_join *j);

/*
 * Returns the metadata of the file. It is not const, so that the caller can pass it to functions
 * such as fargs_filter_create().
 */
struct fargs_meta *fargs_pt_join_meta(struct fargs_pt_join *j);

/*
 * Returns the seq sites. The whole trace must be reported to them, with fargs_pt_seq_sites_take()
 * and fargs_pt_seq_sites_hole(), before fargs_pt_join_run().
 */
struct fargs_pt_seq_sites *fargs_pt_join_seq_sites(struct fargs_pt_join *j);
/* Returns the guest whose records are joined; NULL: they are of the machine that was traced. */
const struct fargs_pt_join_guest *fargs_pt_join_guest(const struct fargs_pt_join *j);
/* Which executions are of the CPU @cpu of the guest is not known: its records are not joined. */
void fargs_pt_join_give_up(struct fargs_pt_join *j, unsigned int cpu);
/* Joins the records. Returns 0 or -ENOMEM. */
int fargs_pt_join_run(struct fargs_pt_join *j);
const struct fargs_pt_join_counts *fargs_pt_join_counts(const struct fargs_pt_join *j);

/* Returns whether call number @node enters fargs's own code. */
bool fargs_pt_join_is_hidden(const struct fargs_pt_join *j, uint64_t node);
/* Adds the times of joined records to @m. Returns 0 or -ENOMEM. */
int fargs_pt_join_add_bounds(const struct fargs_pt_join *j, struct fargs_pt_bounds *m);
/*
 * Finds the records joined to call number @node, entries before returns. Returns their number;
 * *@first is the first record.
 */
size_t fargs_pt_join_find(const struct fargs_pt_join *j, uint64_t node,
			  const struct fargs_pt_joined **first);
/* Decodes a joined record like fargs_decoder_parse(). Sets *@d to the decoder that was used. */
int fargs_pt_join_decode(struct fargs_pt_join *j, const struct fargs_pt_joined *joined,
			 struct fargs_event *ev, struct fargs_decoder **d);

#endif
