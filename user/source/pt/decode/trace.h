/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A whole recording as text: all segments of all streams, decoded and written by several
 * threads, in the order of time, of the same time by stream, of the same stream in the order of
 * execution. What comes out depends on the recording and the options alone, not on the
 * number of threads.
 *
 * Of each segment first its flow is decoded; then, one after the other, what only those
 * before it tell is handed on to the next (struct fargs_pt_part); then its text is made, with
 * the time of each line; and the texts are merged. A switch of tasks has the time of its
 * record, and nothing that comes after it on that CPU is older.
 */
#ifndef FARGS_PT_TRACE_H
#define FARGS_PT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "source/pt/decode/flow.h"
#include "source/pt/input/input.h"
#include "source/pt/decode/recount.h"
#include "source/pt/input/switches.h"
#include "base/error.h"
#include "base/pool.h"

/* Up to there it is of this time: the text or, if there is none, the items of the flow. */
struct fargs_pt_mark {
	uint64_t tsc;
	size_t end;
};

/* A segment on its way. */
struct fargs_pt_part {
	const struct fargs_pt_segment *seg;
	const struct fargs_pt_switches *switches;	/* of its CPU */
	struct fargs_pt_flow flow;
	/* From what is in front of it: */
	struct fargs_pt_recounts switched;	/* how many of these were executed, and when */
	uint64_t nr_insns;		/* executed, as far as the trace tells */
	uint64_t nr_cycles;		/* of its CPU, if they are counted */
	bool is_broken_off;		/* the flow before it ends with an error */
	/* What the view makes of it: */
	struct fargs_buf text;
	struct fargs_pt_mark *marks;	/* rising */
	size_t nr_marks;
	int ret;
};

struct fargs_pt_trace_options {
	unsigned int nr_threads;	/* 1 to FARGS_POOL_MAX */
	uint64_t segment_bytes;		/* 0: as usual */
	bool is_one_cpu;
	uint32_t cpu;
	bool is_by_insn;		/* each instruction is an item */
	bool has_cycles;		/* they are counted */
};

/* What makes text of parts: either of both. */
struct fargs_pt_view {
	void *arg;
	/* Jumps are wanted only to where one of these begins; NULL: all are. */
	const struct fargs_pt_names *begins;
	/*
	 * Makes text of @part, with marks, where each line hangs on what is in the part alone.
	 * Any number at a time; @thread as of struct fargs_job. -ENOMEM.
	 */
	int (*write)(void *arg, struct fargs_pt_part *part, unsigned int thread);
	/*
	 * Adds text of @part's items from @begin to @end to @out, where lines hang on what all
	 * CPUs did before. Called in the order of time. -errno, which ends the trace.
	 */
	int (*take)(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		    struct fargs_buf *out);
};

/* Takes whole lines. 0, or what ends the trace. */
typedef int (*fargs_pt_trace_fn)(void *arg, const char *text, size_t bytes);

/* 0; what @fn returned; -errno with @err. */
int fargs_pt_trace_run(const struct fargs_pt_input *in,
		       const struct fargs_pt_trace_options *options,
		       const struct fargs_pt_view *view, fargs_pt_trace_fn fn, void *arg,
		       struct fargs_error_text *err);

/* For a view: what it added to @part's text since the last time is of that time. -ENOMEM. */
int fargs_pt_part_mark(struct fargs_pt_part *part, uint64_t tsc);

#endif
