// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records to executions. Small worlds are made up at random, with what a trace does not
 * tell left out: what is claimed must be so in each of them, and be all that can be
 * known, which trying every possible answer tells. Larger ones are as traces are.
 */
#include <stdlib.h>

#include "pt/align.h"
#include "unit/ktap.h"

#define TOKENS_MAX	4096
#define CALLERS_MAX	(4 * TOKENS_MAX)

static struct fargs_pt_token tokens[TOKENS_MAX];
static struct fargs_pt_caller callers[CALLERS_MAX];
static struct fargs_pt_number numbers[TOKENS_MAX];
/* Of each number: the node of its call; 0: it is in a hole, or begins in one. */
static uint64_t truth[TOKENS_MAX];
static size_t nr_tokens, nr_callers, nr_numbers;
static uint64_t now, nr_gap, nr_nodes;
static struct fargs_pt_alignment alignment;

/* One in @n. */
static bool is_rare(unsigned int n)
{
	return random() % n == 0;
}

static void begin_world(void)
{
	nr_tokens = 0;
	nr_callers = 0;
	nr_numbers = 0;
	now = 1000;
	nr_gap = 0;
	nr_nodes = 0;
}

static void add_caller(uint64_t ip, uint64_t node)
{
	callers[nr_callers++] = (struct fargs_pt_caller){ .ip = ip, .node = node };
}

/* The last one may have been less than it says. */
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

static void add_hole(uint64_t last_tsc)
{
	add_token(now, last_tsc)->is_hole = true;
}

static void add_number(uint64_t ip, uint8_t maker, uint64_t tsc, uint64_t node)
{
	truth[nr_numbers] = node;
	numbers[nr_numbers++] = (struct fargs_pt_number){
		.nr_gap = nr_gap, .tsc = tsc, .ip = ip, .maker = maker,
	};
	nr_gap = 0;
}

static void align(uint64_t nr_behind)
{
	alignment = (struct fargs_pt_alignment){
		.tokens = tokens, .nr_tokens = nr_tokens, .callers = callers,
		.numbers = numbers, .nr_numbers = nr_numbers, .nr_behind = nr_behind,
	};
	CHECK_INT(fargs_pt_align(&alignment), 0);
}

static size_t count(enum fargs_pt_join_state state)
{
	size_t nr = 0, i;

	for (i = 0; i < nr_numbers; i++)
		nr += numbers[i].state == state;
	return nr;
}

static size_t count_wrong(void)
{
	size_t nr = 0, i;

	for (i = 0; i < nr_numbers; i++) {
		if (numbers[i].state == FARGS_PT_JOINED)
			nr += !truth[i] || numbers[i].node != truth[i];
		else if (numbers[i].state == FARGS_PT_UNTRACED)
			nr += truth[i] != 0;
	}
	return nr;
}

