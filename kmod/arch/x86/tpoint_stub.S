/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * void fargs_tpoint_stub(void *data, ...): the probe of all tracepoints.
 *
 * A tracepoint calls its probes through a pointer to a C function of the tracepoint's type,
 * but this function is shared by all types: only layouts describe the arguments. So, before
 * any other code can change them, it saves the registers in which the ABI passes arguments, di
 * to r9 and the stack pointer, in a struct pt_regs, as ftrace does at a function's entry: sp
 * points to the return address. The unwinder starts from ip and bp. All other fields except cs
 * are undefined.
 *
 * tpoint.h checks that the FARGS_REGS_* offsets are those of struct pt_regs.
 */
#include <linux/linkage.h>

#include "arch/tpoint.h"

	.text

/* Called through pointers, so it needs an ENDBR. SYM_FUNC_START emits none on some kernels. */
SYM_START(fargs_tpoint_stub, SYM_L_GLOBAL, SYM_A_ALIGN)
	ENDBR
	pushq	%rbp
	movq	%rsp, %rbp
	/* 8 more bytes than struct pt_regs needs, to keep the stack aligned to 16 bytes. */
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
	/* A cs of 0 means kernel mode, as in the registers that ftrace saves. */
	movq	$0, FARGS_REGS_CS(%rsp)
	movq	%rsp, %rdi
	call	fargs_tpoint_call
	leave
	RET
SYM_FUNC_END(fargs_tpoint_stub)
