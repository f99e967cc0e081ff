/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes events of an Intel PT trace on, to dlfilters or to a file of perf, as the same samples
 * that perf synthesizes from that trace.
 */
#ifndef FARGS_PLUGIN_DLFILTER_PT_SAMPLES_H
#define FARGS_PLUGIN_DLFILTER_PT_SAMPLES_H

#include <stdbool.h>

#include "model/decoder.h"
#include "model/event.h"
#include "plugin/dlfilter/host.h"
#include "plugin/dlfilter/pt_events.h"
#include "source/pt/events/branches.h"

/* Details of events that samples are made of. */
#define FARGS_DLFILTER_PT_DETAILS	(FARGS_DETAIL_IPC | FARGS_DETAIL_ADDR)

struct fargs_dlfilter_pt;

/* Receives a sample. Returns 0; 1: drop the event; or -errno. */
typedef int fargs_dlfilter_pt_fn(void *arg, const struct fargs_dlfilter_event *ev);

/*
 * Passes samples to @pass. Returns NULL if out of memory. @in and @which must outlive the result.
 */
struct fargs_dlfilter_pt *fargs_dlfilter_pt_create(fargs_dlfilter_pt_fn *pass, void *arg,
						   const struct fargs_pt_input *in,
						   const struct fargs_pt_which *which);
void fargs_dlfilter_pt_destroy(struct fargs_dlfilter_pt *pt);

/* Passes a sample to dlfilters. @filters: a struct fargs_dlfilters. */
int fargs_dlfilter_pt_filter(void *filters, const struct fargs_dlfilter_event *ev);

/* The events of the samples, FARGS_DLFILTER_PT_KINDS of them. */
const struct fargs_dlfilter_pt_event *
fargs_dlfilter_pt_events(const struct fargs_dlfilter_pt *pt);

/*
 * Event hook (pipeline/pipeline.h) for the source of branches.h. @arg: a struct fargs_dlfilter_pt.
 * Errors of the trace are not samples.
 */
int fargs_dlfilter_pt_ask(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
			  const struct fargs_item *item, bool is_wanted);

#endif
