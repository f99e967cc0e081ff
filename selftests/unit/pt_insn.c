// SPDX-License-Identifier: GPL-2.0-only
/* Tests sizes, classes and targets of instructions, by encodings in Intel's manual (SDM 2). */
#include "unit/ktap.h"

#include "source/pt/code/insn.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

enum {
	M16 = 1 << FARGS_PT_EXEC_16,
	M32 = 1 << FARGS_PT_EXEC_32,
	M64 = 1 << FARGS_PT_EXEC_64,
	ANY = M16 | M32 | M64,
};

struct expected {
	const char *code;
	unsigned int size;	/* 0: undefined */
	unsigned int modes;
	enum fargs_pt_class class;
};

#define CODE(text)	text "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define IS(text, modes, class)	{ CODE(text), sizeof(text) - 1, modes, FARGS_PT_CLASS_##class }
#define IS_NONE(text, modes)	{ CODE(text), 0, modes, FARGS_PT_CLASS_OTHER }

static const struct expected classes[] = {
	/* Near branches with a displacement, whose size is that of the operand. */
	IS("\xe8\x01\x02\x03\x04", M32 | M64, CALL), IS("\xe8\x01\x02", M16, CALL),
	IS("\xe9\x01\x02\x03\x04", M32 | M64, JUMP), IS("\xe9\x01\x02", M16, JUMP),
	IS("\xeb\x7f", ANY, JUMP),
	IS("\x0f\x84\x01\x02\x03\x04", M32 | M64, COND), IS("\x0f\x84\x01\x02", M16, COND),
	IS("\x70\x7f", ANY, COND), IS("\x7f\x7f", ANY, COND), IS("\x0f\x80\0\0\0\0", M64, COND),
	IS("\x0f\x8f\0\0\0\0", M64, COND), IS("\xe0\xfe", ANY, COND), IS("\xe1\xfe", ANY, COND),
	IS("\xe2\xfe", ANY, COND), IS("\xe3\xfe", ANY, COND), IS("\x67\xe3\xfe", ANY, COND),
	/* Branch hints, BND, segment prefixes, REX, and addresses of another size */
	IS("\x2e\x74\x10", ANY, COND), IS("\x3e\x0f\x8f\0\0\0\0", M64, COND),
	IS("\xf2\xe8\0\0\0\0", M64, CALL), IS("\xf2\xe9\0\0\0\0", M64, JUMP),
	IS("\xf2\xeb\0", M64, JUMP), IS("\xf2\x75\0", M64, COND), IS("\x48\xe8\0\0\0\0", M64, CALL),
	IS("\x48\xe9\0\0\0\0", M64, JUMP), IS("\x40\x74\0", M64, COND),
	/* In 64-bit mode Intel's CPUs ignore 66 (AMD's have an operand of 16 bits). */
	IS("\x66\xe8\0\0\0\0", M64, CALL), IS("\x66\xe9\0\0\0\0", M64, JUMP),
	IS("\x66\x0f\x84\0\0\0\0", M64, COND), IS("\x66\xe8\0\0", M32, CALL),
	IS("\x66\xe9\0\0", M32, JUMP), IS("\x66\x0f\x84\0\0", M32, COND),
	IS("\x66\xe8\0\0\0\0", M16, CALL), IS("\x66\x0f\x84\0\0\0\0", M16, COND),
	/* Near indirect branches; 3E is NOTRACK */
	IS("\xff\xd0", ANY, CALL_INDIRECT), IS("\x41\xff\xd3", M64, CALL_INDIRECT),
	IS("\xff\x15\0\0\0\0", M32 | M64, CALL_INDIRECT), IS("\xff\x16\0\0", M16, CALL_INDIRECT),
	IS("\x3e\xff\xd0", M64, CALL_INDIRECT), IS("\xf2\xff\xd0", M64, CALL_INDIRECT),
	IS("\x66\xff\xd0", ANY, CALL_INDIRECT), IS("\x48\xff\xd0", M64, CALL_INDIRECT),
	IS("\xff\xe0", ANY, JUMP_INDIRECT), IS("\x3e\xff\xe1", ANY, JUMP_INDIRECT),
	IS("\xf2\xff\xe0", M64, JUMP_INDIRECT), IS("\xff\x24\xc5\0\0\0\0", M64, JUMP_INDIRECT),
	IS("\x65\xff\x14\x25\x28\0\0\0", M64, CALL_INDIRECT),
	/* JMPABS: with TIP */
	IS("\xd5\x00\xa1\1\2\3\4\5\6\7\x8", M64, JUMP_INDIRECT),
	IS_NONE("\xd5\x08\xa1\1\2\3\4\5\6\7\x8", M64), IS_NONE("\x66\xd5\x00\xa1\1\2\3\4", M64),
	IS_NONE("\xf3\xd5\x00\xa1\1\2\3\4", M64), IS_NONE("\x67\xd5\x00\xa1\1\2\3\4", M64),
	IS_NONE("\xf0\xd5\x00\xa1\1\2\3\4", M64),
	IS("\xd5\x00", M16 | M32, OTHER),	/* AAD 0 */
	/* Near and far returns */
	IS("\xc3", ANY, RETURN), IS("\xc2\x08\0", ANY, RETURN), IS("\xf3\xc3", ANY, RETURN),
	IS("\xf2\xc3", M64, RETURN), IS("\x48\xc3", M64, RETURN), IS("\x66\xc3", ANY, RETURN),
	IS("\xcb", ANY, FAR_RETURN), IS("\xca\x08\0", ANY, FAR_RETURN),
	IS("\x48\xcb", M64, FAR_RETURN),
	/* Far calls and jumps */
	IS("\xff\x18", ANY, FAR_CALL), IS("\x48\xff\x18", M64, FAR_CALL),
	IS("\xff\x28", ANY, FAR_JUMP), IS("\x48\xff\x28", M64, FAR_JUMP),
	IS_NONE("\xff\xd8", ANY), IS_NONE("\xff\xe8", ANY),
	IS("\x9a\1\2\3\4\5\6", M32, FAR_CALL), IS("\x9a\1\2\3\4", M16, FAR_CALL),
	IS("\xea\1\2\3\4\5\6", M32, FAR_JUMP), IS("\xea\1\2\3\4", M16, FAR_JUMP),
	IS("\x66\xea\1\2\3\4\5\6", M16, FAR_JUMP), IS_NONE("\x9a", M64), IS_NONE("\xea", M64),
	/* Interrupts */
	IS("\xcc", ANY, INT), IS("\xcd\x80", ANY, INT), IS("\xf1", ANY, INT),
	IS("\xce", M16 | M32, INT), IS_NONE("\xce", M64),
	IS("\xcf", ANY, IRET), IS("\x48\xcf", M64, IRET), IS("\x66\xcf", ANY, IRET),
	IS("\xf3\x0f\x01\xca", M64, ERET), IS("\xf2\x0f\x01\xca", M64, ERET),
	IS_NONE("\xf3\x0f\x01\xca", M32 | M16), IS_NONE("\xf0\xf3\x0f\x01\xca", M64),
	IS("\x0f\x01\xca", ANY, OTHER),		/* CLAC */
	IS("\xf3\x0f\x01\xec", M64, UIRET), IS_NONE("\x0f\x01\xec", M64),
	/* System calls */
	IS("\x0f\x05", M64, SYSCALL), IS("\x0f\x34", ANY, SYSCALL),
	IS("\x0f\x07", M64, SYSRET), IS("\x48\x0f\x07", M64, SYSRET),
	IS("\x0f\x35", ANY, SYSRET), IS("\x48\x0f\x35", M64, SYSRET),
	/* VMX */
	IS("\x0f\x01\xc1", ANY, VMCALL), IS("\x0f\x01\xc2", ANY, VMENTRY),
	IS("\x0f\x01\xc3", ANY, VMENTRY), IS("\x0f\xc7\x30", ANY, VMPTRLD),
	IS("\x0f\xc7\xf0", ANY, OTHER),		/* RDRAND */
	IS("\x66\x0f\xc7\x30", ANY, OTHER),	/* VMCLEAR */
	IS("\xf3\x0f\xc7\x30", ANY, OTHER),	/* VMXON */
	IS("\x0f\xc7\x38", ANY, OTHER),		/* VMPTRST */
	/* MOV to CR3: REX.B extends the source. REX.R selects CR11. */
	IS("\x0f\x22\xd8", ANY, MOV_CR3), IS("\x41\x0f\x22\xdf", M64, MOV_CR3),
	IS("\x0f\x22\x18", ANY, MOV_CR3),	/* mod is ignored */
	IS("\x0f\x22\xe0", ANY, OTHER), IS("\x0f\x20\xd8", ANY, OTHER),
	IS("\xf3\x0f\xae\xe0", ANY, PTWRITE), IS("\xf3\x48\x0f\xae\x20", M64, PTWRITE),
	IS("\x0f\xae\x20", ANY, OTHER),		/* XSAVE */
	/* TSX: the packet of an abort has its target. */
	IS("\xc7\xf8\0\0\0\0", M32 | M64, OTHER), IS("\xc7\xf8\0\0", M16, OTHER),
	IS("\xc6\xf8\x01", ANY, OTHER), IS("\x0f\x01\xd5", ANY, OTHER),
	/* FRED's LKGS, with a register and with an address */
	IS("\xf2\x0f\x00\xf0", M64, OTHER), IS("\xf2\x0f\x00\x34\x25\0\0\0\0", M64, OTHER),
	IS("\xf2\x67\x0f\x00\x70\x01", M64, OTHER), IS_NONE("\xf2\x0f\x00\xf0", M32),
	/* WRMSRNS, RDMSRLIST, PBNDKB, AADD, URDMSR, SHA512RNDS2, RDMSR with an immediate */
	IS("\x0f\x01\xc6", ANY, OTHER), IS("\xf2\x0f\x01\xc6", M64, OTHER),
	IS("\x0f\x01\xc7", M64, OTHER), IS("\x0f\x38\xfc\x00", M64, OTHER),
	IS("\xf2\x0f\x38\xf8\xc0", M64, OTHER), IS("\xc4\xe2\x77\xcb\xd0", M32 | M64, OTHER),
	IS("\xc4\xe7\x7b\xf6\xc0\1\2\3\4", M64, OTHER),
	/* APX: ADD r16, r17, imm8 and imm32 and imm16; JMP *r16; POP r16; CALL rel32; JZ rel32 */
	IS("\x62\xfc\x7c\x10\x83\xc1\x01", M64, OTHER),
	IS("\x62\xfc\x7c\x10\x81\xc1\1\2\3\4", M64, OTHER),
	IS("\x62\xfc\x7d\x10\x81\xc1\1\2", M64, OTHER),
	IS("\xd5\x10\xff\xe0", M64, JUMP_INDIRECT), IS("\xd5\x10\x58", M64, OTHER),
	IS("\xd5\x80\xaf\xc1", M64, OTHER), IS_NONE("\xd5\x00\xe8\0\0\0\0", M64),
	IS_NONE("\xd5\x80\x84\0\0\0\0", M64), IS_NONE("\x48\xd5\x10\x58", M64),
	/* AMD's alone */
	IS_NONE("\x0f\x0f\xc0\x0d", ANY), IS_NONE("\x8f\xe9\x78\x01\xc9", M64),
	/* Undefined instructions are instructions if they have a name. */
	IS("\x0f\x0b", ANY, OTHER), IS_NONE("\x06", M64), IS_NONE("\xf0\x90", ANY),
	IS("\xf3\x0f\x1e\xfa", ANY, OTHER), IS("\x90", ANY, OTHER),
	/* The longest instruction; one byte more is undefined */
	IS("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", ANY, OTHER),
	IS_NONE("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", ANY),
};

