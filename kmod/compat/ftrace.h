/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_COMPAT_FTRACE_H
#define FARGS_KMOD_COMPAT_FTRACE_H

#include <linux/ftrace.h>
#include <linux/types.h>

/*
 * Returns the registers at function entry. Before arch_ftrace_regs() was added
 * (6.13, and backports), they were a visible member of struct ftrace_regs. Without
 * FTRACE_OPS_FL_SAVE_REGS only the argument registers and sp are valid.
 */
static __always_inline struct pt_regs *fargs_compat_regs(struct ftrace_regs *fregs)
{
#ifdef arch_ftrace_regs
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
}

/*
 * Estimate of the memory in bytes that ftrace allocates for a traced function, without charging it
 * to a cgroup or user: an entry of 32 bytes in the filter, and one in the copy that replaces the
 * filter when the filter changes.
 */
#define FARGS_COMPAT_FTRACE_BYTES	64

/**
 * fargs_compat_ftrace_test() - find the addresses that ftrace cannot trace
 * @ips: fentry addresses
 * @nr: number of addresses
 * @bad: bitmap, all clear; bit i is set if @ips[i] cannot be traced
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno; -EINTR if a fatal signal is pending.
 */
int fargs_compat_ftrace_test(unsigned long *ips, u32 nr, unsigned long *bad);

#endif
