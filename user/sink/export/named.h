/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names and kinds of events for exports.
 */
#ifndef FARGS_SINK_EXPORT_NAMED_H
#define FARGS_SINK_EXPORT_NAMED_H

#include "model/decoder.h"

#define FARGS_NAMED_MAX		256

/*
 * Returns the name of an event: "vfs_read", "sched:sched_switch", "switch" or "lost".
 * NUL-terminated and truncated to fit into @buf. Returns NULL for an event that fargs report does
 * not show.
 */
const char *fargs_named(struct fargs_decoder *d, const struct fargs_event *ev,
			char buf[FARGS_NAMED_MAX]);
/*
 * Returns the kind of an event, named as in fargs-json(5): "call", "return", "tracepoint", "event",
 * "switch" or "lost".
 */
const char *fargs_named_kind(const struct fargs_event *ev);

/* Does the call that this event belongs to have an ENTRY record and a RETURN record? */
bool fargs_named_is_graph(const struct fargs_event *ev);

/*
 * Returns the time of @ev for a format that shows durations: an estimate if the known times of an
 * Intel PT trace are too far apart to order events.
 */
static inline uint64_t fargs_named_ns(const struct fargs_event *ev)
{
	return ev->estimated_ns ? ev->estimated_ns : ev->time_ns;
}

#endif
