/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names and kinds of events, for exports.
 */
#ifndef FARGS_SINK_EXPORT_NAMED_H
#define FARGS_SINK_EXPORT_NAMED_H

#include "model/decoder.h"

#define FARGS_NAMED_MAX		256

/*
 * Returns "vfs_read", "sched:sched_switch", "switch" or "lost": NUL-terminated, truncated to @buf.
 * NULL: an event that fargs report does not show.
 */
const char *fargs_named(struct fargs_decoder *d, const struct fargs_event *ev,
			char buf[FARGS_NAMED_MAX]);
/*
 * Returns the type as in fargs-json(5): "call", "return", "tracepoint", "event", "switch", "lost".
 */
const char *fargs_named_kind(const struct fargs_event *ev);

/* Does the call of this return have a record of its own? */
bool fargs_named_is_graph(const struct fargs_event *ev);

#endif
