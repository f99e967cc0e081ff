// SPDX-License-Identifier: GPL-2.0-only
/* Tests counting of records by their sequence numbers. */
#include "model/account.h"
#include "model/event_record.h"

#include "unit/ktap.h"

static struct fargs_account *acc;

static void see(uint64_t seq, uint64_t tsc)
{
	struct { struct fargs_record rec; char body[8]; } r = {
		.rec = { .len = 56, .kind = FARGS_KIND_ENTRY, .seq = seq, .tsc = tsc },
	};

	fargs_account_record(acc, 1, &r.rec);
}

static void see_lost(uint64_t lost, uint64_t tsc)
{
	struct { struct fargs_record rec; char body[16]; } r = {
		.rec = { .len = 64, .kind = FARGS_KIND_LOST, .tsc = tsc },
		.body = "lost\0\x07",
	};

	memcpy(r.body + 6, &lost, 8);
	fargs_account_record(acc, 1, &r.rec);
}

static const char *verdict_of(uint64_t produced, uint64_t lost, bool is_overwrite)
{
	struct fargs_cpu_stats stats = { .produced = produced, .lost = lost };
	const char *why;

	return fargs_account_agrees(fargs_account_get(acc, 1), &stats, is_overwrite, &why) ?
	       "ok" : why;
}

static const char *verdict(uint64_t produced, uint64_t lost, uint64_t rejected, uint64_t pending)
{
	struct fargs_cpu_stats stats = {
		.produced = produced, .lost = lost, .rejected = rejected, .lost_pending = pending,
	};
	const char *why;

	return fargs_account_agrees(fargs_account_get(acc, 1), &stats, false, &why) ? "ok" : why;
}

static void fresh(void)
{
	fargs_account_destroy(acc);
	acc = fargs_account_create(2);
}

static void overwritten_ones_may_be_missing(void)
{
	uint64_t i;

	fresh();
	for (i = 500; i < 1000; i++)
		see(i, 100 + i);
	CHECK_STR(verdict_of(1000, 0, false), "kept + lost + rejected differs from produced");
	CHECK_STR(verdict_of(1000, 0, true), "ok");
	CHECK_STR(verdict_of(1000, 7, true), "ok");
	CHECK_STR(verdict_of(1000, 501, true), "kept + lost + rejected differs from produced");
	see_lost(8, 2000);
	CHECK_STR(verdict_of(1000, 7, true),
		  "losses reported by the records differ from those counted");
	CHECK_STR(verdict_of(999, 8, true), "sequence numbers that were never allocated");
}

static void agrees_when_all_is_there(void)
{
	uint64_t i;

	fresh();
	for (i = 0; i < 1000; i++)
		see(i, 100 + i);
	CHECK_STR(verdict(1000, 0, 0, 0), "ok");
	CHECK_STR(verdict(1001, 0, 0, 0), "kept + lost + rejected differs from produced");
	CHECK_STR(verdict(1001, 1, 0, 0),
		  "losses reported by the records differ from those counted");
	CHECK_STR(verdict(1001, 1, 0, 1), "ok");
	CHECK_STR(verdict(1001, 0, 1, 0), "ok");
	CHECK_INT(fargs_account_get(acc, 1)->first_tsc, 100);
	CHECK_INT(fargs_account_get(acc, 1)->last_tsc, 1099);
	CHECK(!fargs_account_get(acc, 2));
}

static void counts_what_was_lost(void)
{
	fresh();
	see(0, 1);
	see_lost(41, 2);
	see(42, 3);
	CHECK_INT(fargs_account_get(acc, 1)->lost, 41);
	CHECK_INT(fargs_account_get(acc, 1)->kept, 2);
	CHECK_INT(fargs_account_get(acc, 1)->others, 1);
	CHECK_STR(verdict(43, 41, 0, 0), "ok");
	CHECK_STR(verdict(43, 40, 1, 0),
		  "losses reported by the records differ from those counted");
}

