// SPDX-License-Identifier: GPL-2.0-only
#include "abi/disasm_names.h"

#include <Zydis/Mnemonic.h>
#include <stddef.h>

/* Where AT&T's names differ; of several names of a condition, those that objdump uses. */
static const char *const names[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
	[ZYDIS_MNEMONIC_JNB] = "jae", [ZYDIS_MNEMONIC_JNBE] = "ja",
	[ZYDIS_MNEMONIC_JNL] = "jge", [ZYDIS_MNEMONIC_JNLE] = "jg",
	[ZYDIS_MNEMONIC_JNZ] = "jne", [ZYDIS_MNEMONIC_JZ] = "je",
	[ZYDIS_MNEMONIC_SETNB] = "setae", [ZYDIS_MNEMONIC_SETNBE] = "seta",
	[ZYDIS_MNEMONIC_SETNL] = "setge", [ZYDIS_MNEMONIC_SETNLE] = "setg",
	[ZYDIS_MNEMONIC_SETNZ] = "setne", [ZYDIS_MNEMONIC_SETZ] = "sete",
	[ZYDIS_MNEMONIC_CMOVNB] = "cmovae", [ZYDIS_MNEMONIC_CMOVNBE] = "cmova",
	[ZYDIS_MNEMONIC_CMOVNL] = "cmovge", [ZYDIS_MNEMONIC_CMOVNLE] = "cmovg",
	[ZYDIS_MNEMONIC_CMOVNZ] = "cmovne", [ZYDIS_MNEMONIC_CMOVZ] = "cmove",
	[ZYDIS_MNEMONIC_CBW] = "cbtw", [ZYDIS_MNEMONIC_CWDE] = "cwtl",
	[ZYDIS_MNEMONIC_CDQE] = "cltq", [ZYDIS_MNEMONIC_CWD] = "cwtd",
	[ZYDIS_MNEMONIC_CDQ] = "cltd", [ZYDIS_MNEMONIC_CQO] = "cqto",
	[ZYDIS_MNEMONIC_PUSHFQ] = "pushf", [ZYDIS_MNEMONIC_PUSHFD] = "pushf",
	[ZYDIS_MNEMONIC_POPFQ] = "popf", [ZYDIS_MNEMONIC_POPFD] = "popf",
	[ZYDIS_MNEMONIC_IRETD] = "iret", [ZYDIS_MNEMONIC_INSD] = "insl",
	[ZYDIS_MNEMONIC_OUTSD] = "outsl", [ZYDIS_MNEMONIC_STOSB] = "stos",
	[ZYDIS_MNEMONIC_STOSW] = "stos", [ZYDIS_MNEMONIC_STOSD] = "stos",
	[ZYDIS_MNEMONIC_STOSQ] = "stos", [ZYDIS_MNEMONIC_LODSB] = "lods",
	[ZYDIS_MNEMONIC_LODSW] = "lods", [ZYDIS_MNEMONIC_LODSD] = "lods",
	[ZYDIS_MNEMONIC_LODSQ] = "lods", [ZYDIS_MNEMONIC_SCASB] = "scas",
	[ZYDIS_MNEMONIC_SCASW] = "scas", [ZYDIS_MNEMONIC_SCASD] = "scas",
	[ZYDIS_MNEMONIC_SCASQ] = "scas",
};

/*
 * AT&T's assembler once exchanged subtraction and reverse subtraction where the destination is not
 * the top of the x87 stack, and its successors keep that.
 */
static const char *exchanged_name(const ZydisDecodedInstruction *insn)
{
	static const char *const exchanged[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
		[ZYDIS_MNEMONIC_FSUB] = "fsubr", [ZYDIS_MNEMONIC_FSUBR] = "fsub",
		[ZYDIS_MNEMONIC_FSUBP] = "fsubrp", [ZYDIS_MNEMONIC_FSUBRP] = "fsubp",
		[ZYDIS_MNEMONIC_FDIV] = "fdivr", [ZYDIS_MNEMONIC_FDIVR] = "fdiv",
		[ZYDIS_MNEMONIC_FDIVP] = "fdivrp", [ZYDIS_MNEMONIC_FDIVRP] = "fdivp",
	};

	if (insn->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT || insn->raw.modrm.mod != 3 ||
	    (insn->opcode != 0xdc && insn->opcode != 0xde))
		return NULL;
	return exchanged[insn->mnemonic];
}

const char *fargs_disasm_name(const ZydisDecodedInstruction *insn)
{
	const char *name = exchanged_name(insn);

	name = name ? name : names[insn->mnemonic];
	return name ? name : ZydisMnemonicGetString(insn->mnemonic);
}

