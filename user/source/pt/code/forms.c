// SPDX-License-Identifier: GPL-2.0-only
/* Which opcodes have a ModRM byte is in the opcode maps of Intel's manual (SDM 2, appendix A). */
#include "source/pt/code/forms.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Kernel code has some 6,000 forms; a form may be replaced by another one. */
#define TABLE_SHIFT	14
/* More prefixes are rare: with at most three, a form has at most eight bytes. */
#define PREFIXES_MAX	3

struct form {
	uint64_t bytes;			/* the first @nr bytes of the instruction; others are 0 */
	uint8_t nr;			/* 0: unused */
	uint8_t size, class, operand_bits;	/* as in struct fargs_pt_decoded */
};

struct fargs_pt_forms {
	struct form table[1u << TABLE_SHIFT];
};

/* What a byte of an instruction is, or what follows it. */
enum {
	WITH_MODRM,			/* an opcode that may have a ModRM byte */
	ALONE,				/* an opcode that has none */
	PREFIX,
	REX,
	ESCAPE,				/* the opcode follows, in another map */
	OPAQUE,				/* this is not for us: VEX, EVEX, XOP, other maps */
};

/*
 * If an opcode without ModRM were missing among those that are ALONE, a byte of its operands would
 * be part of the form, which would be found less often.
 */
static const uint8_t first_bytes[256] = {
	[0x04] = ALONE, ALONE, [0x0c] = ALONE, ALONE,	/* ALU operations on AL and eAX */
	[0x14] = ALONE, ALONE, [0x1c] = ALONE, ALONE,
	[0x24] = ALONE, ALONE, [0x2c] = ALONE, ALONE,
	[0x34] = ALONE, ALONE, [0x3c] = ALONE, ALONE,
	[0x0f] = ESCAPE,
	[0x26] = PREFIX, [0x2e] = PREFIX, [0x36] = PREFIX, [0x3e] = PREFIX,
	[0x40 ... 0x4f] = REX,
	[0x50 ... 0x5f] = ALONE,	/* PUSH, POP */
	[0x62] = OPAQUE,
	[0x64 ... 0x67] = PREFIX,
	[0x68] = ALONE, [0x6a] = ALONE,	/* PUSH */
	[0x70 ... 0x7f] = ALONE,	/* Jcc */
	[0x8f] = OPAQUE,
	[0x90 ... 0x99] = ALONE,	/* XCHG, CBW, CWD */
	[0x9c] = ALONE, ALONE,		/* PUSHF, POPF */
	[0xa4 ... 0xbf] = ALONE,	/* strings, TEST, MOV */
	[0xc2] = ALONE, ALONE, OPAQUE, OPAQUE,	/* RET; VEX */
	[0xc9] = ALONE,			/* LEAVE */
	[0xcc] = ALONE,			/* INT3 */
	[0xd5] = OPAQUE,		/* REX2 */
	[0xe0 ... 0xe3] = ALONE,	/* LOOPcc, JrCXZ */
	[0xe8] = ALONE, ALONE, [0xeb] = ALONE,	/* CALL, JMP */
	[0xf0] = PREFIX, [0xf2] = PREFIX, PREFIX,
	[0xf4] = ALONE,			/* HLT */
	[0xf8 ... 0xfd] = ALONE,	/* flags */
};

static const uint8_t second_bytes[256] = {
	[0x05] = ALONE, [0x07] = ALONE,	/* SYSCALL, SYSRET */
	[0x0b] = ALONE,			/* UD2 */
	[0x0f] = OPAQUE,
	[0x30 ... 0x32] = ALONE,	/* WRMSR, RDTSC, RDMSR */
	[0x38] = OPAQUE, [0x3a] = OPAQUE,
	[0x80 ... 0x8f] = ALONE,	/* Jcc */
	[0xa2] = ALONE,			/* CPUID */
	[0xc8 ... 0xcf] = ALONE,	/* BSWAP */
};

struct fargs_pt_forms *fargs_pt_forms_create(void)
{
	return calloc(1, sizeof(struct fargs_pt_forms));
}

void fargs_pt_forms_destroy(struct fargs_pt_forms *f)
{
	free(f);
}

/* Returns the number of bytes of the form at @code; 0 if it may not be remembered. */
static unsigned int form_bytes(const uint8_t *code)
{
	unsigned int n = 0;
	uint8_t what = first_bytes[code[0]], modrm;

	while (what == PREFIX) {
		if (++n > PREFIXES_MAX)
			return 0;
		what = first_bytes[code[n]];
	}
	if (what == REX)
		what = first_bytes[code[++n]];
	if (what == ESCAPE)
		what = second_bytes[code[++n]];
	n++;
	if (what == ALONE)
		return n;
	/* A prefix after REX makes the CPU ignore REX. */
	if (what != WITH_MODRM)
		return 0;
	modrm = code[n++];
	/* In 64-bit mode, no address size lacks SIB. */
	return modrm < 0xc0 && (modrm & 7) == 4 ? n + 1 : n;
}

/* Returns the operand of @nr bytes at @at, which a relative branch adds to the address after it. */
static int32_t displacement(const uint8_t *at, unsigned int nr)
{
	uint32_t value;

	if (nr == 1)
		return (int8_t)*at;
	memcpy(&value, at, sizeof(value));
	return (int32_t)le32toh(value);
}

static bool is_relative(uint8_t class)
{
	return class == FARGS_PT_CLASS_CALL || class == FARGS_PT_CLASS_JUMP ||
	       class == FARGS_PT_CLASS_COND;
}

static __attribute__((noinline)) bool decode_form(struct form *form, uint64_t bytes,
						  unsigned int nr, const uint8_t *code,
						  struct fargs_pt_decoded *insn)
{
	if (!fargs_pt_insn_decode(code, FARGS_PT_INSN_MAX, FARGS_PT_EXEC_64, insn))
		return false;
	if (!is_relative(insn->class) || insn->size == nr + 1 || insn->size == nr + 4)
		*form = (struct form){
			.bytes = bytes, .nr = nr, .size = insn->size, .class = insn->class,
			.operand_bits = insn->operand_bits,
		};
	return true;
}

bool fargs_pt_forms_decode(struct fargs_pt_forms *f, const uint8_t *code,
			   enum fargs_pt_exec_mode mode, struct fargs_pt_decoded *insn)
{
	unsigned int nr = mode == FARGS_PT_EXEC_64 ? form_bytes(code) : 0;
	struct form *form;
	uint64_t bytes;

	if (!nr)
		return fargs_pt_insn_decode(code, FARGS_PT_INSN_MAX, mode, insn);
	memcpy(&bytes, code, sizeof(bytes));
	bytes = le64toh(bytes) & (UINT64_MAX >> (64 - 8 * nr));
	form = &f->table[bytes * FARGS_HASH_FACTOR >> (64 - TABLE_SHIFT)];
	if (form->bytes != bytes || form->nr != nr)
		return decode_form(form, bytes, nr, code, insn);
	*insn = (struct fargs_pt_decoded){
		.size = form->size, .class = form->class, .operand_bits = form->operand_bits,
	};
	if (is_relative(form->class))
		insn->displacement = displacement(code + nr, form->size - nr);
	return true;
}
