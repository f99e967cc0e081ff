// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests which context switches a hole in the trace hides, on simulated CPUs for which the number of
 * switches before each item is known.
 */
#include <stdlib.h>

#include "source/pt/decode/switch_resync.h"
#include "unit/ktap.h"

#define ITEMS_MAX	512
#define US		UINT64_C(1000)

static struct fargs_pt_config config;
static struct fargs_pt_switch records[ITEMS_MAX];
static struct fargs_pt_switches sw;
static struct fargs_pt_item items[ITEMS_MAX];
static size_t executed[ITEMS_MAX];	/* number of switches up to and including each item */
static struct fargs_pt_flow flow;
static struct fargs_pt_segment seg;
static size_t nr_executed;

/* One tick of the TSC is 1 ns. */
static void begin(uint64_t psb_tsc, size_t nr)
{
	config = (struct fargs_pt_config){
		.has_tsc = true, .has_mtc = true, .has_time = true, .time_mult = 1,
		.cpuid_0x15_eax = 1, .cpuid_0x15_ebx = 2, .mtc_freq = 3,
	};
	seg = (struct fargs_pt_segment){ .tsc = psb_tsc };
	sw = (struct fargs_pt_switches){ .all = records, .first = 1 };
	flow = (struct fargs_pt_flow){ .items = items };
	nr_executed = nr;
}

static void record(uint64_t ns)
{
	records[sw.nr++] = (struct fargs_pt_switch){ .ns = ns, .from = 1, .to = 2 };
}

static void add(uint64_t tsc, enum fargs_pt_item_kind kind)
{
	nr_executed += kind == FARGS_PT_SWITCH;
	items[flow.nr] = (struct fargs_pt_item){ .tsc = tsc, .kind = kind };
	executed[flow.nr++] = nr_executed;
}

/*
 * Accuracy of the number of switches before the segment; after fargs_pt_switch_resync(), accuracy
 * of the number at its end.
 */
static enum fargs_pt_counted counted;

/*
 * Returns whether the number of switches is right at each item, if @nr switches were counted before
 * the segment.
 */
static bool is_right_behind(size_t nr)
{
	struct fargs_pt_switch_resyncs r = { };
	struct fargs_pt_count count;
	size_t i, nr_wrong = 0;

	if (fargs_pt_switch_resync(&r, &config, &sw, &seg, &flow, nr, counted))
		return false;
	counted = r.counted;
	fargs_pt_count_begin(&count, &r);
	for (i = 0; i < flow.nr; i++) {
		fargs_pt_count_take(&count, &r, &flow, i);
		if (count.nr == executed[i] || nr_wrong++)
			continue;
		printf("# item %zu, kind %u: %zu executed, not %zu\n", i, items[i].kind,
		       executed[i], count.nr);
	}
	if (r.last != count.nr)
		printf("# switches at the end of the flow: %zu, not %zu\n", r.last, count.nr);
	nr_wrong += r.last != count.nr;
	fargs_pt_switch_resyncs_deinit(&r);
	return !nr_wrong;
}

/*
 * Like is_right_behind(), for an unknown (@is_new) or uncertain number of switches before the
 * segment.
 */
static bool is_right(size_t nr, bool is_new)
{
	counted = is_new ? FARGS_PT_COUNTED_NONE : FARGS_PT_COUNTED_SEEN;
	return is_right_behind(nr);
}

static void counts(void)
{
	begin(5000 * US, 1);
	record(1000 * US);
	record(6000 * US);
	record(9000 * US);
	add(5000 * US, FARGS_PT_BRANCH);
	add(6002 * US, FARGS_PT_SWITCH);
	add(7000 * US, FARGS_PT_BRANCH);
	add(9001 * US, FARGS_PT_SWITCH);
	CHECK(is_right(1, false));
	/* The result must not depend on the number counted before. */
	CHECK(is_right(0, false));
	CHECK(is_right(2, false));
	CHECK(is_right(0, true));
}

