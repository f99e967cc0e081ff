/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Evaluates a single expression on events, for columns, histograms and the like.
 */
#ifndef FARGS_PIPELINE_FILTER_VALUE_H
#define FARGS_PIPELINE_FILTER_VALUE_H

#include "base/error.h"
#include "model/decoder.h"
#include "pipeline/filter/lookup.h"

struct fargs_wanted;

/*
 * Parses and checks @text, an expression for a single value. An argument that was fetched as a
 * string yields the string. Only one thread at a time may use the result; @meta must outlive it. On
 * failure, returns NULL, with the diagnostic in @err.
 */
struct fargs_wanted *fargs_wanted_create(const char *text, struct fargs_meta *meta,
					 struct fargs_error_text *err);
void fargs_wanted_destroy(struct fargs_wanted *w);

/* Returns the expression in its normalised form. */
const char *fargs_wanted_name(const struct fargs_wanted *w);
/*
 * Sets *@found to the value in @ev, which @d decoded; its kind may be FARGS_FOUND_NONE. Returns 0
 * or -ENOMEM.
 */
int fargs_wanted_get(struct fargs_wanted *w, struct fargs_decoder *d, const struct fargs_event *ev,
		     struct fargs_found *found);

#endif
