/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ftrace_ops of the module: at most one for each path that uses ftrace, for all sessions.
 *
 * If each session registered an ops of its own, ftrace would call the callbacks of a function that
 * several sessions trace by a loop over all ops of the kernel, which costs more than recording.
 *
 * A session prepares the filter of a tracer before START (fargs_probe.prepared). The first session
 * to start registers it, and it becomes the module's; later ones add their functions to it. The
 * session that leaves last unregisters it, and keeps it for its next START.
 */
#ifndef FARGS_KMOD_SESSION_TRACERS_H
#define FARGS_KMOD_SESSION_TRACERS_H

#include <linux/types.h>

#include "probe/capture.h"

struct fargs_refusal;

/**
 * fargs_tracers_init_probes() - initialize the probes of a new session
 * @capture: the session's
 *
 * Context: Process context.
 */
void fargs_tracers_init_probes(struct fargs_capture *capture);

/**
 * fargs_tracers_prepare() - allocate the prepared tracer of a probe, unless it has one
 * @probe: the probe of a session that is not running
 *
 * Context: Process context. May sleep.
 * Return: 0 or -ENOMEM.
 */
int fargs_tracers_prepare(struct fargs_probe *probe);

/**
 * fargs_tracers_destroy() - free a tracer
 * @tracer: a tracer whose ops is not registered; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_tracers_destroy(struct fargs_tracer *tracer);

/**
 * fargs_tracers_filter() - change the filter of a tracer
 * @tracer: the tracer
 * @ips: fentry addresses of functions
 * @nr: number of functions
 * @is_whole: replace the filter by the functions; else add them to it
 *
 * Never sets an empty filter, with which ftrace would trace every function of the kernel. Once a
 * filter has functions, it is never empty again: neither fargs nor ftrace, when a module is
 * unloaded, empties it. Only this function sets filters.
 *
 * Context: Process context. May sleep.
 * Return: 0; or -errno, and the filter is unchanged.
 */
int fargs_tracers_filter(struct fargs_tracer *tracer, unsigned long *ips, u32 nr, bool is_whole);

/**
 * fargs_tracers_start() - trace the functions of a session
 * @capture: the session's; the hash of each of its probes that has functions is set
 * @refusal: filled in if the call is refused
 *
 * If a call fails, the caller still has to call fargs_tracers_stop().
 *
 * Context: Process context. May sleep. A fatal signal ends the wait for other sessions.
 * Return: 0; -ENODEV if ftrace broke, and may call callbacks until reboot; or -errno, with the
 *	reason in @refusal.
 */
int fargs_tracers_start(struct fargs_capture *capture, struct fargs_refusal *refusal);

/**
 * fargs_tracers_extend() - trace more functions of a session
 * @capture: the session's, which fargs_tracers_start() was called for
 * @hashes: hashes of all functions of the session, indexed by enum fargs_path; NULL: the functions
 *	of this path are the same as before
 *
 * Takes over the hashes; and frees those that they replace once no callback uses them.
 *
 * Context: Process context. May sleep.
 * Return: 0; -ENODEV if ftrace broke, and may call callbacks until reboot; or -errno: some of the
 *	functions may be traced.
 */
int fargs_tracers_extend(struct fargs_capture *capture,
			 struct fargs_funchash *hashes[FARGS_CAPTURE_PROBES]);

/**
 * fargs_tracers_forget() - drop a function of a session
 * @capture: the session's
 * @ip: fentry address of the function
 *
 * Calls are no longer recorded, but the function stays in ftrace's filter until
 * fargs_tracers_refilter() or fargs_tracers_stop() is called. Allocates no memory.
 *
 * Context: Process context. May sleep, but does not wait for ftrace.
 */
void fargs_tracers_forget(struct fargs_capture *capture, unsigned long ip);

/**
 * fargs_tracers_refilter() - remove dropped functions from ftrace's filter
 * @capture: of a session whose functions have been dropped
 *
 * Context: Process context. May sleep.
 * Return: 0, or -ENODEV if ftrace broke, and may call callbacks until reboot.
 */
int fargs_tracers_refilter(struct fargs_capture *capture);

/**
 * fargs_tracers_stop() - stop tracing the functions of a session
 * @capture: the session's, which fargs_tracers_start() was called for
 *
 * When this has returned 0, no callback uses the session, and the hashes have been freed.
 *
 * Context: Process context. May sleep. Waits for RCU.
 * Return: 0, or -ENODEV if ftrace broke, and may call callbacks until reboot.
 */
int fargs_tracers_stop(struct fargs_capture *capture);

#endif
