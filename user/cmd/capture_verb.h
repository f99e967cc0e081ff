/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A verb that captures, from its words to its exit status.
 */
#ifndef FARGS_CAPTURE_VERB_H
#define FARGS_CAPTURE_VERB_H

#include <stdbool.h>

#include "capture/capture.h"

struct fargs_capture_verb {
	void (*print_help)(void);
	bool is_output_needed;		/* -o must be given */
	struct fargs_sink sink;
};

/* @arg: of the sink. */
int fargs_capture_verb_run(const struct fargs_capture_verb *verb, int argc, char **argv, void *arg);

#endif
