/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes recordings of fargs to dlfilters as samples: function calls, tracepoints and formatted
 * events. Documentation/dlfilters.md describes the fields.
 */
#ifndef FARGS_PLUGIN_DLFILTER_RECORD_SAMPLES_H
#define FARGS_PLUGIN_DLFILTER_RECORD_SAMPLES_H

#include <stdbool.h>

#include "model/batch.h"
#include "model/decoder.h"
#include "plugin/dlfilter/host.h"

struct fargs_dlfilter_records;

/* Returns NULL if out of memory. @filters and @meta must outlive the result. */
struct fargs_dlfilter_records *fargs_dlfilter_records_create(struct fargs_dlfilters *filters,
							     const struct fargs_meta *meta);
void fargs_dlfilter_records_destroy(struct fargs_dlfilter_records *r);

/*
 * Passes @ev, which @d decoded from the record of @item, to the filters. @is_wanted: the event is
 * shown unless the filters drop it. @arg: a struct fargs_dlfilter_records. Returns 0: keep the
 * event, or it is not a sample; 1: drop it; -errno: a filter failed.
 */
int fargs_dlfilter_records_ask(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
			       const struct fargs_item *item, bool is_wanted);

#endif
