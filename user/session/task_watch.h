/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracks task names with a separate session that records only TASK records. Its rings are read as
 * they fill, whereas a flight recorder's rings overwrite their records.
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
 * Starts tracking @tids, as numbered in the caller's pid namespace, and their descendants; @nr 0:
 * all tasks except this process. NULL on failure.
 */
struct fargs_task_watch *fargs_task_watch_create(const pid_t *tids, size_t nr,
						 struct fargs_error_text *err);
void fargs_task_watch_destroy(struct fargs_task_watch *w);

/* Adds @meta->tasks and their nspids, which must have been read after create returned. -errno. */
int fargs_task_watch_found(struct fargs_task_watch *w, const struct fargs_meta *meta,
			   struct fargs_error_text *err);

/* POLLIN: fargs_task_watch_read() is due. It must also be called at least once a second. */
int fargs_task_watch_fd(const struct fargs_task_watch *w);
int fargs_task_watch_read(struct fargs_task_watch *w, struct fargs_error_text *err);

/* The names known as of the last read. */
struct fargs_task_history *fargs_task_watch_history(struct fargs_task_watch *w);

#endif
