/* SPDX-License-Identifier: GPL-2.0-only */
/* The address at which ftrace reports a function. */
#ifndef FARGS_KMOD_ARCH_FENTRY_H
#define FARGS_KMOD_ARCH_FENTRY_H

/**
 * fargs_fentry_find() - find the fentry address of a function
 * @addr: address of the function
 *
 * The fentry address is @addr or, if the function begins with an ENDBR (kernels with IBT), the
 * address after the ENDBR.
 *
 * Context: Process context. May sleep.
 * Return: The fentry address, or 0 if ftrace's call or nop is at neither of the two addresses.
 */
unsigned long fargs_fentry_find(unsigned long addr);

#endif
