/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What trace and record do alike: prepare a session, run it for as long as a
 * command runs or until a signal, and hand the records on.
 */
#ifndef FARGS_CAPTURE_H
#define FARGS_CAPTURE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "cmd/options/capture.h"
#include "model/meta.h"
#include "model/task_names.h"
#include "cmd/screen/progress.h"
#include "uapi/fargs.h"
#include "base/error.h"

/* No record will come: all of them may be shown. */
#define FARGS_CAPTURE_END	UINT64_MAX
/*
 * A record is dated before it can be read: an interrupt may come between, and on
 * a virtual machine the CPU itself may be away for a time slice.
 */
#define FARGS_CAPTURE_LATE_NS	20000000ull

/*
 * Where the records go. All return 0 or -errno with the reason in @err; -EPIPE
 * ends the capture as if it had been asked for.
 */
struct fargs_sink {
	/*
	 * Before the first record; @meta holds all but stats, and one round of clocks.
	 * Both outlive the capture.
	 */
	int (*begin)(void *arg, const struct fargs_capture_options *options,
		     struct fargs_meta *meta, struct fargs_error_text *err);
	/* Whole records of one CPU, in their order; @unread: bytes in its ring, with these. */
	int (*records)(void *arg, unsigned int cpu, const void *records, size_t bytes,
		       uint64_t unread, struct fargs_error_text *err);
	/* Records of the events of one CPU (ring/event_record.h), in their order. */
	int (*events)(void *arg, unsigned int cpu, const void *records, size_t bytes,
		      struct fargs_error_text *err);
	/*
	 * A chunk of Intel PT (pt/sink.h), on its own way to the file. NULL: --pt is not for it.
	 */
	int (*pt)(void *arg, unsigned int kind, unsigned int cpu, const struct iovec iov[2],
		  bool is_late, struct fargs_error_text *err);
	/*
	 * Functions that came with their module since, in meta->funcs as well; before
	 * their first record. NULL: nothing is to be done.
	 */
	int (*functions)(void *arg, const struct fargs_func *funcs, size_t nr,
			 struct fargs_error_text *err);
	/*
	 * Of the flight recorder: what the tasks were called whose records come next, until
	 * the next split. NULL: there is none.
	 */
	int (*names)(void *arg, const struct fargs_task_name *names, size_t nr,
		     struct fargs_error_text *err);
	/* A round of clocks, meta->info.nr_cpus samples; the sink adds it to meta. */
	int (*clock)(void *arg, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err);
	/*
	 * All rings were read. At @now_tsc that had not begun, and the last round of clocks
	 * had been taken: what is FARGS_CAPTURE_LATE_NS older than either will not come any
	 * more, but for events from @held_ns on, which wait for the next turn. The last call
	 * has FARGS_CAPTURE_END for both.
	 */
	int (*drained)(void *arg, uint64_t now_tsc, uint64_t held_ns,
		       struct fargs_error_text *err);
	/*
	 * Of the flight recorder: what was handed over belongs to one trigger, and unless it
	 * @is_last more may come for the next one; meta->stats is there. NULL: --split is not
	 * for it.
	 */
	int (*split)(void *arg, bool is_last, struct fargs_error_text *err);
	/*
	 * For the status line; and is it all that was wanted? Then the capture ends. Asked when
	 * all rings were read.
	 */
	void (*tell)(void *arg, struct fargs_progress_taken *taken, bool *is_done);
	/* After the last record; meta->stats is there. */
	int (*end)(void *arg, struct fargs_error_text *err);
	/* Instead, if tracing could not start: nothing is to be left behind. */
	void (*cancel)(void *arg);
	/* It has all of the terminal: no status line. */
	bool has_screen;
	/* It waits for clocks, where the TSC alone does not tell the time: often, then. */
	bool is_live;
};

/*
 * Does all of it, prints what went wrong or was lost, and returns the exit status
 * of the program: that of the command, if there was one.
 */
int fargs_capture_run(const struct fargs_capture_options *options, const struct fargs_sink *sink,
		      void *arg);

#endif
