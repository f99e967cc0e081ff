// SPDX-License-Identifier: GPL-2.0-only
/* Tests merging the CPUs' records by time. */
#include "source/ring/merge.h"

#include <errno.h>

#include "unit/bytes.h"
#include "unit/ktap.h"

/* A record whose body is not used. */
#define REC(tsc, tid) HEAD(56, FARGS_KIND_ENTRY, tid, tsc, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0

static char order[256];
static int stop_after;

static uint64_t clocks[3];	/* perf clock in ns of each CPU when its TSC is 0 */

static uint64_t date(void *arg, unsigned int cpu, uint64_t tsc)
{
	return clocks[cpu] + tsc;
}

static int note(void *arg, const struct fargs_stamped *stamped)
{
	size_t n = strlen(order);

	snprintf(order + n, sizeof(order) - n, "%s%u:%llu/%u", n ? " " : "", stamped->cpu,
		 (unsigned long long)stamped->ns, stamped->rec->tid);
	return stop_after && !--stop_after ? 7 : 0;
}

static const uint8_t cpu0[] = { REC(10, 1), REC(30, 2), REC(30, 3) };
static const uint8_t cpu1[] = { REC(20, 4), REC(30, 5), REC(40, 6) };
static const uint8_t cpu2[] = { REC(50, 7), REC(15, 8), REC(60, 9) };

static struct fargs_merge *filled(void)
{
	struct fargs_merge *m = fargs_merge_create(3, date, note, NULL);

	memset(clocks, 0, sizeof(clocks));
	order[0] = 0;
	stop_after = 0;
	fargs_merge_add(m, 1, cpu1, sizeof(cpu1));
	fargs_merge_add(m, 0, cpu0, sizeof(cpu0));
	return m;
}

static void orders_by_time_then_cpu(void)
{
	struct fargs_merge *m = filled();

	CHECK_INT(fargs_merge_flush(m, UINT64_MAX), 0);
	CHECK_STR(order, "0:10/1 1:20/4 0:30/2 0:30/3 1:30/5 1:40/6");
	CHECK_INT(fargs_merge_queued(m), 0);
	fargs_merge_destroy(m);
}

static void holds_back_what_is_not_safe(void)
{
	static const uint8_t late[] = { REC(29, 10), REC(35, 11) };
	struct fargs_merge *m = filled();

	CHECK_INT(fargs_merge_flush(m, 30), 0);
	CHECK_STR(order, "0:10/1 1:20/4");
	CHECK_INT(fargs_merge_queued(m), 4 * 56);
	CHECK_INT(fargs_merge_add(m, 2, late, sizeof(late)), 0);
	CHECK_INT(fargs_merge_flush(m, 36), 0);
	CHECK_STR(order, "0:10/1 1:20/4 2:29/10 0:30/2 0:30/3 1:30/5 2:35/11");
	fargs_merge_destroy(m);
}

static void keeps_a_cpus_own_order(void)
{
	struct fargs_merge *m = filled();

	CHECK_INT(fargs_merge_add(m, 2, cpu2, sizeof(cpu2)), 0);
	CHECK_INT(fargs_merge_flush(m, UINT64_MAX), 0);
	CHECK_STR(order, "0:10/1 1:20/4 0:30/2 0:30/3 1:30/5 1:40/6 2:50/7 2:50/8 2:60/9");
	fargs_merge_destroy(m);
}

/* Tests CPUs whose TSCs differ: records are sorted by time, not by TSC. */
static void orders_by_the_clock_of_each_cpu(void)
{
	struct fargs_merge *m = filled();

	clocks[0] = 500;
	clocks[1] = 495;
	CHECK_INT(fargs_merge_flush(m, 530), 0);
	CHECK_STR(order, "0:510/1 1:515/4 1:525/5");
	CHECK_INT(fargs_merge_flush(m, UINT64_MAX), 0);
	CHECK_STR(order, "0:510/1 1:515/4 1:525/5 0:530/2 0:530/3 1:535/6");
	fargs_merge_destroy(m);
}

