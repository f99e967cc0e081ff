/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of a perf.data for dlfilters, and what names their addresses have.
 */
#ifndef FARGS_DLFILTER_PERF_SAMPLES_H
#define FARGS_DLFILTER_PERF_SAMPLES_H

#include <stdbool.h>

#include "plugin/dlfilter/host.h"
#include "source/perf_data/recording.h"

struct fargs_dlfilter_perf;

/*
 * @filters: NULL if there are none; @kcore: the kernel's code, NULL if not given. Both and
 * @recording must outlive it. NULL with @err.
 */
struct fargs_dlfilter_perf *fargs_dlfilter_perf_create(struct fargs_dlfilters *filters,
						       struct fargs_recording *recording,
						       const char *kcore,
						       struct fargs_error_text *err);
void fargs_dlfilter_perf_destroy(struct fargs_dlfilter_perf *p);

/* Is @sample to be shown, if it @is_wanted? 0; 1: not in any case; -errno: a filter has failed. */
int fargs_dlfilter_perf_ask(struct fargs_dlfilter_perf *p, const struct fargs_recorded *sample,
			    bool is_wanted);

/* What is at @addr, of the process of @sample, which is the last one of the recording. */
void fargs_dlfilter_perf_resolve(struct fargs_dlfilter_perf *p,
				 const struct fargs_recorded *sample, uint64_t addr,
				 struct fargs_dlfilter_al *al);

#endif
