/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs programs according to the description in uapi/fargs_prog.h. Written only from this
 * description, for comparison with the module's interpreter.
 */
#ifndef UNIT_EXPR_MODEL_H
#define UNIT_EXPR_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

/*
 * Programs that include this file may define how to report that the model cannot run an
 * instruction.
 */
#ifndef MODEL_FAIL
#include "unit/ktap.h"
#define MODEL_FAIL(...) ktap_fail(__FILE__, __LINE__, __VA_ARGS__)
#endif

#define MODEL_REGIONS	16
#define MODEL_VALUES	128

/* Readable memory. All other memory is unreadable. */
struct model_region {
	const void *data;
	size_t bytes;
	bool is_user;
};

struct model_reg {
	bool is_written;
	bool is_unreadable;
	uint64_t v;
};

/* The result of a ST or PUT instruction. */
struct model_value {
	unsigned int insn;
	uint8_t type;	/* 0: stored by ST or ST_MEM; else type of appended value, with its flags */
	const char *name;	/* name of the appended value */
	bool is_fault;
	uint64_t v;		/* value stored by ST, or the address that could not be read */
	unsigned int bytes;
	unsigned char data[2048];
	/*
	 * Of PUT_PATH only: data is the end of the path, as far as it is known, and @least the
	 * number of its bytes that are readable. It must be cut if @is_longer; whether it may be
	 * cut otherwise depends on the size of the room.
	 */
	bool is_path, is_longer;
	unsigned int least;
};

struct model {
	uint64_t args[6];
	uint64_t slots[32];
	uint32_t bad_slots;	/* bitmap of slots that cannot be read */
	uint64_t slots_at;	/* address of slot 0 */
	uint64_t stack[FARGS_STACK_MAX];
	unsigned int nr_stack;
	uint64_t ctx[FARGS_CTXS];
	struct model_region regions[MODEL_REGIONS];
	unsigned int nr_regions;
	struct model_reg r[FARGS_PROG_REGS];
	struct model_value values[MODEL_VALUES];
	unsigned int nr_values;
	bool has_unreadable;	/* a condition used an unreadable register or memory */
	/* The program tried to read a kernel address that is in no region. */
	bool has_strayed;
};

__attribute__((unused))
static void model_allow(struct model *m, const void *data, size_t bytes, bool is_user)
{
	m->regions[m->nr_regions++] = (struct model_region){ data, bytes, is_user };
}

static bool model_can_read(struct model *m, uint64_t addr, size_t bytes, int space)
{
	unsigned int i;

	for (i = 0; i < m->nr_regions; i++) {
		uint64_t start = (uintptr_t)m->regions[i].data;

		if (addr >= start && addr - start <= m->regions[i].bytes &&
		    bytes <= m->regions[i].bytes - (addr - start))
			return space == FARGS_SPACE_ANY ||
			       (space == FARGS_SPACE_USER) == m->regions[i].is_user;
	}
	m->has_strayed |= addr >> 47 == 0x1ffff;
	return false;
}

/* Returns the number of bytes before a NUL, at most @max; -1: unreadable. */
static int model_strlen(struct model *m, uint64_t addr, unsigned int max, int space)
{
	unsigned int n;

	for (n = 0; n < max; n++) {
		if (!model_can_read(m, addr + n, 1, space))
			return -1;
		if (!*(const char *)(uintptr_t)(addr + n))
			break;
	}
	return n;
}

/* Does the set whose '[' precedes @p end with a ']'? If not, the '[' stands for itself. */
static bool model_is_set(const char *p)
{
	p += *p == '!';
	for (p += *p != '\0'; *p && *p != ']'; p++)
		;
	return *p;
}

static bool model_in_set(const char **p, char c)
{
	bool is_negated = **p == '!', is_in = false;
	const char *s = *p + is_negated, *first = s;

	for (; *s && (*s != ']' || s == first); s++) {
		unsigned char low = *s, high = low;

		if (s[1] == '-' && s[2] && s[2] != ']') {
			high = s[2];
			s += 2;
		}
		is_in |= low <= (unsigned char)c && (unsigned char)c <= high;
	}
	*p = s;
	return is_in != is_negated;
}

