/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes events as JSON, one object per line (Documentation/fargs-event.schema.json). Events of all
 * kinds are written, including TASK.
 */
#ifndef FARGS_SINK_JSON_JSON_EVENT_H
#define FARGS_SINK_JSON_JSON_EVENT_H

#include "base/buf.h"
#include "model/decoder.h"

/*
 * Writes the line of @ev. If the time of @ev is unknown (time_ns 0), as for some losses, the object
 * has no time member. Returns 0 or -ENOMEM.
 */
int fargs_json_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* Writes only what the record contains, without BTF and symbols. Returns 0 or -ENOMEM. */
int fargs_json_event_raw(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev);

/*
 * Writes only the values of @ev, as members of one object: the arguments or fields, the return
 * value ("$ret"), and an object with the values fetched at the return ("$out"). A number or pointer
 * that has a name, and a struct with such members, is followed by "NAME (text)". Returns 0 or
 * -ENOMEM.
 */
int fargs_json_event_args(struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_event *ev);

#endif
