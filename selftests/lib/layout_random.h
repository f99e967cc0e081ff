/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes random layouts with stores and programs, and corrupts them. Most of the layouts made are
 * valid; layout_model.h determines which. The file that includes this one must define
 *
 *	uint64_t rnd(void), uint32_t below(uint32_t n), bool one_in(uint32_t n)
 *	uint64_t near(uint64_t value)	a number near @value, or at some limit
 *	uint64_t random_addr(void)	the address of a function
 *	uint64_t random_value(void)	a number for programs, often a readable address
 */
#ifndef FARGS_SELFTESTS_LAYOUT_RANDOM_H
#define FARGS_SELFTESTS_LAYOUT_RANDOM_H

#include <stddef.h>
#include <stdio.h>

#include "layout_model.h"

#define RANDOM_VALUES	256
#define RANDOM_NAMES	6
#define RANDOM_PATTERNS	6

/*
 * A layout under construction. The actual lengths are separate from those in @layout, which
 * corruption may change.
 */
struct made {
	struct fargs_layout layout;
	struct fargs_store stores[FARGS_STORES_MAX + 8];
	struct fargs_insn insns[FARGS_PROGS][FARGS_PROG_MAX + 2];
	uint8_t body[2][4096];		/* [0]: body; [1]: return body */
	uint32_t body_len[2];
	uint8_t consts[FARGS_CONST_MAX + 64];
	uint32_t const_len;
	union {
		struct fargs_symbol head;
		uint8_t bytes[FARGS_SYMBOL_MAX + 64];
	} symbol;
	uint32_t symbol_len;
};

#define MADE_BYTES_MAX	sizeof(struct made)

/* The data of a value in the body under construction. */
struct made_value {
	uint16_t at;
	uint16_t bytes;		/* number of bytes, without padding */
	uint8_t type;
	bool is_st;		/* an instruction fills the data */
	bool is_taken[40];	/* a store fills these 8 bytes of the data */
};

/* State that is needed only while a layout is made. */
struct making {
	struct made *made;
	struct made_value values[2][RANDOM_VALUES];
	unsigned int nr_values[2];
	uint16_t names[RANDOM_NAMES], patterns[RANDOM_PATTERNS];
	uint16_t tree;	/* a struct fargs_tree */
	uint32_t room;	/* number of bytes that can still be appended, to both bodies together */
};

static inline uint32_t made_copy(uint8_t *to, const void *from, uint32_t n, uint32_t bytes)
{
	memcpy(to, from, n * bytes);
	return n * bytes;
}

static inline uint32_t made_least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Writes the layout to @to in the form that FARGS_IOC_ADD requires. Returns its size. */
static inline uint32_t made_pack(const struct made *made, uint8_t *to)
{
	const struct fargs_layout *layout = &made->layout;
	uint32_t at = made_copy(to, layout, 1, sizeof(*layout)), i;

	at += made_copy(to + at, made->stores, made_least(layout->nr_stores, FARGS_STORES_MAX + 8),
			sizeof(made->stores[0]));
	for (i = 0; i < FARGS_PROGS; i++)
		at += made_copy(to + at, made->insns[i],
				made_least(layout->nr_insns[i], FARGS_PROG_MAX + 2),
				sizeof(made->insns[0][0]));
	for (i = 0; i < 2; i++)
		at += made_copy(to + at, made->body[i], made->body_len[i], 1);
	at += made_copy(to + at, made->consts, made->const_len, 1);
	return at + made_copy(to + at, made->symbol.bytes, made->symbol_len, 1);
}

static inline void made_fix_size(struct made *made)
{
	made->layout.size = model_size(&made->layout);
}

static inline uint32_t made_nr_insns(const struct made *made)
{
	uint32_t i, nr = 0;

	for (i = 0; i < FARGS_PROGS; i++)
		nr += made->layout.nr_insns[i];
	return nr;
}

/* ---- bodies and stores ---- */

