/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs third-party code, such as a dlfilter, in this process. A fault in that code makes
 * fargs_guard_run() return, instead of ending the process before its output is written. After a
 * fault, the state of that code is undefined: it must not be called again.
 */
#ifndef FARGS_PLUGIN_DLFILTER_GUARD_H
#define FARGS_PLUGIN_DLFILTER_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct fargs_guard_fault {
	int signal;
	bool is_null_call;	/* the fault was a call of a NULL function pointer */
};

/*
 * Installs the signal handlers. Only faults of the calling thread within fargs_guard_run() are
 * caught; other faults keep their default action. Returns 0 or -errno.
 */
int fargs_guard_init(void);

/* Calls @fn. Returns true, or false with *@fault set if @fn caused a fault. */
bool fargs_guard_run(void (*fn)(void *arg), void *arg, struct fargs_guard_fault *fault);

/* Returns whether fargs_guard_run() is running. For use in atexit() handlers. */
bool fargs_guard_is_running(void);

#endif