/* A call by which a number is taken, or (@is_ours false) none of ours. */
static void make_call(bool is_seen, bool is_ours, unsigned int vague, unsigned int nr_ips)
{
	uint64_t ip = 1 + random() % nr_ips, node = ++nr_nodes;
	/* A record may be made long after its number was taken, in an interrupt's stead. */
	uint64_t tsc = now + (is_rare(6) ? random() % 40 : 0);
	uint8_t maker = is_rare(4) ? FARGS_PT_MAKES_RETURN : FARGS_PT_MAKES_ENTRY;
	struct fargs_pt_token *t;

	if (is_seen) {
		/* Another session's on the same call. */
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

/* What happens in a hole, and then its token: that takes the last of its records, too. */
static void make_hole(unsigned int vague)
{
	size_t first = nr_numbers, i;
	uint64_t begin = now, last;
	unsigned int calls = random() % 3;

	while (calls--) {
		now += random() % 20;
		make_call(false, true, vague, 2);
	}
	last = now;
	for (i = first; i < nr_numbers; i++)
		if (numbers[i].tsc > last)
			last = numbers[i].tsc;
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
 * Every possible answer, one token and one number after the other. Of each record the answers
 * it has in them: nodes, and whether in a hole.
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

	for (i = 0; i < nr_numbers; i++) {
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

static bool may_be(const struct fargs_pt_token *t, const struct fargs_pt_number *n)
{
	return n->tsc >= t->first_tsc && n->tsc <= t->last_tsc;
}

/* From token @t, with number @n to come, of whose gap @gap are left. True: it leads to the end. */
static bool try_from(size_t t, size_t n, uint64_t gap)
{
	const struct fargs_pt_token *token = &tokens[t];
	bool is_record = !gap && n < nr_numbers, is_free = n == nr_numbers &&
	     nr_last == FARGS_PT_GAP_UNKNOWN, is_any = false;
	unsigned int nr_fits = 0, i;
	uint64_t node = 0, rest;

	if (t == nr_tokens) {
		if (n < nr_numbers || (gap && !is_free))
			return false;
		note_way();
		return true;
	}
	rest = n + 1 < nr_numbers ? numbers[n + 1].nr_gap :
	       nr_last == FARGS_PT_GAP_UNKNOWN ? 0 : nr_last;
	/* It is passed. */
	if (token->is_hole || token->is_optional)
		is_any |= try_from(t + 1, n, gap);
	/* It takes one that no record carries. */
	if (gap)
		is_any |= try_from(token->is_hole ? t : t + 1, n, gap - 1);
	else if (is_free && !token->is_hole)
		is_any |= try_from(t + 1, n, 0);
	if (!is_record || !may_be(token, &numbers[n]))
		return is_any;
	if (token->is_hole) {
		way[n].is_hole = true;
		return try_from(t, n + 1, rest) || is_any;
	}
	if (!(token->makers & numbers[n].maker))
		return is_any;
	for (i = 0; i < token->nr_callers; i++) {
		const struct fargs_pt_caller *c = &callers[token->caller + i];

		if (c->ip && c->ip != numbers[n].ip)
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

/* Any number of worlds; what each is like hangs on its number alone. */
static void try_worlds(unsigned int from, unsigned int nr)
{
	size_t joined = 0, all = 0, i;
	unsigned int world;

	for (world = from; world < from + nr && !ktap_has_failed; world++) {
		srandom(world);
		nr_last = make_world();
		memset(found, 0, sizeof(found));
		CHECK(try_from(0, 0, nr_numbers ? numbers[0].nr_gap :
			       nr_last == FARGS_PT_GAP_UNKNOWN ? 0 : nr_last));
		align(nr_last);
		CHECK_INT(alignment.nr_contradictions, 0);
		CHECK_INT(count_wrong(), 0);
		for (i = 0; i < nr_numbers; i++) {
			CHECK_INT(numbers[i].state, state_of(&found[i]));
			if (numbers[i].state == FARGS_PT_JOINED)
				CHECK_INT(numbers[i].node, found[i].node);
		}
		if (ktap_has_failed)
			printf("# world %u\n", world);
		joined += count(FARGS_PT_JOINED);
		all += nr_numbers;
	}
	/* There is something to know in them, and something that cannot be known. */
	CHECK(joined > all / 4);
	CHECK(joined < all);
}

static void claims_what_can_be_known(void)
{
	try_worlds(1, 40000);
}

/* A function of ours, called again and again, by itself, in a trace whose clock ticks rarely. */
static void make_loop(unsigned int calls, unsigned int tick, unsigned int nr_ips)
{
	struct fargs_pt_token *t;

	while (calls--) {
		uint64_t ip = 1 + calls % nr_ips;

		now += 10;
		t = add_token(now / tick * tick, (now / tick + 2) * tick);
		t->makers = FARGS_PT_MAKES_ENTRY;
		add_caller(ip, ++nr_nodes);
		t->nr_callers = 1;
		add_number(ip, FARGS_PT_MAKES_ENTRY, now + 3, nr_nodes);
	}
}

/* However coarse the times are: that nothing is missing tells all. */
static void follows_a_loop(void)
{
	begin_world();
	add_hole(now);
	make_loop(2000, 1000, 1);
	add_hole(UINT64_MAX);
	align(0);
	CHECK_INT(count(FARGS_PT_JOINED), 2000);
	CHECK_INT(count_wrong(), 0);
}

/* Of a hole in the middle of it the times tell how much was in it. */
static void goes_on_behind_a_hole(void)
{
	size_t hole;

	begin_world();
	add_hole(now);
	make_loop(500, 100, 3);
	now += 10;
	hole = nr_tokens;
	add_hole(0);
	nr_gap = 7;
	add_number(1, FARGS_PT_MAKES_ENTRY, now, 0);
	add_number(2, FARGS_PT_MAKES_ENTRY, now += 300, 0);
	tokens[hole].last_tsc = now += 300;
	make_loop(500, 100, 3);
	add_hole(UINT64_MAX);
	align(0);
	CHECK_INT(count(FARGS_PT_JOINED), 1000);
	CHECK_INT(count(FARGS_PT_UNTRACED), 2);
	CHECK_INT(count_wrong(), 0);
}

/* The same, and nothing tells: of one ip without an end, with times that say nothing. */
static void does_not_guess(void)
{
	begin_world();
	add_hole(UINT64_MAX);
	make_loop(300, 1u << 20, 1);
	add_hole(UINT64_MAX);
	/* One more than was seen: before or behind. */
	now += 10;
	add_number(1, FARGS_PT_MAKES_ENTRY, now, 0);
	align(0);
	CHECK_INT(count(FARGS_PT_JOINED), 0);
	CHECK_INT(count_wrong(), 0);
}

/* Two sessions on the same calls: of which of the two it is does not matter. */
static void tells_calls_not_sessions(void)
{
	unsigned int i, k;

	begin_world();
	add_hole(now);
	for (i = 0; i < 100; i++) {
		now += 1000;
		++nr_nodes;
		add_caller(1, nr_nodes);
		for (k = 0; k < 2; k++) {
			struct fargs_pt_token *t = add_token(now, now + 500);

			t->caller = nr_callers - 1;
			t->nr_callers = 1;
			t->makers = FARGS_PT_MAKES_ENTRY;
			t->is_optional = true;
		}
		add_number(1, FARGS_PT_MAKES_ENTRY, now + 100, nr_nodes);
	}
	align(0);
	CHECK_INT(count(FARGS_PT_JOINED), 100);
	CHECK_INT(count_wrong(), 0);
}

/* An execution is missing, which no hole tells: what is up to the next one is not claimed. */
static void claims_nothing_where_nothing_fits(void)
{
	size_t first;

	begin_world();
	add_hole(now);
	make_loop(100, 100, 3);
	add_hole(now + 100);
	now += 200;
	first = nr_tokens;
	make_loop(100, 100, 3);
	memmove(&tokens[first + 50], &tokens[first + 51],
		(nr_tokens - first - 51) * sizeof(*tokens));
	nr_tokens--;
	add_hole(now + 100);
	now += 200;
	make_loop(100, 100, 3);
	add_hole(UINT64_MAX);
	align(0);
	CHECK_INT(alignment.nr_contradictions, 1);
	CHECK_INT(count(FARGS_PT_JOINED), 200);
	CHECK_INT(count(FARGS_PT_UNMATCHED), 100);
	CHECK_INT(count_wrong(), 0);
}

/* Numbers as large as a file may say, and none at all. */
static void bears_any_numbers(void)
{
	begin_world();
	add_hole(UINT64_MAX);
	nr_gap = UINT64_MAX;
	make_loop(3, 10, 1);
	add_hole(UINT64_MAX);
	align(UINT64_MAX - 1);
	CHECK_INT(count_wrong(), 0);
	begin_world();
	align(0);
	CHECK_INT(alignment.nr_contradictions, 0);
	make_loop(3, 10, 1);
	nr_numbers = 0;
	align(3);
	CHECK_INT(alignment.nr_contradictions, 0);
	align(2);
	CHECK_INT(alignment.nr_contradictions, 1);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "claims what can be known in small worlds, and nothing else",
		  claims_what_can_be_known },
		{ "follows a loop by order alone", follows_a_loop },
		{ "goes on behind a hole", goes_on_behind_a_hole },
		{ "does not guess", does_not_guess },
		{ "tells calls, not sessions", tells_calls_not_sessions },
		{ "claims nothing where nothing fits", claims_nothing_where_nothing_fits },
		{ "bears any numbers", bears_any_numbers },
	};

	return KTAP_RUN(tests);
}
