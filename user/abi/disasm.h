/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes x86 instructions as text, in the AT&T syntax of objdump. Zydis decodes them; its own AT&T
 * text lacks size suffixes, the stars of indirect branches, and the operands of string
 * instructions, and it names conditions as Intel does.
 */
#ifndef FARGS_ABI_DISASM_H
#define FARGS_ABI_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct fargs_disasm {
	const uint8_t *code;
	size_t bytes;		/* number of bytes at @code; more than an instruction has is fine */
	uint64_t ip;		/* address of the instruction */
	unsigned int bits;	/* 16, 32 or 64: mode of the CPU */
	/*
	 * Sets *@symbol and *@offset to what contains @addr. Returns false if that is unknown.
	 * NULL: nothing is known.
	 */
	bool (*find)(void *arg, uint64_t addr, const char **symbol, uint64_t *offset);
	void *arg;
};

/*
 * Appends the text of the instruction, or "(bad)". Returns its size in bytes; 0: it is not an
 * instruction. The caller checks is_short of @out.
 */
size_t fargs_disasm(struct fargs_buf *out, const struct fargs_disasm *d);

/*
 * Decodes the instruction alone. Returns its size in bytes; 0: it is not an instruction. Sets
 * *@is_branch: is it a jump, call, return, system call or interrupt?
 */
size_t fargs_disasm_size(const struct fargs_disasm *d, bool *is_branch);

#endif
