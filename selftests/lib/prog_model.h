/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second implementation of the rules for programs in include/uapi/fargs_prog.h. A part of
 * layout_model.h, which includes this file.
 */
#ifndef FARGS_SELFTESTS_PROG_MODEL_H
#define FARGS_SELFTESTS_PROG_MODEL_H

struct model_prog {
	int which;			/* enum fargs_prog */
	const struct fargs_insn *insns;
	uint32_t nr;
	const char *consts;
	uint32_t const_len;
	const struct model_places *places;
	uint32_t body_len;
	uint32_t append_max;
};

/*
 * Returns the fields that an instruction uses, as letters: w: dst is written; d: dst is read; s:
 * src; a: arg; o: off; i: imm. P: valid only in predicates; F: only in fetches; E: only in ENTRY
 * programs. NULL: there is no such instruction.
 */
static inline const char *model_uses(uint8_t op)
{
	switch (op) {
	case FARGS_OP_ARG:
	case FARGS_OP_CTX:
		return "wa";
	case FARGS_OP_SLOT:
		return "waE";
	case FARGS_OP_IMM:
		return "wi";
	case FARGS_OP_MOV:
		return "ws";
	case FARGS_OP_LOAD:
		return "wsaoi";
	case FARGS_OP_ADD:
	case FARGS_OP_MUL:
	case FARGS_OP_AND:
	case FARGS_OP_OR:
	case FARGS_OP_XOR:
	case FARGS_OP_SHL:
	case FARGS_OP_SHR:
	case FARGS_OP_SAR:
		return "wdi";
	case FARGS_OP_ADD_REG:
	case FARGS_OP_SUB_REG:
	case FARGS_OP_AND_REG:
	case FARGS_OP_OR_REG:
		return "wds";
	case FARGS_OP_JMP:
		return "o";
	case FARGS_OP_JIF:
		return "daoi";
	case FARGS_OP_JIF_REG:
		return "dsao";
	case FARGS_OP_JMATCH:
		return "saoi";
	case FARGS_OP_ACCEPT:
	case FARGS_OP_REJECT:
		return "P";
	case FARGS_OP_ST:
		return "soF";
	case FARGS_OP_ST_MEM:
	case FARGS_OP_PUT_STR:
		return "saoiF";
	case FARGS_OP_PUT_MEM:
	case FARGS_OP_PUT_PATH:
		return "dsaoiF";
	case FARGS_OP_PUT_STACK:
		return "oiF";
	default:
		return NULL;
	}
}

static inline bool model_is_using(uint8_t op, char use)
{
	return strchr(model_uses(op), use) != NULL;
}

/*
 * Returns whether the instruction reads memory, or a stack slot for which CAP_PERFMON does not
 * suffice.
 */
static inline bool model_is_reading(const struct fargs_insn *in)
{
	switch (in->op) {
	case FARGS_OP_LOAD:
	case FARGS_OP_JMATCH:
	case FARGS_OP_ST_MEM:
	case FARGS_OP_PUT_STR:
	case FARGS_OP_PUT_MEM:
	case FARGS_OP_PUT_STACK:
	case FARGS_OP_PUT_PATH:
		return true;
	case FARGS_OP_SLOT:
		return in->arg >= FARGS_STACK_SLOTS_PLAIN;
	default:
		return false;
	}
}

static inline bool model_is_predicate(const struct model_prog *p)
{
	return p->which == FARGS_PROG_ENTRY_PREDICATE || p->which == FARGS_PROG_RETURN_PREDICATE ||
	       p->which == FARGS_PROG_SCOPE || p->which == FARGS_PROG_TRIGGER ||
	       p->which == FARGS_PROG_RETURN_TRIGGER;
}

static inline bool model_is_of_return(const struct model_prog *p)
{
	return p->which == FARGS_PROG_RETURN_PREDICATE || p->which == FARGS_PROG_RETURN_FETCH ||
	       p->which == FARGS_PROG_RETURN_TRIGGER;
}

static inline bool model_is_op(const struct model_prog *p, uint8_t op)
{
	if (!model_uses(op))
		return false;
	return !(model_is_using(op, 'P') && !model_is_predicate(p)) &&
	       !(model_is_using(op, 'F') && model_is_predicate(p)) &&
	       !(model_is_using(op, 'E') && model_is_of_return(p));
}

