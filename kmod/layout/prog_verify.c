// SPDX-License-Identifier: GPL-2.0-only
/*
 * Verifies that a program (include/uapi/fargs_prog.h) can run without further checks. One pass from
 * the first instruction to the last is enough, since all jumps are forward: when an instruction is
 * reached, all paths to it are known.
 */
#include "layout/prog_verify.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "base/refusal.h"
#include "layout/parts.h"

/* The programs in which an instruction is allowed. */
#define IN_ENTRY	(BIT(FARGS_PROG_ENTRY_PREDICATE) | BIT(FARGS_PROG_ENTRY_FETCH) | \
			 BIT(FARGS_PROG_SCOPE) | BIT(FARGS_PROG_TRIGGER))
#define IN_RETURN	(BIT(FARGS_PROG_RETURN_PREDICATE) | BIT(FARGS_PROG_RETURN_FETCH) | \
			 BIT(FARGS_PROG_RETURN_TRIGGER))
#define IN_PREDICATE	(BIT(FARGS_PROG_ENTRY_PREDICATE) | BIT(FARGS_PROG_RETURN_PREDICATE) | \
			 BIT(FARGS_PROG_SCOPE) | BIT(FARGS_PROG_TRIGGER) | \
			 BIT(FARGS_PROG_RETURN_TRIGGER))
#define IN_FETCH	(BIT(FARGS_PROG_ENTRY_FETCH) | BIT(FARGS_PROG_RETURN_FETCH))
#define IN_ALL		(IN_PREDICATE | IN_FETCH)

/* The fields that an instruction uses; all others must be 0. */
enum {
	DST_READ = 1 << 0,
	DST_WRITE = 1 << 1,
	DST = DST_READ | DST_WRITE,
	SRC = 1 << 2,
	ARG = 1 << 3,
	OFF = 1 << 4,
	IMM = 1 << 5,
};

/* What an instruction reads apart from the call's registers, for fargs_prog_find_read(). */
enum {
	READS_NOTHING = 1,
	READS_SLOT,		/* the stack slot with index arg */
	READS_MEMORY,		/* memory at an address, or the return addresses of callers */
};

