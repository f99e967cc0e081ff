/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * void fargs_tpoint_stub(void *data, ...): the probe of all tracepoints.
 *
 * A tracepoint calls its probes as the C function that they say they are, with arguments
 * that only their layouts know. So before anything else can change them this puts what
 * the ABI passes arguments in, di to r9 and the stack pointer, into a struct pt_regs, as
 * ftrace does at a function's entry: sp is that of the return address. With ip and bp the
 * unwinder can go on from there, too. The rest of it holds nothing.
 *
 * The offsets are those of struct pt_regs.
 */
#include <linux/linkage.h>

#include "arch/tpoint.h"

	.text

/* Called through pointers: SYM_FUNC_START has no ENDBR of its own on every kernel. */
SYM_START(fargs_tpoint_stub, SYM_L_GLOBAL, SYM_A_ALIGN)
	ENDBR
	pushq	%rbp
	movq	%rsp, %rbp
	/* And 8 for the alignment of the stack. */
	subq	$(FARGS_REGS_BYTES + 8), %rsp
	movq	%rdi, FARGS_REGS_DI(%rsp)
	movq	%rsi, FARGS_REGS_SI(%rsp)
	movq	%rdx, FARGS_REGS_DX(%rsp)
	movq	%rcx, FARGS_REGS_CX(%rsp)
	movq	%r8, FARGS_REGS_R8(%rsp)
	movq	%r9, FARGS_REGS_R9(%rsp)
	movq	(%rbp), %rax
	movq	%rax, FARGS_REGS_BP(%rsp)
	leaq	8(%rbp), %rax
	movq	%rax, FARGS_REGS_SP(%rsp)
	leaq	fargs_tpoint_stub(%rip), %rax
	movq	%rax, FARGS_REGS_IP(%rsp)
	/* The kernel's: 0, as ftrace has it. */
	movq	$0, FARGS_REGS_CS(%rsp)
	movq	%rsp, %rdi
	call	fargs_tpoint_call
	leave
	RET
SYM_FUNC_END(fargs_tpoint_stub)
