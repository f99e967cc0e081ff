/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of a perf.data file as a source. The values of a sample are the arguments of its
 * event: ip, symbol, dso, addr and period, named as in perf script. Values that are not in the file
 * are left out.
 */
#ifndef FARGS_SOURCE_PERF_DATA_PERF_DATA_H
#define FARGS_SOURCE_PERF_DATA_PERF_DATA_H

#include "model/event.h"
#include "source/perf_data/recording.h"
#include "source/source.h"

/*
 * Initializes @meta, which the caller frees after the source. @recording must outlive the source.
 * Returns NULL with @err on error. The data of an item is its struct fargs_recorded.
 */
struct fargs_event_source *fargs_perf_data_create(struct fargs_recording *recording,
					    struct fargs_meta *meta, struct fargs_error_text *err);
/*
 * Before the source runs: @add may set the call chain and the last branches of the event @ev of the
 * sample number @nr of the file, in the order of time, from 0. They are shown in text, too.
 */
void fargs_perf_data_set_adder(struct fargs_event_source *source,
			       void (*add)(void *arg, uint64_t nr, struct fargs_event *ev),
			       void *arg);

/*
 * For a source that has other events, too, and does not run this one. The first function reads the
 * next sample, if none is waiting, and sets *@ns to its time (0: unknown); call it only while no
 * sample is in use. Returns 1, 0 at the end, or -errno with @err. The second one makes the sample
 * that is waiting the only item of @batch.
 */
int fargs_perf_data_read(struct fargs_event_source *source, uint64_t *ns,
			 struct fargs_error_text *err);
void fargs_perf_data_fill(struct fargs_event_source *source, struct fargs_batch *batch);
void fargs_perf_data_destroy(struct fargs_event_source *source);

#endif
