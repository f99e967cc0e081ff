/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of system calls, of 64-bit programs on x86-64, from the kernel's headers.
 */
#ifndef FARGS_ABI_SYSCALLS_H
#define FARGS_ABI_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/near.h"

/* Finds the system call whose name, without "sys_", is the @len bytes at @name. */
bool fargs_syscalls_find(const char *name, size_t len, unsigned int *nr);
/* Offers the names of all system calls to @near. */
void fargs_syscalls_offer(struct fargs_near *near);

/*
 * Is @name that of a tracepoint, with or without its system, that has the number of a system call
 * in its argument "id" and in "regs->orig_ax"?
 */
bool fargs_syscalls_has_number(const char *name);

#endif
