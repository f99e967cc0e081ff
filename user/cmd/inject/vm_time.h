/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs inject --vm-time-correlation: changes TSC packets of guests to the host's time.
 */
#ifndef FARGS_CMD_INJECT_VM_TIME_H
#define FARGS_CMD_INJECT_VM_TIME_H

#include <stdbool.h>

#include "cmd/inject/vm_options.h"
#include "source/pt/trace/itrace.h"

struct fargs_vm_time {
	struct fargs_vm_options *options;
	const char *path;			/* the recording */
	const char *output;			/* NULL: none */
	bool is_forced;				/* @path is replaced */
	const struct fargs_itrace *itrace;	/* NULL: none was given */
};

/* Returns the exit status. */
int fargs_vm_time_run(const struct fargs_vm_time *v);

#endif