static bool model_match(const char *p, const char *s, int n)
{
	for (; *p; p++, s++, n--) {
		if (*p == '*') {
			for (; n >= 0; s++, n--)
				if (model_match(p + 1, s, n))
					return true;
			return false;
		}
		if (!n)
			return false;
		if (*p == '?')
			continue;
		if (*p == '[' && model_is_set(p + 1)) {
			p++;
			if (!model_in_set(&p, *s))
				return false;
			continue;
		}
		if (*p == '\\' && p[1])
			p++;
		if (*p != *s)
			return false;
	}
	return !n;
}

static bool model_holds(uint64_t a, int cond, uint64_t b)
{
	int64_t sa = a, sb = b;

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
		return sa < sb;
	case FARGS_COND_SLE:
		return sa <= sb;
	case FARGS_COND_SGT:
		return sa > sb;
	case FARGS_COND_SGE:
		return sa >= sb;
	default:
		return a & b;
	}
}

static struct model_reg *model_read(struct model *m, unsigned int reg)
{
	if (reg >= FARGS_PROG_REGS || !m->r[reg].is_written)
		MODEL_FAIL("r%u is read before it is written", reg);
	return &m->r[reg % FARGS_PROG_REGS];
}

static uint64_t model_compute(int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case FARGS_OP_ADD:
	case FARGS_OP_ADD_REG:
		return a + b;
	case FARGS_OP_SUB_REG:
		return a - b;
	case FARGS_OP_MUL:
		return a * b;
	case FARGS_OP_AND:
	case FARGS_OP_AND_REG:
		return a & b;
	case FARGS_OP_OR:
	case FARGS_OP_OR_REG:
		return a | b;
	case FARGS_OP_XOR:
		return a ^ b;
	case FARGS_OP_SHL:
		return a << b;
	case FARGS_OP_SHR:
		return a >> b;
	default:
		return (int64_t)a >> b;
	}
}

static void model_load(struct model *m, const struct fargs_insn *in)
{
	struct model_reg addr = *model_read(m, in->src), *dst = &m->r[in->dst];

	addr.v += addr.is_unreadable ? 0 : (uint64_t)(int64_t)in->off;
	*dst = addr;
	if (addr.is_unreadable)
		return;
	dst->is_unreadable = !model_can_read(m, addr.v, in->arg, in->imm);
	if (!dst->is_unreadable) {
		dst->v = 0;
		memcpy(&dst->v, (void *)(uintptr_t)addr.v, in->arg);
	}
}

static bool model_jumps(struct model *m, const struct fargs_insn *in, const char *pool)
{
	struct model_reg *a, *b;
	int n;

	if (in->op == FARGS_OP_JMP)
		return true;
	if (in->op == FARGS_OP_JMATCH) {
		a = model_read(m, in->src);
		n = a->is_unreadable ? -1 : model_strlen(m, a->v, FARGS_MATCH_MAX, in->arg);
		m->has_unreadable |= n < 0;
		return n >= 0 && model_match(pool + in->imm, (void *)(uintptr_t)a->v, n);
	}
	a = model_read(m, in->dst);
	b = in->op == FARGS_OP_JIF_REG ? model_read(m, in->src) : NULL;
	if (a->is_unreadable || (b && b->is_unreadable)) {
		m->has_unreadable = true;
		return false;
	}
	return model_holds(a->v, in->arg, b ? b->v : in->imm);
}

static void model_fault(struct model_value *val, uint64_t addr)
{
	val->is_fault = true;
	val->v = addr;
}