/* Tests a clock that turns out to be too fast: times of records never decrease. */
static void does_not_go_back(void)
{
	static const uint8_t later[] = { REC(50, 7) };
	struct fargs_merge *m = filled();

	clocks[0] = 12;
	CHECK_INT(fargs_merge_flush(m, 45), 0);
	CHECK_STR(order, "1:20/4 0:22/1 1:30/5 1:40/6 0:42/2 0:42/3");
	clocks[0] = -10;
	CHECK_INT(fargs_merge_add(m, 0, later, sizeof(later)), 0);
	CHECK_INT(fargs_merge_add(m, 1, later, sizeof(later)), 0);
	CHECK_INT(fargs_merge_flush(m, UINT64_MAX), 0);
	CHECK_STR(order, "1:20/4 0:22/1 1:30/5 1:40/6 0:42/2 0:42/3 0:42/7 1:50/7");
	fargs_merge_destroy(m);
}

static void stops_when_told_and_goes_on(void)
{
	struct fargs_merge *m = filled();

	stop_after = 2;
	CHECK_INT(fargs_merge_flush(m, UINT64_MAX), 7);
	CHECK_STR(order, "0:10/1 1:20/4");
	CHECK_INT(fargs_merge_flush(m, UINT64_MAX), 0);
	CHECK_STR(order, "0:10/1 1:20/4 0:30/2 0:30/3 1:30/5 1:40/6");
	fargs_merge_destroy(m);
}

static void takes_only_whole_records(void)
{
	struct fargs_merge *m = filled();
	uint8_t bad[sizeof(cpu0)];

	CHECK_INT(fargs_merge_add(m, 0, cpu0, sizeof(cpu0) - 8), -EIO);
	memcpy(bad, cpu0, sizeof(bad));
	bad[56] = 64;	/* the lengths no longer add up to the size */
	CHECK_INT(fargs_merge_add(m, 0, bad, sizeof(bad)), -EIO);
	bad[56] = 0;	/* a length of 0 would cause an endless loop */
	CHECK_INT(fargs_merge_add(m, 0, bad, sizeof(bad)), -EIO);
	CHECK_INT(fargs_merge_add(m, 3, cpu0, sizeof(cpu0)), -EINVAL);
	CHECK_INT(fargs_merge_queued(m), 6 * 56);
	fargs_merge_destroy(m);
}

static uint64_t date_alike(void *arg, unsigned int cpu, uint64_t tsc)
{
	return tsc;
}

static int check_rising(void *arg, const struct fargs_stamped *stamped)
{
	uint64_t *last = arg;

	if (stamped->rec->tsc < *last)
		return 1;
	*last = stamped->rec->tsc;
	return 0;
}

static void merges_many_over_many_flushes(void)
{
	uint64_t last = 0, tsc = 1, from;
	struct fargs_merge *m = fargs_merge_create(7, date_alike, check_rising, &last);
	unsigned int i, k, random = 1;

	for (i = 0; i < 2000; i++) {
		from = tsc;
		for (k = 0; k < 20; k++) {
			const uint8_t rec[] = { REC(tsc, 0) };

			random = random * 1103515245 + 12345;
			fargs_merge_add(m, (random >> 16) % 7, rec, sizeof(rec));
			tsc += random >> 30;
		}
		if (fargs_merge_flush(m, from))
			break;
	}
	CHECK_INT(i, 2000);
	CHECK_INT(fargs_merge_flush(m, UINT64_MAX), 0);
	CHECK_INT(fargs_merge_queued(m), 0);
	fargs_merge_destroy(m);
}

static const struct ktap_test tests[] = {
	{ "orders by time, then by CPU", orders_by_time_then_cpu },
	{ "holds back records whose order is not certain", holds_back_what_is_not_safe },
	{ "keeps the order of each CPU", keeps_a_cpus_own_order },
	{ "orders by the clock of each CPU", orders_by_the_clock_of_each_cpu },
	{ "returns no record earlier than the one before", does_not_go_back },
	{ "stops on request and continues", stops_when_told_and_goes_on },
	{ "accepts complete records only", takes_only_whole_records },
	{ "merges many over many flushes", merges_many_over_many_flushes },
};

int main(void)
{
	return KTAP_RUN(tests);
}
