/* SPDX-License-Identifier: GPL-2.0-only */
/* Classifies 64-bit x86 instructions by the kinds that matter to the trace. */
#ifndef PTEMU_INSN_H
#define PTEMU_INSN_H

#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_OTHER,
	INSN_REPEATED,		/* can be interrupted and resumed (REP prefix) */
	INSN_JCC,
	INSN_JMP,
	INSN_CALL,
	INSN_JMP_INDIRECT,
	INSN_CALL_INDIRECT,
	INSN_RET,
	INSN_FAR,		/* syscall, sysret, iret and similar */
	INSN_TRAP,		/* int3, int and int1 */
	INSN_MOV_CR3,
	INSN_WRMSR,
	INSN_RDMSR,
	INSN_CPUID,
	INSN_PTWRITE,		/* PTWRITE of a register */
};

struct insn {
	uint64_t pc;
	uint64_t target;	/* target address of JCC, JMP and CALL */
	uint16_t index;		/* index in the block in which it was translated */
	uint8_t size;
	uint8_t kind;		/* enum insn_kind */
	uint8_t reg;		/* PTWRITE: number of the register */
	uint8_t operand_size;	/* PTWRITE: size of the operand in bytes */
};

static inline uint64_t insn_next(const struct insn *insn)
{
	return insn->pc + insn->size;
}

/*
 * Sets kind and the members that depend on it. pc and size must be set; @bytes: bytes of the
 * instruction.
 */
void insn_classify(struct insn *insn, const uint8_t *bytes);

#endif
