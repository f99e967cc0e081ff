/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fargs recorded as samples for dlfilters: calls of functions, tracepoints and formatted
 * events. Documentation/dlfilters.md says which field is what.
 */
#ifndef FARGS_DLFILTER_RECORD_SAMPLES_H
#define FARGS_DLFILTER_RECORD_SAMPLES_H

#include <stdbool.h>

#include "model/decoder.h"
#include "plugin/dlfilter/host.h"

struct fargs_dlfilter_records;

/* NULL: no memory. @filters and @meta must outlive it. */
struct fargs_dlfilter_records *fargs_dlfilter_records_create(struct fargs_dlfilters *filters,
							     const struct fargs_meta *meta);
void fargs_dlfilter_records_destroy(struct fargs_dlfilter_records *r);

/*
 * Is @ev, which @d made of @rec, to be shown, if it @is_wanted? 0, also of what is no sample;
 * 1: not in any case; -errno: a filter has failed. @arg is a struct fargs_dlfilter_records.
 */
int fargs_dlfilter_records_ask(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
			       const struct fargs_record *rec, bool is_wanted);

#endif