/* Tests a segment that begins between a record and the execution of its switch. */
static void begins_in_between(void)
{
	begin(1005 * US, 0);
	record(1000 * US);
	add(1006 * US, FARGS_PT_BRANCH);
	add(1010 * US, FARGS_PT_SWITCH);
	add(1500 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, false));
	CHECK(is_right(1, false));
	CHECK(is_right(0, true));
}

static void is_hidden(enum fargs_pt_item_kind kind)
{
	begin(100 * US, 0);
	record(1000 * US);
	record(3000 * US);
	add(500 * US, FARGS_PT_BRANCH);
	nr_executed++;
	add(900 * US, kind);
	add(900 * US, FARGS_PT_BRANCH);
	add(2000 * US, FARGS_PT_BRANCH);
	add(3002 * US, FARGS_PT_SWITCH);
	add(4000 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, false));
}

/* Tests a hole that hides no switch, and two holes of which the second one hides a switch. */
static void is_not_hidden(void)
{
	begin(100 * US, 0);
	record(1000 * US);
	record(3000 * US);
	add(500 * US, FARGS_PT_OVERFLOW);
	add(600 * US, FARGS_PT_BRANCH);
	add(1001 * US, FARGS_PT_SWITCH);
	add(2000 * US, FARGS_PT_BRANCH);
	nr_executed++;
	add(2900 * US, FARGS_PT_OVERFLOW);
	add(3500 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, false));
}

/* Tests a segment that continues the previous one: its first item is not a hole. */
static void continues(void)
{
	begin(2000 * US, 1);
	record(1000 * US);
	add(2000 * US, FARGS_PT_BEGIN);
	items[0].flags = FARGS_PT_WAS_ON | FARGS_PT_CONTINUES;
	add(2500 * US, FARGS_PT_BRANCH);
	CHECK(is_right(1, false));
}

/*
 * Tests a switch that is executed long after its record, because the CPU was stopped, such as a
 * vCPU that the host did not run. Meanwhile, the trace was disabled and enabled again.
 */
static void stands_still(void)
{
	begin(100 * US, 0);
	record(1000 * US);
	record(9000 * US);
	add(900 * US, FARGS_PT_BRANCH);
	add(1000 * US, FARGS_PT_END);
	add(4000 * US, FARGS_PT_BEGIN);
	add(4000 * US, FARGS_PT_BRANCH);
	add(4100 * US, FARGS_PT_BRANCH);
	add(4110 * US, FARGS_PT_SWITCH);
	add(5000 * US, FARGS_PT_BRANCH);
	add(9001 * US, FARGS_PT_SWITCH);
	add(9500 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, false));
}

/*
 * Tests a switch that is executed at the beginning of the segment, long after its record, because
 * the CPU was stopped in between. Another switch is executed before the trace reports a later time.
 */
static void stands_still_at_begin(void)
{
	begin(5000 * US, 0);
	record(1000 * US);
	record(5100 * US);
	add(5000 * US, FARGS_PT_BRANCH);
	add(5000 * US, FARGS_PT_SWITCH);
	add(5000 * US, FARGS_PT_SWITCH);
	add(5150 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, false));
	CHECK(is_right(0, true));
}

/* Begins the next segment of the same CPU. */
static void go_on(uint64_t psb_tsc)
{
	seg.tsc = psb_tsc;
	flow.nr = 0;
}

/* Tests an NMI that begins between a record and its switch, and ends in a later segment. */
static void is_in_nmi(void)
{
	begin(100 * US, 0);
	record(1000 * US);
	record(90000 * US);
	counted = FARGS_PT_COUNTED_NONE;
	add(900 * US, FARGS_PT_BRANCH);
	add(1010 * US, FARGS_PT_INTERRUPT);
	add(3000 * US, FARGS_PT_BRANCH);
	CHECK(is_right_behind(0));
	go_on(5000 * US);
	add(5000 * US, FARGS_PT_BRANCH);
	add(9000 * US, FARGS_PT_BRANCH);
	CHECK(is_right_behind(0));
	go_on(10000 * US);
	add(10000 * US, FARGS_PT_BRANCH);
	add(11000 * US, FARGS_PT_SWITCH);
	add(12000 * US, FARGS_PT_BRANCH);
	CHECK(is_right_behind(0));
	go_on(20000 * US);
	add(20000 * US, FARGS_PT_BRANCH);
	CHECK(is_right_behind(1));
}

