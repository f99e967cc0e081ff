/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records Intel PT for a request.
 */
#ifndef FARGS_CAPTURE_PT_H
#define FARGS_CAPTURE_PT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/hooks.h"
#include "capture/pt_tasks.h"
#include "capture/request.h"
#include "source/perf_event/selection.h"
#include "source/pt/capture/filter.h"
#include "source/pt/capture/pmu.h"
#include "source/pt/capture/recorder.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/terms.h"

/* Initialize with zeroes. */
struct fargs_pt {
	struct fargs_pt_pmu pmu;
	struct fargs_pt_terms terms;
	struct fargs_event_selection pause, resume;	/* events that pause or resume the trace */
	struct fargs_pt_action *actions;	/* the same, and the names in @action_names */
	char (*action_names)[128];
	struct fargs_pt_sampler *samplers;	/* those of @options */
	struct fargs_pt_filters filters;
	char *filter;		/* what the kernel gets; NULL: no filters */
	bool *cpus;
	struct fargs_pt_task_choice tasks;
	struct fargs_pt_options options;
	struct fargs_pt_sink sink;
	struct fargs_pt_recorder *recorder;	/* NULL: Intel PT was not requested */
};

/*
 * Parses the request's Intel PT terms for this machine. Returns 0 or -errno; -ENODEV: the machine
 * has no Intel PT.
 */
int fargs_pt_choose(struct fargs_pt *pt, const struct fargs_capture_request *r,
		    struct fargs_capture_error *err);
/*
 * Sets *@aux_bytes to the size of the AUX buffer of each of @nr_cpus CPUs, and *@snapshot_bytes to
 * the maximum size of a snapshot. Whichever the request does not give follows from the other one;
 * without either, the buffer has a default size. Returns 0 or -errno.
 */
int fargs_pt_sizes(const struct fargs_capture_request *r, unsigned int nr_cpus,
		   uint64_t *aux_bytes, uint64_t *snapshot_bytes, struct fargs_capture_error *err);
/*
 * Opens the perf events, then copies the kernel's code, then enables tracing. Call after all probes
 * were attached. @command: pid of the request's command. @meta contains the number of CPUs, and
 * the symbols that are stored in the file. Chunks of Intel PT data are passed to @sink, notes to
 * @hooks. Returns 0 or -errno.
 */
int fargs_pt_start(struct fargs_pt *pt, const struct fargs_capture_request *r,
		   pid_t command, const struct fargs_meta *meta, const struct fargs_pt_sink *sink,
		   const struct fargs_capture_hooks *hooks, struct fargs_capture_error *err);
/*
 * Call when tracing is off. If @has_more, first writes the remaining contents of the buffers; then
 * writes the counters of losses. Returns 0 or -errno.
 */
int fargs_pt_finish(struct fargs_pt *pt, bool has_more, struct fargs_error_text *err);
/*
 * Fills @outcome, which points into @pt. Call after fargs_pt_finish(), and only if @pt->recorder is
 * not NULL.
 */
void fargs_pt_sum_up(const struct fargs_pt *pt, struct fargs_pt_outcome *outcome);
void fargs_pt_deinit(struct fargs_pt *pt);

#endif
