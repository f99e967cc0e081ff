// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests which calls the tables of perf have of a few branches, with a writer that counts rows.
 * golden/perf_sql compares those of recordings with perf's.
 */
#include <stdlib.h>

#include "sink/export/branch_type.h"
#include "sink/export/perf_db/calls.h"

#include "unit/ktap.h"

#define CALL	(FARGS_BRANCH_ANY | FARGS_BRANCH_CALL)
#define RETURN	(FARGS_BRANCH_ANY | FARGS_BRANCH_RETURN)

struct counter {
	struct fargs_pdb_writer w;
	int nr[FARGS_PDB_TABLES];
	int nr_flags[8];		/* calls, by their flags */
	int64_t last[FARGS_PDB_COLUMNS_MAX];	/* the last call */
};

static int run(struct fargs_pdb_writer *w, const char *sql)
{
	return 0;
}

static int prepare(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table)
{
	return 0;
}

static int count(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table,
		 const struct fargs_pdb_value *values)
{
	struct counter *c = (struct counter *)w;
	unsigned int i;

	c->nr[table]++;
	if (table != FARGS_PDB_CALLS)
		return 0;
	c->nr_flags[values[10].number & 7]++;
	for (i = 0; i < fargs_pdb_tables[table].nr; i++)
		c->last[i] = values[i].number;
	return 0;
}

static const struct fargs_pdb_writer_ops ops = {
	.run = run, .prepare = prepare, .row = count,
};

struct state {
	struct counter counter;
	struct fargs_pdb_places places;
	struct fargs_pdb_calls calls;
	int64_t nr;
};

static void begin(struct state *s)
{
	*s = (struct state){ .counter.w.ops = &ops };
	s->places.w = &s->counter.w;
	s->calls = (struct fargs_pdb_calls){ .w = &s->counter.w, .places = &s->places };
}

static void end(struct state *s)
{
	fargs_pdb_calls_deinit(&s->calls);
	fargs_pdb_places_deinit(&s->places);
}

/* Function @n is at 4096 * @n. */
static struct fargs_pdb_place place(int n, uint64_t offset)
{
	return (struct fargs_pdb_place){
		.dso = 1, .symbol = n, .offset = offset, .addr = 4096 * n + offset,
		.is_begin = !offset,
	};
}

static int take(struct state *s, unsigned int flags, struct fargs_pdb_place from,
		struct fargs_pdb_place to)
{
	const struct fargs_pdb_branch b = {
		.sample = ++s->nr, .stack = 7, .task = { 1, 1 }, .ns = 100 + s->nr,
		.flags = flags, .from = from, .to = to, .insn_bytes = 5, .piece = 1,
	};

	return fargs_pdb_calls_take(&s->calls, &b);
}

static void calls_return_to_where_they_were_made(void)
{
	struct state s;

	begin(&s);
	CHECK_INT(take(&s, CALL, place(1, 10), place(2, 0)), 0);
	CHECK_INT(take(&s, FARGS_BRANCH_ANY, place(2, 8), place(3, 0)), 0);
	CHECK_INT(take(&s, RETURN, place(3, 9), place(1, 15)), 0);
	/* The function that was jumped to, and the one that jumped. */
	CHECK_INT(s.counter.nr[FARGS_PDB_CALLS], 2);
	CHECK_INT(s.counter.nr_flags[FARGS_PDB_JUMP | FARGS_PDB_NO_RETURN], 1);
	CHECK_INT(s.counter.nr_flags[0], 1);
	/* The columns call_time, return_time, branch_count, call_id and return_id. */
	CHECK_INT(s.counter.last[4], 101);
	CHECK_INT(s.counter.last[5], 103);
	CHECK_INT(s.counter.last[6], 2);
	CHECK_INT(s.counter.last[7], 1);
	CHECK_INT(s.counter.last[8], 3);
	CHECK_INT(fargs_pdb_calls_finish(&s.calls), 0);
	CHECK_INT(s.counter.nr_flags[FARGS_PDB_NO_CALL | FARGS_PDB_NO_RETURN], 1);
	end(&s);
}

static void calls_of_the_next_instruction_are_none(void)
{
	struct state s;

	begin(&s);
	CHECK_INT(take(&s, CALL, place(1, 10), place(1, 15)), 0);
	CHECK_INT(fargs_pdb_calls_finish(&s.calls), 0);
	CHECK_INT(s.counter.nr[FARGS_PDB_CALLS], 1);
	end(&s);
}

static void open_calls_are_limited(void)
{
	struct state s;
	int i, ret = 0;

	begin(&s);
	for (i = 0; i <= FARGS_PDB_DEPTH_MAX && !ret; i++)
		ret = take(&s, CALL, place(1 + (i & 1), 10), place(2 - (i & 1), 0));
	CHECK_INT(ret, 0);
	CHECK_INT(s.counter.nr[FARGS_PDB_CALLS], FARGS_PDB_DEPTH_MAX);
	end(&s);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "calls return to where they were made", calls_return_to_where_they_were_made },
		{ "calls of the next instruction are none",
		  calls_of_the_next_instruction_are_none },
		{ "open calls are limited", open_calls_are_limited },
	};

	return KTAP_RUN(tests);
}