static inline void make_value(struct making *m, uint32_t which)
{
	uint8_t type = one_in(6) ? FARGS_TYPE_BYTES : 1 + below(FARGS_TYPE_S128), *body;
	uint16_t n = 1 + (one_in(8) ? below(300) : below(40));
	struct made_value *value = &m->values[which][m->nr_values[which]];
	uint32_t len = one_in(10) ? 1 + below(39) : 1 + below(6);
	uint32_t *at = &m->made->body_len[which], i, bytes = 8;

	if (type == FARGS_TYPE_BYTES)
		bytes = n;
	else if (type >= FARGS_TYPE_U128)
		bytes = 16;
	if (*at + len + 4 + bytes + 7 + 16 > MODEL_BODY_MAX ||
	    m->nr_values[which] == RANDOM_VALUES)
		return;
	body = m->made->body[which];
	for (i = 0; i < len; i++)
		body[(*at)++] = one_in(20) ? 1 + below(255) : 'a' + below(26);
	body[(*at)++] = '\0';
	body[(*at)++] = type;
	if (type == FARGS_TYPE_BYTES) {
		memcpy(body + *at, &n, sizeof(n));
		*at += sizeof(n);
	}
	*value = (struct made_value){ .at = *at, .bytes = bytes, .type = type };
	*at += (bytes + 7) & ~7u;
	m->nr_values[which]++;
}

static inline void make_end(struct making *m, uint32_t which)
{
	uint32_t *len = &m->made->body_len[which];

	*len = (*len + 2 + 7) & ~7u;
	if (one_in(8) && *len + 64 <= MODEL_BODY_MAX)
		*len += 8 * below(8);
}

/*
 * Chooses 8 bytes of data at random, and marks them as filled. Returns their offset; 0: they are
 * already filled.
 */
static inline uint16_t make_place(struct making *m, uint32_t which)
{
	struct made_value *value;
	uint32_t word;

	if (!m->nr_values[which])
		return 0;
	value = &m->values[which][below(m->nr_values[which])];
	word = below((value->bytes + 7) / 8);
	if (value->is_st || value->is_taken[word])
		return 0;
	value->is_taken[word] = true;
	return value->at + 8 * word;
}

static inline void make_store(struct making *m, uint8_t source, uint8_t index)
{
	bool is_return = source == FARGS_SOURCE_RETURN || source == FARGS_SOURCE_ENTRY_TSC;
	uint16_t at = make_place(m, is_return);

	if (at)
		m->made->stores[m->made->layout.nr_stores++] = (struct fargs_store){
			.offset = at, .source = source, .index = index,
		};
}

static inline void make_stores(struct making *m)
{
	/* Sometimes exceed the maximum by one. */
	uint32_t wanted = one_in(10) ? FARGS_STORES_MAX + below(2) : 1 + below(12), i, reg;
	bool has_reg[FARGS_REGS] = { false };

	for (i = 0; i < 8 * wanted && m->made->layout.nr_stores < wanted; i++) {
		reg = below(FARGS_REGS);
		if (has_reg[reg] || one_in(3)) {
			make_store(m, FARGS_SOURCE_STACK,
				   one_in(4) ? below(FARGS_STACK_SLOTS) : below(6));
		} else {
			has_reg[reg] = true;
			make_store(m, FARGS_SOURCE_REG, reg);
		}
	}
	if (!(m->made->layout.flags & FARGS_LAYOUT_RETURN))
		return;
	for (i = 0; i < 2; i++)
		if (one_in(2))
			make_store(m, FARGS_SOURCE_RETURN, i);
	if (one_in(2))
		make_store(m, FARGS_SOURCE_ENTRY_TSC, 0);
}

/* ---- programs ---- */

static inline uint16_t make_const(struct making *m, const char *text)
{
	uint16_t at = m->made->const_len;

	memcpy(m->made->consts + at, text, strlen(text) + 1);
	m->made->const_len += strlen(text) + 1;
	return at;
}

