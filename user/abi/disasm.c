// SPDX-License-Identifier: GPL-2.0-only
#include "abi/disasm.h"

#include <Zydis/Decoder.h>
#include <Zydis/Register.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "abi/disasm_names.h"
#include "base/put.h"

/* Width of the column of the mnemonic, without the blank after it. */
#define NAME_WIDTH	6

struct writer {
	struct fargs_buf *out;
	const struct fargs_disasm *d;
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t ip_relative;	/* address of an operand relative to the instruction's */
	bool has_ip_relative;
};

static bool is_string(const ZydisDecodedInstruction *insn)
{
	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_STRINGOP:
	case ZYDIS_CATEGORY_IOSTRINGOP:
		return true;
	default:
		return false;
	}
}

static bool is_indirect(const struct writer *w)
{
	return (w->insn.mnemonic == ZYDIS_MNEMONIC_CALL || w->insn.mnemonic == ZYDIS_MNEMONIC_JMP) &&
	       w->operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       w->operands[0].type != ZYDIS_OPERAND_TYPE_POINTER;
}

static void put_symbol(struct writer *w, uint64_t addr)
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

static void put_register(struct writer *w, ZydisRegister reg)
{
	fargs_put_char(w->out, '%');
	fargs_put(w->out, ZydisRegisterGetString(reg));
}

/* The top of the x87 stack has a number only if the instruction has it. */
static void put_x87(struct writer *w, const ZydisDecodedOperand *op)
{
	char text[16] = "%st";

	if (op->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT)
		snprintf(text, sizeof(text), "%%st(%d)", op->reg.value - ZYDIS_REGISTER_ST0);
	fargs_put(w->out, text);
}

