/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes the samples of a perf.data file to dlfilters, and resolves their addresses.
 */
#ifndef FARGS_PLUGIN_DLFILTER_PERF_SAMPLES_H
#define FARGS_PLUGIN_DLFILTER_PERF_SAMPLES_H

#include <stdbool.h>

#include "plugin/dlfilter/host.h"
#include "source/perf_data/recording.h"

struct fargs_dlfilter_perf;

/*
 * @filters may be NULL. @kcore: file with the kernel's code, or NULL. @filters and @recording must
 * outlive the result. Returns NULL with the reason in @err on failure.
 */
struct fargs_dlfilter_perf *fargs_dlfilter_perf_create(struct fargs_dlfilters *filters,
						       struct fargs_recording *recording,
						       const char *kcore,
						       struct fargs_error_text *err);
void fargs_dlfilter_perf_destroy(struct fargs_dlfilter_perf *p);

/*
 * Passes @sample to the filters. @is_wanted: the sample is shown unless the filters drop it.
 * Returns 0: keep the sample; 1: drop it; -errno: a filter failed.
 */
int fargs_dlfilter_perf_ask(struct fargs_dlfilter_perf *p, const struct fargs_recorded *sample,
			    bool is_wanted);

/* Resolves @addr in the process of @sample, which must be the last one read from the recording. */
void fargs_dlfilter_perf_resolve(struct fargs_dlfilter_perf *p,
				 const struct fargs_recorded *sample, uint64_t addr,
				 struct fargs_dlfilter_al *al);

#endif
