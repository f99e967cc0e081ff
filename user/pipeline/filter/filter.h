/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters events by a condition (fargs-select(7)), for --filter.
 *
 * Conditions mean the same as in selectors, but are evaluated on recorded values: if an event lacks
 * a value, or the value could not be read, a comparison is false, and so is its negation.
 */
#ifndef FARGS_PIPELINE_FILTER_FILTER_H
#define FARGS_PIPELINE_FILTER_FILTER_H

#include <stdbool.h>

#include "base/error.h"
#include "model/decoder.h"

struct fargs_filter;

/*
 * Parses and checks the condition @text. Only one thread at a time may use the filter. @text and
 * @meta must outlive the filter. On failure, returns NULL, with the diagnostic and its position in
 * @text in @err. A name that is neither a constant nor a value of any function in @meta is an error
 * if BTF describes all these functions.
 */
struct fargs_filter *fargs_filter_create(const char *text, struct fargs_meta *meta,
					 struct fargs_error_text *err);
void fargs_filter_destroy(struct fargs_filter *f);

/* Does the condition hold for @ev, which @d decoded? Returns 1, 0 or -ENOMEM. */
int fargs_filter_holds(struct fargs_filter *f, struct fargs_decoder *d,
		       const struct fargs_event *ev);

#endif
