/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps fprobe registered with the function graph tracer under a user number other than 0.
 * fprobe_anchor.c explains the numbers and the reason.
 */
#ifndef FARGS_KMOD_COMPAT_FPROBE_ANCHOR_H
#define FARGS_KMOD_COMPAT_FPROBE_ANCHOR_H

#include "compat/features.h"

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS

/**
 * fargs_fprobe_anchor_hold() - register the anchor, unless it is already registered
 *
 * To be called before each registration of another fprobe of this module. If fprobe is user 0 of
 * the function graph tracer, registers the anchor again, so that fprobe becomes another user.
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_fprobe_anchor_hold(void);

/**
 * fargs_fprobe_anchor_release() - unregister the anchor, if it is registered
 *
 * To be called when no other fprobe of this module is registered.
 *
 * Context: Process context. May sleep.
 */
void fargs_fprobe_anchor_release(void);
#else
static inline int fargs_fprobe_anchor_hold(void)
{
	return 0;
}

static inline void fargs_fprobe_anchor_release(void)
{
}
#endif

#endif
