// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodings are from Intel's manual (SDM 2), "Flexible Return and Event Delivery" (FRED), "Advanced
 * Performance Extensions" (APX), and "Instruction Set Extensions Programming Reference".
 */
#include "source/pt/code/newer.h"

#include <string.h>

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* An instruction, as far as it has been read. */
struct cursor {
	const uint8_t *code;
	size_t bytes, at;
	enum fargs_pt_exec_mode mode;
	uint8_t rep;		/* last F2 or F3; 0: none */
	bool has_66, has_67, has_lock, has_rex;
};

/* Bits of the ModRM byte that select an instruction. */
#define ANY		0x00
#define REG		0x38
#define ALL		0xff
#define IS_MEMORY	1	/* the operand is not a register */
#define IS_REGISTER	2
#define ONLY_64		4	/* undefined in other modes */
#define P66		0x66
#define PF2		0xf2
#define PF3		0xf3

/* Opcodes that Zydis 4.0 lacks. */
static const struct opcode {
	uint8_t prefix;			/* mandatory prefix; 0: none of them */
	uint8_t bytes[3], nr;		/* the opcode */
	uint8_t modrm_mask, modrm;
	uint8_t flags;
	uint8_t class;
} opcodes[] = {
	/* FRED: ERETU, ERETS, LKGS */
	{ PF3, { 0x0f, 0x01 }, 2, ALL, 0xca, ONLY_64, FARGS_PT_CLASS_ERET },
	{ PF2, { 0x0f, 0x01 }, 2, ALL, 0xca, ONLY_64, FARGS_PT_CLASS_ERET },
	{ PF2, { 0x0f, 0x00 }, 2, REG, 6 << 3, ONLY_64, FARGS_PT_CLASS_OTHER },
	/* WRMSRNS; RDMSRLIST, WRMSRLIST; PBNDKB */
	{ 0, { 0x0f, 0x01 }, 2, ALL, 0xc6, 0, FARGS_PT_CLASS_OTHER },
	{ PF2, { 0x0f, 0x01 }, 2, ALL, 0xc6, ONLY_64, FARGS_PT_CLASS_OTHER },
	{ PF3, { 0x0f, 0x01 }, 2, ALL, 0xc6, ONLY_64, FARGS_PT_CLASS_OTHER },
	{ 0, { 0x0f, 0x01 }, 2, ALL, 0xc7, ONLY_64, FARGS_PT_CLASS_OTHER },
	/* RAO-INT: AADD, AAND, AOR, AXOR */
	{ 0, { 0x0f, 0x38, 0xfc }, 3, ANY, 0, IS_MEMORY, FARGS_PT_CLASS_OTHER },
	{ P66, { 0x0f, 0x38, 0xfc }, 3, ANY, 0, IS_MEMORY, FARGS_PT_CLASS_OTHER },
	{ PF2, { 0x0f, 0x38, 0xfc }, 3, ANY, 0, IS_MEMORY, FARGS_PT_CLASS_OTHER },
	{ PF3, { 0x0f, 0x38, 0xfc }, 3, ANY, 0, IS_MEMORY, FARGS_PT_CLASS_OTHER },
	/* MOVRS */
	{ 0, { 0x0f, 0x38, 0x8a }, 3, ANY, 0, IS_MEMORY | ONLY_64, FARGS_PT_CLASS_OTHER },
	{ 0, { 0x0f, 0x38, 0x8b }, 3, ANY, 0, IS_MEMORY | ONLY_64, FARGS_PT_CLASS_OTHER },
	{ P66, { 0x0f, 0x38, 0x8b }, 3, ANY, 0, IS_MEMORY | ONLY_64, FARGS_PT_CLASS_OTHER },
	/* USER_MSR: URDMSR, UWRMSR */
	{ PF2, { 0x0f, 0x38, 0xf8 }, 3, ANY, 0, IS_REGISTER | ONLY_64, FARGS_PT_CLASS_OTHER },
	{ PF3, { 0x0f, 0x38, 0xf8 }, 3, ANY, 0, IS_REGISTER | ONLY_64, FARGS_PT_CLASS_OTHER },
};

static bool skip(struct cursor *c, size_t bytes)
{
	c->at += bytes;
	return c->at <= c->bytes;
}

