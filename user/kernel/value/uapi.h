/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Constants of the system call interface, from the kernel's headers at build time: the same table
 * names numbers, and gives the values of names in selectors.
 */
#ifndef FARGS_KERNEL_VALUE_UAPI_H
#define FARGS_KERNEL_VALUE_UAPI_H

#include "kernel/value/flags.h"

enum fargs_uapi {
	FARGS_UAPI_OPEN,	/* flags of open(2) */
	FARGS_UAPI_OPEN_FLAGS,	/* the same without the access mode: pipe2(2), dup3(2) */
	FARGS_UAPI_DFD,		/* AT_FDCWD instead of a file descriptor */
	FARGS_UAPI_AT_STAT,	/* AT_ flags of stat and of most other system calls */
	FARGS_UAPI_AT_UNLINK,	/* AT_ flags of unlinkat(2) */
	FARGS_UAPI_AT_ACCESS,	/* AT_ flags of faccessat(2) */
	FARGS_UAPI_ACCESS,	/* mode of access(2) */
	FARGS_UAPI_RENAME,
	FARGS_UAPI_SEEK,
	FARGS_UAPI_PROT,
	FARGS_UAPI_MAP,
	FARGS_UAPI_MADVISE,
	FARGS_UAPI_CLONE,
	FARGS_UAPI_UNSHARE,	/* CLONE_ flags of unshare(2), which has others of its own */
	FARGS_UAPI_SETNS,
	FARGS_UAPI_SIGNAL,
	FARGS_UAPI_SIGMASK,	/* first argument of sigprocmask(2) */
	FARGS_UAPI_POLL,
	FARGS_UAPI_OTHERS,	/* names that are only looked up */
	FARGS_NR_UAPI,
};

const struct fargs_flags *fargs_uapi_flags(enum fargs_uapi group);

/* Finds the constant whose name is the @len bytes at @name; NULL: there is none. */
const struct fargs_flag *fargs_uapi_find(const char *name, size_t len);

#endif
