/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens the perf events of an Intel PT recording, and reports their attributes.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_EVENT_H
#define FARGS_SOURCE_PT_CAPTURE_EVENT_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/buf.h"

/* Receives lines of text about the events. line() may be NULL. */
struct fargs_pt_log {
	/* @text has no newline. */
	void (*line)(void *arg, const char *text);
	void *arg;
};

/*
 * Opens the event @name of thread @tid, or of all tasks if that is -1, on @cpu. @flags: PERF_FLAG_*
 * other than PERF_FLAG_FD_CLOEXEC. Reports the arguments and the result to @log. Returns the
 * descriptor, or -1 with errno set.
 */
int fargs_pt_event_open(const struct perf_event_attr *attr, pid_t tid, unsigned int cpu,
			int group_fd, unsigned long flags, const char *name,
			const struct fargs_pt_log *log);

/* Appends the members of @attr that are not 0, in perf's words. */
void fargs_pt_event_put(struct fargs_buf *out, const struct perf_event_attr *attr);

#endif
