/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracks task names with a separate session that records only TASK records. Its rings are read
 * before they are full, whereas a flight recorder's rings overwrite old records.
 */
#ifndef FARGS_SESSION_TASK_WATCH_H
#define FARGS_SESSION_TASK_WATCH_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "model/meta.h"
#include "session/task_history.h"

struct fargs_task_watch;

/*
 * Starts tracking @tids, ids in the caller's pid namespace, and their descendants. If @nr is 0,
 * tracks all tasks except for this process. Returns NULL on failure.
 */
struct fargs_task_watch *fargs_task_watch_create(const pid_t *tids, size_t nr,
						 struct fargs_error_text *err);
void fargs_task_watch_destroy(struct fargs_task_watch *w);

/*
 * Adds @meta->tasks and their nspids, which must have been read after fargs_task_watch_create()
 * returned. Returns 0 or -errno.
 */
int fargs_task_watch_found(struct fargs_task_watch *w, const struct fargs_meta *meta,
			   struct fargs_error_text *err);

/*
 * Returns a descriptor for poll(2). POLLIN: call fargs_task_watch_read(), which must also be called
 * at least once a second.
 */
int fargs_task_watch_fd(const struct fargs_task_watch *w);
int fargs_task_watch_read(struct fargs_task_watch *w, struct fargs_error_text *err);

/* Returns the names known when fargs_task_watch_read() was last called. */
struct fargs_task_history *fargs_task_watch_history(struct fargs_task_watch *w);

#endif
