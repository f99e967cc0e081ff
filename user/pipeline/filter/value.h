/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A single value of events, by its expression: for columns, histograms and the like.
 */
#ifndef FARGS_FILTER_VALUE_H
#define FARGS_FILTER_VALUE_H

#include "model/decoder.h"
#include "pipeline/filter/lookup.h"
#include "base/error.h"

struct fargs_wanted;

/*
 * @text: a value, alone. Strings are wanted as such where an argument has been fetched as one.
 * For one thread at a time; @meta must outlive it. NULL with what is wrong, as fargs_filter_create.
 */
struct fargs_wanted *fargs_wanted_create(const char *text, struct fargs_meta *meta,
					 struct fargs_error_text *err);
void fargs_wanted_destroy(struct fargs_wanted *w);

/* As it was written, without blanks that mean nothing. */
const char *fargs_wanted_name(const struct fargs_wanted *w);
/* What @ev, of @d, has of it: maybe FARGS_FOUND_NONE. 0 or -ENOMEM. */
int fargs_wanted_get(struct fargs_wanted *w, struct fargs_decoder *d, const struct fargs_event *ev,
		     struct fargs_found *found);

#endif
