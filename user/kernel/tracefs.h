/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tracefs says of the events of the running kernel.
 */
#ifndef FARGS_EVENT_TRACEFS_H
#define FARGS_EVENT_TRACEFS_H

#include <stddef.h>

#include "base/error.h"

/* Where it is mounted: a constant; NULL with @err: nowhere, or it may not be read. */
const char *fargs_tracefs_dir(struct fargs_error_text *err);

/* An event that there is. */
struct fargs_tracefs_event {
	char *system;
	char *name;
};

struct fargs_tracefs_events {
	struct fargs_tracefs_event *events;	/* by system, then by name */
	size_t nr;
};

/* All events that perf can record. -errno. To be deinitialised in either case. */
int fargs_tracefs_events_init(struct fargs_tracefs_events *all, const char *dir,
			      struct fargs_error_text *err);
void fargs_tracefs_events_deinit(struct fargs_tracefs_events *all);

/* The file @name of an event, or, without @event, of tracefs. free() it; NULL with errno. */
char *fargs_tracefs_read(const char *dir, const struct fargs_tracefs_event *event,
			 const char *name, size_t *size);

/*
 * What the kernel has against @filter for @event: it is asked with an instance of its own,
 * which nobody else sees. An empty string: it does not tell.
 */
void fargs_tracefs_complaint(const char *dir, const struct fargs_tracefs_event *event,
			     const char *filter, char *buf, size_t size);

#endif
