// SPDX-License-Identifier: GPL-2.0-only
#include "abi/disasm_writer.h"

#include <Zydis/Register.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "abi/disasm_names.h"
#include "base/put.h"

static bool is_indirect(const struct fargs_disasm_writer *w)
{
	return (w->insn.mnemonic == ZYDIS_MNEMONIC_CALL ||
		w->insn.mnemonic == ZYDIS_MNEMONIC_JMP) &&
	       w->operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       w->operands[0].type != ZYDIS_OPERAND_TYPE_POINTER;
}

void fargs_disasm_put_symbol(struct fargs_disasm_writer *w, uint64_t addr)
{
	const char *symbol;
	char digits[20];
	uint64_t offset;

	if (!w->d->find || !w->d->find(w->d->arg, addr, &symbol, &offset)) {
		fargs_put_hex(w->out, addr);
		return;
	}
	snprintf(digits, sizeof(digits), "%" PRIx64 " <", addr);
	fargs_put(w->out, digits);
	fargs_put_escaped(w->out, symbol, strlen(symbol), NULL);
	if (offset) {
		fargs_put_char(w->out, '+');
		fargs_put_hex(w->out, offset);
	}
	fargs_put_char(w->out, '>');
}

static void put_register(struct fargs_disasm_writer *w, ZydisRegister reg)
{
	fargs_put_char(w->out, '%');
	fargs_put(w->out, ZydisRegisterGetString(reg));
}

/* The top of the x87 stack has a number only if the instruction has it. */
static void put_x87(struct fargs_disasm_writer *w, const ZydisDecodedOperand *op)
{
	char text[16] = "%st";

	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT)
		snprintf(text, sizeof(text), "%%st(%d)", op->reg.value - ZYDIS_REGISTER_ST0);
	fargs_put(w->out, text);
}

