/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows what tasks are called, by a session of its own that records nothing else: its
 * rings are read as they fill, while those of a flight recorder overwrite what they hold.
 */
#ifndef FARGS_CTL_TASK_WATCH_H
#define FARGS_CTL_TASK_WATCH_H

#include <stdint.h>
#include <sys/types.h>

#include "session/task_history.h"
#include "model/meta.h"
#include "base/error.h"

struct fargs_task_watch;

/*
 * Follows from now on the @tids, as the caller's pid namespace numbers them, and what they
 * fork; @nr 0: all tasks but this process. NULL on failure.
 */
struct fargs_task_watch *fargs_task_watch_create(const pid_t *tids, size_t nr,
						 struct fargs_error_text *err);
void fargs_task_watch_destroy(struct fargs_task_watch *w);

/* Takes @meta->tasks, and their nspids: found in /proc since create returned. -errno. */
int fargs_task_watch_found(struct fargs_task_watch *w, const struct fargs_meta *meta,
			   struct fargs_error_text *err);

/* For poll(2): POLLIN, when fargs_task_watch_read is due. To be called once a second at least. */
int fargs_task_watch_fd(const struct fargs_task_watch *w);
int fargs_task_watch_read(struct fargs_task_watch *w, struct fargs_error_text *err);

/* What is known up to the last read. */
struct fargs_task_history *fargs_task_watch_history(struct fargs_task_watch *w);

#endif
