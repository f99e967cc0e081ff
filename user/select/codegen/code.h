/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds programs (uapi/fargs_prog.h).
 */
#ifndef FARGS_SELECT_CODEGEN_CODE_H
#define FARGS_SELECT_CODEGEN_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"

/* A program; initialize with zeroes. */
struct fargs_code {
	struct fargs_insn insns[FARGS_PROG_MAX];
	unsigned int nr;
	unsigned int nr_matches, nr_paths;
	bool is_over;		/* an instruction did not fit into @insns */
};

/* A jump target that is not bound yet; initialize with zeroes. */
struct fargs_label {
	uint8_t jumps[FARGS_PROG_MAX];
	unsigned int nr;
};

/* Names and patterns of programs; initialize with zeroes. */
struct fargs_pool {
	char data[FARGS_CONST_MAX];
	unsigned int len;
	bool is_over;
};

void fargs_code_add(struct fargs_code *code, struct fargs_insn insn);
/* Adds the instruction "r[dst] = r[dst] op imm", unless it would have no effect. */
void fargs_code_op(struct fargs_code *code, enum fargs_op op, unsigned int dst, uint64_t imm);
/* Adds a jump to @to; fargs_code_bind() fills in its offset. */
void fargs_code_jump(struct fargs_code *code, struct fargs_insn insn, struct fargs_label *to);
/* Binds @label to the next instruction: fills in the offsets of the jumps to @label. */
void fargs_code_bind(struct fargs_code *code, const struct fargs_label *label);

/*
 * Adds the @len bytes at @text, which may contain NULs, and a NUL, unless the pool already contains
 * them. Returns their offset in the pool.
 */
unsigned int fargs_pool_add(struct fargs_pool *pool, const char *text, size_t len);

#endif