static void model_put(struct model *m, const struct fargs_insn *in, unsigned int at,
			const char *pool)
{
	struct model_value *val = &m->values[m->nr_values++];
	const struct model_reg *src = model_read(m, in->src);
	int64_t n = in->imm;
	int len;

	*val = (struct model_value){ .insn = at, .name = in->op >= FARGS_OP_PUT_STR ?
				       pool + in->off : NULL };
	val->v = src->v;
	if (in->op == FARGS_OP_PUT_STR)
		val->type = FARGS_TYPE_STR;
	if (in->op == FARGS_OP_PUT_MEM)
		val->type = FARGS_TYPE_BYTES;
	if (in->op == FARGS_OP_PUT_MEM && model_read(m, in->dst)->is_unreadable) {
		model_fault(val, m->r[in->dst].v);
		return;
	}
	if (src->is_unreadable) {
		model_fault(val, src->v);
		return;
	}
	if (in->op == FARGS_OP_ST)
		return;
	if (in->op == FARGS_OP_PUT_STR) {
		len = model_strlen(m, src->v, in->imm, in->arg);
		/* The string is longer, or its next byte is unreadable. */
		if (len == (int)in->imm && model_strlen(m, src->v + len, 1, in->arg))
			val->type |= FARGS_TYPE_CUT;
		n = len;
	} else if (in->op == FARGS_OP_PUT_MEM) {
		n = (int64_t)m->r[in->dst].v;
		if (n > (int64_t)in->imm)
			val->type |= FARGS_TYPE_CUT;
		n = n < 0 ? 0 : n > (int64_t)in->imm ? (int64_t)in->imm : n;
	}
	if (n < 0 || (n && !model_can_read(m, src->v, n, in->arg))) {
		model_fault(val, src->v);
		val->type &= ~FARGS_TYPE_CUT;
		return;
	}
	val->bytes = n;
	if (n)
		memcpy(val->data, (void *)(uintptr_t)src->v, n);
}

static void model_put_stack(struct model *m, const struct fargs_insn *in, unsigned int at,
			    const char *pool)
{
	struct model_value *val = &m->values[m->nr_values++];
	unsigned int nr = in->imm < m->nr_stack ? in->imm : m->nr_stack;

	*val = (struct model_value){
		.insn = at, .type = FARGS_TYPE_BYTES, .name = pool + in->off, .bytes = 8 * nr,
	};
	memcpy(val->data, m->stack, 8 * nr);
}

/* Reads the pointer at @addr. Returns false, and makes @val a fault, if that is unreadable. */
static bool model_follow(struct model *m, struct model_value *val, uint64_t addr, uint64_t *to)
{
	if (!model_can_read(m, addr, 8, FARGS_SPACE_KERNEL)) {
		model_fault(val, addr);
		return false;
	}
	memcpy(to, (void *)(uintptr_t)addr, 8);
	return true;
}

/*
 * Puts the name whose address is at @name_at, and a '/' if it has one, before the path in @val.
 * Returns false if the path ends here, since it is too long or the name is unreadable.
 */
static bool model_prepend(struct model *m, struct model_value *val, uint64_t name_at,
			  bool has_slash)
{
	uint64_t name;
	unsigned int n = 0;

	if (!model_follow(m, val, name_at, &name))
		return false;
	while (val->least + has_slash + n <= sizeof(val->data)) {
		if (!model_can_read(m, name + n, 1, FARGS_SPACE_KERNEL)) {
			val->least += has_slash + n;
			model_fault(val, name);
			return false;
		}
		if (!*(const char *)(uintptr_t)(name + n))
			break;
		n++;
	}
	val->least += has_slash + n;
	val->is_longer = val->least > sizeof(val->data);
	if (val->is_longer)
		return false;
	memmove(val->data + has_slash + n, val->data, val->bytes);
	if (has_slash)
		val->data[0] = '/';
	memcpy(val->data + has_slash, (void *)(uintptr_t)name, n);
	val->bytes += has_slash + n;
	return true;
}

/*
 * Moves @node and @mount to where the mount of which @node is the root is mounted. Returns 1 if
 * there is such a mount; 0 if @node is not a mount's root; -1 if the path ends here.
 */
static int model_cross(struct model *m, struct model_value *val, const struct fargs_tree *tree,
		       uint64_t *node, uint64_t *mount)
{
	uint64_t root, outer;

	if (!model_follow(m, val, *mount + tree->root, &root))
		return -1;
	if (root != *node)
		return 0;
	if (!model_follow(m, val, *mount + tree->outer, &outer))
		return -1;
	if (outer == *mount) {
		if (!val->bytes)
			val->data[val->bytes++] = '/';
		return -1;
	}
	if (!model_follow(m, val, *mount + tree->mountpoint, node))
		return -1;
	*mount = outer;
	return 1;
}

