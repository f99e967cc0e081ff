/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes the size and the class of x86 instructions, as far as Intel PT depends on them. Rules for
 * packets are from Intel's manual (SDM 3, "Intel Processor Trace"), encodings from SDM 2. The code
 * was executed by a CPU that has Intel PT, so encodings that are only AMD's are undefined.
 */
#ifndef FARGS_SOURCE_PT_CODE_INSN_H
#define FARGS_SOURCE_PT_CODE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FARGS_PT_INSN_MAX	15

/* What is shown of an instruction. */
enum fargs_pt_insn {
	FARGS_PT_INSN_OTHER,		/* not a branch, or an unknown instruction */
	FARGS_PT_INSN_CALL,
	FARGS_PT_INSN_RETURN,
	FARGS_PT_INSN_JUMP,
	FARGS_PT_INSN_COND,
	FARGS_PT_INSN_INT,		/* INT n, INT3, INT1, INTO */
	FARGS_PT_INSN_IRET,		/* also ERETU, ERETS */
	FARGS_PT_INSN_SYSCALL,		/* SYSCALL, SYSENTER */
	FARGS_PT_INSN_SYSRET,		/* SYSRET, SYSEXIT */
	FARGS_PT_INSN_FAR_CALL,		/* also VMCALL */
	FARGS_PT_INSN_FAR_RETURN,	/* also UIRET */
	FARGS_PT_INSN_VMENTRY,		/* VMLAUNCH, VMRESUME */
	FARGS_PT_INSN_FAR,		/* far jumps */
};

/* What an instruction means to the flow of control and to the packets of the trace. */
enum fargs_pt_class {
	FARGS_PT_CLASS_OTHER,		/* the next instruction follows; also XBEGIN, XABORT */
	/* Near branches. Their targets are in the code: no packet. */
	FARGS_PT_CLASS_CALL,
	FARGS_PT_CLASS_JUMP,
	/* TNT: Jcc, LOOPcc, JrCXZ */
	FARGS_PT_CLASS_COND,
	/* TNT if it returns to a call in the trace, else TIP */
	FARGS_PT_CLASS_RETURN,
	/* TIP. JMPABS is an indirect jump: its target may be rewritten, and it has a TIP. */
	FARGS_PT_CLASS_CALL_INDIRECT,
	FARGS_PT_CLASS_JUMP_INDIRECT,
	/* Far transfers: TIP. fargs_pt_class_is_far() depends on the order. */
	FARGS_PT_CLASS_INT,		/* INT n, INT3, INT1, INTO (whose condition may be false) */
	FARGS_PT_CLASS_SYSCALL,		/* SYSCALL, SYSENTER */
	FARGS_PT_CLASS_FAR_CALL,
	FARGS_PT_CLASS_VMCALL,		/* a branch only if a VM exit follows */
	FARGS_PT_CLASS_IRET,
	FARGS_PT_CLASS_ERET,		/* ERETU, ERETS */
	FARGS_PT_CLASS_SYSRET,		/* SYSRET, SYSEXIT */
	FARGS_PT_CLASS_FAR_RETURN,
	FARGS_PT_CLASS_UIRET,
	FARGS_PT_CLASS_VMENTRY,		/* VMLAUNCH, VMRESUME; the next one if the VM entry fails */
	FARGS_PT_CLASS_FAR_JUMP,
	/* The next instruction follows. Other packets may belong to the instruction. */
	FARGS_PT_CLASS_MOV_CR3,		/* PIP */
	FARGS_PT_CLASS_VMPTRLD,		/* VMCS */
	FARGS_PT_CLASS_PTWRITE,		/* PTW */
	FARGS_PT_CLASSES
};

enum fargs_pt_exec_mode {
	FARGS_PT_EXEC_16,
	FARGS_PT_EXEC_32,
	FARGS_PT_EXEC_64,
};

/**
 * struct fargs_pt_decoded - an instruction
 * @displacement: of CALL, JUMP and COND, relative to the next instruction; otherwise 0
 * @size: in bytes, 1 to FARGS_PT_INSN_MAX
 * @class: enum fargs_pt_class
 * @operand_bits: operand size of CALL, JUMP and COND: 16, 32 or 64; otherwise 0
 */
struct fargs_pt_decoded {
	int32_t displacement;
	uint8_t size;
	uint8_t class;
	uint8_t operand_bits;
};

/*
 * Decodes the instruction at @code, of which @bytes can be read; more than FARGS_PT_INSN_MAX are
 * not needed. Returns false if they do not contain a complete instruction, or if a CPU with Intel
 * PT would raise #UD instead of executing it. Of encodings in which new instructions are added (VEX
 * and EVEX), unknown opcodes are decoded as OTHER: their size is known, and none is a branch.
 */
bool fargs_pt_insn_decode(const uint8_t *code, size_t bytes, enum fargs_pt_exec_mode mode,
			  struct fargs_pt_decoded *insn);

/* Returns the address after @insn at @ip. */
static inline uint64_t fargs_pt_insn_next(const struct fargs_pt_decoded *insn, uint64_t ip,
					  enum fargs_pt_exec_mode mode)
{
	return mode == FARGS_PT_EXEC_64 ? ip + insn->size : (uint32_t)(ip + insn->size);
}

/* Returns the target of @insn at @ip if it is taken. @insn is CALL, JUMP or COND. */
uint64_t fargs_pt_insn_target(const struct fargs_pt_decoded *insn, uint64_t ip,
			      enum fargs_pt_exec_mode mode);

/* Returns what is shown of instructions of class @class. */
enum fargs_pt_insn fargs_pt_class_insn(enum fargs_pt_class class);

static inline bool fargs_pt_class_is_branch(enum fargs_pt_class class)
{
	return class >= FARGS_PT_CLASS_CALL && class <= FARGS_PT_CLASS_FAR_JUMP;
}

/* Far transfers may change the privilege level, the address space and the mode. */
static inline bool fargs_pt_class_is_far(enum fargs_pt_class class)
{
	return class >= FARGS_PT_CLASS_INT && class <= FARGS_PT_CLASS_FAR_JUMP;
}

/* Returns whether a TIP packet, or a TNT bit for a compressed return, has the target. */
static inline bool fargs_pt_class_is_indirect(enum fargs_pt_class class)
{
	return class >= FARGS_PT_CLASS_RETURN && class <= FARGS_PT_CLASS_FAR_JUMP;
}

/* Returns whether a PIP packet may belong to an instruction of class @class. */
static inline bool fargs_pt_class_binds_to_pip(enum fargs_pt_class class)
{
	return fargs_pt_class_is_far(class) || class == FARGS_PT_CLASS_MOV_CR3;
}

/* Returns whether a VMCS packet may belong to an instruction of class @class. */
static inline bool fargs_pt_class_binds_to_vmcs(enum fargs_pt_class class)
{
	return fargs_pt_class_is_far(class) || class == FARGS_PT_CLASS_VMPTRLD;
}

#endif
