/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which task runs on each CPU, at any time: a SWITCH record for every context switch
 * (FARGS_START_SWITCHES).
 */
#ifndef FARGS_KMOD_PROBE_SWITCHES_H
#define FARGS_KMOD_PROBE_SWITCHES_H

struct fargs_capture;

/**
 * fargs_switches_init() - find the tracepoint of context switches
 *
 * Context: Process context, at module init.
 * Return: 0, or -ENOENT if the kernel lacks it.
 */
int fargs_switches_init(void);

/**
 * fargs_switches_register() - record context switches from now on
 * @capture: whose rings are there
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_switches_register(struct fargs_capture *capture);

/**
 * fargs_switches_unregister() - record them no more
 * @capture: what the capture paths see of the session
 *
 * When it has returned no probe runs any more.
 *
 * Context: Process context. May sleep.
 */
void fargs_switches_unregister(struct fargs_capture *capture);

#endif
