/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes missed calls as JSON (Documentation/fargs-event.schema.json).
 */
#ifndef FARGS_SINK_JSON_JSON_MISSED_H
#define FARGS_SINK_JSON_JSON_MISSED_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/meta.h"

/*
 * Writes an object for each function with missed calls, then objects for missed calls whose
 * function is unknown. Writes @separator between objects and, if @is_after_last, also after the
 * last one. Writes nothing if no calls were missed.
 */
void fargs_json_missed(struct fargs_buf *out, const struct fargs_meta *meta, bool is_raw,
		       const char *separator, bool is_after_last);

#endif
