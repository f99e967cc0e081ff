/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports the progress and the diagnostics of a capture on standard error and in the status line.
 */
#ifndef FARGS_CMD_CAPTURE_SCREEN_H
#define FARGS_CMD_CAPTURE_SCREEN_H

#include <stdbool.h>

#include "capture/hooks.h"
#include "cmd/options/capture.h"
#include "cmd/screen/progress.h"

struct fargs_capture_screen {
	const struct fargs_capture_options *options;
	bool is_taken;		/* a full-screen display uses the terminal: no status line */
	struct fargs_progress progress;
};

/* Call after setting @screen's options and is_taken; @screen must outlive the hooks. */
struct fargs_capture_hooks fargs_capture_screen_hooks(struct fargs_capture_screen *screen);

#endif