static void put_signed(struct fargs_disasm_writer *w, int64_t v)
{
	if (v < 0)
		fargs_put_char(w->out, '-');
	fargs_put_hex(w->out, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

/* A segment that is not the usual one of the operand; string instructions name theirs. */
static bool has_segment(const struct fargs_disasm_writer *w, const ZydisDecodedOperand *op)
{
	if (fargs_disasm_is_string(&w->insn))
		return op->mem.segment != ZYDIS_REGISTER_NONE;
	if (op->type != ZYDIS_OPERAND_TYPE_MEMORY || op->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
		return false;
	return op->mem.segment == ZYDIS_REGISTER_FS || op->mem.segment == ZYDIS_REGISTER_GS ||
	       (w->insn.attributes & ZYDIS_ATTRIB_HAS_SEGMENT &&
		w->insn.machine_mode != ZYDIS_MACHINE_MODE_LONG_64);
}

static void put_memory(struct fargs_disasm_writer *w, const ZydisDecodedOperand *op)
{
	bool has_base = op->mem.base != ZYDIS_REGISTER_NONE;
	bool has_index = op->mem.index != ZYDIS_REGISTER_NONE;
	bool is_ip = op->mem.base == ZYDIS_REGISTER_RIP || op->mem.base == ZYDIS_REGISTER_EIP;
	char scale[8];

	if (has_segment(w, op)) {
		put_register(w, op->mem.segment);
		fargs_put_char(w->out, ':');
	}
	if (!has_base && !has_index) {
		uint64_t addr = (uint64_t)op->mem.disp.value;

		fargs_put_hex(w->out, w->insn.address_width == 64 ? addr : (uint32_t)addr);
		return;
	}
	if (op->mem.disp.has_displacement || w->insn.raw.disp.size)
		put_signed(w, op->mem.disp.value);
	if (is_ip) {
		w->has_ip_relative = true;
		w->ip_relative = w->d->ip + w->insn.length + (uint64_t)op->mem.disp.value;
	}
	fargs_put_char(w->out, '(');
	if (has_base)
		put_register(w, op->mem.base);
	if (has_index) {
		fargs_put_char(w->out, ',');
		put_register(w, op->mem.index);
		snprintf(scale, sizeof(scale), ",%u", op->mem.scale);
		fargs_put(w->out, scale);
	}
	fargs_put_char(w->out, ')');
}

static void put_immediate(struct fargs_disasm_writer *w, const ZydisDecodedOperand *op)
{
	uint64_t v = op->imm.value.u, bits = op->size;

	if (op->imm.is_relative) {
		v += w->d->ip + w->insn.length;
		fargs_disasm_put_symbol(w, w->d->bits == 64 ? v : (uint32_t)v);
		return;
	}
	/* An immediate that is extended has the size of the operation. */
	if (op->imm.is_signed && w->insn.operand_width > bits)
		bits = w->insn.operand_width;
	if (bits && bits < 64)
		v &= (1ull << bits) - 1;
	fargs_put_char(w->out, '$');
	fargs_put_hex(w->out, v);
}

/* A move to a segment register reads 16 bits, but the register is that of the operand size. */
static ZydisRegister register_of(const struct fargs_disasm_writer *w, const ZydisDecodedOperand *op)
{
	ZydisRegisterClass whole = w->insn.operand_width == 64 ? ZYDIS_REGCLASS_GPR64 :
							       ZYDIS_REGCLASS_GPR32;

	if (w->insn.opcode != 0x8e || w->insn.opcode_map != ZYDIS_OPCODE_MAP_DEFAULT ||
	    ZydisRegisterGetClass(op->reg.value) != ZYDIS_REGCLASS_GPR16)
		return op->reg.value;
	return ZydisRegisterEncode(whole, ZydisRegisterGetId(op->reg.value));
}

static void put_operand(struct fargs_disasm_writer *w, const ZydisDecodedOperand *op)
{
	char text[40];

	switch (op->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		/* A port is an address. */
		if (op->reg.value == ZYDIS_REGISTER_DX &&
		    (w->insn.meta.category == ZYDIS_CATEGORY_IO ||
		     fargs_disasm_is_string(&w->insn))) {
			fargs_put(w->out, "(%dx)");
			break;
		}
		if (ZydisRegisterGetClass(op->reg.value) == ZYDIS_REGCLASS_X87)
			put_x87(w, op);
		else
			put_register(w, register_of(w, op));
		break;
	case ZYDIS_OPERAND_TYPE_MEMORY:
		put_memory(w, op);
		break;
	case ZYDIS_OPERAND_TYPE_POINTER:
		snprintf(text, sizeof(text), "$0x%x,$0x%x", op->ptr.segment, op->ptr.offset);
		fargs_put(w->out, text);
		break;
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		put_immediate(w, op);
		break;
	default:
		break;
	}
}

/* Returns whether a string instruction reads or writes data or a port in @reg. */
static bool is_data(ZydisRegister reg)
{
	switch (reg) {
	case ZYDIS_REGISTER_AL: case ZYDIS_REGISTER_AX:
	case ZYDIS_REGISTER_EAX: case ZYDIS_REGISTER_RAX: case ZYDIS_REGISTER_DX:
		return true;
	default:
		return false;
	}
}

/* Returns whether the operand @i is shown. */
static bool is_shown(const struct fargs_disasm_writer *w, unsigned int i)
{
	const ZydisDecodedOperand *op = &w->operands[i];

	if (fargs_disasm_is_string(&w->insn))
		return fargs_disasm_is_memory(op) || (op->type == ZYDIS_OPERAND_TYPE_REGISTER &&
					 is_data(op->reg.value));
	if (op->type == ZYDIS_OPERAND_TYPE_REGISTER && op->reg.value == ZYDIS_REGISTER_XMM0 &&
	    op->visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT)
		return true;
	if (i >= w->insn.operand_count_visible || op->encoding == ZYDIS_OPERAND_ENCODING_MASK)
		return false;
	if (op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && i + 1 == w->insn.operand_count_visible &&
	    fargs_disasm_infix(&w->insn, op->imm.value.u))
		return false;
	/* Shifts by 1. */
	if (op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	    op->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT)
		return false;
	return !(i && w->insn.mnemonic == ZYDIS_MNEMONIC_NOP);
}

static bool is_mask(const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       ZydisRegisterGetClass(op->reg.value) == ZYDIS_REGCLASS_MASK;
}

/* Writes which elements of the destination are written, of a source are read, and rounding. */
static void put_decorators(struct fargs_disasm_writer *w, unsigned int i)
{
	static const char *const broadcasts[] = {
		[ZYDIS_BROADCAST_MODE_1_TO_2] = "{1to2}", [ZYDIS_BROADCAST_MODE_1_TO_4] = "{1to4}",
		[ZYDIS_BROADCAST_MODE_1_TO_8] = "{1to8}",
		[ZYDIS_BROADCAST_MODE_1_TO_16] = "{1to16}",
		[ZYDIS_BROADCAST_MODE_1_TO_32] = "{1to32}",
	};
	const ZydisDecodedInstructionAvx *avx = &w->insn.avx;
	unsigned int mode = avx->broadcast.mode;

	if (w->insn.encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX)
		return;
	if (fargs_disasm_is_memory(&w->operands[i]) && !avx->broadcast.is_static &&
	    mode < sizeof(broadcasts) / sizeof(broadcasts[0]) && broadcasts[mode])
		fargs_put(w->out, broadcasts[mode]);
	if (i)
		return;
	if (avx->mask.mode > ZYDIS_MASK_MODE_DISABLED) {
		fargs_put(w->out, "{%");
		fargs_put(w->out, ZydisRegisterGetString(avx->mask.reg));
		fargs_put_char(w->out, '}');
	}
	if (avx->mask.mode == ZYDIS_MASK_MODE_ZEROING && !is_mask(&w->operands[0]))
		fargs_put(w->out, "{z}");
}

/* Writes the rounding mode, which comes before the operands. */
static bool put_rounding(struct fargs_disasm_writer *w)
{
	static const char *const names[] = {
		[ZYDIS_ROUNDING_MODE_RN] = "{rn", [ZYDIS_ROUNDING_MODE_RD] = "{rd",
		[ZYDIS_ROUNDING_MODE_RU] = "{ru", [ZYDIS_ROUNDING_MODE_RZ] = "{rz",
	};
	unsigned int mode = w->insn.avx.rounding.mode;

	if (w->insn.encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX || !w->insn.avx.has_sae)
		return false;
	if (mode < sizeof(names) / sizeof(names[0]) && names[mode]) {
		fargs_put(w->out, names[mode]);
		fargs_put(w->out, "-sae}");
	} else {
		fargs_put(w->out, "{sae}");
	}
	return true;
}

/* Returns the operands of an instruction whose operands the opcode implies; NULL: any other. */
static const char *implied_operands(const ZydisDecodedInstruction *insn)
{
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_MONITOR:
		return insn->address_width == 64 ? "%rax,%ecx,%edx" : "%eax,%ecx,%edx";
	case ZYDIS_MNEMONIC_MWAIT:
		return "%eax,%ecx";
	case ZYDIS_MNEMONIC_NOP:
		return insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
		       insn->operand_width == 16 ? "%ax,%ax" : NULL;
	case ZYDIS_MNEMONIC_PVALIDATE: case ZYDIS_MNEMONIC_RMPADJUST:
	case ZYDIS_MNEMONIC_RMPUPDATE: case ZYDIS_MNEMONIC_PSMASH:
		return "";
	default:
		return NULL;
	}
}

void fargs_disasm_put_operands(struct fargs_disasm_writer *w)
{
	const char *implied = implied_operands(&w->insn);
	bool is_first = !put_rounding(w);
	unsigned int i;

	if (implied) {
		fargs_put(w->out, implied);
		return;
	}
	for (i = w->insn.operand_count; i; i--) {
		if (!is_shown(w, i - 1))
			continue;
		if (!is_first)
			fargs_put_char(w->out, ',');
		is_first = false;
		if (is_indirect(w))
			fargs_put_char(w->out, '*');
		put_operand(w, &w->operands[i - 1]);
		put_decorators(w, i - 1);
	}
}
