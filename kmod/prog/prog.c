// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interpreter of programs. Not traced (Kbuild). It relies on the checks of the verifier
 * (layout/prog_verify.c), and does not repeat them.
 */
#include "prog/prog.h"

#include <linux/compiler.h>
#include <linux/glob.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "layout/body.h"
#include "prog/env.h"
#include "prog/mem.h"
#include "prog/put.h"
#include "prog/tree.h"
#include "uapi/fargs_record.h"

struct run {
	const struct fargs_program *prog;
	const struct fargs_call *call;
	u8 *body;
	u8 *to;			/* end of @body: where the next value is appended */
	/* If bit n is set, @r[n] holds an address that could not be read, not a value. */
	u32 unreadable;
	bool is_unreadable;	/* a condition tested an unreadable register */
	u64 r[FARGS_PROG_REGS];
};

/*
 * Except for the noinline functions, the functions below are inlined in fargs_prog_run(). So in
 * common programs struct run is kept in registers and on the stack, and its address is not passed
 * to any function. Functions that read more than a word, or that call other functions, are
 * noinline.
 */
static __always_inline void set_reg(struct run *run, u32 dst, u64 value)
{
	run->r[dst] = value;
	if (unlikely(run->unreadable))
		run->unreadable &= ~(1u << dst);
}

static __always_inline void set_unreadable(struct run *run, u32 dst, u64 addr)
{
	run->r[dst] = addr;
	run->unreadable |= 1u << dst;
}

static __always_inline bool is_readable(const struct run *run, u32 reg)
{
	return likely(!run->unreadable) || !(run->unreadable & 1u << reg);
}

/*
 * Runs an arithmetic instruction. If both operands are unreadable, the result is unreadable at the
 * address of the first operand.
 */
static __always_inline void compute_reg(struct run *run, const struct fargs_insn *insn)
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

static __always_inline bool compare_values(u8 cond, u64 a, u64 b)
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

/* Does the condition of a JIF or JIF_REG hold? */
static __always_inline bool is_true(struct run *run, const struct fargs_insn *insn)
{
	bool is_reg = insn->op == FARGS_OP_JIF_REG;

	if (!is_readable(run, insn->dst) || (is_reg && !is_readable(run, insn->src))) {
		run->is_unreadable = true;
		return false;
	}
	return compare_values(insn->arg, run->r[insn->dst], is_reg ? run->r[insn->src] : insn->imm);
}

static notrace noinline bool match_glob(struct run *run, const struct fargs_insn *insn)
{
	/* The size is a multiple of 8, since fargs_mem_copy_str() copies words. */
	u8 text[FARGS_MATCH_MAX + 1] __uninitialized;
	s32 len = -1;

	if (is_readable(run, insn->src))
		len = fargs_mem_copy_str(text, run->r[insn->src], FARGS_MATCH_MAX, insn->arg);
	if (len < 0) {
		run->is_unreadable = true;
		return false;
	}
	text[len & ~FARGS_MEM_CUT] = '\0';
	return glob_match((const char *)run->prog->consts + insn->imm, (const char *)text);
}

static __always_inline void load_reg(struct run *run, const struct fargs_insn *insn)
{
	u64 addr = run->r[insn->src] + (s64)insn->off;
	struct fargs_mem_value v;

	if (!is_readable(run, insn->src)) {
		set_unreadable(run, insn->dst, run->r[insn->src]);
		return;
	}
	v = fargs_mem_load(addr, insn->arg, insn->imm);
	if (likely(v.is_read))
		set_reg(run, insn->dst, v.value);
	else
		set_unreadable(run, insn->dst, addr);
}

static __always_inline void store_reg(struct run *run, const struct fargs_insn *insn)
{
	u8 *data = run->body + insn->off;

	if (is_readable(run, insn->src))
		fargs_put_u64(data, run->r[insn->src]);
	else
		fargs_put_fault(data - 1, data, run->r[insn->src]);
}

