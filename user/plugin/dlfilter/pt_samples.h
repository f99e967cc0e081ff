/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes events of an Intel PT trace to dlfilters, as the same samples that perf script synthesizes
 * from that trace.
 */
#ifndef FARGS_PLUGIN_DLFILTER_PT_SAMPLES_H
#define FARGS_PLUGIN_DLFILTER_PT_SAMPLES_H

#include <stdbool.h>

#include "model/decoder.h"
#include "model/event.h"
#include "plugin/dlfilter/host.h"
#include "source/pt/events/branches.h"

/* Details of events that samples are made of. */
#define FARGS_DLFILTER_PT_DETAILS	(FARGS_DETAIL_IPC | FARGS_DETAIL_ADDR)

struct fargs_dlfilter_pt;

/* Returns NULL if out of memory. The arguments must outlive the result. */
struct fargs_dlfilter_pt *fargs_dlfilter_pt_create(struct fargs_dlfilters *filters,
						   const struct fargs_pt_input *in,
						   const struct fargs_pt_which *which);
void fargs_dlfilter_pt_destroy(struct fargs_dlfilter_pt *pt);

/*
 * Event hook (pipeline/pipeline.h) for the source of branches.h. @arg: a struct fargs_dlfilter_pt.
 * Errors of the trace are not samples.
 */
int fargs_dlfilter_pt_ask(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
			  const struct fargs_item *item, bool is_wanted);

#endif