/* Returns whether @c is at a prefix, and skips it. */
static bool skip_prefix(struct cursor *c)
{
	switch (c->code[c->at]) {
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
		break;
	case 0x66:
		c->has_66 = true;
		break;
	case 0x67:
		c->has_67 = true;
		break;
	case 0xf0:
		c->has_lock = true;
		break;
	case 0xf2: case 0xf3:
		c->rep = c->code[c->at];
		break;
	default:
		return false;
	}
	c->at++;
	return true;
}

/* A REX prefix has an effect only directly before the opcode. */
static void skip_prefixes(struct cursor *c)
{
	while (c->at < c->bytes) {
		if (skip_prefix(c))
			c->has_rex = false;
		else if (c->mode == FARGS_PT_EXEC_64 && (c->code[c->at] & 0xf0) == 0x40)
			c->has_rex = skip(c, 1);
		else
			return;
	}
}

/* Skips the ModRM byte, the SIB byte and the displacement. */
static bool skip_modrm(struct cursor *c)
{
	bool is_16 = c->mode == (c->has_67 ? FARGS_PT_EXEC_32 : FARGS_PT_EXEC_16);
	uint8_t mod, rm;

	if (c->at >= c->bytes)
		return false;
	mod = c->code[c->at] >> 6;
	rm = c->code[c->at] & 7;
	if (mod == 3)
		return skip(c, 1);
	if (is_16)
		return skip(c, 1 + (mod == 1 ? 1 : mod == 2 || rm == 6 ? 2 : 0));
	if (rm == 4) {
		c->at++;
		if (c->at >= c->bytes)
			return false;
		rm = c->code[c->at] & 7;
	}
	return skip(c, 1 + (mod == 1 ? 1 : mod == 2 || rm == 5 ? 4 : 0));
}

static bool is_opcode(const struct cursor *c, const struct opcode *o)
{
	uint8_t prefix = c->rep ? c->rep : c->has_66 ? 0x66 : 0;
	const uint8_t *code = c->code + c->at;
	bool is_register;

	if (o->prefix != prefix || (o->flags & ONLY_64 && c->mode != FARGS_PT_EXEC_64) ||
	    c->bytes - c->at < o->nr + 1U || memcmp(code, o->bytes, o->nr) ||
	    (code[o->nr] & o->modrm_mask) != o->modrm)
		return false;
	is_register = code[o->nr] >> 6 == 3;
	return !(o->flags & (is_register ? IS_MEMORY : IS_REGISTER));
}

static bool decode_listed(struct cursor *c, struct fargs_pt_decoded *insn)
{
	size_t i;

	for (i = 0; i < NR(opcodes); i++) {
		if (!is_opcode(c, &opcodes[i]))
			continue;
		c->at += opcodes[i].nr;
		if (!skip_modrm(c))
			return false;
		insn->class = opcodes[i].class;
		return true;
	}
	return false;
}

/* Map 4 of EVEX has instructions of the legacy maps (APX). */
static unsigned int imm_bytes_of_map_4(uint8_t opcode, uint8_t modrm, bool is_16)
{
	unsigned int reg = modrm >> 3 & 7;

	switch (opcode) {
	case 0x24: case 0x2c: case 0x6b: case 0x80: case 0x83: case 0xc0: case 0xc1:
	case 0xd4:
		return 1;
	case 0x69: case 0x81:
		return is_16 ? 2 : 4;
	case 0xf6:
		return reg < 2 ? 1 : 0;
	case 0xf7:
		return reg < 2 ? is_16 ? 2 : 4 : 0;
	}
	return 0;
}

static unsigned int imm_bytes(unsigned int map, uint8_t opcode, uint8_t modrm, bool is_16)
{
	switch (map) {
	case 1:
		return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
		       (opcode >= 0xc4 && opcode <= 0xc6);
	case 3:
		return 1;
	case 4:
		return imm_bytes_of_map_4(opcode, modrm, is_16);
	case 7:
		return 4;
	}
	return 0;
}

/* @payload: the last byte of the prefix, with the fields W and pp. Maps without opcodes: false. */
static bool decode_vector(struct cursor *c, unsigned int map, uint8_t payload, bool is_evex)
{
	unsigned int maps = is_evex ? 0xfe : 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7;
	bool is_16 = (payload & 3) == 1 && !(payload & 0x80);
	uint8_t opcode, modrm;

	/* APX has no meaning in other modes. */
	if (map > 7 || !(maps >> map & 1) || (map == 4 && c->mode != FARGS_PT_EXEC_64))
		return false;
	if (c->bytes - c->at < 2)
		return false;
	opcode = c->code[c->at++];
	modrm = c->code[c->at];
	return skip_modrm(c) && skip(c, imm_bytes(map, opcode, modrm, is_16));
}