static void put_signed(struct writer *w, int64_t v)
{
	if (v < 0)
		fargs_put_char(w->out, '-');
	fargs_put_hex(w->out, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

/* A segment that is not the usual one of the operand; string instructions name theirs. */
static bool has_segment(const struct writer *w, const ZydisDecodedOperand *op)
{
	if (is_string(&w->insn))
		return op->mem.segment != ZYDIS_REGISTER_NONE;
	if (op->type != ZYDIS_OPERAND_TYPE_MEMORY || op->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
		return false;
	return op->mem.segment == ZYDIS_REGISTER_FS || op->mem.segment == ZYDIS_REGISTER_GS ||
	       (w->insn.attributes & ZYDIS_ATTRIB_HAS_SEGMENT &&
		w->insn.machine_mode != ZYDIS_MACHINE_MODE_LONG_64);
}

static void put_memory(struct writer *w, const ZydisDecodedOperand *op)
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

static void put_immediate(struct writer *w, const ZydisDecodedOperand *op)
{
	uint64_t v = op->imm.value.u, bits = op->size;

	if (op->imm.is_relative) {
		v += w->d->ip + w->insn.length;
		put_symbol(w, w->d->bits == 64 ? v : (uint32_t)v);
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
static ZydisRegister register_of(const struct writer *w, const ZydisDecodedOperand *op)
{
	ZydisRegisterClass whole = w->insn.operand_width == 64 ? ZYDIS_REGCLASS_GPR64 :
							       ZYDIS_REGCLASS_GPR32;

	if (w->insn.opcode != 0x8e || w->insn.opcode_map != ZYDIS_OPCODE_MAP_DEFAULT ||
	    ZydisRegisterGetClass(op->reg.value) != ZYDIS_REGCLASS_GPR16)
		return op->reg.value;
	return ZydisRegisterEncode(whole, ZydisRegisterGetId(op->reg.value));
}

static void put_operand(struct writer *w, const ZydisDecodedOperand *op)
{
	char text[40];

	switch (op->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		/* A port is an address. */
		if (op->reg.value == ZYDIS_REGISTER_DX &&
		    (w->insn.meta.category == ZYDIS_CATEGORY_IO || is_string(&w->insn))) {
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

static bool is_memory(const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_MEMORY && op->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

static const char *integer_suffix(unsigned int bits)
{
	return bits == 8 ? "b" : bits == 16 ? "w" : bits == 32 ? "l" : bits == 64 ? "q" : "";
}

/* Returns the suffix for the size of the memory operand. */
static const char *suffix_of(const struct writer *w)
{
	enum fargs_disasm_suffix kind = fargs_disasm_suffix(&w->insn);
	const ZydisDecodedOperand *op, *memory = NULL;
	bool has_register = false;
	unsigned int i;

	for (i = 0; i < w->insn.operand_count_visible; i++) {
		op = &w->operands[i];
		if (is_memory(op))
			memory = op;
		/* The number of bits to shift has no influence on the size. */
		else if (op->type == ZYDIS_OPERAND_TYPE_REGISTER &&
			 op->encoding != ZYDIS_OPERAND_ENCODING_NONE)
			has_register = true;
	}
	/* In a NOP, Zydis also shows the register field, which has no meaning. */
	if (!memory || (kind == FARGS_DISASM_INTEGER && has_register &&
			w->insn.mnemonic != ZYDIS_MNEMONIC_NOP))
		return "";
	switch (kind) {
	case FARGS_DISASM_INTEGER:
	case FARGS_DISASM_ALWAYS:
		return integer_suffix(memory->size);
	case FARGS_DISASM_FLOAT:
		return memory->size == 32 ? "s" : memory->size == 64 ? "l" : "t";
	case FARGS_DISASM_FLOAT_INTEGER:
		return memory->size == 16 ? "s" : memory->size == 32 ? "l" : "ll";
	default:
		return "";
	}
}

static bool is_far_indirect(const ZydisDecodedInstruction *insn)
{
	return insn->opcode == 0xff && insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
	       (insn->raw.modrm.reg == 3 || insn->raw.modrm.reg == 5);
}

/*
 * Returns the names of instructions for which Zydis has one that others share; NULL: any other
 * instruction.
 */
static const char *special_name(const ZydisDecodedInstruction *insn)
{
	bool is_map_0 = insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT;

	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_MOVSD:
		return is_string(insn) ? "movsl" : NULL;
	case ZYDIS_MNEMONIC_CMPSD:
		return is_string(insn) ? "cmpsl" : NULL;
	case ZYDIS_MNEMONIC_MOV:
		/* 48 B8 and A0 to A3: a whole 64-bit constant. */
		return insn->raw.imm[0].size == 64 || insn->raw.disp.size == 64 ? "movabs" : NULL;
	case ZYDIS_MNEMONIC_RET:
		if (insn->opcode != 0xca && insn->opcode != 0xcb)
			return NULL;
		return insn->operand_width == 64 ? "lretq" : "lret";
	case ZYDIS_MNEMONIC_CALL:
		return is_far_indirect(insn) || insn->opcode == 0x9a ? "lcall" : NULL;
	case ZYDIS_MNEMONIC_JMP:
		return is_far_indirect(insn) || insn->opcode == 0xea ? "ljmp" : NULL;
	case ZYDIS_MNEMONIC_NOP:
		return is_map_0 && insn->operand_width == 16 ? "xchg" : NULL;
	default:
		return NULL;
	}
}

/*
 * Appends @name with @relation after "cmp" or "mul": vpcmpub and "lt" are vpcmpltub.
 */
static void put_infixed(struct fargs_buf *out, const char *name, const char *relation)
{
	const char *rest = strstr(name, "cmp");

	rest = (rest ? rest : strstr(name, "mul")) + strlen("cmp");

	fargs_buf_add(out, name, rest - name);
	fargs_put(out, relation);
	fargs_put(out, rest);
}

/* Appends the name of the instruction with its suffixes to @name. */
static void add_name(const struct writer *w, struct fargs_buf *name)
{
	const ZydisDecodedInstruction *insn = &w->insn;
	bool is_zero = insn->mnemonic == ZYDIS_MNEMONIC_MOVZX;
	const char *special;

	if (is_zero || insn->mnemonic == ZYDIS_MNEMONIC_MOVSX) {
		fargs_put(name, is_zero ? "movz" : "movs");
		fargs_put(name, integer_suffix(w->operands[1].size));
		fargs_put(name, integer_suffix(w->operands[0].size));
		return;
	}
	if (insn->mnemonic == ZYDIS_MNEMONIC_MOVSXD) {
		fargs_put(name, "movsl");
		fargs_put(name, integer_suffix(w->operands[0].size));
		return;
	}
	special = special_name(insn);
	if (special) {
		fargs_put(name, special);
		return;
	}
	if (insn->operand_count_visible) {
		const ZydisDecodedOperand *last = &w->operands[insn->operand_count_visible - 1];
		const char *relation = last->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ?
				       fargs_disasm_infix(insn, last->imm.value.u) : NULL;

		if (relation) {
			put_infixed(name, fargs_disasm_name(insn), relation);
			return;
		}
	}
	fargs_put(name, fargs_disasm_name(insn));
	fargs_put(name, suffix_of(w));
}

static const char *segment_name(uint8_t prefix)
{
	switch (prefix) {
	case 0x26:
		return "es ";
	case 0x2e:
		return "cs ";
	case 0x36:
		return "ss ";
	case 0x3e:
		return "ds ";
	case 0x64:
		return "fs ";
	case 0x65:
		return "gs ";
	default:
		return "";
	}
}

/* Returns the name of REX, which objdump shows where it has no effect; @to has room for 12 bytes. */
static const char *rex_name(uint8_t rex, char *to)
{
	char *end = to + sprintf(to, "rex");
	unsigned int i;

	if (rex & 0xf)
		*end++ = '.';
	for (i = 0; i < 4; i++)
		if (rex & 8 >> i)
			*end++ = "WRXB"[i];
	strcpy(end, " ");
	return to;
}

static const char *repeat_name(const ZydisDecodedInstruction *insn, uint8_t prefix)
{
	if (prefix == 0xf2)
		return insn->attributes & ZYDIS_ATTRIB_HAS_BND ? "bnd " : "repnz ";
	return insn->attributes & ZYDIS_ATTRIB_HAS_REP ? "rep " : "repz ";
}

/* Writes the prefixes that are not part of the opcode and change no operand. */
static void put_prefixes(struct writer *w)
{
	const ZydisDecodedInstruction *insn = &w->insn;
	const char *name;
	char text[12];
	unsigned int i;

	for (i = 0; i < insn->raw.prefix_count; i++) {
		bool is_used = insn->raw.prefixes[i].type != ZYDIS_PREFIX_TYPE_IGNORED;
		uint8_t prefix = insn->raw.prefixes[i].value;

		name = "";
		switch (prefix) {
		case 0xf0:
			name = "lock ";
			break;
		case 0xf2:
		case 0xf3:
			if (is_string(insn) ||
			    insn->raw.prefixes[i].type != ZYDIS_PREFIX_TYPE_MANDATORY)
				name = repeat_name(insn, prefix);
			break;
		case 0x66:
			name = is_used ? "" : "data16 ";
			break;
		case 0x67:
			name = is_used ? "" : "addr32 ";
			break;
		case 0x3e:
			if (insn->attributes & ZYDIS_ATTRIB_HAS_NOTRACK)
				name = "notrack ";
			else if (!is_used)
				name = "ds ";
			break;
		default:
			if (!is_used && (prefix & 0xf0) == 0x40)
				name = rex_name(prefix, text);
			else if (!is_used)
				name = segment_name(prefix);
			break;
		}
		fargs_put(w->out, name);
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
static bool is_shown(const struct writer *w, unsigned int i)
{
	const ZydisDecodedOperand *op = &w->operands[i];

	if (is_string(&w->insn))
		return is_memory(op) || (op->type == ZYDIS_OPERAND_TYPE_REGISTER &&
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
static void put_decorators(struct writer *w, unsigned int i)
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
	if (is_memory(&w->operands[i]) && !avx->broadcast.is_static &&
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
static bool put_rounding(struct writer *w)
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

static void put_operands(struct writer *w)
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

static bool decode(struct writer *w)
{
	const struct fargs_disasm *d = w->d;
	ZydisDecoder decoder;

	if (d->bits == 64)
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	else if (d->bits == 32)
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
	else
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_16, ZYDIS_STACK_WIDTH_16);
	return d->bytes && ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, d->code, d->bytes,
							       &w->insn, w->operands));
}

size_t fargs_disasm(struct fargs_buf *out, const struct fargs_disasm *d)
{
	struct writer w = { .out = out, .d = d };
	size_t begin, end;

	if (!decode(&w)) {
		fargs_put(out, "(bad)");
		return 0;
	}
	put_prefixes(&w);
	begin = out->n;
	add_name(&w, out);
	end = out->n;
	if (end - begin < NAME_WIDTH)
		fargs_buf_fill(out, ' ', NAME_WIDTH - (end - begin));
	fargs_put_char(out, ' ');
	begin = out->n;
	put_operands(&w);
	/* Without operands, the name is not padded. */
	if (out->n == begin)
		out->n = end;
	if (w.has_ip_relative) {
		fargs_put(out, "        # ");
		put_symbol(&w, w.ip_relative);
	}
	return w.insn.length;
}
