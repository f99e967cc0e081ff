/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SWITCH records: one for every context switch (FARGS_START_SWITCHES). They show which task runs
 * on each CPU at any time.
 */
#ifndef FARGS_KMOD_PROBE_SWITCHES_H
#define FARGS_KMOD_PROBE_SWITCHES_H

struct fargs_capture;

/**
 * fargs_switches_init() - find the tracepoint sched_switch
 *
 * Context: Process context, at module init.
 * Return: 0, or -ENOENT if the kernel has no such tracepoint.
 */
int fargs_switches_init(void);

/**
 * fargs_switches_register() - start recording context switches
 * @capture: the part of the session that the capture paths use; its rings are allocated
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_switches_register(struct fargs_capture *capture);

/**
 * fargs_switches_unregister() - stop recording context switches
 * @capture: the capture that was passed to fargs_switches_register()
 *
 * Waits until no probe is running.
 *
 * Context: Process context. May sleep.
 */
void fargs_switches_unregister(struct fargs_capture *capture);

#endif
