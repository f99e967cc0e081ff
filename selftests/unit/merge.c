// SPDX-License-Identifier: GPL-2.0-only
/* Tests merging the CPUs' records by time. */
#include "source/records/merge.h"

#include <errno.h>

#include "model/clock.h"
#include "model/meta.h"
#include "unit/bytes.h"
#include "unit/ktap.h"

/* A record whose body is not used. */
#define REC(tsc, tid) HEAD(56, FARGS_KIND_ENTRY, tid, tsc, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0

static char order[256];

/* The blocks that are supplied for each CPU. */
#define BLOCKS_MAX	20000

static struct fargs_merge_block blocks[3][BLOCKS_MAX];
static unsigned int nr_blocks[3], nr_taken[3];
static unsigned int nr_back;	/* number of blocks that were given back */
static int fails_at = -1;	/* CPU whose supply fails after its last block */

static struct fargs_meta meta;
static struct fargs_clock_sample samples[3];
static struct fargs_merge *merge;
static struct fargs_error_text err;

static int next_block(void *arg, unsigned int cpu, struct fargs_merge_block **block,
		      struct fargs_error_text *why)
{
	if (nr_taken[cpu] == nr_blocks[cpu])
		return cpu == (unsigned int)fails_at ? fargs_fail(why, EIO, "a bad chunk") : 0;
	*block = &blocks[cpu][nr_taken[cpu]++];
	return 1;
}

static void give_back(void *arg, struct fargs_merge_block *block)
{
	for (; block; block = block->next)
		nr_back++;
}

static const uint8_t cpu0[] = { REC(10, 1), REC(30, 2), REC(30, 3) };
static const uint8_t cpu1[] = { REC(20, 4), REC(30, 5), REC(40, 6) };
static const uint8_t cpu2[] = { REC(50, 7), REC(15, 8), REC(60, 9) };

static void supply(unsigned int cpu, const uint8_t *records, size_t bytes)
{
	blocks[cpu][nr_blocks[cpu]++] = (struct fargs_merge_block){
		.records = records, .bytes = bytes,
	};
}

/* Sets the perf clock of @cpu at TSC @tsc. A tick is 1 ns, unless other samples say otherwise. */
static void set_clock(unsigned int cpu, uint64_t tsc, uint64_t ns)
{
	samples[cpu] = (struct fargs_clock_sample){
		.tsc = tsc, .perf_ns = ns,
		.is_valid = FARGS_CLOCK_VALID | FARGS_CLOCK_UNSTABLE,
	};
}

/* Begins with the clocks of @samples. */
static void begin(void)
{
	const struct fargs_merge_supply from = { .next = next_block, .give_back = give_back };

	memset(nr_blocks, 0, sizeof(nr_blocks));
	memset(nr_taken, 0, sizeof(nr_taken));
	nr_back = 0;
	fails_at = -1;
	order[0] = 0;
	fargs_meta_init(&meta);
	meta.info.nr_cpus = 3;
	meta.info.tsc_khz = 1000000;
	CHECK_INT(fargs_meta_add_clock(&meta, samples), 0);
	merge = fargs_merge_create(&meta, 3, &from, &err);
	CHECK(merge != NULL);
	supply(1, cpu1, sizeof(cpu1));
	supply(0, cpu0, sizeof(cpu0));
}

/* Clocks that are 0 at TSC 0. */
static void begin_alike(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < 3; cpu++)
		set_clock(cpu, 0, 0);
	begin();
}

static void finish(void)
{
	fargs_merge_destroy(merge);
	CHECK_INT(nr_back, nr_taken[0] + nr_taken[1] + nr_taken[2]);
	fargs_meta_deinit(&meta);
}

/* Appends the records before @safe_ns to @order. Returns the last result of fargs_merge_next(). */
static int note_until(uint64_t safe_ns)
{
	struct fargs_stamped next;
	size_t n;
	int ret = fargs_merge_settle(merge, safe_ns, &err);

	if (ret)
		return ret;
	while ((ret = fargs_merge_next(merge, &next, &err)) == 1) {
		n = strlen(order);
		snprintf(order + n, sizeof(order) - n, "%s%u:%llu/%u", n ? " " : "", next.cpu,
			 (unsigned long long)next.ns, next.rec->tid);
	}
	fargs_merge_give_back(merge, fargs_merge_used(merge));
	return ret;
}

static void orders_by_time_then_cpu(void)
{
	begin_alike();
	CHECK_INT(note_until(UINT64_MAX), 0);
	CHECK_STR(order, "0:10/1 1:20/4 0:30/2 0:30/3 1:30/5 1:40/6");
	CHECK_INT(nr_back, 2);
	finish();
}

static void holds_back_what_is_not_safe(void)
{
	static const uint8_t late[] = { REC(29, 10), REC(35, 11) };

	begin_alike();
	CHECK_INT(note_until(30), FARGS_MERGE_WAITS);
	CHECK_STR(order, "0:10/1 1:20/4");
	supply(2, late, sizeof(late));
	CHECK_INT(note_until(36), FARGS_MERGE_WAITS);
	CHECK_STR(order, "0:10/1 1:20/4 2:29/10 0:30/2 0:30/3 1:30/5 2:35/11");
	finish();
}

