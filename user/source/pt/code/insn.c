// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/code/insn.h"

#include <Zydis/Decoder.h>

#include "source/pt/code/newer.h"

/*
 * Modes that are off give NOPs other meanings, with the same size; a CPU without the feature, such
 * as MPX, executes NOPs even if the operands would be invalid. In AMD's branch mode, 66 changes the
 * size of near branches in 64-bit mode; Intel's CPUs ignore it.
 */
#define DECODER(machine, stack) {					\
	.machine_mode = ZYDIS_MACHINE_MODE_##machine,			\
	.stack_width = ZYDIS_STACK_WIDTH_##stack,			\
	.decoder_mode = { [ZYDIS_DECODER_MODE_MINIMAL] = ZYAN_TRUE },	\
}

static const ZydisDecoder decoders[] = {
	[FARGS_PT_EXEC_16] = DECODER(LEGACY_16, 16),
	[FARGS_PT_EXEC_32] = DECODER(LEGACY_32, 32),
	[FARGS_PT_EXEC_64] = DECODER(LONG_64, 64),
};

enum fargs_pt_insn fargs_pt_class_insn(enum fargs_pt_class class)
{
	static const uint8_t insns[FARGS_PT_CLASSES] = {
		[FARGS_PT_CLASS_CALL] = FARGS_PT_INSN_CALL,
		[FARGS_PT_CLASS_JUMP] = FARGS_PT_INSN_JUMP,
		[FARGS_PT_CLASS_COND] = FARGS_PT_INSN_COND,
		[FARGS_PT_CLASS_RETURN] = FARGS_PT_INSN_RETURN,
		[FARGS_PT_CLASS_CALL_INDIRECT] = FARGS_PT_INSN_CALL,
		[FARGS_PT_CLASS_JUMP_INDIRECT] = FARGS_PT_INSN_JUMP,
		[FARGS_PT_CLASS_INT] = FARGS_PT_INSN_INT,
		[FARGS_PT_CLASS_SYSCALL] = FARGS_PT_INSN_SYSCALL,
		[FARGS_PT_CLASS_FAR_CALL] = FARGS_PT_INSN_FAR_CALL,
		[FARGS_PT_CLASS_VMCALL] = FARGS_PT_INSN_FAR_CALL,
		[FARGS_PT_CLASS_IRET] = FARGS_PT_INSN_IRET,
		[FARGS_PT_CLASS_ERET] = FARGS_PT_INSN_IRET,
		[FARGS_PT_CLASS_SYSRET] = FARGS_PT_INSN_SYSRET,
		[FARGS_PT_CLASS_FAR_RETURN] = FARGS_PT_INSN_FAR_RETURN,
		[FARGS_PT_CLASS_UIRET] = FARGS_PT_INSN_FAR_RETURN,
		[FARGS_PT_CLASS_VMENTRY] = FARGS_PT_INSN_VMENTRY,
		[FARGS_PT_CLASS_FAR_JUMP] = FARGS_PT_INSN_FAR,
	};

	return insns[class];
}

static enum fargs_pt_class call_or_jump(const ZydisDecodedInstruction *insn)
{
	bool is_call = insn->mnemonic == ZYDIS_MNEMONIC_CALL;

	if (insn->raw.imm[0].is_relative)
		return is_call ? FARGS_PT_CLASS_CALL : FARGS_PT_CLASS_JUMP;
	/* 9A, EA: far, with an immediate. FF: /2 and /4 are near, /3 and /5 are far. */
	if (insn->opcode != 0xff || insn->raw.modrm.reg & 1)
		return is_call ? FARGS_PT_CLASS_FAR_CALL : FARGS_PT_CLASS_FAR_JUMP;
	return is_call ? FARGS_PT_CLASS_CALL_INDIRECT : FARGS_PT_CLASS_JUMP_INDIRECT;
}

/* Zydis gives near and far returns the same mnemonic. */
static enum fargs_pt_class near_or_far_return(const ZydisDecodedInstruction *insn)
{
	return insn->opcode == 0xc2 || insn->opcode == 0xc3 ? FARGS_PT_CLASS_RETURN :
							      FARGS_PT_CLASS_FAR_RETURN;
}

/* MOV to CR3 is 0F 22 /3. REX.R selects CR11, which does not exist. */
static enum fargs_pt_class mov(const ZydisDecodedInstruction *insn)
{
	if (insn->opcode_map != ZYDIS_OPCODE_MAP_0F || insn->opcode != 0x22 ||
	    insn->raw.modrm.reg != 3 || insn->raw.rex.R)
		return FARGS_PT_CLASS_OTHER;
	return FARGS_PT_CLASS_MOV_CR3;
}