static inline void make_consts(struct making *m)
{
	static const char *const patterns[RANDOM_PATTERNS] = {
		"*", "e*", "?th[0-9]", "[!a-f]*", "*o*", "",
	};
	char name[4] = "n0";
	unsigned int i;

	for (i = 0; i < RANDOM_NAMES; i++, name[1]++)
		m->names[i] = make_const(m, name);
	for (i = 0; i < RANDOM_PATTERNS; i++)
		m->patterns[i] = make_const(m, patterns[i]);
	m->made->const_len = (m->made->const_len + 7) & ~7u;
	/* Where the pointers are in the nodes and mounts that random_value() may return. */
	for (i = 0; i < sizeof(struct fargs_tree) / sizeof(uint16_t); i++) {
		uint16_t offset = 8 * below(5);

		memcpy(m->made->consts + m->made->const_len, &offset, sizeof(offset));
		m->made->const_len += sizeof(offset);
	}
	m->tree = m->made->const_len - sizeof(struct fargs_tree);
	m->made->const_len = (m->made->const_len + 7) & ~7u;
}

/* Returns a register whose bit in @mask is set, or any register if @mask is 0. */
static inline uint8_t make_reg(uint8_t mask)
{
	uint8_t reg = below(FARGS_PROG_REGS), i;

	for (i = 0; i < FARGS_PROG_REGS; i++)
		if (mask & 1u << (reg + i) % FARGS_PROG_REGS)
			return (reg + i) % FARGS_PROG_REGS;
	return reg;
}

static inline bool made_is_fetch(uint32_t which)
{
	return which == FARGS_PROG_ENTRY_FETCH || which == FARGS_PROG_RETURN_FETCH;
}

static inline bool made_is_return(uint32_t which)
{
	return which == FARGS_PROG_RETURN_PREDICATE || which == FARGS_PROG_RETURN_FETCH ||
	       which == FARGS_PROG_RETURN_TRIGGER;
}

/* Returns an instruction that writes a register without reading one. */
static inline struct fargs_insn make_source(uint32_t which)
{
	struct fargs_insn in = { .dst = below(FARGS_PROG_REGS) };

	switch (below(8)) {
	case 0:
	case 1:
	case 2:
		in.op = FARGS_OP_ARG;
		in.arg = below(FARGS_REGS);
		break;
	case 3:
		in.op = made_is_return(which) ? FARGS_OP_ARG : FARGS_OP_SLOT;
		in.arg = in.op == FARGS_OP_SLOT && one_in(2) ? below(FARGS_STACK_SLOTS) : below(6);
		break;
	case 4:
		in.op = FARGS_OP_CTX;
		in.arg = below(made_is_return(which) ? FARGS_CTXS : FARGS_CTX_RETURN);
		if (one_in(2))
			in.arg = FARGS_CTX_TID;
		break;
	default:
		in.op = FARGS_OP_IMM;
		in.imm = random_value();
	}
	return in;
}

static inline struct fargs_insn make_operation(uint8_t mask)
{
	static const uint8_t loads[] = { 1, 2, 4, 8 };
	struct fargs_insn in = { .src = make_reg(mask), .dst = below(FARGS_PROG_REGS) };

	switch (below(4)) {
	case 0:
		in.op = FARGS_OP_MOV;
		break;
	case 1:
		in.op = FARGS_OP_LOAD;
		in.arg = loads[below(4)];
		in.off = one_in(2) ? 0 : one_in(8) ? (int32_t)rnd() : (int32_t)below(33) - 16;
		in.imm = one_in(2) ? FARGS_SPACE_ANY : below(FARGS_SPACE_USER + 1);
		break;
	case 2:
		in.op = FARGS_OP_ADD_REG + below(4);
		in.dst = make_reg(mask);
		break;
	default:
		in.op = FARGS_OP_ADD + below(8);
		in.dst = make_reg(mask);
		in.src = 0;
		in.imm = in.op >= FARGS_OP_SHL ? below(64) : near(0);
	}
	return in;
}

