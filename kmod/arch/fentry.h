/* SPDX-License-Identifier: GPL-2.0-only */
/* Under which address ftrace reports a function. */
#ifndef FARGS_KMOD_ARCH_FENTRY_H
#define FARGS_KMOD_ARCH_FENTRY_H

/**
 * fargs_fentry_find() - find where ftrace enters a function
 * @addr: address of the function
 *
 * That is @addr itself, or behind an instruction that comes first, as an ENDBR does with IBT.
 *
 * Context: Process context. May sleep.
 * Return: The fentry address, or 0 if there is no call or nop of ftrace.
 */
unsigned long fargs_fentry_find(unsigned long addr);

#endif
