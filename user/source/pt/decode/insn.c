// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/insn.h"

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	/* segment override prefixes */
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
	case 0x66: case 0x67:	/* operand-size and address-size prefixes */
	case 0xf0: case 0xf2: case 0xf3:
		return true;
	}
	return byte >= 0x40 && byte <= 0x4f;	/* REX prefixes */
}

/* Opcode 0F 01 is a group in which the ModRM byte selects an instruction. */
static enum fargs_pt_insn classify_0f01(uint8_t modrm)
{
	switch (modrm) {
	case 0xc1:	/* VMCALL, which libipt shows only if a VM exit follows */
		return FARGS_PT_INSN_FAR_CALL;
	case 0xc2:
	case 0xc3:
		return FARGS_PT_INSN_VMENTRY;
	case 0xec:	/* UIRET; other prefixes than F3 are undefined */
		return FARGS_PT_INSN_FAR_RETURN;
	}
	return FARGS_PT_INSN_OTHER;
}

static enum fargs_pt_insn classify_0f(const uint8_t *code, size_t bytes)
{
	uint8_t byte = code[0];

	switch (byte) {
	case 0x01:
		return bytes > 1 ? classify_0f01(code[1]) : FARGS_PT_INSN_OTHER;
	case 0x05:
	case 0x34:
		return FARGS_PT_INSN_SYSCALL;
	case 0x07:
	case 0x35:
		return FARGS_PT_INSN_SYSRET;
	}
	return byte >= 0x80 && byte <= 0x8f ? FARGS_PT_INSN_COND : FARGS_PT_INSN_OTHER;
}

/* Opcode FF is a group of instructions: three bits of the ModRM byte select one of them. */
static enum fargs_pt_insn classify_ff(uint8_t modrm)
{
	switch (modrm >> 3 & 7) {
	case 2:
		return FARGS_PT_INSN_CALL;
	case 4:
		return FARGS_PT_INSN_JUMP;
	case 3:
		return FARGS_PT_INSN_FAR_CALL;
	case 5:
		return FARGS_PT_INSN_FAR;
	}
	return FARGS_PT_INSN_OTHER;
}

static enum fargs_pt_insn classify_1(uint8_t byte)
{
	switch (byte) {
	case 0xe8:
		return FARGS_PT_INSN_CALL;
	case 0xe9:
	case 0xeb:
		return FARGS_PT_INSN_JUMP;
	case 0xc2:
	case 0xc3:
		return FARGS_PT_INSN_RETURN;
	case 0xca:
	case 0xcb:
		return FARGS_PT_INSN_FAR_RETURN;
	case 0xcc:
	case 0xcd:
	case 0xf1:
		return FARGS_PT_INSN_INT;
	case 0xcf:
		return FARGS_PT_INSN_IRET;
	}
	if ((byte >= 0x70 && byte <= 0x7f) || (byte >= 0xe0 && byte <= 0xe3))
		return FARGS_PT_INSN_COND;
	return FARGS_PT_INSN_OTHER;
}

enum fargs_pt_insn fargs_pt_insn_classify(const uint8_t *code, size_t bytes, unsigned int *size)
{
	enum fargs_pt_insn insn;
	size_t at = 0;

	*size = 0;
	while (at < bytes && is_prefix(code[at]))
		at++;
	if (at >= bytes)
		return FARGS_PT_INSN_OTHER;
	if (code[at] == 0x0f || code[at] == 0xff) {
		if (at + 1 >= bytes)
			return FARGS_PT_INSN_OTHER;
		insn = code[at] == 0xff ? classify_ff(code[at + 1]) :
					  classify_0f(code + at + 1, bytes - at - 1);
		/* Size: the prefixes, two bytes of opcode, four bytes of displacement. */
		*size = insn == FARGS_PT_INSN_COND ? at + 6 : 0;
		return insn;
	}
	insn = classify_1(code[at]);
	*size = insn == FARGS_PT_INSN_COND ? at + 2 : 0;
	return insn;
}

bool fargs_pt_insn_is_indirect(const uint8_t *code, size_t bytes)
{
	enum fargs_pt_insn insn;
	size_t at = 0;

	while (at < bytes && is_prefix(code[at]))
		at++;
	if (at + 1 >= bytes || code[at] != 0xff)
		return false;
	insn = classify_ff(code[at + 1]);
	return insn == FARGS_PT_INSN_CALL || insn == FARGS_PT_INSN_JUMP;
}
