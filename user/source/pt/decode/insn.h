/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Determines the properties of branch instructions that libipt does not report: their exact kind,
 * and the size of conditional branches. Based on the opcode maps in Intel's manual (SDM 2, appendix
 * A), for 64-bit mode.
 */
#ifndef FARGS_SOURCE_PT_DECODE_INSN_H
#define FARGS_SOURCE_PT_DECODE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FARGS_PT_INSN_MAX	15

enum fargs_pt_insn {
	FARGS_PT_INSN_OTHER,		/* not a branch, or an unknown instruction */
	FARGS_PT_INSN_CALL,
	FARGS_PT_INSN_RETURN,
	FARGS_PT_INSN_JUMP,
	FARGS_PT_INSN_COND,
	FARGS_PT_INSN_INT,		/* INT n, INT3, INT1 */
	FARGS_PT_INSN_IRET,
	FARGS_PT_INSN_SYSCALL,		/* SYSCALL, SYSENTER */
	FARGS_PT_INSN_SYSRET,		/* SYSRET, SYSEXIT */
	FARGS_PT_INSN_FAR_CALL,		/* also VMCALL */
	FARGS_PT_INSN_FAR_RETURN,	/* also UIRET */
	FARGS_PT_INSN_VMENTRY,		/* VMLAUNCH, VMRESUME */
	FARGS_PT_INSN_FAR,		/* far jumps */
};

/*
 * Classifies the instruction at @code. *@size: size of a conditional branch, 0 for others. @bytes:
 * number of bytes available; may be less than FARGS_PT_INSN_MAX if they contain the instruction.
 */
enum fargs_pt_insn fargs_pt_insn_classify(const uint8_t *code, size_t bytes, unsigned int *size);

/* Returns whether @code is a near call or jump with its target in a register or in memory. */
bool fargs_pt_insn_is_indirect(const uint8_t *code, size_t bytes);

#endif
