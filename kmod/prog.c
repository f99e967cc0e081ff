// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs programs. Not traced itself (Kbuild). Nothing is asked that the verifier
 * (prog_verify.c) has answered.
 */
#include "prog.h"

#include <linux/compiler.h>
#include <linux/glob.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "body.h"
#include "prog_env.h"
#include "prog_mem.h"
#include "uapi/fargs_record.h"

struct run {
	const struct fargs_program *prog;
	const struct fargs_call *call;
	u8 *body;
	u32 at;			/* in the body: where the next appended value goes */
	u32 unreadable;		/* bit per register; it holds the address then */
	bool is_unreadable;	/* a condition has met one */
	u64 r[FARGS_PROG_REGS];
};

static __always_inline void set(struct run *run, u32 dst, u64 value)
{
	run->r[dst] = value;
	run->unreadable &= ~(1u << dst);
}

static __always_inline void set_unreadable(struct run *run, u32 dst, u64 addr)
{
	run->r[dst] = addr;
	run->unreadable |= 1u << dst;
}

static __always_inline bool is_readable(const struct run *run, u32 reg)
{
	return likely(!(run->unreadable & 1u << reg));
}

/* Arithmetic. The first operand's address is kept if both are unreadable. */
static __always_inline void compute(struct run *run, const struct fargs_insn *insn)
{
	u64 *dst = &run->r[insn->dst], b = insn->imm;

	if (!is_readable(run, insn->dst))
		return;
	if (insn->op >= FARGS_OP_ADD_REG) {
		b = run->r[insn->src];
		if (!is_readable(run, insn->src)) {
			set_unreadable(run, insn->dst, b);
			return;
		}
	}
	switch (insn->op) {
	case FARGS_OP_ADD:
	case FARGS_OP_ADD_REG:
		*dst += b;
		break;
	case FARGS_OP_SUB_REG:
		*dst -= b;
		break;
	case FARGS_OP_MUL:
		*dst *= b;
		break;
	case FARGS_OP_AND:
	case FARGS_OP_AND_REG:
		*dst &= b;
		break;
	case FARGS_OP_OR:
	case FARGS_OP_OR_REG:
		*dst |= b;
		break;
	case FARGS_OP_XOR:
		*dst ^= b;
		break;
	case FARGS_OP_SHL:
		*dst <<= b;
		break;
	case FARGS_OP_SHR:
		*dst >>= b;
		break;
	case FARGS_OP_SAR:
		*dst = (s64)*dst >> b;
		break;
	}
}

static __always_inline bool compare(u8 cond, u64 a, u64 b)
{
	switch (cond) {
	case FARGS_COND_EQ:
		return a == b;
	case FARGS_COND_NE:
		return a != b;
	case FARGS_COND_LT:
		return a < b;
	case FARGS_COND_LE:
		return a <= b;
	case FARGS_COND_GT:
		return a > b;
	case FARGS_COND_GE:
		return a >= b;
	case FARGS_COND_SLT:
		return (s64)a < (s64)b;
	case FARGS_COND_SLE:
		return (s64)a <= (s64)b;
	case FARGS_COND_SGT:
		return (s64)a > (s64)b;
	case FARGS_COND_SGE:
		return (s64)a >= (s64)b;
	default:
		return a & b;
	}
}

/* Does the condition of JIF, JIF_REG hold? */
static __always_inline bool is_true(struct run *run, const struct fargs_insn *insn)
{
	bool is_reg = insn->op == FARGS_OP_JIF_REG;

	if (!is_readable(run, insn->dst) || (is_reg && !is_readable(run, insn->src))) {
		run->is_unreadable = true;
		return false;
	}
	return compare(insn->arg, run->r[insn->dst], is_reg ? run->r[insn->src] : insn->imm);
}

static notrace noinline bool matches(struct run *run, const struct fargs_insn *insn)
{
	u8 text[FARGS_MATCH_MAX + 1];	/* a multiple of 8, as copying wants it */
	bool is_cut;
	s32 len = -1;

	if (is_readable(run, insn->src))
		len = fargs_mem_copy_str(text, run->r[insn->src], FARGS_MATCH_MAX, insn->arg,
					 &is_cut);
	if (len < 0) {
		run->is_unreadable = true;
		return false;
	}
	text[len] = '\0';
	return glob_match((const char *)run->prog->consts + insn->imm, (const char *)text);
}

