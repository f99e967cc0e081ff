/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs inject --vm-time-correlation: changes TSC packets of guests to the host's time.
 */
#ifndef FARGS_CMD_INJECT_VM_TIME_H
#define FARGS_CMD_INJECT_VM_TIME_H

#include <stdbool.h>

#include "cmd/inject/vm_options.h"

struct fargs_vm_time {
	struct fargs_vm_options *options;
	const char *path;			/* the recording */
	const char *output;			/* NULL: none */
	bool is_forced;				/* @path is replaced */
	/* File to which a log is written; empty: standard output; NULL: no log. */
	const char *log;
};

/* Returns the exit status. */
int fargs_vm_time_run(const struct fargs_vm_time *v);

#endif
