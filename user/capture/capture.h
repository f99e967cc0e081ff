/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recording engine: prepares a session for a request, runs it until the command ends or a
 * signal arrives, and passes the records to a sink.
 */
#ifndef FARGS_CAPTURE_CAPTURE_H
#define FARGS_CAPTURE_CAPTURE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/error.h"
#include "capture/hooks.h"
#include "capture/request.h"
#include "model/meta.h"
#include "model/task_names.h"
#include "uapi/fargs.h"

/* There are no more records: all can be shown. */
#define FARGS_CAPTURE_END	UINT64_MAX
/*
 * Records may become readable this much later than their time: an interrupt may occur in between,
 * and on a virtual machine the CPU may be preempted for a time slice.
 */
#define FARGS_CAPTURE_LATE_NS	20000000ull

/*
 * Receiver of the records. All callbacks return 0, or -errno with the reason in @err; -EPIPE ends
 * the capture as a signal would.
 */
struct fargs_sink {
	/*
	 * Called before the first record. @meta has everything but stats, and one round of
	 * clocks. @meta and @arg outlive the capture.
	 */
	int (*begin)(void *arg, struct fargs_meta *meta, struct fargs_error_text *err);
	/* Whole records of one CPU, in order. @unread: bytes in its ring, including these. */
	int (*records)(void *arg, unsigned int cpu, const void *records, size_t bytes,
		       uint64_t unread, struct fargs_error_text *err);
	/* Event records of one CPU (model/event_record.h), in order. */
	int (*events)(void *arg, unsigned int cpu, const void *records, size_t bytes,
		      struct fargs_error_text *err);
	/*
	 * A chunk of Intel PT (source/pt/capture/sink.h), which bypasses the other callbacks.
	 * NULL: not requested.
	 */
	int (*pt)(void *arg, unsigned int kind, unsigned int cpu, const struct iovec iov[2],
		  bool is_uncompressed, struct fargs_error_text *err);
	/*
	 * Functions of modules loaded since, also in meta->funcs; called before their first
	 * record. NULL: not needed.
	 */
	int (*functions)(void *arg, const struct fargs_func *funcs, size_t nr,
			 struct fargs_error_text *err);
	/*
	 * Flight recorder only: names of the tasks of the next records, up to the next split.
	 * NULL: no flight recorder.
	 */
	int (*names)(void *arg, const struct fargs_task_name *names, size_t nr,
		     struct fargs_error_text *err);
	/* A round of clocks, meta->info.nr_cpus samples; the sink adds it to meta. */
	int (*clock)(void *arg, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err);
	/*
	 * All rings were read. Reading began after @now_tsc, and the last round of clocks was
	 * taken before it: no more records follow that are FARGS_CAPTURE_LATE_NS older than either
	 * of these, except for events from @held_ns on, which are held back until the next turn.
	 * Both are FARGS_CAPTURE_END in the last call.
	 */
	int (*drained)(void *arg, uint64_t now_tsc, uint64_t held_ns,
		       struct fargs_error_text *err);
	/*
	 * Flight recorder only: all records since the last split belong to one trigger, and
	 * unless @is_last, more may follow for the next one; meta->stats is set. NULL: the
	 * request has no is_split.
	 */
	int (*split)(void *arg, bool is_last, struct fargs_error_text *err);
	/*
	 * Returns how much was recorded, and whether that is enough: then the capture ends.
	 * Called after all rings were read.
	 */
	void (*tell)(void *arg, struct fargs_capture_taken *taken, bool *is_done);
	/* Called after the last record; meta->stats is set. */
	int (*end)(void *arg, struct fargs_error_text *err);
	/* Called instead of end if tracing could not start: removes the output. */
	void (*cancel)(void *arg);
	/*
	 * The sink waits for clocks: they are read often if the TSC alone does not determine
	 * times.
	 */
	bool is_live;
};

/*
 * Records according to @request, which must be valid (fargs_capture_request_check). Returns when
 * the recording and the command, if there is one, have ended: 0, or -errno after hooks->failed.
 * *@command_status: exit status of the command as in a shell; 0 without a command, if it continues,
 * or after a failure other than to run the command. Changes signal handling, and for
 * request->realtime the scheduling of the thread.
 */
int fargs_capture_run(const struct fargs_capture_request *request, const struct fargs_sink *sink,
		      void *sink_arg, const struct fargs_capture_hooks *hooks,
		      int *command_status);

#endif
