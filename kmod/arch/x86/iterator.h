/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The iterator of a tracepoint is the kernel's function __traceiter_NAME. While a tracepoint has
 * one probe, the function that fires the tracepoint calls that probe. While it has several, the
 * function calls the iterator, which calls the probes in a loop. Then the return address of a probe
 * is in the iterator, and the return address of the iterator is in the function that fires.
 */
#ifndef FARGS_KMOD_ARCH_X86_ITERATOR_H
#define FARGS_KMOD_ARCH_X86_ITERATOR_H

#include <linux/compiler.h>
#include <linux/types.h>

struct pt_regs;

/*
 * The iterator of one tracepoint. Constant while a probe is registered, except for @frame, which
 * any CPU may write, in any context; all of them write the same value.
 */
struct fargs_iterator {
	unsigned long start;
	unsigned long bytes;		/* size of its code; 0: unknown */
	unsigned long trampoline;	/* static call trampoline: jumps to the iterator */
	/*
	 * Upper half: offset of the probe's return address in the iterator. Lower half: distance on
	 * the stack from the probe's return address to the iterator's. 0: not known yet.
	 */
	u64 frame;
};

/* Is @addr, the return address of a probe, in the iterator? */
static __always_inline bool fargs_iterator_contains(const struct fargs_iterator *iterator,
						    unsigned long addr)
{
	return addr - iterator->start < iterator->bytes;
}

/**
 * fargs_iterator_caller() - find the function that fired a tracepoint
 * @iterator: iterator of the tracepoint, which has called a probe
 * @regs: registers at the call of the probe, of which ip, bp and sp are used; sp points to the
 *	return address, which is in the iterator
 *
 * May call the unwinder, which ftrace can trace.
 *
 * Context: Any context in which a tracepoint fires, NMI included. RCU is watching, and preemption
 *	is disabled.
 * Return: The return address of the iterator or, if it cannot be determined, that of the probe.
 */
unsigned long fargs_iterator_caller(struct fargs_iterator *iterator, struct pt_regs *regs);

#endif