static notrace noinline void store_mem(struct run *run, const struct fargs_insn *insn)
{
	u8 *data = run->body + insn->off;
	u64 addr = run->r[insn->src];

	if (!is_readable(run, insn->src) || !fargs_mem_copy(data, addr, insn->imm, insn->arg))
		fargs_put_fault(data - insn->dst, data, addr);
}

static __always_inline void put_str(struct run *run, const struct fargs_insn *insn)
{
	u8 *at = fargs_put_name(run->to, run->prog->consts, insn);
	u64 addr = run->r[insn->src];
	s32 n = -1;

	if (is_readable(run, insn->src))
		n = fargs_mem_copy_str(at + FARGS_PUT_DATA, addr, (u32)insn->imm, insn->arg);
	if (likely(n >= 0))
		run->to = fargs_put_end(at, FARGS_TYPE_STR | n >> 16, (u16)n);
	else
		run->to = fargs_put_end_fault(at, FARGS_TYPE_STR, addr);
}

static notrace noinline void put_mem(struct run *run, const struct fargs_insn *insn)
{
	u8 *at = fargs_put_name(run->to, run->prog->consts, insn);
	u64 addr = run->r[insn->src];
	s64 n = run->r[insn->dst], max = (u32)insn->imm;

	if (!is_readable(run, insn->dst)) {
		run->to = fargs_put_end_fault(at, FARGS_TYPE_BYTES, n);
		return;
	}
	if (n < 0)
		n = 0;
	if (!is_readable(run, insn->src) ||
	    (n && !fargs_mem_copy(at + FARGS_PUT_DATA, addr, min_t(s64, n, max), insn->arg))) {
		run->to = fargs_put_end_fault(at, FARGS_TYPE_BYTES, addr);
		return;
	}
	run->to = fargs_put_end(at, n > max ? FARGS_TYPE_BYTES | FARGS_TYPE_CUT : FARGS_TYPE_BYTES,
				min_t(s64, n, max));
}

static notrace noinline void put_stack(struct run *run, const struct fargs_insn *insn)
{
	u8 *at = fargs_put_name(run->to, run->prog->consts, insn);

	run->to = fargs_put_end(at, FARGS_TYPE_BYTES,
				8 * fargs_env_stack(run->call, at + FARGS_PUT_DATA,
						    (u32)insn->imm));
}

static notrace noinline void put_path(struct run *run, const struct fargs_insn *insn)
{
	u8 *at = fargs_put_name(run->to, run->prog->consts, insn);
	bool has_mount = insn->arg & FARGS_TREE_MOUNTS;
	u64 node = run->r[insn->src], mount = run->r[insn->dst], fault = node;
	struct fargs_tree tree;
	s32 n = -1;

	memcpy(&tree, run->prog->consts + ((u32)insn->imm >> 16), sizeof(tree));
	if (is_readable(run, insn->src) && has_mount && !is_readable(run, insn->dst))
		fault = mount;
	else if (is_readable(run, insn->src))
		n = fargs_tree_path(at + FARGS_PUT_DATA, (u16)insn->imm, &tree, node,
				    has_mount ? &mount : NULL, &fault);
	if (n >= 0)
		run->to = fargs_put_end(at, FARGS_TYPE_STR | n >> 16, (u16)n);
	else
		run->to = fargs_put_end_fault(at, FARGS_TYPE_STR, fault);
}

static notrace noinline void load_slot(struct run *run, const struct fargs_insn *insn)
{
	u64 value;

	if (fargs_env_slot(run->call, insn->arg, &value))
		set_reg(run, insn->dst, value);
	else
		set_unreadable(run, insn->dst, value);
}

static __always_inline u32 make_verdict(const struct run *run, u32 accepted)
{
	return accepted | (run->is_unreadable ? FARGS_PROG_UNREADABLE : 0);
}

