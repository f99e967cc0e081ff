/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates small random worlds: executions and records, with only the data that a trace has. Also
 * finds all possible answers of a world, that is, assignments of records to executions.
 */
#ifndef SELFTESTS_ALIGN_WORLD_H
#define SELFTESTS_ALIGN_WORLD_H

#include <stdlib.h>
#include <string.h>

#include "source/pt/join/align.h"

#define TOKENS_MAX	4096
#define CALLERS_MAX	(4 * TOKENS_MAX)

static struct fargs_pt_token tokens[TOKENS_MAX];
static struct fargs_pt_caller callers[CALLERS_MAX];
static struct fargs_pt_seq seqs[TOKENS_MAX];
/*
 * For each sequence number: the node of its call; 0: the number was allocated in a hole, or its
 * call began in one.
 */
static uint64_t truth[TOKENS_MAX];
static size_t nr_tokens, nr_callers, nr_seqs;
static uint64_t now, nr_gap, nr_nodes;
static struct fargs_pt_alignment alignment;

/* Returns true once in @n times, at random. */
static bool is_rare(unsigned int n)
{
	return random() % n == 0;
}

static void begin_world(void)
{
	nr_tokens = 0;
	nr_callers = 0;
	nr_seqs = 0;
	now = 1000;
	nr_gap = 0;
	nr_nodes = 0;
}

static void add_caller(uint64_t ip, uint64_t node)
{
	callers[nr_callers++] = (struct fargs_pt_caller){ .ip = ip, .node = node };
}

/* Adds a token. Its first_tsc is raised to that of the previous token, if that is later. */
static struct fargs_pt_token *add_token(uint64_t first_tsc, uint64_t last_tsc)
{
	struct fargs_pt_token *t = &tokens[nr_tokens];

	if (nr_tokens && first_tsc < tokens[nr_tokens - 1].first_tsc)
		first_tsc = tokens[nr_tokens - 1].first_tsc;
	*t = (struct fargs_pt_token){
		.first_tsc = first_tsc, .last_tsc = last_tsc, .caller = nr_callers,
	};
	nr_tokens++;
	return t;
}

static void add_number(uint64_t ip, uint8_t maker, uint64_t tsc, uint64_t node)
{
	truth[nr_seqs] = node;
	seqs[nr_seqs++] = (struct fargs_pt_seq){
		.nr_gap = nr_gap, .tsc = tsc, .ip = ip, .maker = maker,
	};
	nr_gap = 0;
}

static int run_align(uint64_t nr_rest)
{
	alignment = (struct fargs_pt_alignment){
		.tokens = tokens, .nr_tokens = nr_tokens, .callers = callers,
		.seqs = seqs, .nr_seqs = nr_seqs, .nr_rest = nr_rest,
	};
	return fargs_pt_align(&alignment);
}

static size_t count(enum fargs_pt_join_state state)
{
	size_t nr = 0, i;

	for (i = 0; i < nr_seqs; i++)
		nr += seqs[i].state == state;
	return nr;
}

static size_t count_wrong(void)
{
	size_t nr = 0, i;

	for (i = 0; i < nr_seqs; i++) {
		if (seqs[i].state == FARGS_PT_JOINED)
			nr += !truth[i] || seqs[i].node != truth[i];
		else if (seqs[i].state == FARGS_PT_UNTRACED)
			nr += truth[i] != 0;
	}
	return nr;
}

/* Makes a call that allocates a sequence number; if @is_ours is false, for another session. */
static void make_call(bool is_seen, bool is_ours, unsigned int vague, unsigned int nr_ips)
{
	uint64_t ip = 1 + random() % nr_ips, node = ++nr_nodes;
	/*
	 * A record may be written long after its number was allocated, if an interrupt occurs in
	 * between.
	 */
	uint64_t tsc = now + (is_rare(6) ? random() % 40 : 0);
	uint8_t maker = is_rare(4) ? FARGS_PT_MAKES_RETURN : FARGS_PT_MAKES_ENTRY;
	struct fargs_pt_token *t;

	if (is_seen) {
		/*
		 * An execution of another session may belong to the same call as the previous
		 * execution.
		 */
		if (!is_ours && is_rare(2) && nr_nodes > 1)
			node = --nr_nodes;
		t = add_token(now - random() % vague,
			      is_rare(8) ? UINT64_MAX : tsc + random() % vague);
		t->makers = is_rare(8) ? 15 : maker;
		t->is_optional = !is_ours || is_rare(4);
		if (!is_rare(8)) {
			if (is_rare(6))
				add_caller(1 + random() % nr_ips, ++nr_nodes);
			if (is_rare(12))
				node = 0;
			add_caller(is_rare(12) ? 0 : ip, node);
			if (is_rare(12))
				add_caller(ip, ++nr_nodes);
		}
		t->nr_callers = nr_callers - t->caller;
	} else {
		node = 0;
	}
	if (!is_ours)
		return;
	if (is_rare(3))
		nr_gap++;
	else
		add_number(ip, maker, tsc, node);
}