static void takes_numbers_as_they_nest(void)
{
	uint64_t i;

	/*
	 * A call allocated number 5, but interrupts recorded 6 to 907 before its record was
	 * written. Number 907 was recorded before 906, in which it was nested.
	 */
	fresh();
	for (i = 0; i < 5; i++)
		see(i, i);
	for (i = 6; i <= 905; i++)
		see(i, i);
	see(907, 1000);
	see(906, 1001);
	see(5, 1002);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 0);
	CHECK_STR(verdict(908, 0, 0, 0), "ok");
}

static void notices_a_number_seen_twice(void)
{
	fresh();
	see(0, 1);
	see(1, 2);
	see(1, 3);
	CHECK_STR(verdict(3, 0, 0, 0), "sequence numbers seen twice");
	fresh();
	see(5, 1);
	see(2, 2);
	see(2, 3);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 1);
	see(0, 4);
	see(1, 5);
	see(4, 6);
	see(3, 7);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 1);
	see(3, 8);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 2);
}

static void forgets_old_holes_without_false_alarm(void)
{
	uint64_t i;

	/* Every second call was rejected, and leaves a gap in the sequence numbers. */
	fresh();
	for (i = 0; i < 100000; i += 2)
		see(i, i);
	see(3, 100000);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 0);
	see(99997, 100001);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 0);
	see(99997, 100002);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 1);
	see(99998, 100003);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 2);
}

static void splits_holes_up_to_its_bounds(void)
{
	uint64_t i;

	/* Fill one large gap, first with every third number. */
	fresh();
	see(3000, 1);
	for (i = 0; i < 3000; i += 3)
		see(i, 2 + i);
	for (i = 1; i < 3000; i += 3)
		see(i, 4000 + i);
	CHECK_INT(fargs_account_get(acc, 1)->doubled, 0);
	CHECK_INT(fargs_account_get(acc, 1)->kept, 2001);
}

static void notices_time_going_back(void)
{
	fresh();
	see(0, 10);
	see(1, 9);
	see(2, 9);
	see(3, 11);
	CHECK_INT(fargs_account_get(acc, 1)->backwards, 1);
	CHECK_STR(verdict(4, 0, 0, 0), "records out of time order");
}

static void notices_corrupt_records_and_impossible_numbers(void)
{
	fresh();
	see(9, 10);
	CHECK_STR(verdict(1, 0, 0, 0), "sequence numbers that were never allocated");
	fargs_account_corrupt(acc, 1, &(struct fargs_record){ .len = 48 });
	CHECK_STR(verdict(10, 0, 9, 0), "corrupt records");
}

static void counts_corrupt_events_apart(void)
{
	const struct fargs_record event = { .len = 48, .flags = FARGS_RECORD_NS };

	fresh();
	fargs_account_corrupt(acc, 1, &event);
	CHECK_INT(fargs_account_get(acc, 1)->events_corrupt, 1);
	CHECK_INT(fargs_account_get(acc, 1)->corrupt, 0);
}

static const struct ktap_test tests[] = {
	{ "accepts missing records that were overwritten", overwritten_ones_may_be_missing },
	{ "accepts complete records", agrees_when_all_is_there },
	{ "counts lost records", counts_what_was_lost },
	{ "accepts the order of numbers of nested interrupts", takes_numbers_as_they_nest },
	{ "reports a number that occurs twice", notices_a_number_seen_twice },
	{ "drops old holes without a false alarm", forgets_old_holes_without_false_alarm },
	{ "splits holes up to its limit", splits_holes_up_to_its_bounds },
	{ "reports time that goes back", notices_time_going_back },
	{ "reports corrupt records and impossible numbers",
	  notices_corrupt_records_and_impossible_numbers },
	{ "counts corrupt events separately", counts_corrupt_events_apart },
};

int main(void)
{
	int ret = KTAP_RUN(tests);

	fargs_account_destroy(acc);
	return ret;
}