static inline bool model_has_unused(const struct fargs_insn *in)
{
	return (in->dst && !model_is_using(in->op, 'w') && !model_is_using(in->op, 'd')) ||
	       (in->src && !model_is_using(in->op, 's')) ||
	       (in->arg && !model_is_using(in->op, 'a')) ||
	       (in->off && !model_is_using(in->op, 'o')) ||
	       (in->imm && !model_is_using(in->op, 'i'));
}

static inline bool model_is_arg(const struct model_prog *p, const struct fargs_insn *in)
{
	switch (in->op) {
	case FARGS_OP_ARG:
		return in->arg < FARGS_REGS;
	case FARGS_OP_SLOT:
		return in->arg < FARGS_STACK_SLOTS;
	case FARGS_OP_CTX:
		if (in->arg == FARGS_CTX_RETURN || in->arg == FARGS_CTX_RETURN_HIGH ||
		    in->arg == FARGS_CTX_DURATION)
			return model_is_of_return(p);
		return in->arg < FARGS_CTXS;
	case FARGS_OP_LOAD:
		return (in->arg == 1 || in->arg == 2 || in->arg == 4 || in->arg == 8) &&
		       in->imm <= FARGS_SPACE_USER;
	case FARGS_OP_SHL:
	case FARGS_OP_SHR:
	case FARGS_OP_SAR:
		return in->imm <= 63;
	case FARGS_OP_JIF:
	case FARGS_OP_JIF_REG:
		return in->arg <= FARGS_COND_SET;
	case FARGS_OP_JMATCH:
	case FARGS_OP_ST_MEM:
	case FARGS_OP_PUT_STR:
	case FARGS_OP_PUT_MEM:
		return in->arg <= FARGS_SPACE_USER;
	case FARGS_OP_PUT_PATH:
		return in->arg <= FARGS_TREE_MOUNTS;
	default:
		return true;
	}
}

/*
 * Returns the length, without the NUL, of the string at offset @at of the constants; -1: it has no
 * NUL.
 */
static inline int model_const_len(const struct model_prog *p, uint64_t at)
{
	uint64_t i;

	for (i = at; i < p->const_len; i++)
		if (!p->consts[i])
			return i - at;
	return -1;
}

static inline bool model_is_jump(uint8_t op)
{
	return op == FARGS_OP_JMP || op == FARGS_OP_JIF || op == FARGS_OP_JIF_REG ||
	       op == FARGS_OP_JMATCH;
}

static inline bool model_is_verdict(uint8_t op)
{
	return op == FARGS_OP_ACCEPT || op == FARGS_OP_REJECT;
}

/* Returns whether a path leads to instruction @to on which @reg has not been written. */
static inline bool model_may_be_unwritten(const struct model_prog *p, uint32_t to, uint8_t reg)
{
	bool is_reached[FARGS_PROG_MAX + 1] = { true };
	uint32_t i;

	for (i = 0; i < to; i++) {
		const struct fargs_insn *in = &p->insns[i];

		if (!is_reached[i] || (model_is_using(in->op, 'w') && in->dst == reg))
			continue;
		if (in->op != FARGS_OP_JMP && !model_is_verdict(in->op))
			is_reached[i + 1] = true;
		if (model_is_jump(in->op))
			is_reached[i + 1 + in->off] = true;
	}
	return is_reached[to];
}

static inline enum model_rule rule_regs(const struct model_prog *p, uint32_t i)
{
	const struct fargs_insn *in = &p->insns[i];
	bool is_dst = model_is_using(in->op, 'w') || model_is_using(in->op, 'd');

	if ((is_dst && in->dst >= FARGS_PROG_REGS) ||
	    (model_is_using(in->op, 's') && in->src >= FARGS_PROG_REGS))
		return MODEL_REGISTER;
	if ((model_is_using(in->op, 'd') && model_may_be_unwritten(p, i, in->dst)) ||
	    (model_is_using(in->op, 's') && model_may_be_unwritten(p, i, in->src)))
		return MODEL_UNWRITTEN;
	return MODEL_VALID;
}

