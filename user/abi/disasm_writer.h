/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the operands of an instruction. Private to abi/disasm*.c.
 */
#ifndef FARGS_ABI_DISASM_WRITER_H
#define FARGS_ABI_DISASM_WRITER_H

#include <Zydis/Decoder.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/disasm.h"

struct fargs_disasm_writer {
	struct fargs_buf *out;
	const struct fargs_disasm *d;
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t ip_relative;	/* address of an operand relative to the instruction's */
	bool has_ip_relative;
};

static inline bool fargs_disasm_is_string(const ZydisDecodedInstruction *insn)
{
	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_STRINGOP:
	case ZYDIS_CATEGORY_IOSTRINGOP:
		return true;
	default:
		return false;
	}
}

static inline bool fargs_disasm_is_memory(const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_MEMORY && op->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

/* Writes @addr, and the symbol that contains it. */
void fargs_disasm_put_symbol(struct fargs_disasm_writer *w, uint64_t addr);
void fargs_disasm_put_operands(struct fargs_disasm_writer *w);

#endif
