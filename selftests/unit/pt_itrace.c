// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the value of --itrace. The expected meanings are those of perf's manual pages perf-intel-pt
 * and perf-script.
 */
#include <errno.h>
#include <string.h>

#include "source/pt/trace/itrace.h"
#include "unit/ktap.h"

static struct fargs_itrace itrace;
static struct fargs_error_text err;

static int parse(const char *value)
{
	err.text[0] = 0;
	itrace = (struct fargs_itrace){ };
	return fargs_itrace_parse(&itrace, value, &err);
}

static void print_row(const char *name)
{
	printf("# row %s\n", name);
}

/* Checks that @value selects the member at the offset @at, and no other. */
static void selects_only(const char *value, size_t at)
{
	struct fargs_itrace only = { };

	CHECK_INT(parse(value), 0);
	*(bool *)((char *)&only + at) = true;
	only.period = itrace.period;
	only.unit = itrace.unit;
	only.chain_max = itrace.chain_max;
	only.branches_max = itrace.branches_max;
	if (memcmp(&only, &itrace, sizeof(only)))
		ktap_fail(__FILE__, __LINE__, "'%s' selects something else", value);
}

static void letters(void)
{
	print_row("B8 B9 B10 B11 B12 B13 B16 B17 B18 B23 F2 G4 G14");
	selects_only("b", offsetof(struct fargs_itrace, has_branches));
	selects_only("c", offsetof(struct fargs_itrace, has_calls));
	selects_only("r", offsetof(struct fargs_itrace, has_returns));
	selects_only("i", offsetof(struct fargs_itrace, has_insns));
	selects_only("y", offsetof(struct fargs_itrace, has_cycles));
	selects_only("x", offsetof(struct fargs_itrace, has_transactions));
	selects_only("w", offsetof(struct fargs_itrace, has_ptwrites));
	selects_only("p", offsetof(struct fargs_itrace, has_power));
	selects_only("o", offsetof(struct fargs_itrace, has_others));
	selects_only("I", offsetof(struct fargs_itrace, has_interrupts));
	selects_only("e", offsetof(struct fargs_itrace, has_errors));
	selects_only("d", offsetof(struct fargs_itrace, has_log));
	selects_only("g", offsetof(struct fargs_itrace, has_chain));
	selects_only("G", offsetof(struct fargs_itrace, adds_chain));
	selects_only("l", offsetof(struct fargs_itrace, has_last_branches));
	selects_only("L", offsetof(struct fargs_itrace, adds_last_branches));
	selects_only("A", offsetof(struct fargs_itrace, has_vague_ipc));
	selects_only("Z", offsetof(struct fargs_itrace, is_timeless));
}

static void check_period(const char *value, uint64_t period, enum fargs_itrace_unit unit)
{
	CHECK_INT(parse(value), 0);
	if (itrace.period != period || itrace.unit != unit)
		ktap_fail(__FILE__, __LINE__, "'%s' has the period %" PRIu64 ", unit %d", value,
			  itrace.period, itrace.unit);
}

static void given_periods(void)
{
	print_row("B4");
	check_period("i10us", 10000, FARGS_ITRACE_NS);
	check_period("i7ms", 7000000, FARGS_ITRACE_NS);
	check_period("i300ns", 300, FARGS_ITRACE_NS);
	check_period("i12t", 12, FARGS_ITRACE_TICKS);
	check_period("i1000i", 1000, FARGS_ITRACE_INSNS);
	check_period("i, 20 us", 20000, FARGS_ITRACE_NS);
	/* The last period counts, for both events. */
	check_period("i10usy20i", 20, FARGS_ITRACE_INSNS);
	check_period("i10usy", 10000, FARGS_ITRACE_NS);
}

static void default_periods(void)
{
	print_row("B5");
	check_period("i", 100000, FARGS_ITRACE_NS);
	check_period("ie", 100000, FARGS_ITRACE_NS);
	check_period("i100", 100, FARGS_ITRACE_NS);
}

static void shortest_periods(void)
{
	print_row("B6");
	check_period("i0ns", 1, FARGS_ITRACE_INSNS);
	check_period("i0us", 1, FARGS_ITRACE_INSNS);
	check_period("i0ms", 1, FARGS_ITRACE_INSNS);
	check_period("i0t", 1, FARGS_ITRACE_INSNS);
	check_period("i0i", 1, FARGS_ITRACE_INSNS);
	check_period("i1i", 1, FARGS_ITRACE_INSNS);
}

static void chain_sizes(void)
{
	print_row("B16");
	CHECK_INT(parse("ig"), 0);
	CHECK_INT(itrace.chain_max, 16);
	CHECK_INT(parse("ig32"), 0);
	CHECK_INT(itrace.chain_max, 32);
	CHECK_INT(parse("xg1024"), 0);
	CHECK_INT(itrace.chain_max, 1024);
	CHECK_INT(parse("xg1025"), -EINVAL);
	CHECK_STR(err.text, "the number after 'g' is not one from 1 to 1024");
	CHECK_INT(parse("ig0"), -EINVAL);
}

static void branch_sizes(void)
{
	print_row("B17");
	CHECK_INT(parse("xl"), 0);
	CHECK_INT(itrace.branches_max, 64);
	CHECK_INT(parse("il10"), 0);
	CHECK_INT(itrace.branches_max, 10);
	CHECK_INT(parse("il1024"), 0);
	CHECK_INT(parse("il1025"), -EINVAL);
	CHECK_STR(err.text, "the number after 'l' is not one from 1 to 1024");
}