static inline struct fargs_insn make_jump(const struct making *m, uint8_t mask, uint32_t most)
{
	struct fargs_insn in = { .off = below(made_least(most, one_in(8) ? 100 : 3) + 1) };

	switch (below(4)) {
	case 0:
		in.op = FARGS_OP_JMP;
		break;
	case 1:
		in.op = FARGS_OP_JMATCH;
		in.src = make_reg(mask);
		in.imm = m->patterns[below(RANDOM_PATTERNS)];
		in.arg = one_in(2) ? FARGS_SPACE_ANY : below(FARGS_SPACE_USER + 1);
		break;
	case 2:
		in.op = FARGS_OP_JIF_REG;
		in.src = make_reg(mask);
		in.dst = make_reg(mask);
		in.arg = below(FARGS_COND_SET + 1);
		break;
	default:
		in.op = FARGS_OP_JIF;
		in.dst = make_reg(mask);
		in.arg = below(FARGS_COND_SET + 1);
		in.imm = one_in(2) ? random_value() : near(0);
	}
	return in;
}

/*
 * Returns an instruction that fills a value of the body; op is 0 if the value chosen is already
 * filled.
 */
static inline struct fargs_insn make_st(struct making *m, uint32_t body, uint8_t mask)
{
	struct fargs_insn in = { .src = make_reg(mask) };
	struct made_value *value;
	uint32_t i;

	if (!m->nr_values[body])
		return in;
	value = &m->values[body][below(m->nr_values[body])];
	for (i = 0; i < sizeof(value->is_taken); i++)
		if (value->is_taken[i])
			return in;
	if (value->is_st)
		return in;
	value->is_st = true;
	in.off = value->at;
	in.op = FARGS_OP_ST;
	if (value->type > FARGS_TYPE_PTR) {
		in.op = FARGS_OP_ST_MEM;
		in.imm = value->bytes;
		in.arg = one_in(2) ? FARGS_SPACE_ANY : below(FARGS_SPACE_USER + 1);
	}
	return in;
}

/* Returns an instruction that appends a value; op is 0 if there is no room for the value. */
static inline struct fargs_insn make_put(struct making *m, uint8_t mask, uint16_t *append_max)
{
	struct fargs_insn in = { .src = make_reg(mask) };
	uint32_t bytes, name = below(RANDOM_NAMES);

	in.imm = 1 + (one_in(8) ? below(600) : below(40));
	if (one_in(20))
		in.imm = FARGS_MEM_MAX;
	in.arg = one_in(2) ? FARGS_SPACE_ANY : below(FARGS_SPACE_USER + 1);
	/* Sometimes use the end of a name as the name: it may be empty. */
	in.off = m->names[name] + one_in(6);
	bytes = FARGS_APPEND_BYTES(strlen((char *)m->made->consts + in.off), (uint32_t)in.imm);
	in.op = FARGS_OP_PUT_STR + below(4);
	if (in.op == FARGS_OP_PUT_MEM)
		in.dst = make_reg(mask);
	if (in.op == FARGS_OP_PUT_STACK) {
		in.src = 0;
		in.arg = 0;
		in.imm = 1 + below(one_in(4) ? FARGS_STACK_MAX : 4);
		bytes = FARGS_APPEND_BYTES(strlen((char *)m->made->consts + in.off),
					   8 * (uint32_t)in.imm);
	}
	if (in.op == FARGS_OP_PUT_PATH) {
		in.dst = make_reg(mask);
		in.arg = below(FARGS_TREE_MOUNTS + 1);
		in.imm |= (uint64_t)(one_in(3) ? below(m->made->const_len -
						      sizeof(struct fargs_tree) + 1) :
				     m->tree) << 16;
	}
	if (bytes > m->room)
		return (struct fargs_insn){ .op = 0 };
	m->room -= bytes;
	*append_max += bytes;
	return in;
}

static inline struct fargs_insn make_insn(struct making *m, uint32_t which, uint8_t mask,
					  uint32_t most_jump)
{
	struct fargs_insn in = { .op = 0 };
	bool is_fetch = made_is_fetch(which);

	if (!mask || one_in(4))
		return make_source(which);
	if (is_fetch && one_in(3))
		in = make_st(m, which / 2, mask);
	else if (is_fetch && one_in(3))
		in = make_put(m, mask, which == FARGS_PROG_ENTRY_FETCH ?
			      &m->made->layout.append_max : &m->made->layout.return_append_max);
	else if (!is_fetch && one_in(12))
		in.op = FARGS_OP_ACCEPT + below(2);
	else if (one_in(3))
		in = make_jump(m, mask, most_jump);
	return in.op ? in : make_operation(mask);
}