static notrace noinline void load(struct run *run, const struct fargs_insn *insn)
{
	u64 addr = run->r[insn->src] + (s64)insn->off, value;

	if (!is_readable(run, insn->src))
		set_unreadable(run, insn->dst, run->r[insn->src]);
	else if (fargs_mem_load(&value, addr, insn->arg, insn->imm))
		set(run, insn->dst, value);
	else
		set_unreadable(run, insn->dst, addr);
}

static __always_inline void put_u64(u8 *to, u64 value)
{
	memcpy(to, &value, sizeof(value));
}

/* @type: of the value whose data is at @data. */
static __always_inline void put_fault(u8 *type, u8 *data, u64 addr)
{
	*type |= FARGS_TYPE_FAULT;
	put_u64(data, addr);
}

static __always_inline void store(struct run *run, const struct fargs_insn *insn)
{
	u8 *data = run->body + insn->off;

	if (is_readable(run, insn->src))
		put_u64(data, run->r[insn->src]);
	else
		put_fault(data - 1, data, run->r[insn->src]);
}

static notrace noinline void store_mem(struct run *run, const struct fargs_insn *insn)
{
	u8 *data = run->body + insn->off;
	u64 addr = run->r[insn->src];

	if (!is_readable(run, insn->src) || !fargs_mem_copy(data, addr, insn->imm, insn->arg))
		put_fault(data - insn->dst, data, addr);
}

/* An appended value in the making: name and type are written, the rest is not. */
struct put {
	u8 *type;
	u8 *len;		/* 2 bytes, then the data */
	u8 *data;
};

/* By words: what they write too much lies within the value's own bytes. */
static __always_inline struct put put_begin(struct run *run, const struct fargs_insn *insn,
					    enum fargs_type type)
{
	const u8 *name = run->prog->consts + insn->off;
	u32 i, bytes = insn->imm >> 32;
	u8 *to = run->body + run->at;

	for (i = 0; i < bytes; i += 8)
		memcpy(to + i, name + i, 8);
	to += bytes;
	*to = type;
	return (struct put){ .type = to, .len = to + 1, .data = to + 3 };
}

static __always_inline void put_end(struct run *run, const struct put *put, u16 n)
{
	memcpy(put->len, &n, sizeof(n));
	run->at = put->data + round_up((u32)n, 8) - run->body;
}

/* Its data is the address, and nothing else. */
static __always_inline void put_end_fault(struct run *run, const struct put *put, u64 addr)
{
	put_fault(put->type, put->data, addr);
	put_end(run, put, sizeof(addr));
}

static notrace noinline void put_str(struct run *run, const struct fargs_insn *insn)
{
	struct put put = put_begin(run, insn, FARGS_TYPE_STR);
	u64 addr = run->r[insn->src];
	bool is_cut = false;
	s32 n = -1;

	if (is_readable(run, insn->src))
		n = fargs_mem_copy_str(put.data, addr, (u32)insn->imm, insn->arg, &is_cut);
	if (n < 0) {
		put_end_fault(run, &put, addr);
		return;
	}
	if (is_cut)
		*put.type |= FARGS_TYPE_CUT;
	put_end(run, &put, n);
}

static notrace noinline void put_mem(struct run *run, const struct fargs_insn *insn)
{
	struct put put = put_begin(run, insn, FARGS_TYPE_BYTES);
	u64 addr = run->r[insn->src];
	s64 n = run->r[insn->dst], max = (u32)insn->imm;

	if (!is_readable(run, insn->dst)) {
		put_end_fault(run, &put, n);
		return;
	}
	if (n < 0)
		n = 0;
	if (!is_readable(run, insn->src) ||
	    (n && !fargs_mem_copy(put.data, addr, min_t(s64, n, max), insn->arg))) {
		put_end_fault(run, &put, addr);
		return;
	}
	if (n > max)
		*put.type |= FARGS_TYPE_CUT;
	put_end(run, &put, min_t(s64, n, max));
}

static notrace noinline void put_stack(struct run *run, const struct fargs_insn *insn)
{
	struct put put = put_begin(run, insn, FARGS_TYPE_BYTES);

	put_end(run, &put, 8 * fargs_env_stack(run->call, put.data, (u32)insn->imm));
}