/* Returns whether @c is at a VEX or EVEX prefix. Without 64 bits it may be LES, LDS or BOUND. */
static bool is_vector(const struct cursor *c)
{
	const uint8_t *code = c->code + c->at;

	if (c->bytes - c->at < 4 || (code[0] != 0xc4 && code[0] != 0xc5 && code[0] != 0x62))
		return false;
	return c->mode == FARGS_PT_EXEC_64 || code[1] >> 6 == 3;
}

static bool decode_any_vector(struct cursor *c)
{
	const uint8_t *code = c->code + c->at;

	/* Other prefixes in front are undefined. */
	if (c->has_66 || c->rep || c->has_lock || c->has_rex)
		return false;
	switch (code[0]) {
	case 0xc5:
		c->at += 2;
		return decode_vector(c, 1, code[1] & 0x7f, false);
	case 0xc4:
		c->at += 3;
		return decode_vector(c, code[1] & 0x1f, code[2], false);
	default:
		c->at += 4;
		return decode_vector(c, code[1] & 7, code[2], true);
	}
}

/* Returns whether REX2 makes this opcode undefined: whole rows are reserved, and other prefixes. */
static bool is_reserved(bool is_map_1, uint8_t opcode)
{
	switch (opcode >> 4) {
	case 0x3: case 0x8:
		if (is_map_1)
			return true;
		break;
	case 0x4: case 0x7: case 0xa: case 0xe:
		if (!is_map_1)
			return true;
		break;
	}
	if (is_map_1)
		return false;
	switch (opcode) {
	case 0x0f: case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x62: case 0x64: case 0x65:
	case 0x66: case 0x67: case 0xc4: case 0xc5: case 0xd5: case 0xf0: case 0xf2: case 0xf3:
		return true;
	}
	return false;
}

/*
 * D5, payload, opcode. The low half of the payload has REX's bits; the upper half selects map 1 and
 * extends the numbers of registers, so with REX instead the instruction is the same for Intel PT.
 */
static bool decode_rex2(struct cursor *c, struct fargs_pt_decoded *insn)
{
	uint8_t code[FARGS_PT_INSN_MAX], payload, opcode;
	size_t prefix = c->at, at = c->at, rest;
	bool is_map_1;

	if (c->has_rex || c->bytes - c->at < 3)
		return false;
	payload = c->code[c->at + 1];
	opcode = c->code[c->at + 2];
	is_map_1 = payload & 0x80;
	if (!is_map_1 && opcode == 0xa1) {	/* JMPABS */
		if (payload & 8 || c->has_66 || c->has_67 || c->rep || c->has_lock)
			return false;
		insn->class = FARGS_PT_CLASS_JUMP_INDIRECT;
		return skip(c, 3 + 8);
	}
	if (is_reserved(is_map_1, opcode))
		return false;
	memcpy(code, c->code, at);
	code[at++] = 0x40 | (payload & 0xf);
	if (is_map_1)
		code[at++] = 0x0f;
	rest = c->bytes - prefix - 2;
	memcpy(code + at, c->code + prefix + 2, rest);
	if (!fargs_pt_insn_decode(code, at + rest, c->mode, insn))
		return false;
	return skip(c, insn->size + prefix + 2 - at - prefix);
}

bool fargs_pt_newer_decode(const uint8_t *code, size_t bytes, enum fargs_pt_exec_mode mode,
			   struct fargs_pt_decoded *insn)
{
	struct cursor c = { .code = code, .bytes = bytes, .mode = mode };
	bool ok;

	*insn = (struct fargs_pt_decoded){ 0 };
	skip_prefixes(&c);
	if (c.at >= bytes)
		return false;
	if (mode == FARGS_PT_EXEC_64 && code[c.at] == 0xd5)
		ok = decode_rex2(&c, insn);
	else if (is_vector(&c))
		ok = decode_any_vector(&c);
	else
		ok = !c.has_lock && decode_listed(&c, insn);
	insn->size = c.at;
	return ok;
}