static void keeps_a_cpus_own_order(void)
{
	begin_alike();
	supply(2, cpu2, sizeof(cpu2));
	CHECK_INT(note_until(UINT64_MAX), 0);
	CHECK_STR(order, "0:10/1 1:20/4 0:30/2 0:30/3 1:30/5 1:40/6 2:50/7 2:50/8 2:60/9");
	finish();
}

/* CPUs whose TSCs differ: records are sorted by time, not by TSC. */
static void orders_by_the_clock_of_each_cpu(void)
{
	set_clock(0, 0, 500);
	set_clock(1, 0, 495);
	set_clock(2, 0, 0);
	begin();
	CHECK_INT(note_until(530), FARGS_MERGE_WAITS);
	CHECK_STR(order, "0:510/1 1:515/4 1:525/5");
	CHECK_INT(note_until(UINT64_MAX), 0);
	CHECK_STR(order, "0:510/1 1:515/4 1:525/5 0:530/2 0:530/3 1:535/6");
	finish();
}

/* A clock that turns out to be too fast: times of records never decrease. */
static void does_not_go_back(void)
{
	static const uint8_t later[] = { REC(50, 7) };
	unsigned int cpu;

	set_clock(0, 0, 12);
	set_clock(1, 0, 0);
	set_clock(2, 0, 0);
	begin();
	CHECK_INT(note_until(45), FARGS_MERGE_WAITS);
	CHECK_STR(order, "1:20/4 0:22/1 1:30/5 1:40/6 0:42/2 0:42/3");
	for (cpu = 0; cpu < 3; cpu++)
		set_clock(cpu, 50, cpu ? 50 : 40);
	CHECK_INT(fargs_clockline_add(fargs_merge_clock(merge), samples), 0);
	supply(0, later, sizeof(later));
	supply(1, later, sizeof(later));
	CHECK_INT(note_until(UINT64_MAX), 0);
	CHECK_STR(order, "1:20/4 0:22/1 1:30/5 1:40/6 0:42/2 0:42/3 0:42/7 1:50/7");
	finish();
}

static void goes_on_with_further_blocks(void)
{
	static const uint8_t more[] = { REC(30, 7) };

	begin_alike();
	supply(0, more, sizeof(more));
	CHECK_INT(note_until(UINT64_MAX), 0);
	CHECK_STR(order, "0:10/1 1:20/4 0:30/2 0:30/3 0:30/7 1:30/5 1:40/6");
	CHECK_INT(nr_back, 3);
	finish();
}

/* The records before an error are returned. */
static void returns_records_before_an_error(void)
{
	begin_alike();
	fails_at = 0;
	CHECK_INT(note_until(UINT64_MAX), -EIO);
	CHECK_STR(order, "0:10/1 1:20/4 0:30/2 0:30/3");
	CHECK_STR(err.text, "a bad chunk");
	finish();
}

static void merges_many_over_many_times(void)
{
	static uint8_t records[40000][56];
	unsigned int i, k, cpu, random = 1;
	uint64_t last = 0, tsc = 1, from, nr = 0;
	struct fargs_stamped next;

	begin_alike();
	memset(nr_blocks, 0, sizeof(nr_blocks));
	for (i = 0; i < 2000; i++) {
		from = tsc;
		for (k = 20 * i; k < 20 * i + 20; k++) {
			const uint8_t rec[] = { REC(tsc, 0) };

			memcpy(records[k], rec, sizeof(rec));
			random = random * 1103515245 + 12345;
			cpu = (random >> 16) % 3;
			REQUIRE(nr_blocks[cpu] < BLOCKS_MAX);
			supply(cpu, records[k], sizeof(rec));
			tsc += random >> 30;
		}
		REQUIRE(!fargs_merge_settle(merge, i == 1999 ? UINT64_MAX : from, &err));
		for (; fargs_merge_next(merge, &next, &err) == 1; nr++) {
			REQUIRE(next.rec->tsc >= last);
			REQUIRE(i == 1999 || next.rec->tsc < from);
			last = next.rec->tsc;
		}
		fargs_merge_give_back(merge, fargs_merge_used(merge));
	}
	CHECK_INT(nr, 40000);
	finish();
}

static const struct ktap_test tests[] = {
	{ "orders by time, then by CPU", orders_by_time_then_cpu },
	{ "holds back records whose order is not certain", holds_back_what_is_not_safe },
	{ "keeps the order of each CPU", keeps_a_cpus_own_order },
	{ "orders by the clock of each CPU", orders_by_the_clock_of_each_cpu },
	{ "returns no record earlier than the one before", does_not_go_back },
	{ "goes on with further blocks of a CPU", goes_on_with_further_blocks },
	{ "returns the records before an error", returns_records_before_an_error },
	{ "merges many over many times", merges_many_over_many_times },
};

int main(void)
{
	return KTAP_RUN(tests);
}
