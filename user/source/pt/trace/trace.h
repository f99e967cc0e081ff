/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints a whole recording: all segments of all streams, decoded and written by several threads.
 * Lines are sorted by time. Lines with equal times are sorted by stream, and within a stream they
 * are in order of execution. The result depends only on the recording and the options, not on the
 * number of threads.
 *
 * First, the flow of each segment is decoded. Then state is handed from each segment of a stream to
 * the next (struct fargs_pt_part). Then each segment's text is written, with the time of each line,
 * and the texts are merged by time. A task switch gets the time of its record, and items after the
 * switch on the same CPU get no earlier time.
 */
#ifndef FARGS_SOURCE_PT_TRACE_TRACE_H
#define FARGS_SOURCE_PT_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/id_set.h"
#include "base/pool.h"
#include "base/row.h"
#include "source/pt/decode/flow.h"
#include "source/pt/decode/switch_resync.h"
#include "source/pt/input/input.h"
#include "source/pt/input/switches.h"
#include "source/pt/trace/decoder.h"

/*
 * All text from the previous mark to this one has the time @tsc. @end: offset of this mark in the
 * part's text or, for a view with @take, index of an item.
 */
struct fargs_pt_mark {
	uint64_t tsc;
	size_t end;
};

/* Items from @begin to @end (exclusive) whose time was @tsc before it was adjusted to a record. */
struct fargs_pt_raised {
	uint64_t tsc;
	size_t begin, end;
};

/* A segment that is being decoded or written. */
struct fargs_pt_part {
	const struct fargs_pt_segment *seg;
	const struct fargs_pt_switches *switches;	/* task switches of the segment's CPU */
	struct fargs_pt_flow flow;
	/* The following members depend on the segments before this one. */
	struct fargs_pt_switch_resyncs switched;	/* task switches before and in the flow */
	uint64_t nr_insns;		/* number of traced instructions before this part */
	uint64_t nr_cycles;		/* number of cycles before this part, if counted */
	bool is_broken_off;		/* the flow of the previous part ends with an error */
	/* The following members are the output of the view. */
	struct fargs_buf text;
	struct fargs_pt_mark *marks;	/* sorted */
	size_t nr_marks, marks_room;
	struct fargs_pt_raised *raised;	/* sorted */
	size_t nr_raised, raised_room;
	int ret;
};

struct fargs_pt_trace_options {
	unsigned int nr_threads;	/* 1 to FARGS_POOL_MAX */
	uint64_t segment_bytes;		/* 0: default */
	const struct fargs_id_set *cpus;	/* only these; NULL or an empty set: all */
	bool is_by_insn;		/* add items for instructions */
	/* With @is_by_insn: the items describe the branch at their end. */
	bool has_ends;
	bool has_cycles;		/* count cycles */
	enum fargs_pt_quick_level quick;	/* other than NOT: packets alone are decoded */
	uint8_t wants;			/* enum fargs_pt_wants */
	enum fargs_pt_engine engine;
};

/* Converts parts to text. Exactly one of @write and @take must be set. */
struct fargs_pt_view {
	void *arg;
	/*
	 * The view needs only jumps to the beginning of one of these functions; NULL: it needs all
	 * jumps.
	 */
	const struct fargs_pt_names *begins;
	bool omits_jumps;		/* the view needs no jumps at all; only without @begins */
	/*
	 * For views whose lines depend only on their part: writes the text and marks of @part.
	 * Called concurrently; @thread as in struct fargs_job. Returns 0 or -ENOMEM.
	 */
	int (*write)(void *arg, struct fargs_pt_part *part, unsigned int thread);
	/*
	 * For views whose lines depend on earlier items of all CPUs: appends the text of @part's
	 * items from @begin to @end (exclusive) to @out. Called in order of time. Returns 0, or
	 * -errno, which ends fargs_pt_trace_run().
	 */
	int (*take)(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		    struct fargs_buf *out);
};

/* Called with one or more complete lines. A nonzero result ends fargs_pt_trace_run(). */
typedef int (*fargs_pt_trace_fn)(void *arg, const char *text, size_t bytes);

/* Returns 0, the nonzero result of @fn, or -errno with @err. */
int fargs_pt_trace_run(const struct fargs_pt_input *in,
		       const struct fargs_pt_trace_options *options,
		       const struct fargs_pt_view *view, fargs_pt_trace_fn fn, void *arg,
		       struct fargs_error_text *err);

/*
 * Returns the time of the last packet before item @i of @part that has a time: the item itself has
 * a later one after a task switch.
 */
uint64_t fargs_pt_part_packet_tsc(const struct fargs_pt_part *part, size_t i);

/*
 * Returns the level at which a trace is decoded if @wanted is asked for: without TNT packets, the
 * code cannot be followed.
 */
static inline enum fargs_pt_quick_level fargs_pt_trace_quick(const struct fargs_pt_input *in,
							     enum fargs_pt_quick_level wanted)
{
	return wanted == FARGS_PT_QUICK_NOT && in->config.has_no_tnt &&
	       fargs_row(G3) ? FARGS_PT_QUICK_ADDRESSES : wanted;
}

/* For views: sets the time of the text added to @part since the last call. Returns 0 or -ENOMEM. */
int fargs_pt_part_mark(struct fargs_pt_part *part, uint64_t tsc);

#endif
