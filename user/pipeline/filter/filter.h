/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters events by a condition (fargs-select(7)), for --filter.
 *
 * Conditions mean the same as in selectors, but are evaluated on recorded values: if the event
 * does not have a value, or it could not be read, a comparison is false, and so is its opposite.
 */
#ifndef FARGS_PIPELINE_FILTER_FILTER_H
#define FARGS_PIPELINE_FILTER_FILTER_H

#include <stdbool.h>

#include "base/error.h"
#include "model/decoder.h"

struct fargs_filter;

/*
 * Parses and checks @text. For one thread at a time. @text and @meta must outlive the filter.
 * NULL with the diagnostic and its place in @err, also for a name that is neither a constant nor
 * a value of any function in @meta, if BTF describes all of these.
 */
struct fargs_filter *fargs_filter_create(const char *text, struct fargs_meta *meta,
					 struct fargs_error_text *err);
void fargs_filter_destroy(struct fargs_filter *f);

/* Does the condition hold for @ev, decoded by @d? 1, 0, or -ENOMEM. */
int fargs_filter_holds(struct fargs_filter *f, struct fargs_decoder *d,
		       const struct fargs_event *ev);

#endif
