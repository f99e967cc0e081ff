/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What libipt does not tell of branch instructions: which they are exactly, and how long
 * conditional ones are. By the opcode maps of Intel's manual (SDM 2, appendix A), 64-bit mode.
 */
#ifndef FARGS_PT_INSN_H
#define FARGS_PT_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FARGS_PT_INSN_MAX	15

enum fargs_pt_insn {
	FARGS_PT_INSN_OTHER,		/* no branch, or none that is known */
	FARGS_PT_INSN_CALL,
	FARGS_PT_INSN_RETURN,
	FARGS_PT_INSN_JUMP,
	FARGS_PT_INSN_COND,
	FARGS_PT_INSN_INT,		/* INT n, INT3, INT1 */
	FARGS_PT_INSN_IRET,
	FARGS_PT_INSN_SYSCALL,		/* SYSENTER, too */
	FARGS_PT_INSN_SYSRET,		/* SYSEXIT, too */
	FARGS_PT_INSN_FAR_CALL,
	FARGS_PT_INSN_FAR_RETURN,
	FARGS_PT_INSN_VMENTRY,		/* VMLAUNCH, VMRESUME */
	FARGS_PT_INSN_FAR,		/* far jumps */
};

/*
 * The instruction that begins with @bytes of code; *@size of conditional branches, else 0.
 * Fewer than FARGS_PT_INSN_MAX bytes are enough if the instruction is in them.
 */
enum fargs_pt_insn fargs_pt_insn_classify(const uint8_t *code, size_t bytes, unsigned int *size);

/* Is it a near call or jump to where a register or memory says? */
bool fargs_pt_insn_is_indirect(const uint8_t *code, size_t bytes);

#endif
