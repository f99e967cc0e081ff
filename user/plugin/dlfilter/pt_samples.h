/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Branches of an Intel PT trace as samples for dlfilters, as perf script makes them of the same
 * trace.
 */
#ifndef FARGS_DLFILTER_PT_SAMPLES_H
#define FARGS_DLFILTER_PT_SAMPLES_H

#include "plugin/dlfilter/host.h"
#include "cmd/report/pt_branches.h"

struct fargs_dlfilter_pt;

/* NULL: no memory. @filters and @in must outlive it. */
struct fargs_dlfilter_pt *fargs_dlfilter_pt_create(struct fargs_dlfilters *filters,
						   const struct fargs_pt_input *in);
void fargs_dlfilter_pt_destroy(struct fargs_dlfilter_pt *pt);

/* As struct fargs_pt_branches_filter has it; @arg is a struct fargs_dlfilter_pt. */
int fargs_dlfilter_pt_ask(void *arg, struct fargs_pt_line *line,
			  const struct fargs_pt_item *item, const struct fargs_pt_ipc *ipc,
			  bool is_wanted);

#endif
