/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads descriptions of the running kernel's events from tracefs.
 */
#ifndef FARGS_KERNEL_TRACEFS_H
#define FARGS_KERNEL_TRACEFS_H

#include <stddef.h>

#include "base/error.h"

/*
 * Returns the mount point of tracefs, a constant string; NULL with @err if it is not mounted or not
 * readable.
 */
const char *fargs_tracefs_dir(struct fargs_error_text *err);

/* An event of the running kernel. */
struct fargs_tracefs_event {
	char *system;
	char *name;
};

struct fargs_tracefs_events {
	struct fargs_tracefs_event *events;	/* sorted by system, then name */
	size_t nr;
};

/*
 * Lists all events that perf can record. Returns 0 or -errno. The caller calls
 * fargs_tracefs_events_deinit() in both cases.
 */
int fargs_tracefs_events_init(struct fargs_tracefs_events *all, const char *dir,
			      struct fargs_error_text *err);
void fargs_tracefs_events_deinit(struct fargs_tracefs_events *all);

/*
 * Reads the file @name of @event or, if @event is NULL, of tracefs itself. The caller frees the
 * result. Returns NULL with errno on failure.
 */
char *fargs_tracefs_read(const char *dir, const struct fargs_tracefs_event *event,
			 const char *name, size_t *size);

/*
 * Gets the kernel's error message for @filter on @event, or "" if there is none. Uses a private
 * tracing instance, so that no other tracing is affected.
 */
void fargs_tracefs_complaint(const char *dir, const struct fargs_tracefs_event *event,
			     const char *filter, char *buf, size_t size);

#endif