/*
 * Makes a program of @nr instructions. masks[i] has the registers that have been written on all
 * paths to instruction i.
 */
static inline void make_program(struct making *m, uint32_t which, uint32_t nr)
{
	struct fargs_insn *insns = m->made->insns[which];
	uint8_t masks[FARGS_PROG_MAX + 1];
	bool is_predicate = !made_is_fetch(which);
	uint32_t i, matches = 0;

	memset(masks, 0xff, sizeof(masks));
	masks[0] = 0;
	for (i = 0; i < nr; i++) {
		struct fargs_insn in = make_insn(m, which, masks[i], nr - i - 1 - is_predicate);
		uint8_t mask = masks[i];

		if (is_predicate && i == nr - 1)
			in = (struct fargs_insn){ .op = FARGS_OP_ACCEPT + below(2) };
		if (in.op == FARGS_OP_JMATCH && matches++ >= FARGS_MATCHES_MAX)
			in = make_source(which);
		insns[i] = in;
		if (in.op < FARGS_OP_JMP)
			mask |= 1u << in.dst;
		if (in.op >= FARGS_OP_JMP && in.op <= FARGS_OP_JMATCH)
			masks[i + 1 + in.off] &= mask;
		if (in.op != FARGS_OP_JMP && in.op != FARGS_OP_ACCEPT && in.op != FARGS_OP_REJECT)
			masks[i + 1] &= mask;
	}
	m->made->layout.nr_insns[which] = nr;
}

/* Makes the layout's programs. The last instruction of a predicate must be ACCEPT or REJECT. */
static inline void make_programs(struct making *m)
{
	struct fargs_layout *layout = &m->made->layout;
	uint32_t which, used = layout->body_len + layout->return_body_len + 16;

	m->room = used < MODEL_BODY_MAX ? MODEL_BODY_MAX - used : 0;
	make_consts(m);
	for (which = 0; which < FARGS_PROGS; which++) {
		if (which == FARGS_PROG_SCOPE && !(layout->flags & FARGS_LAYOUT_SCOPE))
			continue;
		if (which != FARGS_PROG_SCOPE && layout->flags & FARGS_LAYOUT_SILENT)
			continue;
		if (made_is_return(which) && !(layout->flags & FARGS_LAYOUT_RETURN))
			continue;
		if (which >= FARGS_PROG_TRIGGER && !(layout->flags & FARGS_LAYOUT_TRIGGER))
			continue;
		if (!one_in(2))
			make_program(m, which, 1 + below(one_in(12) ? FARGS_PROG_MAX : 14));
	}
}

/* ---- symbols ---- */

static inline uint32_t make_name(struct made *made, uint32_t at, const char *stem, uint32_t most)
{
	uint32_t n = one_in(20) ? below(most) : 0;

	at += sprintf((char *)made->symbol.bytes + at, "%s%u", stem, below(3));
	memset(made->symbol.bytes + at, 'x', n);
	return at + n + 1;
}

/*
 * Makes the symbol of a function in a module that does not exist. There are few different names, so
 * that some symbols occur twice.
 */
static inline void make_symbol(struct made *made)
{
	struct fargs_symbol symbol = { .index = one_in(3) ? below(2) : 0 };
	uint32_t at = sizeof(symbol), i;

	if (one_in(8))
		symbol.index = FARGS_SYMBOL_UNIQUE;
	if (one_in(3))
		symbol.build_id_len = one_in(2) ? 20 : below(FARGS_SYMBOL_ID_MAX + 1);
	for (i = 0; i < symbol.build_id_len; i++)
		symbol.build_id[i] = rnd();
	memcpy(made->symbol.bytes, &symbol, sizeof(symbol));
	at = make_name(made, at, "fargs_no_module", 400);
	at = make_name(made, at, "function", 400);
	made->symbol_len = (at + 7) & ~7u;
	if (one_in(6))
		made->symbol_len += 8 * below(8);
	made->layout.symbol_len = made->symbol_len;
	/*
	 * Keep the address, which is that of an existing function (RELOAD), or remove it
	 * (DEFERRED).
	 */
	if (one_in(2)) {
		made->layout.flags |= FARGS_LAYOUT_RELOAD;
		return;
	}
	made->layout.flags |= FARGS_LAYOUT_DEFERRED;
	made->layout.addr = 0;
}

