/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds layouts with programs (uapi/fargs_prog.h), and reads the values of records, for tests of
 * the interface.
 */
#ifndef FARGS_SELFTESTS_PROGS_H
#define FARGS_SELFTESTS_PROGS_H

#include "session.h"
#include "uapi/fargs_prog.h"

#define ARG(d, n)	{ .op = FARGS_OP_ARG, .dst = (d), .arg = (n) }
#define SLOT(d, n)	{ .op = FARGS_OP_SLOT, .dst = (d), .arg = (n) }
#define CTX(d, n)	{ .op = FARGS_OP_CTX, .dst = (d), .arg = FARGS_CTX_##n }
#define IMM(d, v)	{ .op = FARGS_OP_IMM, .dst = (d), .imm = (v) }
#define MOV(d, s)	{ .op = FARGS_OP_MOV, .dst = (d), .src = (s) }
#define LOAD(d, s, n, o) { .op = FARGS_OP_LOAD, .dst = (d), .src = (s), .arg = (n), .off = (o) }
#define LOAD_IN(d, s, n, o, space) \
	{ .op = FARGS_OP_LOAD, .dst = (d), .src = (s), .arg = (n), .off = (o), .imm = (space) }
#define ALU(o, d, v)	{ .op = FARGS_OP_##o, .dst = (d), .imm = (v) }
#define ALU_REG(o, d, s) { .op = FARGS_OP_##o##_REG, .dst = (d), .src = (s) }
#define JMP(o)		{ .op = FARGS_OP_JMP, .off = (o) }
#define JIF(d, c, v, o) \
	{ .op = FARGS_OP_JIF, .dst = (d), .arg = FARGS_COND_##c, .imm = (v), .off = (o) }
#define JIF_REG(d, c, s, o) \
	{ .op = FARGS_OP_JIF_REG, .dst = (d), .src = (s), .arg = FARGS_COND_##c, .off = (o) }
#define JMATCH(s, at, o) { .op = FARGS_OP_JMATCH, .src = (s), .imm = (at), .off = (o) }
#define ACCEPT		{ .op = FARGS_OP_ACCEPT }
#define REJECT		{ .op = FARGS_OP_REJECT }
#define ST(s, o)	{ .op = FARGS_OP_ST, .src = (s), .off = (o) }
#define ST_MEM(s, o, n)	{ .op = FARGS_OP_ST_MEM, .src = (s), .off = (o), .imm = (n) }
#define PUT_STR(s, o, n) { .op = FARGS_OP_PUT_STR, .src = (s), .off = (o), .imm = (n) }
#define PUT_MEM(d, s, o, n) \
	{ .op = FARGS_OP_PUT_MEM, .dst = (d), .src = (s), .off = (o), .imm = (n) }
#define PUT_PATH(mounts, mount, node, o, tree, n) \
	{ .op = FARGS_OP_PUT_PATH, .arg = (mounts), .dst = (mount), .src = (node), .off = (o), \
	  .imm = (uint64_t)(tree) << 16 | (n) }
#define PUT_STACK(o, n)	{ .op = FARGS_OP_PUT_STACK, .off = (o), .imm = (n) }

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* A layout with programs, under construction. */
struct progs {
	struct piece piece;
	struct fargs_insn insns[FARGS_PROGS][FARGS_PROG_MAX + 1];
	uint8_t consts[FARGS_CONST_MAX];
};

static inline void progs_begin(struct progs *p, uint64_t addr)
{
	memset(p, 0, sizeof(*p));
	p->piece.layout.addr = addr;
}

static inline void progs_add(struct progs *p, enum fargs_prog which,
			     const struct fargs_insn *insns, unsigned int nr)
{
	memcpy(p->insns[which] + p->piece.layout.nr_insns[which], insns, nr * sizeof(*insns));
	p->piece.layout.nr_insns[which] += nr;
}

/* Appends a string to the constants. Returns its offset. */
static inline uint16_t progs_const(struct progs *p, const char *text)
{
	uint16_t at = p->piece.layout.const_len;

	memcpy(p->consts + at, text, strlen(text) + 1);
	p->piece.layout.const_len += (strlen(text) + 1 + 7) & ~7u;
	return at;
}

static inline uint32_t progs_pack(struct progs *p, uint8_t *to)
{
	struct fargs_layout *layout = &p->piece.layout;
	uint8_t *at = to + sizeof(*layout);
	unsigned int i;

	memcpy(at, p->piece.stores, layout->nr_stores * sizeof(struct fargs_store));
	at += layout->nr_stores * sizeof(struct fargs_store);
	for (i = 0; i < FARGS_PROGS; i++) {
		memcpy(at, p->insns[i], layout->nr_insns[i] * sizeof(struct fargs_insn));
		at += layout->nr_insns[i] * sizeof(struct fargs_insn);
	}
	memcpy(at, p->piece.body, p->piece.body_len);
	at += p->piece.body_len;
	memcpy(at, p->consts, layout->const_len);
	at += layout->const_len;
	layout->size = at - to;
	memcpy(to, layout, sizeof(*layout));
	return layout->size;
}

static inline int progs_add_to(int fd, struct progs *p)
{
	static uint8_t packed[sizeof(*p)];

	return session_add(fd, packed, progs_pack(p, packed), 1, 0, NULL);
}

/* A value of a record. */
struct value {
	const char *name;
	uint8_t type;
	uint16_t n;
	const uint8_t *data;
};

/* Reads the value at *@at, and moves *@at past it. Returns false at the end of the values. */
static inline bool next_value(const uint8_t **at, struct value *value)
{
	value->name = (const char *)*at;
	*at += strlen(value->name) + 1;
	value->type = *(*at)++;
	if (!value->type)
		return false;
	switch (value->type & ~(FARGS_TYPE_FAULT | FARGS_TYPE_CUT)) {
	case FARGS_TYPE_STR:
	case FARGS_TYPE_BYTES:
		memcpy(&value->n, *at, 2);
		*at += 2;
		break;
	case FARGS_TYPE_U128:
		value->n = 16;
		break;
	default:
		value->n = 8;
	}
	value->data = *at;
	*at += (value->n + 7) & ~7;
	return true;
}

#endif
