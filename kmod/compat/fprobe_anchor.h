/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeps fprobe's place in the kernel's function graph. See fprobe_anchor.c. */
#ifndef FARGS_KMOD_COMPAT_FPROBE_ANCHOR_H
#define FARGS_KMOD_COMPAT_FPROBE_ANCHOR_H

#include "compat/features.h"

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS

/**
 * fargs_fprobe_anchor_hold() - register the anchor, unless it is
 *
 * Before any other fprobe.
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_fprobe_anchor_hold(void);

/**
 * fargs_fprobe_anchor_release() - unregister the anchor, if it is registered
 *
 * When no other fprobe of the module is left.
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