static enum fargs_pt_class class_of(const ZydisDecodedInstruction *insn)
{
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_CALL:
	case ZYDIS_MNEMONIC_JMP:
		return call_or_jump(insn);
	case ZYDIS_MNEMONIC_RET:
		return near_or_far_return(insn);
	case ZYDIS_MNEMONIC_MOV:
		return mov(insn);
	case ZYDIS_MNEMONIC_JO: case ZYDIS_MNEMONIC_JNO:
	case ZYDIS_MNEMONIC_JB: case ZYDIS_MNEMONIC_JNB:
	case ZYDIS_MNEMONIC_JZ: case ZYDIS_MNEMONIC_JNZ:
	case ZYDIS_MNEMONIC_JBE: case ZYDIS_MNEMONIC_JNBE:
	case ZYDIS_MNEMONIC_JS: case ZYDIS_MNEMONIC_JNS:
	case ZYDIS_MNEMONIC_JP: case ZYDIS_MNEMONIC_JNP:
	case ZYDIS_MNEMONIC_JL: case ZYDIS_MNEMONIC_JNL:
	case ZYDIS_MNEMONIC_JLE: case ZYDIS_MNEMONIC_JNLE:
	case ZYDIS_MNEMONIC_JCXZ: case ZYDIS_MNEMONIC_JECXZ: case ZYDIS_MNEMONIC_JRCXZ:
	case ZYDIS_MNEMONIC_LOOP: case ZYDIS_MNEMONIC_LOOPE: case ZYDIS_MNEMONIC_LOOPNE:
		return FARGS_PT_CLASS_COND;
	case ZYDIS_MNEMONIC_INT: case ZYDIS_MNEMONIC_INT1:
	case ZYDIS_MNEMONIC_INT3: case ZYDIS_MNEMONIC_INTO:
		return FARGS_PT_CLASS_INT;
	case ZYDIS_MNEMONIC_SYSCALL: case ZYDIS_MNEMONIC_SYSENTER:
		return FARGS_PT_CLASS_SYSCALL;
	case ZYDIS_MNEMONIC_SYSRET: case ZYDIS_MNEMONIC_SYSEXIT:
		return FARGS_PT_CLASS_SYSRET;
	case ZYDIS_MNEMONIC_IRET: case ZYDIS_MNEMONIC_IRETD: case ZYDIS_MNEMONIC_IRETQ:
		return FARGS_PT_CLASS_IRET;
	case ZYDIS_MNEMONIC_UIRET:
		return FARGS_PT_CLASS_UIRET;
	case ZYDIS_MNEMONIC_VMCALL:
		return FARGS_PT_CLASS_VMCALL;
	case ZYDIS_MNEMONIC_VMLAUNCH: case ZYDIS_MNEMONIC_VMRESUME:
		return FARGS_PT_CLASS_VMENTRY;
	case ZYDIS_MNEMONIC_VMPTRLD:
		return FARGS_PT_CLASS_VMPTRLD;
	case ZYDIS_MNEMONIC_PTWRITE:
		return FARGS_PT_CLASS_PTWRITE;
	default:
		return FARGS_PT_CLASS_OTHER;
	}
}

/*
 * Undefined on CPUs with Intel PT: AMD's XOP and 3DNow; 0F A6 and A7, which are VIA's; and map 0 of
 * VEX, which was in Knights Corner.
 */
static bool is_of_another_cpu(const ZydisDecodedInstruction *insn)
{
	return insn->encoding == ZYDIS_INSTRUCTION_ENCODING_XOP ||
	       insn->encoding == ZYDIS_INSTRUCTION_ENCODING_3DNOW ||
	       (insn->opcode_map == ZYDIS_OPCODE_MAP_0F && (insn->opcode & 0xfe) == 0xa6 &&
		insn->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY) ||
	       (insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
		insn->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX);
}

bool fargs_pt_insn_decode(const uint8_t *code, size_t bytes, enum fargs_pt_exec_mode mode,
			  struct fargs_pt_decoded *insn)
{
	ZydisDecodedInstruction all;
	ZyanStatus status;

	if (bytes > FARGS_PT_INSN_MAX)
		bytes = FARGS_PT_INSN_MAX;
	status = ZydisDecoderDecodeInstruction(&decoders[mode], NULL, code, bytes, &all);
	if (!ZYAN_SUCCESS(status))
		return fargs_pt_newer_decode(code, bytes, mode, insn);
	if (is_of_another_cpu(&all))
		return false;
	*insn = (struct fargs_pt_decoded){ .size = all.length, .class = class_of(&all) };
	if (insn->class >= FARGS_PT_CLASS_CALL && insn->class <= FARGS_PT_CLASS_COND) {
		insn->displacement = (int32_t)all.raw.imm[0].value.s;
		insn->operand_bits = all.operand_width;
	}
	return true;
}

/*
 * With an operand size of 16 bits, a branch clears the upper bits of EIP. In 16-bit code, whose
 * segments have a base, a CPU may report addresses that include the base (CPUID 14H.0:ECX[31]). An
 * address above 64 KiB shows that: then the upper bits are those of the base.
 */
uint64_t fargs_pt_insn_target(const struct fargs_pt_decoded *insn, uint64_t ip,
			      enum fargs_pt_exec_mode mode)
{
	uint64_t target = ip + insn->size + (int64_t)insn->displacement;

	if (mode == FARGS_PT_EXEC_64)
		return target;
	if (insn->operand_bits == 16 && (mode == FARGS_PT_EXEC_32 || ip <= UINT16_MAX))
		return (uint16_t)target;
	return (uint32_t)target;
}
