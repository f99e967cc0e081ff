/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeps fprobe's place in the kernel's function graph. See fprobe_anchor.c. */
#ifndef FARGS_COMPAT_FPROBE_ANCHOR_H
#define FARGS_COMPAT_FPROBE_ANCHOR_H

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
/* Before any other fprobe; later calls do nothing. Process context; 0 or -errno. */
int fargs_fprobe_anchor_hold(void);
/* When no fprobe of ours is left. Process context. */
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
