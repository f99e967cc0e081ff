/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints that pause Intel PT or resume it, when they occur, in the kernel itself (Linux 6.13
 * and later).
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_ACTION_H
#define FARGS_SOURCE_PT_CAPTURE_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/capture/event.h"
#include "source/pt/capture/task_events.h"

struct fargs_pt_action {
	uint64_t id;		/* of the tracepoint, in tracefs */
	const char *name;
	bool is_resume;		/* false: it pauses */
};

/* The event of Intel PT that actions are for. */
struct fargs_pt_action_target {
	const struct fargs_pt_tasks *tasks;
	unsigned int cpu;
	pid_t tid;		/* -1: all tasks */
	int pt_fd;
};

/* Initialize with zeroes. */
struct fargs_pt_action_events {
	int *fds;
	size_t nr;
};

/*
 * Opens the events of @nr @actions, in the group that the Intel PT event @to leads: they are
 * enabled and disabled with it. May be called for several Intel PT events. Returns 0, also if the
 * task has exited, or -errno with @err; in either case the caller must call
 * fargs_pt_actions_close().
 */
int fargs_pt_actions_open(struct fargs_pt_action_events *events,
			  const struct fargs_pt_action *actions, size_t nr,
			  const struct fargs_pt_action_target *to, const struct fargs_pt_log *log,
			  struct fargs_error_text *err);
void fargs_pt_actions_close(struct fargs_pt_action_events *events);

#endif
