/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads how far the kernel is locked down (kernel_lockdown(7)).
 */
#ifndef FARGS_KERNEL_LOCKDOWN_H
#define FARGS_KERNEL_LOCKDOWN_H

enum fargs_lockdown {
	FARGS_LOCKDOWN_UNKNOWN,		/* not supported, or securityfs not mounted */
	FARGS_LOCKDOWN_NONE,
	FARGS_LOCKDOWN_INTEGRITY,	/* kernel memory can be read, but not written */
	FARGS_LOCKDOWN_CONFIDENTIALITY,	/* kernel memory can be neither read nor written */
};

enum fargs_lockdown fargs_lockdown_get(void);

#endif
