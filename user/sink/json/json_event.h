/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes events as JSON, one object per line (Documentation/fargs-event.schema.json). All kinds of
 * records are written, including TASK.
 */
#ifndef FARGS_SINK_JSON_JSON_EVENT_H
#define FARGS_SINK_JSON_JSON_EVENT_H

#include "base/buf.h"
#include "model/decoder.h"

/*
 * Returns 0 or -ENOMEM. An event whose time is unknown (time_ns 0), such as some losses, has no
 * time member.
 */
int fargs_json_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* The same, limited to the contents of the record: no BTF, no symbols. */
int fargs_json_event_raw(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev);

/*
 * Writes only the values, as members of one object: arguments or fields, the return value ("$ret"),
 * and an object of values fetched at the return ("$out"). Returns 0 or -ENOMEM.
 */
int fargs_json_event_args(struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_event *ev);

#endif
