/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of the trace's kinds a 64-bit x86 instruction is. */
#ifndef PTEMU_INSN_H
#define PTEMU_INSN_H

#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_OTHER,
	INSN_REPEATED,		/* may be interrupted and go on */
	INSN_JCC,
	INSN_JMP,
	INSN_CALL,
	INSN_JMP_INDIRECT,
	INSN_CALL_INDIRECT,
	INSN_RET,
	INSN_FAR,		/* syscall, sysret, iret ... */
	INSN_TRAP,		/* int3, int, int1 */
	INSN_MOV_CR3,
	INSN_WRMSR,
	INSN_RDMSR,
	INSN_CPUID,
	INSN_PTWRITE,		/* of a register */
};

struct insn {
	uint64_t pc;
	uint64_t target;	/* of JCC, JMP and CALL */
	uint16_t index;		/* in the block it was translated in */
	uint8_t size;
	uint8_t kind;		/* enum insn_kind */
	uint8_t reg;		/* PTWRITE: the register's number ... */
	uint8_t operand_size;	/* ... and its size in bytes */
};

static inline uint64_t insn_next(const struct insn *insn)
{
	return insn->pc + insn->size;
}

/* Sets kind and what depends on it. pc and size are set; @bytes are the instruction. */
void insn_classify(struct insn *insn, const uint8_t *bytes);

#endif