/* Tests a switch that may have been executed in a gap: it is counted as executed there. */
static void is_behind_gap(enum fargs_pt_item_kind kind)
{
	begin(100 * US, 0);
	record(1000 * US);
	counted = FARGS_PT_COUNTED_NONE;
	add(900 * US, FARGS_PT_BRANCH);
	add(901 * US, kind);
	CHECK(is_right_behind(0));
	go_on(5000 * US);
	nr_executed = 1;
	add(5000 * US, FARGS_PT_BRANCH);
	CHECK(is_right_behind(0));
}

static void is_behind_error(void)
{
	is_behind_gap(FARGS_PT_ERROR);
}

/* The item after the hole has no time, so the result is not known immediately. */
static void is_behind_hole(void)
{
	is_behind_gap(FARGS_PT_OVERFLOW);
}

/*
 * Tests a trace of one task: it is off while other tasks run, and begins again after the switch,
 * shortly after its record.
 */
static void begins_after_switch(void)
{
	begin(5000 * US, 2);
	record(1000 * US);
	record(4990 * US);
	add(5000 * US, FARGS_PT_BEGIN);
	add(5000 * US, FARGS_PT_BRANCH);
	add(5250 * US, FARGS_PT_BRANCH);
	counted = FARGS_PT_COUNTED_ALL;
	CHECK(is_right_behind(1));
}

/* Tests missing records: the numbers of switches and of records differ by more than one. */
static void is_not_to_come(void)
{
	begin(5000 * US, 2);
	record(1000 * US);
	record(2000 * US);
	add(5000 * US, FARGS_PT_BRANCH);
	counted = FARGS_PT_COUNTED_ALL;
	CHECK(is_right_behind(3));
	counted = FARGS_PT_COUNTED_ALL;
	CHECK(is_right_behind(0));
}

/* Tests a trace of user space only, which contains no switches. */
static void is_user_alone(void)
{
	begin(100 * US, 0);
	record(1000 * US);
	record(2000 * US);
	add(900 * US, FARGS_PT_END);
	nr_executed++;
	add(1500 * US, FARGS_PT_BEGIN);
	add(1600 * US, FARGS_PT_BRANCH);
	add(1800 * US, FARGS_PT_END);
	nr_executed++;
	add(2500 * US, FARGS_PT_BEGIN);
	add(2600 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, false));
}

/*
 * Tests a trace without times, or with times of unknown error: only switches in the trace are
 * counted.
 */
static void has_no_times(void)
{
	begin(0, 7);
	config.has_time = false;
	record(1000 * US);
	add(0, FARGS_PT_BRANCH);
	add(0, FARGS_PT_OVERFLOW);
	add(0, FARGS_PT_SWITCH);
	CHECK(is_right(7, false));
	begin(500 * US, 0);
	config.cpuid_0x15_eax = 0;
	record(1000 * US);
	add(900 * US, FARGS_PT_OVERFLOW);
	add(2000 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, false));
}

static uint64_t between(uint64_t least, uint64_t most)
{
	return least + (uint64_t)random() % (most - least + 1);
}

/*
 * Compares random cases with the truth: switches are at least a millisecond apart, and are executed
 * up to 100 us after their records. Holes hide up to three switches, and are followed by some time
 * without switches.
 */
