/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far the kernel is locked down (kernel_lockdown(7)).
 */
#ifndef FARGS_CTL_LOCKDOWN_H
#define FARGS_CTL_LOCKDOWN_H

enum fargs_lockdown {
	FARGS_LOCKDOWN_UNKNOWN,		/* to this kernel, or securityfs is not mounted */
	FARGS_LOCKDOWN_NONE,
	FARGS_LOCKDOWN_INTEGRITY,	/* memory of the kernel may be read, not written */
	FARGS_LOCKDOWN_CONFIDENTIALITY,	/* nor read: nothing can be traced */
};

enum fargs_lockdown fargs_lockdown_get(void);

#endif