u32 notrace fargs_prog_run(const struct fargs_program *prog, const struct fargs_call *call,
			   u8 *body, u32 at)
{
	const struct fargs_insn *insn = prog->insns, *end = insn + prog->nr;
	/* Uninitialized: the verifier ensures that no register is read before it is written. */
	struct run run __uninitialized;

	run.prog = prog;
	run.call = call;
	run.body = body;
	run.to = body + at;
	run.unreadable = 0;
	run.is_unreadable = false;
	for (; insn < end; insn++) {
		/* Test for the most frequent instructions first: the switch takes 5 comparisons. */
		if (insn->op == FARGS_OP_ARG) {
			set_reg(&run, insn->dst, *(const u64 *)(call->regs + insn->off));
			continue;
		}
		if (insn->op == FARGS_OP_LOAD) {
			load_reg(&run, insn);
			continue;
		}
		if (insn->op == FARGS_OP_PUT_STR) {
			put_str(&run, insn);
			continue;
		}
		switch (insn->op) {
		case FARGS_OP_SLOT:
			load_slot(&run, insn);
			break;
		case FARGS_OP_CTX:
			set_reg(&run, insn->dst, fargs_env_ctx(call, insn->arg));
			break;
		case FARGS_OP_IMM:
			set_reg(&run, insn->dst, insn->imm);
			break;
		case FARGS_OP_MOV:
			if (is_readable(&run, insn->src))
				set_reg(&run, insn->dst, run.r[insn->src]);
			else
				set_unreadable(&run, insn->dst, run.r[insn->src]);
			break;
		case FARGS_OP_ADD ... FARGS_OP_OR_REG:
			compute_reg(&run, insn);
			break;
		case FARGS_OP_JMP:
			insn += insn->off;
			break;
		case FARGS_OP_JIF:
		case FARGS_OP_JIF_REG:
			if (is_true(&run, insn))
				insn += insn->off;
			break;
		case FARGS_OP_JMATCH:
			if (match_glob(&run, insn))
				insn += insn->off;
			break;
		case FARGS_OP_ACCEPT:
			return make_verdict(&run, FARGS_PROG_ACCEPTED);
		case FARGS_OP_REJECT:
			return make_verdict(&run, 0);
		case FARGS_OP_ST:
			store_reg(&run, insn);
			break;
		case FARGS_OP_ST_MEM:
			store_mem(&run, insn);
			break;
		case FARGS_OP_PUT_MEM:
			put_mem(&run, insn);
			break;
		case FARGS_OP_PUT_STACK:
			put_stack(&run, insn);
			break;
		case FARGS_OP_PUT_PATH:
			put_path(&run, insn);
			break;
		}
	}
	return run.to - body;
}

bool fargs_prog_needs_guard(const struct fargs_insn *insns, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		switch (insns[i].op) {
		case FARGS_OP_SLOT:	/* may fault: the slot may be beyond the end of the stack */
		case FARGS_OP_LOAD:
		case FARGS_OP_JMATCH:
		case FARGS_OP_ST_MEM:
		case FARGS_OP_PUT_STR:
		case FARGS_OP_PUT_MEM:
		case FARGS_OP_PUT_STACK:
		case FARGS_OP_PUT_PATH:
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
			to->off = fargs_env_arg_offset(insns->arg, fargs_prog_is_return(which));
			break;
		case FARGS_OP_ST_MEM:
			fargs_body_find(body, insns->off, &value);
			to->dst = value.data_offset - value.type_offset;
			break;
		case FARGS_OP_PUT_STR:
		case FARGS_OP_PUT_MEM:
		case FARGS_OP_PUT_STACK:
		case FARGS_OP_PUT_PATH:
			to->imm |= (u64)(strlen((const char *)consts + insns->off) + 1) << 32;
			break;
		}
	}
	if (fargs_prog_is_chains(insns - nr, nr))
		fargs_chains_translate(to - nr, nr);
}
