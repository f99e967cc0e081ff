// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests assigning records to executions. Small random worlds have only the data that a trace has:
 * each assignment must be true, and must be found if all possible answers agree on it. Larger
 * worlds resemble real traces.
 */
#include "unit/align_world.h"
#include "unit/ktap.h"

static void add_hole(uint64_t last_tsc)
{
	add_token(now, last_tsc)->is_hole = true;
}

static void align(uint64_t nr_rest)
{
	CHECK_INT(run_align(nr_rest), 0);
}

/* Tests @nr worlds. A world depends only on its number. */
static void try_worlds(unsigned int from, unsigned int nr)
{
	size_t joined = 0, all = 0, i;
	unsigned int world;

	for (world = from; world < from + nr && !ktap_has_failed; world++) {
		srandom(world);
		nr_last = make_world();
		CHECK(find_answers());
		align(nr_last);
		CHECK_INT(alignment.nr_contradictions, 0);
		CHECK_INT(count_wrong(), 0);
		for (i = 0; i < nr_seqs; i++) {
			CHECK_INT(seqs[i].state, state_of(&found[i]));
			if (seqs[i].state == FARGS_PT_JOINED)
				CHECK_INT(seqs[i].node, found[i].node);
		}
		if (ktap_has_failed)
			printf("# world %u\n", world);
		joined += count(FARGS_PT_JOINED);
		all += nr_seqs;
	}
	/* Some records can be assigned, and some cannot. */
	CHECK(joined > all / 4);
	CHECK(joined < all);
}

static void claims_what_can_be_known(void)
{
	try_worlds(1, 40000);
}

/* Makes calls of one traced function, one after the other, in a trace whose clock ticks rarely. */
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

/* Tests that without holes, all records are joined, however coarse the times are. */
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

/* Tests a hole in the middle of a loop: the times show how many records belong to it. */
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

/* Tests a case that cannot be decided: one ip, holes at both ends, and coarse times. */
static void does_not_guess(void)
{
	begin_world();
	add_hole(UINT64_MAX);
	make_loop(300, 1u << 20, 1);
	add_hole(UINT64_MAX);
	/*
	 * There is one record more than there are executions: the first or the last one was not
	 * traced.
	 */
	now += 10;
	add_number(1, FARGS_PT_MAKES_ENTRY, now, 0);
	align(0);
	CHECK_INT(count(FARGS_PT_JOINED), 0);
	CHECK_INT(count_wrong(), 0);
}

/*
 * Tests two sessions that trace the same calls: a record is joined to its call, whichever execution
 * wrote it.
 */
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

/*
 * Tests a missing execution without a hole: records up to the next certain assignment must not be
 * joined.
 */
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

/*
 * Tests sequence numbers as large as a file can contain, and worlds without executions or records.
 */
static void bears_any_seqs(void)
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
	nr_seqs = 0;
	align(3);
	CHECK_INT(alignment.nr_contradictions, 0);
	align(2);
	CHECK_INT(alignment.nr_contradictions, 1);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "assigns all records that are certain in small cases, and no others",
		  claims_what_can_be_known },
		{ "follows a loop by order alone", follows_a_loop },
		{ "continues after a hole", goes_on_behind_a_hole },
		{ "does not guess", does_not_guess },
		{ "distinguishes calls, not sessions", tells_calls_not_sessions },
		{ "assigns nothing if nothing fits", claims_nothing_where_nothing_fits },
		{ "handles any sequence numbers", bears_any_seqs },
	};

	return KTAP_RUN(tests);
}