/* True if a predicate accepts; what fetches returns has no meaning. */
static notrace bool execute(struct run *run)
{
	const struct fargs_insn *insn = run->prog->insns;
	const struct fargs_insn *end = insn + run->prog->nr;
	u64 value;

	for (; insn < end; insn++) {
		switch (insn->op) {
		case FARGS_OP_ARG:
			set(run, insn->dst, *(const u64 *)(run->call->regs + insn->off));
			break;
		case FARGS_OP_SLOT:
			if (fargs_env_slot(run->call, insn->arg, &value))
				set(run, insn->dst, value);
			else
				set_unreadable(run, insn->dst, value);
			break;
		case FARGS_OP_CTX:
			set(run, insn->dst, fargs_env_ctx(run->call, insn->arg));
			break;
		case FARGS_OP_IMM:
			set(run, insn->dst, insn->imm);
			break;
		case FARGS_OP_MOV:
			if (is_readable(run, insn->src))
				set(run, insn->dst, run->r[insn->src]);
			else
				set_unreadable(run, insn->dst, run->r[insn->src]);
			break;
		case FARGS_OP_LOAD:
			load(run, insn);
			break;
		case FARGS_OP_ADD ... FARGS_OP_OR_REG:
			compute(run, insn);
			break;
		case FARGS_OP_JMP:
			insn += insn->off;
			break;
		case FARGS_OP_JIF:
		case FARGS_OP_JIF_REG:
			if (is_true(run, insn))
				insn += insn->off;
			break;
		case FARGS_OP_JMATCH:
			if (matches(run, insn))
				insn += insn->off;
			break;
		case FARGS_OP_ACCEPT:
			return true;
		case FARGS_OP_REJECT:
			return false;
		case FARGS_OP_ST:
			store(run, insn);
			break;
		case FARGS_OP_ST_MEM:
			store_mem(run, insn);
			break;
		case FARGS_OP_PUT_STR:
			put_str(run, insn);
			break;
		case FARGS_OP_PUT_MEM:
			put_mem(run, insn);
			break;
		case FARGS_OP_PUT_STACK:
			put_stack(run, insn);
			break;
		}
	}
	return true;
}

struct fargs_verdict notrace fargs_prog_decide(const struct fargs_program *prog,
					       const struct fargs_call *call)
{
	struct fargs_verdict verdict;
	struct run run;

	/* Not the registers: none is read before it is written. */
	run.prog = prog;
	run.call = call;
	run.unreadable = 0;
	run.is_unreadable = false;
	verdict.is_accepted = execute(&run);
	verdict.is_unreadable = run.is_unreadable;
	return verdict;
}

u32 notrace fargs_prog_fetch(const struct fargs_program *prog, const struct fargs_call *call,
			     u8 *body, u32 at)
{
	struct run run;

	run.prog = prog;
	run.call = call;
	run.body = body;
	run.at = at;
	run.unreadable = 0;
	run.is_unreadable = false;
	execute(&run);
	return run.at;
}

bool fargs_prog_needs_guard(const struct fargs_insn *insns, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		switch (insns[i].op) {
		case FARGS_OP_SLOT:	/* may lie beyond the stack's end */
		case FARGS_OP_LOAD:
		case FARGS_OP_JMATCH:
		case FARGS_OP_ST_MEM:
		case FARGS_OP_PUT_STR:
		case FARGS_OP_PUT_MEM:
		case FARGS_OP_PUT_STACK:
			return true;
		}
	}
	return false;
}

void fargs_prog_translate(const struct fargs_insn *insns, u32 nr, enum fargs_prog which,
			  const struct fargs_body *body, const u8 *consts,
			  struct fargs_insn *to)
{
	struct fargs_body_value value;
	u32 i;

	for (i = 0; i < nr; i++, insns++, to++) {
		*to = *insns;
		switch (insns->op) {
		case FARGS_OP_ARG:
			to->off = fargs_env_arg_offset(insns->arg,
						       which >= FARGS_PROG_RETURN_PREDICATE);
			break;
		case FARGS_OP_ST_MEM:
			fargs_body_find(body, insns->off, &value);
			to->dst = value.data_offset - value.type_offset;
			break;
		case FARGS_OP_PUT_STR:
		case FARGS_OP_PUT_MEM:
		case FARGS_OP_PUT_STACK:
			to->imm |= (u64)(strlen((const char *)consts + insns->off) + 1) << 32;
			break;
		}
	}
}
