/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of x86 instructions in AT&T syntax, where they differ from Intel's names.
 */
#ifndef FARGS_ABI_DISASM_NAMES_H
#define FARGS_ABI_DISASM_NAMES_H

#include <Zydis/Decoder.h>
#include <stdint.h>

/* How the size of a memory operand is appended to the name. */
enum fargs_disasm_suffix {
	FARGS_DISASM_PLAIN,		/* not at all */
	FARGS_DISASM_INTEGER,		/* b, w, l, q, unless a register operand has this size */
	FARGS_DISASM_ALWAYS,		/* b, w, l, q, even if a register operand has this size */
	FARGS_DISASM_FLOAT,		/* s, l, t */
	FARGS_DISASM_FLOAT_INTEGER,	/* s, l, ll */
};

/* Returns the name of the instruction, without its suffix. */
const char *fargs_disasm_name(const ZydisDecodedInstruction *insn);
/* Returns how the size of a memory operand is appended. */
enum fargs_disasm_suffix fargs_disasm_suffix(const ZydisDecodedInstruction *insn);
/*
 * Returns the part of the name by which objdump shows the last operand, if it is @value: the
 * relation of a comparison, such as "lt", or the halves of a carry-less multiplication. NULL: it
 * shows the operand.
 */
const char *fargs_disasm_infix(const ZydisDecodedInstruction *insn, uint64_t value);

#endif