static void sizes_of_recorded_samples(void)
{
	print_row("B18");
	CHECK_INT(parse("G8L9"), 0);
	CHECK(itrace.adds_chain && itrace.adds_last_branches);
	CHECK(!itrace.has_chain && !itrace.has_last_branches);
	CHECK_INT(itrace.chain_max, 8);
	CHECK_INT(itrace.branches_max, 9);
}

static void flags(void)
{
	print_row("B14 F2");
	CHECK_INT(parse("e-o-lb"), 0);
	CHECK(itrace.has_errors && itrace.has_branches && !itrace.has_others);
	CHECK(fargs_itrace_has_minus(itrace.error_flags, 'o'));
	CHECK(fargs_itrace_has_minus(itrace.error_flags, 'l'));
	CHECK(!fargs_itrace_has_minus(itrace.error_flags, 'a'));
	CHECK_INT(itrace.error_flags.plus, 0);
	/* Without a sign these are letters. */
	CHECK_INT(parse("eo"), 0);
	CHECK(itrace.has_others && !itrace.error_flags.minus && !itrace.error_flags.plus);
	print_row("B15");
	CHECK_INT(parse("d+a-e"), 0);
	CHECK(itrace.has_log && !itrace.has_errors);
	CHECK(fargs_itrace_has_plus(itrace.log_flags, 'a'));
	CHECK(fargs_itrace_has_minus(itrace.log_flags, 'e'));
	CHECK_INT(parse("e-"), -EINVAL);
	CHECK_STR(err.text, "'-' after 'e' needs the letter of a flag");
	CHECK_INT(parse("d+1"), -EINVAL);
}

static void skipped(void)
{
	print_row("B19");
	CHECK_INT(parse("i0nss1000000"), 0);
	CHECK_INT(itrace.nr_skipped, 1000000);
	CHECK_INT(itrace.period, 1);
	CHECK_INT(parse("is"), -EINVAL);
	CHECK_STR(err.text, "'s' needs the number of events to skip");
}

static void quick(void)
{
	print_row("B20");
	CHECK_INT(parse("bq"), 0);
	CHECK_INT(itrace.quick, 1);
}

static void quickest(void)
{
	print_row("B22");
	CHECK_INT(parse("iqq"), 0);
	CHECK_INT(itrace.quick, 2);
}

static void combinations(void)
{
	print_row("B28");
	CHECK_INT(parse("ibxwpe"), 0);
	CHECK(itrace.has_insns && itrace.has_branches && itrace.has_transactions);
	CHECK(itrace.has_ptwrites && itrace.has_power && itrace.has_errors);
	CHECK_INT(parse("i1usge"), 0);
	CHECK(itrace.has_insns && itrace.has_chain && itrace.has_errors);
	CHECK_INT(itrace.period, 1000);
	CHECK_INT(parse("i100usle"), 0);
	CHECK(itrace.has_insns && itrace.has_last_branches && itrace.has_errors);
	CHECK_INT(itrace.period, 100000);
	CHECK_INT(parse("b i, 20 us e"), 0);
	CHECK(itrace.has_branches && itrace.has_errors && itrace.has_insns);
	CHECK_INT(itrace.period, 20000);
	CHECK_INT(parse(" b, c,r "), 0);
	CHECK(itrace.has_branches && itrace.has_calls && itrace.has_returns);
}

static void letters_of_other_hardware(void)
{
	static const struct fargs_itrace nothing;

	print_row("G20");
	CHECK_INT(parse("fmMtaT"), 0);
	CHECK(!memcmp(&itrace, &nothing, sizeof(itrace)));
}

static void script_default(void)
{
	print_row("B1");
	fargs_itrace_set_default(&itrace);
	CHECK(itrace.has_calls && itrace.has_errors && itrace.has_power && itrace.has_ptwrites);
	CHECK(itrace.has_transactions && !itrace.has_branches && !itrace.has_returns);
	CHECK(!itrace.has_insns && !itrace.has_chain && !itrace.has_log && !itrace.quick);
}

static void refused(void)
{
	CHECK_INT(parse(""), -EINVAL);
	CHECK(strstr(err.text, "nothing to print"));
	CHECK_INT(parse("bk"), -EINVAL);
	CHECK(!strncmp(err.text, "'k' is not a letter of '--itrace': ", 35));
	CHECK_INT(parse("i10"), 0);
	CHECK_INT(parse("i10e"), -EINVAL);
	CHECK(!strncmp(err.text, "the period after 'i' needs a unit: ", 35));
	CHECK_INT(parse("i10u"), -EINVAL);
	CHECK_INT(parse("i10s"), -EINVAL);
	CHECK_INT(parse("i99999999999999999999i"), -EINVAL);
	CHECK(!strncmp(err.text, "the number is too large: ", 25));
	CHECK_INT(parse("i18446744073709551615ms"), -EINVAL);
	CHECK_STR(err.text, "the period after 'i' is too long");
	CHECK_INT(parse("s-1"), -EINVAL);
	CHECK_INT(parse("\xff"), -EINVAL);
}

static const struct ktap_test tests[] = {
	{ "each letter selects its events", letters },
	{ "periods with all units", given_periods },
	{ "the default period", default_periods },
	{ "periods of 0", shortest_periods },
	{ "sizes of call chains", chain_sizes },
	{ "numbers of last branches", branch_sizes },
	{ "sizes for recorded samples", sizes_of_recorded_samples },
	{ "flags of errors and of the log", flags },
	{ "skipped events", skipped },
	{ "quick decoding", quick },
	{ "quickest decoding", quickest },
	{ "combinations", combinations },
	{ "letters of other hardware are accepted and empty", letters_of_other_hardware },
	{ "what perf script shows by default", script_default },
	{ "invalid values are refused", refused },
};

int main(void)
{
	return KTAP_RUN(tests);
}