/* Makes calls in a hole, and then the hole's token, whose time covers the last of their records. */
static void make_hole(unsigned int vague)
{
	size_t first = nr_seqs, i;
	uint64_t begin = now, last;
	unsigned int calls = random() % 3;

	while (calls--) {
		now += random() % 20;
		make_call(false, true, vague, 2);
	}
	last = now;
	for (i = first; i < nr_seqs; i++)
		if (seqs[i].tsc > last)
			last = seqs[i].tsc;
	add_token(begin, is_rare(4) ? UINT64_MAX : last + random() % vague)->is_hole = true;
}

static uint64_t make_world(void)
{
	unsigned int nr_ips = 1 + random() % 3, vague = 1 + random() % 60, calls = random() % 9;
	bool has_others = is_rare(3);

	begin_world();
	if (!is_rare(4))
		make_hole(vague);
	while (calls--) {
		now += random() % 20;
		if (is_rare(6))
			make_hole(vague);
		else
			make_call(true, !has_others || !is_rare(3), vague, nr_ips);
	}
	if (is_rare(2))
		make_hole(vague);
	return is_rare(4) ? FARGS_PT_GAP_UNKNOWN : nr_gap;
}

/*
 * Finds every possible answer by trying all assignments of numbers to tokens. For each record: the
 * nodes to which some answer assigns it, and whether some answer assigns it to a hole.
 */
struct answers {
	bool has_hole, has_node, has_others;
	uint64_t node;
};

static struct answers found[TOKENS_MAX];
static struct { uint64_t node; bool is_hole; } way[TOKENS_MAX];
static uint64_t nr_last;

static void note_way(void)
{
	size_t i;

	for (i = 0; i < nr_seqs; i++) {
		struct answers *f = &found[i];

		if (way[i].is_hole) {
			f->has_hole = true;
			continue;
		}
		f->has_others |= way[i].node == UINT64_MAX ||
				 (f->has_node && f->node != way[i].node);
		f->has_node = true;
		f->node = way[i].node;
	}
}

static bool may_be(const struct fargs_pt_token *t, const struct fargs_pt_seq *n)
{
	return n->tsc >= t->first_tsc && n->tsc <= t->last_tsc;
}

/*
 * Tries all assignments from token @t on, if the next record is @n and @gap numbers before it are
 * still to be assigned. Returns true if at least one of them is possible.
 */
static bool try_from(size_t t, size_t n, uint64_t gap)
{
	const struct fargs_pt_token *token = &tokens[t];
	bool is_record = !gap && n < nr_seqs, is_free = n == nr_seqs &&
	     nr_last == FARGS_PT_GAP_UNKNOWN, is_any = false;
	unsigned int nr_fits = 0, i;
	uint64_t node = 0, rest;

	if (t == nr_tokens) {
		if (n < nr_seqs || (gap && !is_free))
			return false;
		note_way();
		return true;
	}
	rest = n + 1 < nr_seqs ? seqs[n + 1].nr_gap :
	       nr_last == FARGS_PT_GAP_UNKNOWN ? 0 : nr_last;
	/* The token allocates no number. */
	if (token->is_hole || token->is_optional)
		is_any |= try_from(t + 1, n, gap);
	/* The token allocates a number without a record. */
	if (gap)
		is_any |= try_from(token->is_hole ? t : t + 1, n, gap - 1);
	else if (is_free && !token->is_hole)
		is_any |= try_from(t + 1, n, 0);
	if (!is_record || !may_be(token, &seqs[n]))
		return is_any;
	if (token->is_hole) {
		way[n].is_hole = true;
		return try_from(t, n + 1, rest) || is_any;
	}
	if (!(token->makers & seqs[n].maker))
		return is_any;
	for (i = 0; i < token->nr_callers; i++) {
		const struct fargs_pt_caller *c = &callers[token->caller + i];

		if (c->ip && c->ip != seqs[n].ip)
			continue;
		nr_fits++;
		node = c->node;
	}
	if (token->nr_callers && !nr_fits)
		return is_any;
	way[n].is_hole = false;
	way[n].node = nr_fits == 1 ? node : UINT64_MAX;
	return try_from(t + 1, n + 1, rest) || is_any;
}

static enum fargs_pt_join_state state_of(const struct answers *f)
{
	if (f->has_others || (f->has_hole && f->has_node && f->node))
		return FARGS_PT_UNMATCHED;
	return f->has_node && f->node ? FARGS_PT_JOINED : FARGS_PT_UNTRACED;
}

/* Finds all answers of the world. Returns false if there is none. */
static bool find_answers(void)
{
	memset(found, 0, sizeof(found));
	return try_from(0, 0, nr_seqs ? seqs[0].nr_gap :
			nr_last == FARGS_PT_GAP_UNKNOWN ? 0 : nr_last);
}

#endif
