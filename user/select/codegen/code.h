/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs in the making (uapi/fargs_prog.h).
 */
#ifndef FARGS_EXPR_CODE_H
#define FARGS_EXPR_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"

/* Begin with zeroes. */
struct fargs_code {
	struct fargs_insn insns[FARGS_PROG_MAX];
	unsigned int nr;
	unsigned int nr_matches;
	bool is_over;		/* there was no room for all */
};

/* A place in front, which jumps go to. Begin with zeroes. */
struct fargs_label {
	uint8_t jumps[FARGS_PROG_MAX];
	unsigned int nr;
};

/* Names and patterns of programs. Begin with zeroes. */
struct fargs_pool {
	char data[FARGS_CONST_MAX];
	unsigned int len;
	bool is_over;
};

void fargs_code_add(struct fargs_code *code, struct fargs_insn insn);
/* r[dst] = r[dst] op imm; nothing if that changes nothing. */
void fargs_code_op(struct fargs_code *code, enum fargs_op op, unsigned int dst, uint64_t imm);
/* A jump; its off is filled in by fargs_code_bind. */
void fargs_code_jump(struct fargs_code *code, struct fargs_insn insn, struct fargs_label *to);
/* The label is here, in front of the next instruction. */
void fargs_code_bind(struct fargs_code *code, const struct fargs_label *label);

/* Where the @len bytes at @text, with a NUL behind them, are in the pool. */
unsigned int fargs_pool_add(struct fargs_pool *pool, const char *text, size_t len);

#endif
