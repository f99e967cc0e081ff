/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs foreign code in this process such that a fault in it returns here, instead of ending the
 * process before its output is written. The state of that code is undefined after a fault: it must
 * not be called again.
 */
#ifndef FARGS_PLUGIN_DLFILTER_GUARD_H
#define FARGS_PLUGIN_DLFILTER_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct fargs_guard_fault {
	int signal;
	bool is_null_call;	/* a NULL function pointer was called */
};

/*
 * Installs the handlers. Only faults of the calling thread within fargs_guard_run() are caught;
 * others keep their default action. Returns 0 or -errno.
 */
int fargs_guard_init(void);

/* Calls @fn. Returns false, with *@fault set, after a fault. */
bool fargs_guard_run(void (*fn)(void *arg), void *arg, struct fargs_guard_fault *fault);

/* Is foreign code running? For use in atexit() handlers. */
bool fargs_guard_is_running(void);

#endif