/* OP() requires each op to declare what it reads. */
#define OP(name, what, where, fields) \
	[FARGS_OP_##name] = { .in = (where), .uses = (fields), .reads = READS_##what }

static const struct {
	u8 in;
	u8 uses;
	u8 reads;
} ops[] = {
	OP(ARG, NOTHING, IN_ALL, DST_WRITE | ARG),
	OP(SLOT, SLOT, IN_ENTRY, DST_WRITE | ARG),
	OP(CTX, NOTHING, IN_ALL, DST_WRITE | ARG),
	OP(IMM, NOTHING, IN_ALL, DST_WRITE | IMM),
	OP(MOV, NOTHING, IN_ALL, DST_WRITE | SRC),
	OP(LOAD, MEMORY, IN_ALL, DST_WRITE | SRC | ARG | OFF | IMM),
	OP(ADD, NOTHING, IN_ALL, DST | IMM),
	OP(MUL, NOTHING, IN_ALL, DST | IMM),
	OP(AND, NOTHING, IN_ALL, DST | IMM),
	OP(OR, NOTHING, IN_ALL, DST | IMM),
	OP(XOR, NOTHING, IN_ALL, DST | IMM),
	OP(SHL, NOTHING, IN_ALL, DST | IMM),
	OP(SHR, NOTHING, IN_ALL, DST | IMM),
	OP(SAR, NOTHING, IN_ALL, DST | IMM),
	OP(ADD_REG, NOTHING, IN_ALL, DST | SRC),
	OP(SUB_REG, NOTHING, IN_ALL, DST | SRC),
	OP(AND_REG, NOTHING, IN_ALL, DST | SRC),
	OP(OR_REG, NOTHING, IN_ALL, DST | SRC),
	OP(JMP, NOTHING, IN_ALL, OFF),
	OP(JIF, NOTHING, IN_ALL, DST_READ | ARG | OFF | IMM),
	OP(JIF_REG, NOTHING, IN_ALL, DST_READ | SRC | ARG | OFF),
	OP(JMATCH, MEMORY, IN_ALL, SRC | ARG | OFF | IMM),
	OP(ACCEPT, NOTHING, IN_PREDICATE, 0),
	OP(REJECT, NOTHING, IN_PREDICATE, 0),
	OP(ST, NOTHING, IN_FETCH, SRC | OFF),
	OP(ST_MEM, MEMORY, IN_FETCH, SRC | ARG | OFF | IMM),
	OP(PUT_STR, MEMORY, IN_FETCH, SRC | ARG | OFF | IMM),
	OP(PUT_MEM, MEMORY, IN_FETCH, DST_READ | SRC | ARG | OFF | IMM),
	OP(PUT_STACK, MEMORY, IN_FETCH, OFF | IMM),
	OP(PUT_PATH, MEMORY, IN_FETCH, DST_READ | SRC | ARG | OFF | IMM),
};

#undef OP

struct verifier {
	const struct fargs_layout *layout;
	enum fargs_prog which;
	u32 nr;			/* index of the layout in the batch */
	struct fargs_refusal *refusal;
	const struct fargs_insn *insns;
	u32 nr_insns;
	u32 nr_matches, nr_paths;
	u32 appended;		/* maximum number of bytes that instructions up to here append */
	/*
	 * For each instruction: a bit per register, set if the register is written on every path to
	 * the instruction; all ones if no path leads to it. The element after the last instruction
	 * represents the end of the program.
	 */
	u8 written[FARGS_PROG_MAX + 1];
};

static_assert(FARGS_PROG_REGS == 8);

static bool is_return(const struct verifier *v)
{
	return BIT(v->which) & IN_RETURN;
}

#define refuse(v, i, field, fmt, ...)						\
	fargs_refuse((v)->refusal, EINVAL, (v)->nr,				\
		     (const u8 *)&(v)->insns[i] - (const u8 *)(v)->layout +	\
		     offsetof(struct fargs_insn, field),			\
		     "program %u, instruction %u: " fmt, (u32)(v)->which, i, ##__VA_ARGS__)

static int verify_unused(const struct verifier *v, u32 i, u8 uses)
{
	const struct fargs_insn *insn = &v->insns[i];

	if (!(uses & DST) && insn->dst)
		return refuse(v, i, dst, "dst is unused, but not 0");
	if (!(uses & SRC) && insn->src)
		return refuse(v, i, src, "src is unused, but not 0");
	if (!(uses & ARG) && insn->arg)
		return refuse(v, i, arg, "arg is unused, but not 0");
	if (!(uses & OFF) && insn->off)
		return refuse(v, i, off, "off is unused, but not 0");
	if (!(uses & IMM) && insn->imm)
		return refuse(v, i, imm, "imm is unused, but not 0");
	return 0;
}

static int verify_regs(struct verifier *v, u32 i, u8 uses)
{
	const struct fargs_insn *insn = &v->insns[i];

	if ((uses & DST) && insn->dst >= FARGS_PROG_REGS)
		return refuse(v, i, dst, "there is no register %u", insn->dst);
	if ((uses & SRC) && insn->src >= FARGS_PROG_REGS)
		return refuse(v, i, src, "there is no register %u", insn->src);
	if ((uses & SRC) && !(v->written[i] & BIT(insn->src)))
		return refuse(v, i, src, "register %u may not have been written", insn->src);
	if ((uses & DST_READ) && !(v->written[i] & BIT(insn->dst)))
		return refuse(v, i, dst, "register %u may not have been written", insn->dst);
	return 0;
}

/* Returns the string at byte @at of the constants, or NULL if it is not NUL-terminated. */
static const char *find_const(const struct verifier *v, u64 at, u32 *len)
{
	const char *consts = (const char *)fargs_layout_consts(v->layout);
	u32 const_len = v->layout->const_len;

	if (at >= const_len)
		return NULL;
	*len = strnlen(consts + at, const_len - at);
	return *len < const_len - at ? consts + at : NULL;
}

static int verify_arg(const struct verifier *v, u32 i)
{
	const struct fargs_insn *insn = &v->insns[i];
	u32 nr;

	switch (insn->op) {
	case FARGS_OP_ARG:
		nr = FARGS_REGS;
		break;
	case FARGS_OP_SLOT:
		nr = FARGS_STACK_SLOTS;
		break;
	case FARGS_OP_CTX:
		nr = is_return(v) || insn->arg == FARGS_CTX_TASK ? FARGS_CTXS : FARGS_CTX_RETURN;
		break;
	case FARGS_OP_LOAD:
		if (insn->arg != 1 && insn->arg != 2 && insn->arg != 4 && insn->arg != 8)
			return refuse(v, i, arg, "load size %u is not 1, 2, 4 or 8", insn->arg);
		if (insn->imm > FARGS_SPACE_USER)
			return refuse(v, i, imm, "unknown address space %llu", insn->imm);
		return 0;
	case FARGS_OP_JIF:
	case FARGS_OP_JIF_REG:
		nr = FARGS_COND_SET + 1;
		break;
	case FARGS_OP_JMATCH:
	case FARGS_OP_ST_MEM:
	case FARGS_OP_PUT_STR:
	case FARGS_OP_PUT_MEM:
		nr = FARGS_SPACE_USER + 1;
		break;
	case FARGS_OP_PUT_PATH:
		nr = FARGS_TREE_MOUNTS + 1;
		break;
	default:
		return 0;	/* arg is unused, and was verified to be 0 */
	}
	if (insn->arg >= nr)
		return refuse(v, i, arg, "arg %u is out of range (0 to %u)", insn->arg, nr - 1);
	return 0;
}

static int verify_match(struct verifier *v, u32 i)
{
	u64 at = v->insns[i].imm;
	u32 len;

	if (!find_const(v, at, &len))
		return refuse(v, i, imm, "no NUL-terminated pattern at byte %llu of the constants",
			      at);
	if (len > FARGS_MATCH_MAX)
		return refuse(v, i, imm, "a pattern of %u bytes is longer than %u", len,
			      FARGS_MATCH_MAX);
	if (++v->nr_matches > FARGS_MATCHES_MAX)
		return refuse(v, i, op, "more than %u JMATCH instructions", FARGS_MATCHES_MAX);
	return 0;
}

static struct fargs_body body_of(const struct verifier *v)
{
	return is_return(v) ? fargs_layout_return_body(v->layout) : fargs_layout_body(v->layout);
}

/* Does a store, or an instruction before @i, fill at least a part of @value? */
static bool is_filled(const struct verifier *v, u32 i, const struct fargs_body_value *value)
{
	const struct fargs_store *store = fargs_layout_stores(v->layout);
	u32 j;

	for (j = 0; j < v->layout->nr_stores; j++, store++) {
		if (fargs_store_is_return(store) == is_return(v) &&
		    store->offset >= value->data_offset &&
		    store->offset - value->data_offset < value->data_len)
			return true;
	}
	for (j = 0; j < i; j++) {
		u8 op = v->insns[j].op;

		if ((op == FARGS_OP_ST || op == FARGS_OP_ST_MEM) &&
		    v->insns[j].off == (s32)value->data_offset)
			return true;
	}
	return false;
}

static int verify_st(const struct verifier *v, u32 i)
{
	const struct fargs_insn *insn = &v->insns[i];
	struct fargs_body body = body_of(v);
	bool is_mem = insn->op == FARGS_OP_ST_MEM;
	struct fargs_body_value value;
	bool is_wide;

	if (insn->off < 0 || !fargs_body_find(&body, insn->off, &value) ||
	    (s32)value.data_offset != insn->off)
		return refuse(v, i, off, "no value's data begins at byte %d", insn->off);
	is_wide = value.type > FARGS_TYPE_PTR;
	if (is_wide != is_mem)
		return refuse(v, i, off, "this op cannot fill the value at byte %d, of type %u",
			      insn->off, value.type);
	if (is_mem && insn->imm > FARGS_MEM_MAX)
		return refuse(v, i, imm, "size %llu exceeds the maximum of %u", insn->imm,
			      FARGS_MEM_MAX);
	if (is_mem && insn->imm != value.bytes)
		return refuse(v, i, imm, "size %llu differs from the value's size %u", insn->imm,
			      value.bytes);
	if (is_filled(v, i, &value))
		return refuse(v, i, off, "the value at byte %d is filled more than once",
			      insn->off);
	return 0;
}

/* Verifies that a PUT_PATH has its struct fargs_tree. Sets *@max to the longest path. */
static int verify_tree(struct verifier *v, u32 i, u64 *max)
{
	const struct fargs_insn *insn = &v->insns[i];
	u64 tree = insn->imm >> 16;

	if (tree + sizeof(struct fargs_tree) > v->layout->const_len)
		return refuse(v, i, imm, "no struct fargs_tree at byte %llu of the constants",
			      tree);
	if (++v->nr_paths > FARGS_PATHS_MAX)
		return refuse(v, i, op, "more than %u PUT_PATH instructions", FARGS_PATHS_MAX);
	*max = (u16)insn->imm;
	return 0;
}

static int verify_put(struct verifier *v, u32 i)
{
	const struct fargs_insn *insn = &v->insns[i];
	bool is_stack = insn->op == FARGS_OP_PUT_STACK;
	u32 append_max = is_return(v) ? v->layout->return_append_max : v->layout->append_max;
	u32 most = is_stack ? FARGS_STACK_MAX : FARGS_MEM_MAX, len;
	u64 max = insn->imm;
	int ret;

	if (insn->off < 0 || !find_const(v, insn->off, &len))
		return refuse(v, i, off, "no NUL-terminated name at byte %d of the constants",
			      insn->off);
	if (!len)
		return refuse(v, i, off, "an empty name");
	ret = insn->op == FARGS_OP_PUT_PATH ? verify_tree(v, i, &max) : 0;
	if (ret)
		return ret;
	if (!max || max > most)
		return refuse(v, i, imm, "size %llu is out of range (1 to %u)", max, most);
	v->appended += FARGS_APPEND_BYTES(len, (u32)max * (is_stack ? 8 : 1));
	if (v->appended > append_max)
		return refuse(v, i, imm, "%u bytes are appended so far, but %s is %u", v->appended,
			      is_return(v) ? "return_append_max" : "append_max", append_max);
	return 0;
}

static int verify_insn(struct verifier *v, u32 i)
{
	const struct fargs_insn *insn = &v->insns[i];
	u8 in = insn->op < ARRAY_SIZE(ops) ? ops[insn->op].in : 0;
	int ret;

	if (!in || !ops[insn->op].reads)
		return refuse(v, i, op, "there is no op %u", insn->op);
	if (!(in & BIT(v->which)))
		return refuse(v, i, op, "op %u is not allowed in this program", insn->op);
	ret = verify_unused(v, i, ops[insn->op].uses) ?:
	      verify_regs(v, i, ops[insn->op].uses) ?: verify_arg(v, i);
	if (ret)
		return ret;
	switch (insn->op) {
	case FARGS_OP_SHL:
	case FARGS_OP_SHR:
	case FARGS_OP_SAR:
		return insn->imm < 64 ? 0 :
		       refuse(v, i, imm, "shift count %llu is out of range (0 to 63)", insn->imm);
	case FARGS_OP_JMATCH:
		return verify_match(v, i);
	case FARGS_OP_ST:
	case FARGS_OP_ST_MEM:
		return verify_st(v, i);
	case FARGS_OP_PUT_STR:
	case FARGS_OP_PUT_MEM:
	case FARGS_OP_PUT_STACK:
	case FARGS_OP_PUT_PATH:
		return verify_put(v, i);
	default:
		return 0;
	}
}

/* Propagates the set of written registers from instruction @i to its possible successors. */
static int verify_flow(struct verifier *v, u32 i)
{
	const struct fargs_insn *insn = &v->insns[i];
	u8 op = insn->op, written = v->written[i];
	bool is_jump = op >= FARGS_OP_JMP && op <= FARGS_OP_JMATCH;
	bool is_end = op == FARGS_OP_ACCEPT || op == FARGS_OP_REJECT;
	/* A predicate must not reach its end without ACCEPT or REJECT. */
	u32 last = BIT(v->which) & IN_PREDICATE ? v->nr_insns - 1 : v->nr_insns;

	if (ops[op].uses & DST_WRITE)
		written |= BIT(insn->dst);
	if (is_jump) {
		if (insn->off < 0 || (u32)insn->off > v->nr_insns || i + 1 + insn->off > last)
			return refuse(v, i, off, "a jump by %d leads out of the program",
				      insn->off);
		v->written[i + 1 + insn->off] &= written;
	}
	if (is_end || op == FARGS_OP_JMP)
		return 0;
	if (i + 1 > last)
		return refuse(v, i, op, "a predicate must end in ACCEPT or REJECT");
	v->written[i + 1] &= written;
	return 0;
}

int fargs_prog_verify(const struct fargs_layout *layout, enum fargs_prog which, u32 nr,
		      struct fargs_refusal *refusal)
{
	struct verifier v = {
		.layout = layout,
		.which = which,
		.nr = nr,
		.refusal = refusal,
		.insns = fargs_layout_insns(layout, which),
		.nr_insns = layout->nr_insns[which],
	};
	int ret = 0;
	u32 i;

	memset(v.written, 0xff, sizeof(v.written));
	v.written[0] = 0;
	for (i = 0; !ret && i < v.nr_insns; i++)
		ret = verify_insn(&v, i) ?: verify_flow(&v, i);
	return ret;
}

u32 fargs_prog_find_read(const struct fargs_layout *layout, enum fargs_prog which)
{
	const struct fargs_insn *insns = fargs_layout_insns(layout, which);
	u32 i, nr = layout->nr_insns[which];

	for (i = 0; i < nr; i++) {
		u8 reads = ops[insns[i].op].reads;
		bool is_far = reads == READS_SLOT && insns[i].arg >= FARGS_STACK_SLOTS_PLAIN;

		if (is_far || (reads != READS_SLOT && reads != READS_NOTHING))
			break;
	}
	return i;
}
