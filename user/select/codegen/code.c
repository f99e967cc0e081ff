// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/code.h"

#include <string.h>

void fargs_code_add(struct fargs_code *code, struct fargs_insn insn)
{
	if (code->nr == FARGS_PROG_MAX) {
		code->is_over = true;
		return;
	}
	code->insns[code->nr++] = insn;
}

static bool changes_nothing(enum fargs_op op, uint64_t imm)
{
	switch (op) {
	case FARGS_OP_ADD:
	case FARGS_OP_OR:
	case FARGS_OP_XOR:
	case FARGS_OP_SHL:
	case FARGS_OP_SHR:
	case FARGS_OP_SAR:
		return !imm;
	case FARGS_OP_MUL:
		return imm == 1;
	case FARGS_OP_AND:
		return imm == UINT64_MAX;
	default:
		return false;
	}
}

void fargs_code_op(struct fargs_code *code, enum fargs_op op, unsigned int dst, uint64_t imm)
{
	if (!changes_nothing(op, imm))
		fargs_code_add(code, (struct fargs_insn){ .op = op, .dst = dst, .imm = imm });
}

void fargs_code_jump(struct fargs_code *code, struct fargs_insn insn, struct fargs_label *to)
{
	if (code->nr < FARGS_PROG_MAX)
		to->jumps[to->nr++] = code->nr;
	fargs_code_add(code, insn);
}

void fargs_code_bind(struct fargs_code *code, const struct fargs_label *label)
{
	unsigned int i;

	for (i = 0; i < label->nr; i++)
		code->insns[label->jumps[i]].off = code->nr - label->jumps[i] - 1;
}

unsigned int fargs_pool_add(struct fargs_pool *pool, const char *text, size_t len)
{
	unsigned int at;

	for (at = 0; at < pool->len; at += strlen(pool->data + at) + 1)
		if (len < pool->len - at && !memcmp(pool->data + at, text, len) &&
		    !pool->data[at + len])
			return at;
	if (len >= sizeof(pool->data) - pool->len) {
		pool->is_over = true;
		return 0;
	}
	memcpy(pool->data + at, text, len);
	pool->data[at + len] = '\0';
	pool->len += len + 1;
	return at;
}