/* Makes a random layout. @is_plain: without programs and return. */
static inline void make_layout(struct made *made, bool is_plain)
{
	static struct making m;
	uint32_t values = one_in(10) ? below(200) : below(9);

	memset(&m, 0, sizeof(m));
	memset(made, 0, sizeof(*made));
	m.made = made;
	made->layout.addr = random_addr();
	if (!is_plain && one_in(2))
		made->layout.flags = FARGS_LAYOUT_RETURN | (one_in(3) ? FARGS_LAYOUT_GRAPH : 0);
	if (!is_plain && one_in(4))
		made->layout.flags |= FARGS_LAYOUT_TRIGGER;
	/* One scope in a session affects the calls of all its layouts, so scopes are rare. */
	if (!is_plain && one_in(30))
		made->layout.flags |= FARGS_LAYOUT_SCOPE;
	else if (!is_plain && one_in(100))
		made->layout.flags = FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_SILENT;
	if (one_in(8))
		make_symbol(made);
	while (values--)
		make_value(&m, made->layout.flags & FARGS_LAYOUT_RETURN ? one_in(2) : 0);
	make_end(&m, 0);
	if (made->layout.flags & FARGS_LAYOUT_RETURN)
		make_end(&m, 1);
	made->layout.body_len = made->body_len[0];
	made->layout.return_body_len = made->body_len[1];
	if (!(made->layout.flags & FARGS_LAYOUT_SILENT))
		make_stores(&m);
	/* Sometimes have no constants, so that nothing follows the bodies. */
	if (!is_plain && !one_in(6))
		make_programs(&m);
	made->layout.const_len = made->const_len;
	/* Out fields may hold anything. */
	if (one_in(4)) {
		made->layout.status = rnd();
		made->layout.ip = rnd();
		made->layout.number = rnd();
	}
	made_fix_size(made);
}

/* ---- corrupted layouts ---- */

static inline void spoil_header(struct made *made)
{
	struct fargs_layout *layout = &made->layout;

	switch (below(11)) {
	case 0:
		layout->size = near(layout->size);
		break;
	case 1:
		layout->body_len = near(layout->body_len);
		break;
	case 2:
		layout->nr_stores = near(layout->nr_stores);
		break;
	case 3:
		/* Change any byte of the header from nr_insns on. */
		((uint8_t *)layout->nr_insns)[below(sizeof(*layout) -
			offsetof(struct fargs_layout, nr_insns))] = rnd();
		break;
	case 4:
		layout->flags = one_in(2) ? below(4) : one_in(2) ? 1u << below(32) : near(0);
		/* The model does not include tracepoints; abi_tpoint tests them. */
		layout->flags &= ~FARGS_LAYOUT_TPOINT;
		break;
	case 5:
		layout->append_max = near(layout->append_max);
		break;
	case 6:
		layout->return_append_max = near(layout->return_append_max);
		break;
	case 7:
		layout->return_body_len = near(layout->return_body_len);
		break;
	case 8:
		layout->const_len = near(layout->const_len);
		break;
	case 9:
		layout->symbol_len = near(layout->symbol_len);
		break;
	default:
		layout->nr_insns[below(FARGS_PROGS)] = near(layout->nr_insns[0]);
	}
}

static inline void spoil_store(struct made *made)
{
	uint32_t nr = made->layout.nr_stores;
	struct fargs_store *store, *other;

	if (!nr || nr > FARGS_STORES_MAX)
		return;
	store = &made->stores[below(nr)];
	other = &made->stores[below(nr)];
	switch (below(8)) {
	case 0:
		store->offset = near(store->offset);
		break;
	case 1:
		store->source = one_in(2) ? 1 + below(4) : near(store->source);
		break;
	case 2:
		store->index = near(store->index);
		break;
	case 3:
		store->reserved = one_in(2) ? 1u << below(32) : near(0);
		break;
	case 4:
		store->offset = other->offset;
		break;
	case 5:
		store->source = other->source;
		store->index = other->index;
		break;
	case 6:
		/* Exceed the maximum number of stores. */
		while (nr < FARGS_STORES_MAX + 4)
			made->stores[nr++] = *store;
		made->layout.nr_stores = nr;
		break;
	default:
		made->stores[nr] = *store;
		made->layout.nr_stores++;
	}
}

