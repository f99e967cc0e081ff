// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests tasks without a tid in perf's records: their tid is found in fargs's records, or not at
 * all.
 */
#include <stdlib.h>

#include "source/pt/join/reaped.h"
#include "unit/ktap.h"

#define ROOM	16

static struct fargs_pt_switch switches[ROOM];
static struct fargs_record records[ROOM];
static const struct fargs_record *by_number[ROOM];
static struct fargs_pt_cpu_records cpus[4];
static struct fargs_pt_seq_records seqs = { .cpus = cpus, .nr_cpus = 4 };
static struct fargs_pt_input in;

/* One tick of the TSC is 1 ns. */
static void begin(void)
{
	memset(cpus, 0, sizeof(cpus));
	cpus[2].records = by_number;
	in = (struct fargs_pt_input){
		.config = { .has_time = true, .time_mult = 1 }, .switches = switches,
	};
}

static void add_switch(uint64_t ns, int32_t from, int32_t to)
{
	switches[in.nr_switches++] = (struct fargs_pt_switch){
		.ns = ns, .cpu = 2, .from = from, .to = to,
	};
}

static void add_record(uint64_t tsc, uint32_t tid)
{
	struct fargs_pt_cpu_records *c = &cpus[2];

	records[c->nr] = (struct fargs_record){ .tsc = tsc, .tid = tid };
	by_number[c->nr] = &records[c->nr];
	c->nr++;
}

static void is_named_by_its_records(void)
{
	begin();
	add_switch(100, 5, -1);
	add_switch(200, -1, 6);
	add_record(90, 5);
	add_record(105, 5);
	add_record(110, 8);
	add_record(190, 8);
	add_record(210, 6);
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, 8);
	CHECK_INT(switches[1].to, 6);
}

/*
 * Tests an unknown task at the last switch: a later record identifies it, although no further
 * switch follows.
 */
static void is_named_at_the_end(void)
{
	begin();
	add_switch(100, 5, -1);
	add_record(110, 8);
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, 8);
}

/*
 * Tests two unknown tasks in a row: the records of the second one identify it only once the first
 * one is known.
 */
static void two_in_turn(void)
{
	begin();
	add_switch(100, 5, -1);
	add_switch(200, -1, -1);
	add_switch(300, -1, 6);
	add_record(110, 8);
	add_record(201, 8);
	add_record(210, 9);
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, 8);
	CHECK_INT(switches[1].to, 9);
}

/* Tests records that the outgoing task writes after a switch: they do not identify the new task. */
static void has_no_records(void)
{
	begin();
	add_switch(100, 5, -1);
	add_switch(200, -1, -1);
	add_switch(300, -1, 6);
	add_record(101, 5);
	add_record(210, 9);
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, -1);
	CHECK_INT(switches[1].to, -1);
}

static void too_many_have(void)
{
	begin();
	add_switch(100, 5, -1);
	add_switch(200, -1, 6);
	add_record(101, 5);
	add_record(110, 8);
	add_record(120, 9);
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, -1);
	cpus[2].nr = 0;
	add_record(110, 8);
	add_record(120, 9);
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, -1);
}

/*
 * Tests a missing switch: perf reports the tid of task 8 when it is switched out, so it is not the
 * unknown task.
 */
static void a_switch_is_missing(void)
{
	begin();
	add_switch(100, 5, -1);
	add_switch(200, 8, 6);
	add_record(110, 8);
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, -1);
}

static void other_cpus_tell_nothing(void)
{
	begin();
	add_switch(100, 5, -1);
	add_record(110, 8);
	cpus[1] = cpus[2];
	cpus[2].nr = 0;
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, -1);
	/* Nothing is found if TSCs cannot be converted to times. */
	cpus[2] = cpus[1];
	in.config.has_time = false;
	CHECK_INT(fargs_pt_reaped_name(&in, &seqs), 0);
	CHECK_INT(switches[0].to, -1);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "a task without a number is named by its records", is_named_by_its_records },
		{ "a task after the last switch is named by its records", is_named_at_the_end },
		{ "two such tasks in a row are named", two_in_turn },
		{ "a task without a record is not named", has_no_records },
		{ "a task is not named if several tasks have records", too_many_have },
		{ "a task is not named if a switch is missing", a_switch_is_missing },
		{ "a task is not named by another CPU's records, or without times",
		  other_cpus_tell_nothing },
	};

	return KTAP_RUN(tests);
}
