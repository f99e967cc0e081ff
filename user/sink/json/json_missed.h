/* SPDX-License-Identifier: GPL-2.0-only */
/* Missed calls as JSON, as Documentation/fargs-event.schema.json has them. */
#ifndef FARGS_OUT_JSON_MISSED_H
#define FARGS_OUT_JSON_MISSED_H

#include <stdbool.h>

#include "model/meta.h"
#include "base/buf.h"

/*
 * An object for each function of which calls were missed, then for those of which no
 * function is known; @separator is put between them, and after the last one if
 * @is_after_last. Nothing if there are none.
 */
void fargs_json_missed(struct fargs_buf *out, const struct fargs_meta *meta, bool is_raw,
		       const char *separator, bool is_after_last);

#endif
