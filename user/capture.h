/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What trace and record do alike: prepare a session, run it for as long as a
 * command runs or until a signal, and hand the records on.
 */
#ifndef FARGS_CAPTURE_H
#define FARGS_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#include "capture_options.h"
#include "decode/meta.h"
#include "uapi/fargs.h"
#include "util/error.h"

/* No record with a smaller time will come: all of them may be shown. */
#define FARGS_CAPTURE_END	UINT64_MAX

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
	/* Whole records of one CPU, in their order. */
	int (*records)(void *arg, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err);
	/* A round of clocks, meta->info.nr_cpus samples; the sink adds it to meta. */
	int (*clock)(void *arg, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err);
	/*
	 * All rings were read; records older than @safe_tsc will not come any more.
	 * The last call has FARGS_CAPTURE_END.
	 */
	int (*drained)(void *arg, uint64_t safe_tsc, struct fargs_error_text *err);
	/* After the last record; meta->stats is there. */
	int (*end)(void *arg, struct fargs_error_text *err);
	/* Instead, if tracing could not start: nothing is to be left behind. */
	void (*cancel)(void *arg);
};

/*
 * Does all of it, prints what went wrong or was lost, and returns the exit status
 * of the program: that of the command, if there was one.
 */
int fargs_capture_run(const struct fargs_capture_options *options, const struct fargs_sink *sink,
		      void *arg);

#endif
