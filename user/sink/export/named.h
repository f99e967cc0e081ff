/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event is called, and of which kind it is, for exports.
 */
#ifndef FARGS_EXPORT_NAMED_H
#define FARGS_EXPORT_NAMED_H

#include "model/decoder.h"

#define FARGS_NAMED_MAX		256

/*
 * "vfs_read", "sched:sched_switch", "switch", "lost": NUL-terminated, cut if it is longer.
 * NULL: the event is not one that fargs report shows.
 */
const char *fargs_named(struct fargs_decoder *d, const struct fargs_event *ev,
			char buf[FARGS_NAMED_MAX]);
/* "call", "return", "tracepoint", "event", "switch", "lost", as fargs-json(5) has them. */
const char *fargs_named_kind(const struct fargs_event *ev);

/* Has the call of this return a record of its own? */
bool fargs_named_is_graph(const struct fargs_event *ev);

#endif