/* Changes a byte or a number in a body, or inserts or removes bytes. */
static inline void spoil_body(struct made *made)
{
	uint32_t which = made->body_len[1] && one_in(2);
	uint16_t *len_field = which ? &made->layout.return_body_len : &made->layout.body_len;
	uint32_t *len = &made->body_len[which];
	uint32_t at = below(*len), n = 1 + below(one_in(2) ? 16 : 2);
	uint8_t *body = made->body[which];
	uint16_t number;

	switch (below(7)) {
	case 0:
		body[at] = one_in(2) ? below(20) : rnd();
		break;
	case 1:
		body[at] ^= 1u << below(8);
		break;
	case 2:
		memcpy(&number, body + at, sizeof(number));
		number = near(number);
		memcpy(body + at, &number, sizeof(number));
		break;
	case 3:
		if (n > *len - at)
			return;
		memmove(body + at, body + at + n, *len - at - n);
		memset(body + *len - n, 0, n);
		break;
	case 4:
		if (*len + n > sizeof(made->body[0]))
			return;
		memmove(body + at + n, body + at, *len - at);
		*len += n;
		*len_field = *len;
		break;
	case 5:
		/* Most rules are about the end of the body: change one of its last 16 bytes. */
		n = 1 + below(16);
		if (n <= *len)
			body[*len - n] = one_in(2) ? 1 + below(15) : rnd();
		break;
	default:
		/* Shorten the body, usually to a multiple of 8. */
		*len = one_in(4) ? at : at & ~7u;
		*len_field = *len;
	}
}

static inline void spoil_insn(struct fargs_insn *in, const struct fargs_insn *other)
{
	switch (below(8)) {
	case 0:
		in->op = one_in(2) ? below(90) : near(in->op);
		break;
	case 1:
		in->dst = one_in(2) ? below(FARGS_PROG_REGS) : near(in->dst);
		break;
	case 2:
		in->src = one_in(2) ? below(FARGS_PROG_REGS) : near(in->src);
		break;
	case 3:
		in->arg = near(in->arg);
		break;
	case 4:
		in->off = near(in->off);
		break;
	case 5:
		if (in->op >= FARGS_OP_SHL && in->op <= FARGS_OP_SAR)
			in->imm = 62 + below(4);
		else
			in->imm = near(in->imm);
		break;
	case 6:
		*in = *other;
		break;
	default:
		((uint8_t *)in)[below(sizeof(*in))] ^= 1u << below(8);
	}
}

