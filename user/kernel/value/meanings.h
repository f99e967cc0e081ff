/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What numbers mean whose C type does not show it: arguments of system calls and of some functions
 * of the kernel, and members of structs. Every row was checked against the kernel's source; nothing
 * is derived from a name alone.
 */
#ifndef FARGS_KERNEL_VALUE_MEANINGS_H
#define FARGS_KERNEL_VALUE_MEANINGS_H

#include <stddef.h>

enum fargs_meaning {
	FARGS_MEANING_NONE,
	FARGS_MEANING_OPEN,
	FARGS_MEANING_OPEN_FLAGS,	/* without the access mode */
	FARGS_MEANING_DFD,
	FARGS_MEANING_AT_STAT,
	FARGS_MEANING_AT_UNLINK,
	FARGS_MEANING_AT_ACCESS,
	FARGS_MEANING_ACCESS,
	FARGS_MEANING_RENAME,
	FARGS_MEANING_SEEK,
	FARGS_MEANING_PROT,
	FARGS_MEANING_MAP,
	FARGS_MEANING_MADVISE,
	FARGS_MEANING_CLONE,		/* flags of clone(2), with a signal in the lowest byte */
	FARGS_MEANING_CLONE_FLAGS,	/* without a signal */
	FARGS_MEANING_UNSHARE,
	FARGS_MEANING_SETNS,
	FARGS_MEANING_SIGNAL,
	FARGS_MEANING_SIGMASK,
	FARGS_MEANING_POLL,
	FARGS_MEANING_MODE,
	FARGS_MEANING_DEV,
	FARGS_MEANING_HEX,
	FARGS_MEANING_SYMBOL,		/* an address in code */
	/* The traced kernel's own flags (symbolic.h). */
	FARGS_MEANING_GFP,
	FARGS_MEANING_VM,
	FARGS_MEANING_VM_FAULT,
	FARGS_MEANING_FAULT_FLAG,
	FARGS_MEANING_BLK_OPF,
	FARGS_MEANING_SLAB,
	FARGS_NR_MEANINGS,
};

/* Returns the meaning of the typedef @name. */
enum fargs_meaning fargs_meaning_of_typedef(const char *name);
/* Returns the meaning of the member @name of struct @of. */
enum fargs_meaning fargs_meaning_of_member(const char *of, const char *name);
/* Returns the meaning of the parameter @name of the function or tracepoint @func. */
enum fargs_meaning fargs_meaning_of_param(const char *func, const char *name);
/*
 * Returns the meaning of the argument @name of the system call @call, and sets *@bytes to the size
 * of the argument's type.
 */
enum fargs_meaning fargs_meaning_of_syscall(const char *call, const char *name,
					    unsigned int *bytes);
/* Like fargs_meaning_of_syscall(), for the argument number @position, from 0 on. */
enum fargs_meaning fargs_meaning_of_syscall_arg(const char *call, unsigned int position,
						unsigned int *bytes);

#endif
