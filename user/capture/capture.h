/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recording engine: prepares a session for a request, runs it until the command ends or a
 * signal arrives, and passes the records to an output.
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

/*
 * Passed in place of a time once the last record was passed on, so that the output shows all
 * records.
 */
#define FARGS_CAPTURE_END	UINT64_MAX
/*
 * Maximum time between the timestamp of a record and the time at which user space can read the
 * record: an interrupt may occur in between, and on a virtual machine the CPU may be preempted for
 * a time slice.
 */
#define FARGS_CAPTURE_LATE_NS	20000000ull

/*
 * Receiver of the records of a capture. Callbacks of type int return 0, or -errno with the reason
 * in @err. After begin(), -EPIPE ends the capture without calling end(), but is not a failure.
 */
struct fargs_capture_output {
	/*
	 * Called before the first record. @meta is complete except for stats, and contains one
	 * round of clock samples. @meta and @arg remain valid until the capture ends.
	 */
	int (*begin)(void *arg, struct fargs_meta *meta, struct fargs_error_text *err);
	/*
	 * Takes whole records of one CPU, in order. @unread: number of unread bytes in the CPU's
	 * ring, including these records.
	 */
	int (*records)(void *arg, unsigned int cpu, const void *records, size_t bytes,
		       uint64_t unread, struct fargs_error_text *err);
	/* Takes records of formatted events of one CPU (model/event_record.h), in order. */
	int (*events)(void *arg, unsigned int cpu, const void *records, size_t bytes,
		      struct fargs_error_text *err);
	/*
	 * Takes a chunk of Intel PT data (source/pt/capture/sink.h); the other callbacks do not get
	 * these data. May be NULL if Intel PT was not requested.
	 */
	int (*pt)(void *arg, unsigned int kind, unsigned int cpu, const struct iovec iov[2],
		  bool is_uncompressed, struct fargs_error_text *err);
	/*
	 * Takes functions of modules that were loaded after tracing started, before the first
	 * records of these functions. meta->funcs contains them already. May be NULL.
	 */
	int (*functions)(void *arg, const struct fargs_func *funcs, size_t nr,
			 struct fargs_error_text *err);
	/*
	 * Flight recorder only: takes the names of the tasks to which the following records belong,
	 * up to the next call of split(). May be NULL if the capture is not a flight recorder.
	 */
	int (*names)(void *arg, const struct fargs_task_name *names, size_t nr,
		     struct fargs_error_text *err);
	/*
	 * Takes a round of clock samples, one for each of meta->info.nr_cpus CPUs, and adds it to
	 * meta.
	 */
	int (*clock)(void *arg, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err);
	/*
	 * Called after each pass over all rings. @now_tsc: the TSC that the engine read before the
	 * pass, and after the last round of clock samples passed to clock(). Records of the module
	 * in later passes are at most FARGS_CAPTURE_LATE_NS older than @now_tsc. @held_ns: the
	 * earliest time of the
	 * formatted events that are held back until a later pass; FARGS_CAPTURE_END if there are
	 * none. In the last call, both arguments are FARGS_CAPTURE_END.
	 */
	int (*drained)(void *arg, uint64_t now_tsc, uint64_t held_ns,
		       struct fargs_error_text *err);
	/*
	 * Flight recorder only: ends the records of one trigger, which are all records since the
	 * last call. Unless @is_last, records of another trigger may follow. meta->stats is set.
	 * May be NULL if is_split of struct fargs_flight_request is false.
	 */
	int (*split)(void *arg, bool is_last, struct fargs_error_text *err);
	/*
	 * Called after each pass over all rings. Sets *@taken to the amount recorded so far, and
	 * *@is_done to true if that is enough, which ends the capture.
	 */
	void (*tell)(void *arg, struct fargs_capture_taken *taken, bool *is_done);
	/* Called after the last record; meta->stats is set. */
	int (*end)(void *arg, struct fargs_error_text *err);
	/* Called instead of end() if tracing could not start: removes the output. */
	void (*cancel)(void *arg);
	/*
	 * The output shows records as they arrive. If the TSC is unstable, the clocks are then read
	 * more often, since the times of new records depend on recent clocks.
	 */
	bool is_live;
};

/*
 * Records according to @request, which must be valid (fargs_capture_request_check()). Returns after
 * the recording and the command, if there is one, have ended: 0, or -errno after calling
 * hooks->failed(). *@command_status: exit status of the command, as in a shell; 0 if there is no
 * command, if the command continues, or if the recording failed. If starting the recording failed
 * but the command has ended, e.g. because it could not be run, *@command_status is its exit status.
 * Changes signal handling of the process and, if request->realtime is set, the scheduling policy of
 * the calling thread.
 */
int fargs_capture_run(const struct fargs_capture_request *request,
		      const struct fargs_capture_output *output, void *output_arg,
		      const struct fargs_capture_hooks *hooks, int *command_status);

#endif