static inline enum model_rule rule_st(const struct model_prog *p, uint32_t i)
{
	const struct fargs_insn *in = &p->insns[i];
	uint32_t j, off = in->off, bytes;
	uint8_t type;

	if (in->off < 0 || off >= p->body_len || !p->places->type[off])
		return MODEL_ST;
	type = p->places->type[off];
	bytes = p->places->bytes[off];
	if (in->op == FARGS_OP_ST) {
		if (type > FARGS_TYPE_PTR)
			return MODEL_ST;
	} else if (type <= FARGS_TYPE_PTR || in->imm != bytes || in->imm > FARGS_MEM_MAX) {
		return MODEL_ST;
	}
	for (j = 0; j < bytes; j += 8)
		if (p->places->is_filled[off + j])
			return MODEL_ST_TWICE;
	for (j = 0; j < i; j++)
		if ((p->insns[j].op == FARGS_OP_ST || p->insns[j].op == FARGS_OP_ST_MEM) &&
		    p->insns[j].off == in->off)
			return MODEL_ST_TWICE;
	return MODEL_VALID;
}

/* Checks a PUT instruction. *@appended: maximum number of bytes appended so far; updated. */
static inline enum model_rule rule_put(const struct model_prog *p, const struct fargs_insn *in,
					uint32_t *appended)
{
	bool is_stack = in->op == FARGS_OP_PUT_STACK;
	int len = in->off < 0 ? -1 : model_const_len(p, in->off);
	uint64_t max = in->imm;

	if (len <= 0)
		return MODEL_PUT_NAME;
	if (in->op == FARGS_OP_PUT_PATH) {
		/* A struct fargs_tree has five offsets of two bytes. */
		if ((in->imm >> 16) + 10 > p->const_len)
			return MODEL_PUT_BYTES;
		max &= 0xffff;
	}
	if (!max || max > (is_stack ? FARGS_STACK_MAX : FARGS_MEM_MAX))
		return MODEL_PUT_BYTES;
	*appended += FARGS_APPEND_BYTES((uint32_t)len, (uint32_t)max * (is_stack ? 8 : 1));
	return *appended > p->append_max ? MODEL_PUT_ROOM : MODEL_VALID;
}

/*
 * Checks where execution continues after instruction @i. A fetch may end after its last
 * instruction, a predicate may not.
 */
static inline enum model_rule rule_flow(const struct model_prog *p, uint32_t i)
{
	const struct fargs_insn *in = &p->insns[i];
	uint32_t last = model_is_predicate(p) ? p->nr - 1 : p->nr;

	if (model_is_jump(in->op) && (in->off < 0 || in->off > (int64_t)last - i - 1))
		return MODEL_JUMP;
	if (i + 1 == p->nr && model_is_predicate(p) && !model_is_verdict(in->op))
		return MODEL_VERDICT;
	return MODEL_VALID;
}

static inline enum model_rule rule_insn(const struct model_prog *p, uint32_t i,
					 uint32_t *appended)
{
	const struct fargs_insn *in = &p->insns[i];
	int len;

	switch (in->op) {
	case FARGS_OP_JMATCH:
		len = in->imm < p->const_len ? model_const_len(p, in->imm) : -1;
		return len < 0 || len > FARGS_MATCH_MAX ? MODEL_PATTERN : MODEL_VALID;
	case FARGS_OP_ST:
	case FARGS_OP_ST_MEM:
		return rule_st(p, i);
	case FARGS_OP_PUT_STR:
	case FARGS_OP_PUT_MEM:
	case FARGS_OP_PUT_STACK:
	case FARGS_OP_PUT_PATH:
		return rule_put(p, in, appended);
	default:
		return MODEL_VALID;
	}
}

static inline enum model_rule model_prog(const struct model_prog *p)
{
	uint32_t i, matches = 0, paths = 0, appended = 0;
	enum model_rule rule = MODEL_VALID;

	for (i = 0; i < p->nr && rule == MODEL_VALID; i++) {
		const struct fargs_insn *in = &p->insns[i];

		if (!model_is_op(p, in->op))
			return MODEL_OP;
		if (model_has_unused(in))
			return MODEL_UNUSED;
		rule = rule_regs(p, i);
		if (rule == MODEL_VALID && !model_is_arg(p, in))
			rule = MODEL_ARG;
		matches += in->op == FARGS_OP_JMATCH;
		if (matches > FARGS_MATCHES_MAX)
			rule = MODEL_MATCHES;
		paths += in->op == FARGS_OP_PUT_PATH;
		if (rule == MODEL_VALID && paths > FARGS_PATHS_MAX)
			rule = MODEL_PATHS;
		if (rule == MODEL_VALID)
			rule = rule_insn(p, i, &appended);
		if (rule == MODEL_VALID)
			rule = rule_flow(p, i);
	}
	return rule;
}

#endif
