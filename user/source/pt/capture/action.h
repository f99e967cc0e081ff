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

struct fargs_pt_action {
	uint64_t id;		/* of the tracepoint, in tracefs */
	const char *name;
	bool is_resume;		/* false: it pauses */
};

/*
 * Opens @nr events on @cpu, in the group that the Intel PT event @pt_fd leads: they are enabled and
 * disabled with it. Returns their descriptors, for fargs_pt_actions_close(); or NULL with @err.
 */
int *fargs_pt_actions_open(const struct fargs_pt_action *actions, size_t nr, unsigned int cpu,
			   int pt_fd, const struct fargs_pt_log *log, struct fargs_error_text *err);
/* @fds may be NULL. */
void fargs_pt_actions_close(int *fds, size_t nr);

#endif
