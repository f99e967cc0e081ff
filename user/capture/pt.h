/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records the Intel PT of a request.
 */
#ifndef FARGS_CAPTURE_PT_H
#define FARGS_CAPTURE_PT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/hooks.h"
#include "capture/request.h"
#include "source/pt/capture/pmu.h"
#include "source/pt/capture/recorder.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/terms.h"

/* Initialize with zeroes. */
struct fargs_pt {
	struct fargs_pt_pmu pmu;
	struct fargs_pt_terms terms;
	bool *cpus;
	struct fargs_pt_options options;
	struct fargs_pt_sink sink;
	struct fargs_pt_recorder *recorder;	/* NULL: not requested */
};

/* Parses the request's terms for this machine. -ENODEV: it has no Intel PT; -errno. */
int fargs_pt_choose(struct fargs_pt *pt, const struct fargs_capture_request *r,
		    struct fargs_capture_error *err);
/*
 * Bytes of the buffer of each of @nr_cpus CPUs: @asked, or if that is 0, a default. 0 if @asked
 * is invalid, with the reason in @err.
 */
uint64_t fargs_pt_aux_bytes(uint64_t asked, unsigned int nr_cpus, struct fargs_capture_error *err);
/*
 * Opens the perf events, copies the kernel's code, in this order, and enables tracing. Call when
 * all probes are attached. @meta has the CPUs, and the symbols that the file has. Chunks are
 * passed to @sink.
 */
int fargs_pt_start(struct fargs_pt *pt, const struct fargs_capture_request *r,
		   const struct fargs_meta *meta, const struct fargs_pt_sink *sink,
		   struct fargs_capture_error *err);
/*
 * Call when tracing is off: writes the counters of losses, and before these, if @has_more, the
 * contents of the buffers. -errno.
 */
int fargs_pt_finish(struct fargs_pt *pt, bool has_more, struct fargs_error_text *err);
/* Call after fargs_pt_finish(), and only if there is a recorder. @outcome points into @pt. */
void fargs_pt_sum_up(const struct fargs_pt *pt, struct fargs_pt_outcome *outcome);
void fargs_pt_deinit(struct fargs_pt *pt);

#endif