static void many(void)
{
	unsigned int round, nr_wrong = 0;

	srandom(1);
	for (round = 0; round < 2000 && !nr_wrong; round++) {
		uint64_t now = between(1, 10000) * US;
		size_t before, i, nr, k;

		begin(now, 0);
		now += between(0, 500) * US;
		for (i = 0; i < 40; i++) {
			bool is_hole = between(0, 3) == 0;

			before = nr_executed;
			nr = is_hole ? between(0, 3) : 1;
			if (is_hole)
				add(now, between(0, 1) ? FARGS_PT_OVERFLOW : FARGS_PT_END);
			for (k = 0; k < nr; k++) {
				now += between(1000, 3000) * US;
				record(now);
				now += between(0, 100) * US;
				nr_executed += is_hole;
				if (!is_hole)
					add(now, FARGS_PT_SWITCH);
			}
			now += between(500, 900) * US;
			/* An OVERFLOW item also marks the end of its hole, so no BEGIN is added. */
			if (is_hole && items[flow.nr - 1].kind == FARGS_PT_OVERFLOW)
				executed[flow.nr - 1] = nr_executed;
			else if (is_hole)
				add(now, FARGS_PT_BEGIN);
			for (k = between(1, 3); k; k--) {
				now += between(50, 100) * US;
				add(now, FARGS_PT_BRANCH);
			}
			REQUIRE(nr_executed >= before && flow.nr + 8 < ITEMS_MAX);
		}
		nr_wrong += !is_right(between(0, 1), false);
	}
	CHECK(!nr_wrong);
}

static void by_overflow(void)
{
	is_hidden(FARGS_PT_OVERFLOW);
}

static void while_off(void)
{
	is_hidden(FARGS_PT_BEGIN);
}

/*
 * Tests a trace of user space only, which contains no switches. The record of each switch is older
 * than the return to user space after it, but may have a later time than the trace reports, by less
 * than the error of times.
 */
static void counts_of_user_space(void)
{
	begin(500 * US, 0);
	config.has_user = true;
	record(1000 * US);
	record(1050 * US);
	record(2000 * US);
	add(600 * US, FARGS_PT_BEGIN);
	add(600 * US, FARGS_PT_BRANCH);
	nr_executed = 1;
	add(1002 * US, FARGS_PT_BEGIN);
	add(1002 * US, FARGS_PT_BRANCH);
	/* The record may be later than the last time before the item, by less than a tick. */
	nr_executed = 2;
	add(1050 * US - 3, FARGS_PT_BEGIN);
	add(1050 * US - 3, FARGS_PT_BRANCH);
	add(1900 * US, FARGS_PT_BEGIN);
	nr_executed = 3;
	add(2010 * US, FARGS_PT_BEGIN);
	add(2011 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, true));
	CHECK(is_right(0, false));
	CHECK(is_right(2, false));
	/* The trace is off at the PSB. */
	begin(500 * US, 0);
	config.has_user = true;
	record(1000 * US);
	nr_executed = 1;
	add(1500 * US, FARGS_PT_BEGIN);
	add(1500 * US, FARGS_PT_BRANCH);
	CHECK(is_right(0, true));
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "switches are counted", counts },
		{ "a part may begin before the execution of a switch", begins_in_between },
		{ "an overflow may hide a switch", by_overflow },
		{ "a trace that is off may hide a switch", while_off },
		{ "a hole may hide no switch", is_not_hidden },
		{ "a part that continues has no hole", continues },
		{ "a CPU may stop after a record", stands_still },
		{ "a CPU may stop after a record where a part begins", stands_still_at_begin },
		{ "an NMI may occur between a record and its execution", is_in_nmi },
		{ "an error may hide an execution", is_behind_error },
		{ "a hole may hide an execution", is_behind_hole },
		{ "a part may begin after a switch that is not in the trace", begins_after_switch },
		{ "at most one execution is outstanding", is_not_to_come },
		{ "works with user space only", is_user_alone },
		{ "works without times", has_no_times },
		{ "works with many switches, and holes that hide several", many },
		{ "switches are counted with user space only", counts_of_user_space },
	};

	return KTAP_RUN(tests);
}
