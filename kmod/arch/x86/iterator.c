// SPDX-License-Identifier: GPL-2.0-only
/*
 * The iterator's frame on the stack has the same size whenever the iterator calls a probe. So the
 * distance on the stack from the probe's return address to the iterator's return address is
 * constant: it is determined once, by the kernel's unwinder. But the iterator's return address may
 * have been replaced: by a return probe on the iterator (of fargs or another tracer), or by a BPF
 * program that runs when the iterator returns. So each address that is read from the stack is
 * checked: it must follow a call of the iterator. If it does not, the unwinder is called, which can
 * find the original address.
 *
 * Context: any context in which a tracepoint fires, NMI included. Nothing in this file is traced
 * (Kbuild). The unwinder can be traced, and can fire tracepoints: see NESTED_MAX.
 */
#include "arch/iterator.h"

#include <linux/kconfig.h>
#include <linux/percpu.h>
#include <linux/pgtable.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/unwind.h>

#define CALL_OPCODE	0xe8
#define CALL_BYTES	5
/* A call may enter a function up to this many bytes before its symbol (call depth tracking). */
#define PADDING_MAX	64
/* Maximum size of an iterator's frame; it contains saved registers and arguments on the stack. */
#define FRAME_MAX	1024
/*
 * Maximum number of nested calls of unwind_iterator() on a CPU in one context: task, soft
 * interrupt, interrupt, NMI. The limit is reached only if the unwinder itself fires the tracepoint,
 * as on kernels with lockdep, where it fires lock_acquire. It is not 1, because the first functions
 * of an interrupt run before preempt_count shows the interrupt.
 */
#define NESTED_MAX	2
#define NR_CONTEXTS	4

static DEFINE_PER_CPU(u32[NR_CONTEXTS], fargs_iterator_nested);

/*
 * Sets *@target to the target of the call instruction before @addr. Returns false if there is no
 * such instruction, or @addr is not in the mapping of the kernel and its modules.
 */
static __always_inline bool read_call(unsigned long addr, unsigned long *target)
{
	unsigned long insn = addr - CALL_BYTES;
	s32 distance;
	u8 opcode;

	if (insn < __START_KERNEL_map || addr < insn || addr >= MODULES_END)
		return false;
	__get_kernel_nofault(&opcode, (u8 *)insn, u8, fault);
	__get_kernel_nofault(&distance, (s32 *)(insn + 1), s32, fault);
	*target = addr + distance;
	return opcode == CALL_OPCODE;
fault:
	return false;
}

/* Is the instruction before @addr a call of the iterator? */
static __always_inline bool is_called_before(const struct fargs_iterator *iterator,
					     unsigned long addr)
{
	unsigned long target;

	return read_call(addr, &target) && (iterator->start - target <= PADDING_MAX ||
					    target == iterator->trampoline);
}

/*
 * To run a program when the iterator returns, a BPF trampoline calls the iterator at the
 * instruction after its fentry instruction. So the iterator returns to the trampoline, which the
 * unwinder cannot distinguish from a function.
 */
static bool is_body_called_before(const struct fargs_iterator *iterator, unsigned long addr)
{
	unsigned long target;

	return read_call(addr, &target) && target != iterator->start &&
	       fargs_iterator_contains(iterator, target);
}

/* Returns the distance from @regs->sp to the return address that the unwinder found last. */
static unsigned long distance_of(const struct unwind_state *state, const struct pt_regs *regs)
{
#if defined(CONFIG_UNWINDER_ORC)
	return state->sp - sizeof(long) - regs->sp;
#elif defined(CONFIG_UNWINDER_FRAME_POINTER)
	return regs->bp + sizeof(long) - regs->sp;
#else
	return FRAME_MAX;
#endif
}

/*
 * Stores in iterator->frame the distance on the stack from the probe's return address to the
 * iterator's return address, @addr. Does nothing if @addr was replaced on the stack.
 */
static void learn_frame(struct fargs_iterator *iterator, const struct unwind_state *state,
			const struct pt_regs *regs, unsigned long ret, unsigned long addr)
{
	unsigned long distance = distance_of(state, regs);

	if (distance < FRAME_MAX && is_called_before(iterator, addr) &&
	    READ_ONCE_NOCHECK(*(unsigned long *)(regs->sp + distance)) == addr)
		WRITE_ONCE(iterator->frame, (u64)(ret - iterator->start) << 32 | distance);
}

/*
 * Returns the return address of the iterator, or 0. The unwinder begins with the return address of
 * the function to which @regs belong, the probe; with frame pointers it begins one frame later,
 * with the return address of the iterator.
 *
 * While the kernel patches the calls of the iterator, because probes are registered, the
 * instruction before the return address may be any instruction. So an address that the unwinder
 * found by its tables or by frame pointers is accepted without a check of that instruction. An
 * address that it guessed (CONFIG_UNWINDER_GUESS) is checked.
 */
static unsigned long unwind_iterator(struct fargs_iterator *iterator, struct pt_regs *regs,
				     unsigned long ret)
{
	struct unwind_state state;
	unsigned long addr;

	unwind_start(&state, current, regs, NULL);
	addr = unwind_get_return_address(&state);
	if (addr == ret)
		addr = unwind_next_frame(&state) ? unwind_get_return_address(&state) : 0;
	if (!addr || is_body_called_before(iterator, addr) ||
	    (IS_ENABLED(CONFIG_UNWINDER_GUESS) && !is_called_before(iterator, addr)))
		return 0;
	learn_frame(iterator, &state, regs, ret, addr);
	return addr;
}

static noinline unsigned long unwind_if_shallow(struct fargs_iterator *iterator,
						struct pt_regs *regs, unsigned long ret)
{
	u32 context = interrupt_context_level();
	unsigned long addr = 0;

	if (this_cpu_inc_return(fargs_iterator_nested[context]) <= NESTED_MAX)
		addr = unwind_iterator(iterator, regs, ret);
	this_cpu_dec(fargs_iterator_nested[context]);
	return addr ?: ret;
}

unsigned long notrace fargs_iterator_caller(struct fargs_iterator *iterator, struct pt_regs *regs)
{
	unsigned long ret = *(unsigned long *)regs->sp, addr;
	u64 frame = READ_ONCE(iterator->frame);

	if (likely(frame >> 32 == ret - iterator->start)) {
		addr = READ_ONCE_NOCHECK(*(unsigned long *)(regs->sp + (u32)frame));
		if (likely(is_called_before(iterator, addr)))
			return addr;
	}
	return unwind_if_shallow(iterator, regs, ret);
}
