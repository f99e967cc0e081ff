/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a verb that captures, from parsing its arguments to its exit status.
 */
#ifndef FARGS_CMD_CAPTURE_VERB_H
#define FARGS_CMD_CAPTURE_VERB_H

#include <stdbool.h>

#include "capture/capture.h"
#include "cmd/options/capture.h"

struct fargs_capture_verb {
	const struct fargs_verb *verb;
	bool is_output_needed;		/* -o is mandatory */
	bool has_screen;		/* uses the whole terminal, so no status line is shown */
	/* Called before the output begins; @options outlive the output. */
	void (*set_options)(void *arg, const struct fargs_capture_options *options);
	struct fargs_capture_output output;
};

/* Runs @verb. @arg is passed to the functions of its output. Returns the exit status. */
int fargs_capture_verb_run(const struct fargs_capture_verb *verb, int argc, char **argv, void *arg);

#endif
