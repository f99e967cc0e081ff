/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which values are left out of tables, because they may hold what others must not read.
 */
#ifndef FARGS_SINK_EXPORT_REDACT_H
#define FARGS_SINK_EXPORT_REDACT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/decoder.h"

#define FARGS_REDACT_MAX	64
/* Instead of what is left out. */
#define FARGS_REDACTED		"[redacted]"

/* Initialize with zeroes. */
struct fargs_redact {
	const char *patterns[FARGS_REDACT_MAX];	/* globs */
	size_t nr;
};

/*
 * Is a value of this name left out? It is if a pattern matches a word of the name, so that with
 * "filename", "filename->name" is, too.
 */
bool fargs_redact_hides(const struct fargs_redact *r, const char *name);
/* Is one of the values that the text of @ev has, a formatted event or a sample? */
bool fargs_redact_hides_text(const struct fargs_redact *r, struct fargs_decoder *d,
			     const struct fargs_event *ev);

#endif