static void check(const struct expected *e, enum fargs_pt_exec_mode mode)
{
	const uint8_t *code = (const uint8_t *)e->code;
	struct fargs_pt_decoded insn;
	size_t i = e - classes;
	bool ok;

	ok = fargs_pt_insn_decode(code, FARGS_PT_INSN_MAX + 1, mode, &insn);
	if (!ok || !e->size) {
		if (ok || e->size)
			ktap_fail(__FILE__, __LINE__, "case %zu, mode %u: is %sdecoded", i, mode,
				  ok ? "" : "not ");
		return;
	}
	if (insn.size != e->size || insn.class != e->class)
		ktap_fail(__FILE__, __LINE__,
			  "case %zu, mode %u: size %u, not %u; class %u, not %u", i, mode,
			  insn.size, e->size, insn.class, e->class);
	/* The size is known with the last byte, and not before. */
	if (!fargs_pt_insn_decode(code, e->size, mode, &insn) ||
	    fargs_pt_insn_decode(code, e->size - 1, mode, &insn))
		ktap_fail(__FILE__, __LINE__, "case %zu, mode %u: does not end with its size", i,
			  mode);
}

static void classifies(void)
{
	unsigned int mode;
	size_t i;

	for (i = 0; i < NR(classes); i++)
		for (mode = 0; mode < 3; mode++)
			if (classes[i].modes >> mode & 1)
				check(&classes[i], mode);
}

