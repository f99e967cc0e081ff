// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes the assignment of records to executions. A world is a set of executions and records, and
 * an answer is a possible assignment (unit/align_world.h). If a world has an answer, a record must
 * be joined if and only if all answers assign it to the same call. In worlds that were changed at
 * random, which may have no answer, no impossible assignment may be made.
 *
 *	align [-n TIMES] [-t SECONDS] [-s SEED]
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/random.h"
#include "unit/align_world.h"

static struct fuzz_random rng;
static size_t nr_joined, nr_all;

static bool is_same_as_found(void)
{
	size_t i;

	for (i = 0; i < nr_seqs; i++) {
		if (seqs[i].state != state_of(&found[i]) ||
		    (seqs[i].state == FARGS_PT_JOINED && seqs[i].node != found[i].node))
			return false;
	}
	nr_joined += count(FARGS_PT_JOINED);
	nr_all += nr_seqs;
	return !alignment.nr_contradictions && !count_wrong();
}

static uint64_t any_number(void)
{
	switch (fuzz_below(&rng, 4)) {
	case 0:
		return fuzz_below(&rng, 4);
	case 1:
		return now - 40 + fuzz_below(&rng, 80);
	case 2:
		return 1ull << fuzz_below(&rng, 64);
	default:
		return UINT64_MAX - fuzz_below(&rng, 3);
	}
}

static void change_token(struct fargs_pt_token *t)
{
	switch (fuzz_below(&rng, 5)) {
	case 0:
		t->last_tsc = any_number();
		break;
	case 1:
		t->makers = fuzz_below(&rng, 16);
		break;
	case 2:
		t->is_hole = !t->is_hole;
		t->nr_callers = 0;
		break;
	case 3:
		t->is_optional = !t->is_optional;
		break;
	default:
		if (t->nr_callers)
			t->nr_callers--;
	}
}

static void change_number(struct fargs_pt_seq *n)
{
	switch (fuzz_below(&rng, 4)) {
	case 0:
		n->nr_gap = any_number();
		break;
	case 1:
		n->tsc = any_number();
		break;
	case 2:
		n->ip = fuzz_below(&rng, 4);
		break;
	default:
		n->maker = 1 << fuzz_below(&rng, 4);
	}
}

static void change_world(void)
{
	unsigned int times = 1 + fuzz_below(&rng, 4);

	while (times--) {
		if (nr_tokens && fuzz_once_in(&rng, 2))
			change_token(&tokens[fuzz_below(&rng, nr_tokens)]);
		else if (nr_seqs)
			change_number(&seqs[fuzz_below(&rng, nr_seqs)]);
	}
	if (nr_tokens && fuzz_once_in(&rng, 4))
		memmove(&tokens[0], &tokens[1], --nr_tokens * sizeof(*tokens));
	if (fuzz_once_in(&rng, 4))
		nr_last = any_number();
}

/* Returns whether some execution may have written the record for the call to which it is joined. */
static bool is_possible(const struct fargs_pt_seq *n)
{
	const struct fargs_pt_token *t = &tokens[n->token];
	unsigned int i;

	if (n->token >= nr_tokens || t->is_hole || !(t->makers & n->maker) || !may_be(t, n))
		return false;
	for (i = 0; i < t->nr_callers; i++) {
		const struct fargs_pt_caller *c = &callers[t->caller + i];

		if ((!c->ip || c->ip == n->ip) && c->node == n->node)
			return n->node && n->node != FARGS_PT_NODE_UNKNOWN;
	}
	return false;
}

/*
 * Checks that each execution has at most one record, and that records are in the order of their
 * sequence numbers.
 */
static bool is_nothing_impossible(void)
{
	const struct fargs_pt_seq *last = NULL;
	size_t i;

	for (i = 0; i < nr_seqs; i++) {
		if (seqs[i].state != FARGS_PT_JOINED)
			continue;
		if (!is_possible(&seqs[i]) || (last && last->node == seqs[i].node &&
					       last->token == seqs[i].token))
			return false;
		last = &seqs[i];
	}
	return true;
}

static bool try_one(void)
{
	srandom((unsigned int)fuzz_random(&rng));
	nr_last = make_world();
	if (!find_answers() || run_align(nr_last) || !is_same_as_found())
		return false;
	change_world();
	return !run_align(nr_last) && is_nothing_impossible();
}

int main(int argc, char **argv)
{
	unsigned long times = 1000, seconds = 0, i;
	bool is_wrong = false;
	time_t end;
	int opt;

	rng.state = 1;
	while ((opt = getopt(argc, argv, "n:t:s:")) != -1) {
		if (opt == 'n')
			times = strtoul(optarg, NULL, 0);
		else if (opt == 't')
			seconds = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			rng.state = strtoull(optarg, NULL, 0);
		else
			return 1;
	}
	end = time(NULL) + seconds;
	for (i = 0; !is_wrong && (seconds ? time(NULL) < end : i < times); i++)
		is_wrong = !try_one();
	printf("%lu worlds, %zu of %zu records joined\n", i, nr_joined, nr_all);
	if (is_wrong)
		printf("that one was wrong\n");
	return is_wrong;
}
