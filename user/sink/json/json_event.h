/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as JSON, one object a line: Documentation/fargs-event.schema.json says what is in it.
 * All kinds of records are shown, TASK ones too.
 */
#ifndef FARGS_OUT_JSON_EVENT_H
#define FARGS_OUT_JSON_EVENT_H

#include "model/decoder.h"
#include "base/buf.h"

/* 0 or -ENOMEM. An event without a time (time_ns 0), as a loss that nothing tells, has none. */
int fargs_json_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* The same with no more than the record itself says: no BTF, no symbols. */
int fargs_json_event_raw(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev);

/*
 * The values alone, as members of one object: arguments, fields, what was returned ("$ret"), and an
 * object of what was fetched then ("$out"). 0 or -ENOMEM.
 */
int fargs_json_event_args(struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_event *ev);

#endif