/* By SDM 2, "JMP": with an operand of 16 bits, tempEIP is ANDed with 0000FFFFH. */
static void targets(void)
{
	static const struct {
		const char *code;
		enum fargs_pt_exec_mode mode;
		uint64_t ip, target;
	} cases[] = {
		{ "\xe8\x01\x02\x03\x04", FARGS_PT_EXEC_64, 0x1000, 0x4031206 },
		{ "\xe9\xfb\xff\xff\xff", FARGS_PT_EXEC_64, 0xffffffff81000000,
		  0xffffffff81000000 },
		{ "\x66\xe9\xfb\xff\xff\xff", FARGS_PT_EXEC_64, 0x1000, 0x1001 },
		{ "\xe9\xfc\xff\xff\xff", FARGS_PT_EXEC_64, 0xffffffffffffffff, 0 },
		{ "\x74\x80", FARGS_PT_EXEC_64, 0, 0xffffffffffffff82 },
		{ "\xeb\x7f", FARGS_PT_EXEC_32, 0xffffff80, 1 },
		{ "\xe8\x00\x00\x00\x80", FARGS_PT_EXEC_32, 0x80001000, 0x1005 },
		{ "\x66\xe9\x00\x10", FARGS_PT_EXEC_32, 0x8048000, 0x9004 },
		{ "\x66\x75\x10", FARGS_PT_EXEC_32, 0x8048000, 0x8013 },
		{ "\xe9\x00\x10", FARGS_PT_EXEC_16, 0xf800, 0x803 },
		{ "\x66\xe9\x00\x10\x00\x00", FARGS_PT_EXEC_16, 0xf800, 0x10806 },
		{ "\xeb\xf0", FARGS_PT_EXEC_16, 0x9a000, 0x99ff2 },	/* the segment has a base */
	};
	struct fargs_pt_decoded insn;
	size_t i;

	for (i = 0; i < NR(cases); i++) {
		REQUIRE(fargs_pt_insn_decode((const uint8_t *)cases[i].code, 6, cases[i].mode,
					     &insn));
		CHECK_INT(fargs_pt_insn_target(&insn, cases[i].ip, cases[i].mode),
			  cases[i].target);
	}
	REQUIRE(fargs_pt_insn_decode((const uint8_t *)"\x90", 1, FARGS_PT_EXEC_64, &insn));
	CHECK_INT(fargs_pt_insn_next(&insn, 0xffffffff, FARGS_PT_EXEC_64), 0x100000000);
	CHECK_INT(fargs_pt_insn_next(&insn, 0xffffffff, FARGS_PT_EXEC_32), 0);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "classes and sizes are those of the manual", classifies },
		{ "targets are truncated to the operand's size", targets },
	};

	return KTAP_RUN(tests);
}
