/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Classifies x86 instructions by the kinds that matter to the trace. 32-bit code needs nothing
 * else: a REX prefix, which is an instruction of its own there, is one here, too, if nothing
 * follows.
 */
#ifndef PTEMU_INSN_H
#define PTEMU_INSN_H

#include <stdbool.h>
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
	INSN_FAR,		/* syscall, sysret and similar */
	INSN_IRET,
	INSN_TRAP,		/* int3, int and int1 */
	INSN_MOV_CR3,
	INSN_WRMSR,
	INSN_RDMSR,
	INSN_CPUID,
	INSN_PTWRITE,
	INSN_IDLE,		/* HLT and MWAIT */
	INSN_CLI,
	INSN_STI,
	INSN_POPF,
};

#define INSN_NO_REGISTER	0xff
#define INSN_RIP		0xfe	/* the address is relative to the next instruction */

/* The address of an operand in memory: registers are numbers, or one of the values above. */
struct insn_address {
	uint8_t segment;	/* 4: FS, 5: GS, or INSN_NO_REGISTER */
	uint8_t base, index, scale;
	int32_t displacement;
};

struct insn {
	uint64_t pc;
	uint64_t target;	/* target address of JCC, JMP and CALL */
	uint16_t index;		/* index in the block in which it was translated */
	uint8_t size;
	uint8_t kind;		/* enum insn_kind */
	/* PTWRITE: number of the register, or INSN_NO_REGISTER. IDLE: INSN_NO_REGISTER for HLT. */
	uint8_t reg;
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
/*
 * Reads the address of the operand of a PTWRITE in memory. @bytes: its bytes and those after it, 16
 * in all. Sets *@size to the size of the instruction.
 */
struct insn_address insn_address(const uint8_t *bytes, bool is_32bit, uint8_t *size);

#endif
