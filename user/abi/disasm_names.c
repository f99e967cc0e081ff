// SPDX-License-Identifier: GPL-2.0-only
#include "abi/disasm_names.h"

#include <Zydis/Mnemonic.h>

/* X(Zydis's mnemonic, name). Conditions: of several names, those that objdump uses. */
#define CONDITIONS(X, PREFIX, prefix)		\
	X(PREFIX##NB, prefix "ae")		\
	X(PREFIX##NBE, prefix "a")		\
	X(PREFIX##NL, prefix "ge")		\
	X(PREFIX##NLE, prefix "g")		\
	X(PREFIX##NZ, prefix "ne")		\
	X(PREFIX##Z, prefix "e")

#define NAMES(X)				\
	CONDITIONS(X, J, "j")			\
	CONDITIONS(X, SET, "set")		\
	CONDITIONS(X, CMOV, "cmov")		\
	X(CBW, "cbtw")				\
	X(CWDE, "cwtl")				\
	X(CDQE, "cltq")				\
	X(CWD, "cwtd")				\
	X(CDQ, "cltd")				\
	X(CQO, "cqto")				\
	X(MOVSXD, "movsl")			\
	X(PUSHFQ, "pushf")			\
	X(PUSHFD, "pushf")			\
	X(POPFQ, "popf")			\
	X(POPFD, "popf")			\
	X(IRETD, "iret")			\
	X(INT1, "int1")				\
	X(LOOPNE, "loopne")			\
	X(SYSRET, "sysret")			\
	X(STOSB, "stos") X(STOSW, "stos") X(STOSD, "stos") X(STOSQ, "stos")	\
	X(LODSB, "lods") X(LODSW, "lods") X(LODSD, "lods") X(LODSQ, "lods")	\
	X(SCASB, "scas") X(SCASW, "scas") X(SCASD, "scas") X(SCASQ, "scas")	\
	X(MOVSD, "movsd")			\
	X(CMPSD, "cmpsd")			\
	X(INSD, "insl")				\
	X(OUTSD, "outsl")			\
	X(FNSTSW, "fnstsw")

/*
 * AT&T's assembler once exchanged subtraction and reverse subtraction where the destination is not
 * the top of the x87 stack, and its successors keep that.
 */
static const char *exchanged_name(const ZydisDecodedInstruction *insn)
{
	if (insn->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT || insn->raw.modrm.mod != 3 ||
	    (insn->opcode != 0xdc && insn->opcode != 0xde))
		return NULL;
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_FSUB: return "fsubr";
	case ZYDIS_MNEMONIC_FSUBR: return "fsub";
	case ZYDIS_MNEMONIC_FSUBP: return "fsubrp";
	case ZYDIS_MNEMONIC_FSUBRP: return "fsubp";
	case ZYDIS_MNEMONIC_FDIV: return "fdivr";
	case ZYDIS_MNEMONIC_FDIVR: return "fdiv";
	case ZYDIS_MNEMONIC_FDIVP: return "fdivrp";
	case ZYDIS_MNEMONIC_FDIVRP: return "fdivp";
	default: return NULL;
	}
}

const char *fargs_disasm_name(const ZydisDecodedInstruction *insn)
{
	const char *exchanged = exchanged_name(insn);

	if (exchanged)
		return exchanged;
	switch (insn->mnemonic) {
#define X(mnemonic, name)	case ZYDIS_MNEMONIC_##mnemonic: return name;
	NAMES(X)
#undef X
	default:
		return ZydisMnemonicGetString(insn->mnemonic);
	}
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
