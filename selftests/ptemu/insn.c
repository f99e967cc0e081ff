// SPDX-License-Identifier: GPL-2.0-only
#include "insn.h"

#include <stdbool.h>
#include <string.h>

struct prefixes {
	bool is_repeated;	/* has a prefix F2 or F3 */
	bool is_f3;
	uint8_t rex, segment;
	size_t size;
};

static bool is_legacy_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
	case 0x66: case 0x67: case 0xf0: case 0xf2: case 0xf3:
		return true;
	}
	return false;
}

static struct prefixes read_prefixes(const uint8_t *bytes, size_t size)
{
	struct prefixes prefixes = { .segment = INSN_NO_REGISTER };
	size_t i;

	for (i = 0; i < size && is_legacy_prefix(bytes[i]); i++) {
		prefixes.is_repeated |= bytes[i] == 0xf2 || bytes[i] == 0xf3;
		prefixes.is_f3 |= bytes[i] == 0xf3;
		if (bytes[i] == 0x64 || bytes[i] == 0x65)
			prefixes.segment = bytes[i] & 7;
	}
	if (i < size && (bytes[i] & 0xf0) == 0x40)
		prefixes.rex = bytes[i++];
	prefixes.size = i;
	return prefixes;
}

static void direct(struct insn *insn, enum insn_kind kind, const uint8_t *bytes, unsigned int width)
{
	int32_t offset;

	if (insn->size < width)
		return;
	if (width == 1)
		offset = (int8_t)bytes[insn->size - 1];
	else
		memcpy(&offset, bytes + insn->size - 4, 4);
	insn->kind = kind;
	insn->target = insn_next(insn) + (int64_t)offset;
}

static bool is_string_insn(uint8_t opcode)
{
	return (opcode >= 0x6c && opcode <= 0x6f) || (opcode >= 0xa4 && opcode <= 0xa7) ||
	       (opcode >= 0xaa && opcode <= 0xaf);
}

static void classify_ff(struct insn *insn, uint8_t modrm)
{
	switch (modrm >> 3 & 7) {
	case 2:
		insn->kind = INSN_CALL_INDIRECT;
		break;
	case 4:
		insn->kind = INSN_JMP_INDIRECT;
		break;
	case 3:
	case 5:
		insn->kind = INSN_FAR;
		break;
	}
}

/*
 * Classifies an instruction with an opcode that begins with 0F. @at: position after the 0F; @left:
 * number of bytes from there on.
 */
static void classify_0f(struct insn *insn, const struct prefixes *prefixes, const uint8_t *bytes,
			const uint8_t *at, size_t left)
{
	uint8_t modrm = left > 1 ? at[1] : 0;

	switch (at[0]) {
	case 0x01:
		if (modrm == 0xc9)	/* MWAIT */
			insn->kind = INSN_IDLE;
		break;
	case 0x05: case 0x07: case 0x34: case 0x35:
		insn->kind = INSN_FAR;
		break;
	case 0x22:
		if ((modrm >> 3 & 7) == 3 && !(prefixes->rex & 4))
			insn->kind = INSN_MOV_CR3;
		break;
	case 0x30:
		insn->kind = INSN_WRMSR;
		break;
	case 0x32:
		insn->kind = INSN_RDMSR;
		break;
	case 0xa2:
		insn->kind = INSN_CPUID;
		break;
	case 0xae:
		if (!prefixes->is_f3 || left < 2 || (modrm >> 3 & 7) != 4)
			break;
		insn->kind = INSN_PTWRITE;
		insn->reg = modrm >> 6 == 3 ? (modrm & 7) | (prefixes->rex & 1) << 3 :
					      INSN_NO_REGISTER;
		insn->operand_size = prefixes->rex & 8 ? 8 : 4;
		break;
	default:
		if ((at[0] & 0xf0) == 0x80)
			direct(insn, INSN_JCC, bytes, 4);
	}
}

void insn_classify(struct insn *insn, const uint8_t *bytes)
{
	struct prefixes prefixes = read_prefixes(bytes, insn->size);
	const uint8_t *at = bytes + prefixes.size;
	size_t left = insn->size - prefixes.size;

	insn->kind = INSN_OTHER;
	if (!left)
		return;
	switch (at[0]) {
	case 0x0f:
		if (left > 1)
			classify_0f(insn, &prefixes, bytes, at + 1, left - 1);
		break;
	case 0xe0: case 0xe1: case 0xe2: case 0xe3:
		direct(insn, INSN_JCC, bytes, 1);
		break;
	case 0xe8:
		direct(insn, INSN_CALL, bytes, 4);
		break;
	case 0xe9:
		direct(insn, INSN_JMP, bytes, 4);
		break;
	case 0xeb:
		direct(insn, INSN_JMP, bytes, 1);
		break;
	case 0xc2: case 0xc3:
		insn->kind = INSN_RET;
		break;
	case 0xca: case 0xcb:
		insn->kind = INSN_FAR;
		break;
	case 0xcf:
		insn->kind = INSN_IRET;
		break;
	case 0x9d:
		insn->kind = INSN_POPF;
		break;
	case 0xf4:
		insn->kind = INSN_IDLE;
		insn->reg = INSN_NO_REGISTER;
		break;
	case 0xfa:
		insn->kind = INSN_CLI;
		break;
	case 0xfb:
		insn->kind = INSN_STI;
		break;
	case 0xcc: case 0xcd: case 0xf1:
		insn->kind = INSN_TRAP;
		break;
	case 0xff:
		if (left > 1)
			classify_ff(insn, at[1]);
		break;
	default:
		if ((at[0] & 0xf0) == 0x70)
			direct(insn, INSN_JCC, bytes, 1);
		else if (prefixes.is_repeated && is_string_insn(at[0]))
			insn->kind = INSN_REPEATED;
	}
}

struct insn_address insn_address(const uint8_t *bytes, bool is_32bit, uint8_t *size)
{
	struct prefixes prefixes = read_prefixes(bytes, 16);
	struct insn_address address = {
		.segment = prefixes.segment, .index = INSN_NO_REGISTER, .scale = 1,
	};
	const uint8_t *at = bytes + prefixes.size + 2;	/* behind 0F AE */
	unsigned int mod = at[0] >> 6, rm = at[0] & 7;
	uint8_t high = prefixes.rex & 1 ? 8 : 0;

	at++;
	address.base = rm | high;
	if (rm == 4) {
		uint8_t index = (at[0] >> 3 & 7) | (prefixes.rex & 2) << 2;

		rm = at[0] & 7;
		address.base = !mod && rm == 5 ? INSN_NO_REGISTER : rm | high;
		address.scale = 1u << (at[0] >> 6);
		if (index != 4)
			address.index = index;
		at++;
	} else if (!mod && rm == 5) {
		address.base = is_32bit ? INSN_NO_REGISTER : INSN_RIP;
	}
	if (mod == 1) {
		address.displacement = (int8_t)at[0];
		at++;
	} else if (mod == 2 || (!mod && rm == 5)) {
		memcpy(&address.displacement, at, 4);
		at += 4;
	}
	*size = (uint8_t)(at - bytes);
	return address;
}
