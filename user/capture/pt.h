/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the options to the recording of Intel PT, and into the trace file.
 */
#ifndef FARGS_PT_H
#define FARGS_PT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/capture.h"
#include "source/pt/capture/pmu.h"
#include "source/pt/capture/recorder.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/terms.h"

/* Begins with zeroes. */
struct fargs_pt {
	struct fargs_pt_pmu pmu;
	struct fargs_pt_terms terms;
	bool *cpus;
	struct fargs_pt_options options;
	struct fargs_pt_sink sink;
	struct fargs_pt_recorder *recorder;	/* NULL: it was not asked for */
};

/* Do options contradict each other? Needs nothing of the machine. -errno with the reason. */
int fargs_pt_check(const struct fargs_capture_options *o, struct fargs_error_text *err);
/* Understands --pt by what the machine has. -ENODEV: it has no Intel PT; -errno. */
int fargs_pt_choose(struct fargs_pt *pt, const struct fargs_capture_options *o,
		    struct fargs_error_text *err);
/*
 * Opens the events and copies the code, in this order, and turns the trace on: after the
 * probes. @meta has CPUs, and the symbols that the file has. Chunks go to @sink.
 */
int fargs_pt_start(struct fargs_pt *pt, const struct fargs_capture_options *o,
		   const struct fargs_meta *meta, const struct fargs_pt_sink *sink,
		   struct fargs_error_text *err);
/*
 * When the trace is off: writes what was lost, and before that, if @has_more, what is in the
 * buffers. -errno.
 */
int fargs_pt_finish(struct fargs_pt *pt, bool has_more, struct fargs_error_text *err);
/* Prints what was recorded, and what is missing. */
void fargs_pt_tell(const struct fargs_pt *pt);
void fargs_pt_deinit(struct fargs_pt *pt);

#endif
