// SPDX-License-Identifier: GPL-2.0-only
#include "abi/disasm.h"

#include <stdio.h>
#include <string.h>

#include "abi/disasm_names.h"
#include "abi/disasm_writer.h"
#include "base/put.h"

/* Width of the column of the mnemonic, without the blank after it. */
#define NAME_WIDTH	6

static const char *integer_suffix(unsigned int bits)
{
	return bits == 8 ? "b" : bits == 16 ? "w" : bits == 32 ? "l" : bits == 64 ? "q" : "";
}

/* Returns the suffix for the size of the memory operand. */
static const char *suffix_of(const struct fargs_disasm_writer *w)
{
	enum fargs_disasm_suffix kind = fargs_disasm_suffix(&w->insn);
	const ZydisDecodedOperand *op, *memory = NULL;
	bool has_register = false;
	unsigned int i;

	for (i = 0; i < w->insn.operand_count_visible; i++) {
		op = &w->operands[i];
		if (fargs_disasm_is_memory(op))
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
		return fargs_disasm_is_string(insn) ? "movsl" : NULL;
	case ZYDIS_MNEMONIC_CMPSD:
		return fargs_disasm_is_string(insn) ? "cmpsl" : NULL;
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
	case ZYDIS_MNEMONIC_SYSRET:
		return insn->operand_width == 64 ? "sysretq" : "sysretl";
	case ZYDIS_MNEMONIC_SYSEXIT:
		return insn->operand_width == 64 ? "sysexitq" : "sysexitl";
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
static void add_name(const struct fargs_disasm_writer *w, struct fargs_buf *name)
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

/* Returns the name of REX, which objdump shows where it has no effect. @to: 12 bytes. */
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
static void put_prefixes(struct fargs_disasm_writer *w)
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
			if (fargs_disasm_is_string(insn) ||
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

static bool decode(struct fargs_disasm_writer *w)
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
	struct fargs_disasm_writer w = { .out = out, .d = d };
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
	fargs_disasm_put_operands(&w);
	/* Without operands, the name is not padded. */
	if (out->n == begin)
		out->n = end;
	if (w.has_ip_relative) {
		fargs_put(out, "        # ");
		fargs_disasm_put_symbol(&w, w.ip_relative);
	}
	return w.insn.length;
}

size_t fargs_disasm_size(const struct fargs_disasm *d, bool *is_branch)
{
	struct fargs_disasm_writer w = { .d = d };

	*is_branch = false;
	if (!decode(&w))
		return 0;
	switch (w.insn.meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_UNCOND_BR:
		*is_branch = true;
		break;
	default:
		break;
	}
	return w.insn.length;
}