enum fargs_disasm_suffix fargs_disasm_suffix(const ZydisDecodedInstruction *insn)
{
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_ADC: case ZYDIS_MNEMONIC_ADD: case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_CMP: case ZYDIS_MNEMONIC_DEC: case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV: case ZYDIS_MNEMONIC_IMUL: case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_MOV: case ZYDIS_MNEMONIC_MUL: case ZYDIS_MNEMONIC_NEG:
	case ZYDIS_MNEMONIC_NOT: case ZYDIS_MNEMONIC_OR: case ZYDIS_MNEMONIC_RCL:
	case ZYDIS_MNEMONIC_RCR: case ZYDIS_MNEMONIC_ROL: case ZYDIS_MNEMONIC_ROR:
	case ZYDIS_MNEMONIC_SAR: case ZYDIS_MNEMONIC_SBB: case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR: case ZYDIS_MNEMONIC_SUB: case ZYDIS_MNEMONIC_TEST:
	case ZYDIS_MNEMONIC_XOR: case ZYDIS_MNEMONIC_BT: case ZYDIS_MNEMONIC_BTC:
	case ZYDIS_MNEMONIC_BTR: case ZYDIS_MNEMONIC_BTS: case ZYDIS_MNEMONIC_NOP:
	case ZYDIS_MNEMONIC_PTWRITE:
		return FARGS_DISASM_INTEGER;
	case ZYDIS_MNEMONIC_CVTSI2SD: case ZYDIS_MNEMONIC_CVTSI2SS:
	case ZYDIS_MNEMONIC_VCVTSI2SD: case ZYDIS_MNEMONIC_VCVTSI2SS:
	case ZYDIS_MNEMONIC_VCVTUSI2SD: case ZYDIS_MNEMONIC_VCVTUSI2SS:
	case ZYDIS_MNEMONIC_CRC32:
		return FARGS_DISASM_ALWAYS;
	case ZYDIS_MNEMONIC_FADD: case ZYDIS_MNEMONIC_FCOM: case ZYDIS_MNEMONIC_FCOMP:
	case ZYDIS_MNEMONIC_FDIV: case ZYDIS_MNEMONIC_FDIVR: case ZYDIS_MNEMONIC_FLD:
	case ZYDIS_MNEMONIC_FMUL: case ZYDIS_MNEMONIC_FST: case ZYDIS_MNEMONIC_FSTP:
	case ZYDIS_MNEMONIC_FSUB: case ZYDIS_MNEMONIC_FSUBR:
		return FARGS_DISASM_FLOAT;
	case ZYDIS_MNEMONIC_FIADD: case ZYDIS_MNEMONIC_FICOM: case ZYDIS_MNEMONIC_FICOMP:
	case ZYDIS_MNEMONIC_FIDIV: case ZYDIS_MNEMONIC_FIDIVR: case ZYDIS_MNEMONIC_FILD:
	case ZYDIS_MNEMONIC_FIMUL: case ZYDIS_MNEMONIC_FIST: case ZYDIS_MNEMONIC_FISTP:
	case ZYDIS_MNEMONIC_FISTTP: case ZYDIS_MNEMONIC_FISUB: case ZYDIS_MNEMONIC_FISUBR:
		return FARGS_DISASM_FLOAT_INTEGER;
	default:
		return FARGS_DISASM_PLAIN;
	}
}

const char *fargs_disasm_infix(const ZydisDecodedInstruction *insn, uint64_t value)
{
	static const char *const floats[] = {
		"eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord",
	};
	static const char *const integers[] = {
		"eq", "lt", "le", NULL, "neq", "nlt", "nle", NULL,
	};

	if (insn->mnemonic == ZYDIS_MNEMONIC_PCLMULQDQ ||
	    insn->mnemonic == ZYDIS_MNEMONIC_VPCLMULQDQ)
		return value == 0 ? "lql" : value == 1 ? "hql" : value == 0x10 ? "lqh" :
		       value == 0x11 ? "hqh" : NULL;
	if (value >= sizeof(floats) / sizeof(floats[0]) || insn->meta.category ==
	    ZYDIS_CATEGORY_STRINGOP)
		return NULL;
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_CMPPD: case ZYDIS_MNEMONIC_CMPPS:
	case ZYDIS_MNEMONIC_CMPSD: case ZYDIS_MNEMONIC_CMPSS:
	case ZYDIS_MNEMONIC_VCMPPD: case ZYDIS_MNEMONIC_VCMPPS:
	case ZYDIS_MNEMONIC_VCMPSD: case ZYDIS_MNEMONIC_VCMPSS:
		return floats[value];
	case ZYDIS_MNEMONIC_VPCMPB: case ZYDIS_MNEMONIC_VPCMPUB:
	case ZYDIS_MNEMONIC_VPCMPW: case ZYDIS_MNEMONIC_VPCMPUW:
	case ZYDIS_MNEMONIC_VPCMPD: case ZYDIS_MNEMONIC_VPCMPUD:
	case ZYDIS_MNEMONIC_VPCMPQ: case ZYDIS_MNEMONIC_VPCMPUQ:
		return integers[value];
	default:
		return NULL;
	}
}