static inline void spoil_program(struct made *made)
{
	uint32_t which = below(FARGS_PROGS), nr = made->layout.nr_insns[which];
	struct fargs_insn *insns = made->insns[which];
	uint32_t i;

	if (!nr || nr > FARGS_PROG_MAX)
		return;
	switch (below(15)) {
	case 0:
		made->layout.nr_insns[which]--;
		break;
	case 1:
		insns[nr] = insns[below(nr)];
		made->layout.nr_insns[which]++;
		break;
	case 2:
		/*
		 * Repeat the first instruction; sometimes exceed the maximum number of
		 * instructions.
		 */
		if (one_in(2))
			nr = FARGS_PROG_MAX + 1;
		for (i = 1; i < nr; i++)
			insns[i] = insns[0];
		made->layout.nr_insns[which] = nr;
		break;
	case 3:
		/*
		 * Add JMATCH instructions, of which at most eight are allowed. The constant at
		 * offset 0 is a valid pattern.
		 */
		for (i = 1; i + 1 < nr; i++)
			insns[i] = (struct fargs_insn){
				.op = FARGS_OP_JMATCH, .src = insns[0].dst,
			};
		break;
	case 4:
		/*
		 * The same with PUT_PATH. The constant at offset 0 is a valid name, and any
		 * constants can be offsets.
		 */
		if (!made_is_fetch(which))
			break;
		for (i = 1; i < nr; i++)
			insns[i] = (struct fargs_insn){
				.op = FARGS_OP_PUT_PATH, .src = insns[0].dst,
				.dst = insns[0].dst, .imm = 1,
			};
		if (which == FARGS_PROG_ENTRY_FETCH)
			made->layout.append_max = nr * FARGS_APPEND_BYTES(2, 1);
		else
			made->layout.return_append_max = nr * FARGS_APPEND_BYTES(2, 1);
		break;
	case 5:
		i = below(made->const_len);
		made->consts[i] = one_in(2) ? 'a' : '\0';
		break;
	case 6:
		/* Remove all NULs from offset @i on. */
		i = below(made->const_len);
		memset(made->consts + i, 'x', made->const_len - i);
		break;
	case 7:
		/* Let two instructions store to the same offset. */
		for (i = 0; i + 1 < nr; i++)
			if (insns[i].op == FARGS_OP_ST || insns[i].op == FARGS_OP_ST_MEM)
				insns[i + 1] = insns[i];
		break;
	default:
		spoil_insn(&insns[below(nr)], &insns[below(nr)]);
	}
}

/*
 * Changes the offset of the first store instruction. spoil_insn() rarely does this, because few
 * instructions store.
 */
static inline void spoil_place(struct made *made)
{
	uint32_t which = one_in(2) ? FARGS_PROG_ENTRY_FETCH : FARGS_PROG_RETURN_FETCH;
	uint32_t i, nr = made->layout.nr_insns[which];

	for (i = 0; i < nr && i < FARGS_PROG_MAX; i++) {
		struct fargs_insn *in = &made->insns[which][i];

		if (in->op != FARGS_OP_ST && in->op != FARGS_OP_ST_MEM)
			continue;
		in->off = near(in->off);
		return;
	}
}

static inline void spoil_symbol(struct made *made)
{
	const uint32_t names = sizeof(struct fargs_symbol);
	struct fargs_symbol *symbol = &made->symbol.head;
	uint32_t n = 1 + below(20), at = names + below(made->symbol_len - names);

	switch (below(7)) {
	case 0:
		made->layout.addr = random_addr();
		break;
	case 1:
		symbol->build_id_len = one_in(2) ? below(FARGS_SYMBOL_ID_MAX) : rnd();
		break;
	case 2:
		symbol->build_id[below(FARGS_SYMBOL_ID_MAX)] = rnd();
		break;
	case 3:
		symbol->reserved[below(sizeof(symbol->reserved))] = rnd();
		break;
	case 4:
		made->symbol.bytes[at] = one_in(2) ? 0 : 1 + below(255);
		break;
	case 5:
		/*
		 * Change the NUL of a name, or the byte after it: often, the NUL is then missing or
		 * doubled.
		 */
		at = names + strlen((char *)made->symbol.bytes + names) + 1;
		made->symbol.bytes[at - below(2)] = one_in(2) ? 0 : 'y';
		break;
	default:
		/*
		 * Shorten the symbol, usually by a multiple of 8: the function's name then has no
		 * NUL.
		 */
		n = made_least(n, made->symbol_len - names);
		made->symbol_len -= one_in(4) ? n : n & ~7u;
		made->layout.symbol_len = made->symbol_len;
	}
}

static inline void spoil_layout(struct made *made)
{
	if (made->symbol_len > sizeof(struct fargs_symbol) && one_in(2)) {
		spoil_symbol(made);
		if (!one_in(4))
			made_fix_size(made);
		return;
	}
	switch (below(made_nr_insns(made) ? 17 : 8)) {
	case 0:
	case 1:
		spoil_header(made);
		break;
	case 2:
	case 3:
	case 4:
		spoil_store(made);
		break;
	case 5:
	case 6:
	case 7:
		spoil_body(made);
		break;
	case 16:
		spoil_place(made);
		break;
	default:
		spoil_program(made);
	}
	if (!one_in(4))
		made_fix_size(made);
}

#endif
