/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which task runs on each CPU, at any time: a SWITCH record for every context switch
 * (FARGS_START_SWITCHES).
 */
#ifndef FARGS_SWITCHES_H
#define FARGS_SWITCHES_H

struct fargs_capture;

/* Finds the tracepoint. At module init; 0, or -ENOENT if the kernel lacks it. */
int fargs_switches_init(void);

/*
 * Process context; -errno. The rings of @capture are there. After unregister has returned no
 * probe runs any more.
 */
int fargs_switches_register(struct fargs_capture *capture);
void fargs_switches_unregister(struct fargs_capture *capture);

#endif
