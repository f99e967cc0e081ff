/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KTAP for test programs: each test is a function that tests one behaviour.
 *
 *	static void adds(void) { CHECK_INT(1 + 1, 2); }
 *	static const struct ktap_test tests[] = { { "adds two numbers", adds } };
 *	int main(void) { return KTAP_RUN(tests); }
 *
 * After a failure, CHECK continues the test, and REQUIRE ends it. The program exits with 0; with 1
 * if a test failed; or with 4 if all tests were skipped.
 */
#ifndef SELFTESTS_KTAP_H
#define SELFTESTS_KTAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct ktap_test {
	const char *name;
	void (*run)(void);
};

static bool ktap_has_failed;
static bool ktap_is_skipped;
static char ktap_reason[256];

/* Marks the running test as skipped for a reason. The test must then return. */
__attribute__((format(printf, 1, 2), unused)) static void ktap_skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ktap_reason, sizeof(ktap_reason), fmt, ap);
	va_end(ap);
	ktap_is_skipped = true;
}

__attribute__((format(printf, 3, 4), unused)) static void ktap_fail(const char *file, int line,
								    const char *fmt, ...)
{
	va_list ap;

	ktap_has_failed = true;
	printf("# %s:%d: ", file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

__attribute__((unused)) static bool ktap_is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

#define CHECK(cond)							\
	do {								\
		if (!(cond))						\
			ktap_fail(__FILE__, __LINE__, "not so: %s", #cond); \
	} while (0)

#define REQUIRE(cond)							\
	do {								\
		if (!(cond)) {						\
			ktap_fail(__FILE__, __LINE__, "not so: %s", #cond); \
			return;						\
		}							\
	} while (0)

#define CHECK_INT(got, want)						\
	do {								\
		long long got_ = (long long)(got);			\
		long long want_ = (long long)(want);			\
		if (got_ != want_)					\
			ktap_fail(__FILE__, __LINE__, "%s is %lld, not %lld", #got, got_, want_); \
	} while (0)

#define CHECK_STR(got, want)						\
	do {								\
		const char *got_ = (got);				\
		const char *want_ = (want);				\
		if (!ktap_is_same(got_, want_))				\
			ktap_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #got,	\
				  got_ ? got_ : "(null)", want_ ? want_ : "(null)"); \
	} while (0)

#define KTAP_RUN(tests) ktap_run(tests, sizeof(tests) / sizeof((tests)[0]))

__attribute__((unused)) static int ktap_run(const struct ktap_test *tests, size_t nr)
{
	size_t nr_failed = 0, nr_skipped = 0;
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%zu\n", nr);
	for (i = 0; i < nr; i++) {
		ktap_has_failed = false;
		ktap_is_skipped = false;
		tests[i].run();
		nr_failed += ktap_has_failed;
		nr_skipped += ktap_is_skipped && !ktap_has_failed;
		printf("%s %zu - %s", ktap_has_failed ? "not ok" : "ok", i + 1, tests[i].name);
		if (ktap_is_skipped && !ktap_has_failed)
			printf(" # SKIP %s", ktap_reason);
		putchar('\n');
	}
	return nr_failed ? 1 : nr_skipped == nr ? 4 : 0;
}

#endif