static void model_put_path(struct model *m, const struct fargs_insn *in, unsigned int at,
			   const char *pool)
{
	struct model_value *val = &m->values[m->nr_values++];
	const struct model_reg *src = model_read(m, in->src), *dst = model_read(m, in->dst);
	uint64_t node = src->v, mount = dst->v, parent;
	bool has_mounts = in->arg == FARGS_TREE_MOUNTS;
	struct fargs_tree tree;
	unsigned int step;
	int crossed;

	*val = (struct model_value){
		.insn = at, .type = FARGS_TYPE_STR, .name = pool + in->off, .is_path = true,
	};
	if (src->is_unreadable || (has_mounts && dst->is_unreadable)) {
		model_fault(val, src->is_unreadable ? src->v : dst->v);
		return;
	}
	memcpy(&tree, pool + (in->imm >> 16), sizeof(tree));
	for (step = 0; step < FARGS_TREE_STEPS; step++) {
		crossed = has_mounts ? model_cross(m, val, &tree, &node, &mount) : 0;
		if (crossed < 0)
			return;
		if (crossed)
			continue;
		if (!model_follow(m, val, node + tree.parent, &parent))
			return;
		if (!parent || parent == node) {
			if (!val->bytes && !parent)
				val->data[val->bytes++] = '/';
			else if (!val->bytes)
				model_prepend(m, val, node + tree.name, false);
			return;
		}
		if (!model_prepend(m, val, node + tree.name, true))
			return;
		node = parent;
	}
	val->is_longer = true;
}

static void model_set(struct model *m, const struct fargs_insn *in)
{
	struct model_reg *dst = &m->r[in->dst];

	*dst = (struct model_reg){ .is_written = true };
	switch (in->op) {
	case FARGS_OP_ARG:
		dst->v = m->args[in->arg];
		break;
	case FARGS_OP_SLOT:
		dst->is_unreadable = m->bad_slots >> in->arg & 1;
		dst->v = dst->is_unreadable ? m->slots_at + 8 * in->arg : m->slots[in->arg];
		break;
	case FARGS_OP_CTX:
		dst->v = m->ctx[in->arg];
		break;
	default:
		dst->v = in->imm;
	}
}

static void model_operate(struct model *m, const struct fargs_insn *in)
{
	struct model_reg *dst = model_read(m, in->dst), *src = NULL;

	if (in->op >= FARGS_OP_ADD_REG)
		src = model_read(m, in->src);
	if (dst->is_unreadable)
		return;
	if (src && src->is_unreadable)
		*dst = *src;
	else
		dst->v = model_compute(in->op, dst->v, src ? src->v : in->imm);
}

/* Runs a program. Returns the result of a predicate, 1 or 0; 1 for a fetch. */
__attribute__((unused))
static int model_run(struct model *m, const struct fargs_insn *insns, unsigned int nr,
		       const char *pool)
{
	unsigned int i;

	memset(m->r, 0, sizeof(m->r));
	m->has_unreadable = false;
	for (i = 0; i < nr; i++) {
		const struct fargs_insn *in = &insns[i];

		switch (in->op) {
		case FARGS_OP_ARG ... FARGS_OP_IMM:
			model_set(m, in);
			break;
		case FARGS_OP_MOV:
			m->r[in->dst] = *model_read(m, in->src);
			break;
		case FARGS_OP_LOAD:
			model_load(m, in);
			break;
		case FARGS_OP_ADD ... FARGS_OP_OR_REG:
			model_operate(m, in);
			break;
		case FARGS_OP_JMP ... FARGS_OP_JMATCH:
			if (in->off < 0 || i + 1 + in->off > nr)
				MODEL_FAIL("a jump leaves the program");
			else if (model_jumps(m, in, pool))
				i += in->off;
			break;
		case FARGS_OP_ACCEPT:
		case FARGS_OP_REJECT:
			return in->op == FARGS_OP_ACCEPT;
		case FARGS_OP_ST:
		case FARGS_OP_ST_MEM:
		case FARGS_OP_PUT_STR:
		case FARGS_OP_PUT_MEM:
			model_put(m, in, i, pool);
			break;
		case FARGS_OP_PUT_STACK:
			model_put_stack(m, in, i, pool);
			break;
		case FARGS_OP_PUT_PATH:
			model_put_path(m, in, i, pool);
			break;
		default:
			MODEL_FAIL("there is no operation %u", in->op);
			return -1;
		}
	}
	return 1;
}

#endif
