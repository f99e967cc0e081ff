/* SPDX-License-Identifier: GPL-2.0-only */
/* Which addresses ftrace can trace, and under which address it reports them. */
#ifndef FARGS_FENTRY_H
#define FARGS_FENTRY_H

#include <linux/types.h>

/*
 * The fentry address of the function at @addr: @addr itself, or 4 bytes behind
 * where an ENDBR comes first (IBT). 0: there is no call or nop of ftrace.
 */
unsigned long fargs_fentry_find(unsigned long addr);

/*
 * Which of @ips[0..@nr) are traceable, by ftrace's own word: bit i of @bad is
 * set where not. Process context; 0 or -errno.
 */
int fargs_fentry_test(unsigned long *ips, u32 nr, unsigned long *bad);

#endif
