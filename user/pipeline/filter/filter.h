/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A condition (fargs-select(7)) on events: what --filter of fargs report leaves.
 *
 * It says the same as where calls are selected, but of what was recorded: what the event does not
 * have, as well as what could not be read, makes a comparison false, and its opposite, too.
 */
#ifndef FARGS_FILTER_H
#define FARGS_FILTER_H

#include <stdbool.h>

#include "model/decoder.h"
#include "base/error.h"

struct fargs_filter;

/*
 * For one thread at a time. @text and @meta must outlive it. NULL with what is wrong, and where:
 * also a name that is neither a constant nor a value of any function in @meta, if BTF describes
 * all of them.
 */
struct fargs_filter *fargs_filter_create(const char *text, struct fargs_meta *meta,
					 struct fargs_error_text *err);
void fargs_filter_destroy(struct fargs_filter *f);

/* Does it hold for @ev, of @d? 1, 0, or -ENOMEM. */
int fargs_filter_holds(struct fargs_filter *f, struct fargs_decoder *d,
		       const struct fargs_event *ev);

#endif
