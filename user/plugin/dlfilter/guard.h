/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs code of others in this process, so that a fault in it comes back here instead of
 * ending the process with what was not yet written. What that code had begun is left as it is:
 * nothing of it is to be called again.
 */
#ifndef FARGS_DLFILTER_GUARD_H
#define FARGS_DLFILTER_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct fargs_guard_fault {
	int signal;
	bool is_null_call;	/* a function was called that there is not */
};

/*
 * From then on faults are caught, of the thread that calls it and inside run alone; others
 * do what they did. -errno.
 */
int fargs_guard_init(void);

/* Calls @fn. False: there was a fault. */
bool fargs_guard_run(void (*fn)(void *arg), void *arg, struct fargs_guard_fault *fault);

/* Is code of others being run? To be asked by what atexit() calls. */
bool fargs_guard_is_running(void);

#endif
