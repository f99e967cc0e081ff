// SPDX-License-Identifier: GPL-2.0-only
/* Tests the table of fargs top, with expected numbers computed by hand. */
#include <stdlib.h>
#include <string.h>

#include "sink/summary/busiest.h"
#include "unit/ktap.h"

static struct fargs_summary_row rows[] = {
	{ .name = (char *)"vfs_read", .nr = 300, .nr_errors = 2 },
	{ .name = (char *)"vfs_write", .nr = 3 },
	{ .name = (char *)"mod_func [target]", .nr = 1 },
};

static bool is(struct fargs_buf *out, const char *text)
{
	bool is_same = !out->is_short && out->n == strlen(text) && !memcmp(out->text, text, out->n);

	if (!is_same)
		printf("# got:\n%.*s\n", (int)out->n, out->text);
	out->n = 0;
	return is_same;
}

static bool add(struct fargs_top *top, const char *text, int times)
{
	while (times--)
		if (fargs_top_add(top, text, strlen(text)))
			return false;
	return true;
}

static void finds_names(void)
{
	CHECK(fargs_busiest_wants("", "vfs_read"));
	CHECK(fargs_busiest_wants("read", "vfs_read"));
	CHECK(!fargs_busiest_wants("write", "vfs_read"));
	/* A glob must match the whole name. */
	CHECK(fargs_busiest_wants("vfs_*", "vfs_read"));
	CHECK(!fargs_busiest_wants("fs_*", "vfs_read"));
	/* A glob is matched with the function's name without its module. */
	CHECK(fargs_busiest_wants("*_read", "ext4_read [ext4]"));
	CHECK(!fargs_busiest_wants("*_write", "ext4_read [ext4]"));
}

/*
 * Tests shares and rates: 75 of 300 calls are a quarter; in 2 s, 300 calls are 150 per second, and
 * 3 are 1.5, rounded up.
 */
static void shows_rates(void)
{
	struct fargs_summary s = { .rows = rows, .nr = 3 };
	struct fargs_buf out = { };

	REQUIRE(add(&rows[0].top, "count=8", 30) && add(&rows[0].top, "count=4096", 75));
	fargs_top_sort(&rows[0].top);
	fargs_busiest_put_head(&out, &s);
	CHECK(is(&out,
		 "   count/s     count  errors  function                      "
		 "most frequent value"));
	fargs_busiest_put(&out, &s, 2000, "", 3);
	CHECK(is(&out,
		 "       150       300       2  vfs_read                      count=4096 (25%)\n"
		 "         2         3       0  vfs_write\n"
		 "         1         1       0  mod_func [target]\n"));
	/*
	 * At most the requested number of lines is written. Functions that do not match the filter
	 * do not count.
	 */
	fargs_busiest_put(&out, &s, 2000, "", 1);
	CHECK(is(&out, "       150       300       2  "
		       "vfs_read                      count=4096 (25%)\n"));
	fargs_busiest_put(&out, &s, 2000, "write", 1);
	CHECK(is(&out, "         2         3       0  vfs_write\n"));
	fargs_top_deinit(&rows[0].top);
	fargs_buf_deinit(&out);
}

static void shows_latencies(void)
{
	struct fargs_summary s = { .rows = rows, .nr = 3 };
	struct fargs_buf out = { };
	unsigned int i;

	rows[0].top = (struct fargs_top){ };
	/* Of 100 sorted durations, the 50th is 1500 ns, the 98th 4000 ns and the 99th 8000 ns. */
	for (i = 0; i < 100; i++)
		REQUIRE(!fargs_quantiles_add(&rows[1].ns, i < 95 ? 1500 : i < 98 ? 4000 :
					     i < 99 ? 8000 : 16000));
	fargs_busiest_put_head(&out, &s);
	CHECK(is(&out, "   count/s     count  errors         p50         p99         max  function"
		       "                      most frequent value"));
	/* A call without a return probe has no duration. */
	fargs_busiest_put(&out, &s, 1000, "", 2);
	CHECK(is(&out,
		 "       300       300       2           -           -           -  vfs_read\n"
		 "         3         3       0    1.500 us    8.000 us   16.000 us  vfs_write\n"));
	fargs_quantiles_deinit(&rows[1].ns);
	fargs_buf_deinit(&out);
}

static const struct ktap_test tests[] = {
	{ "a filter is a glob or a part of a name", finds_names },
	{ "shows rates, errors and the most frequent value", shows_rates },
	{ "shows latencies if there are any", shows_latencies },
};

int main(void)
{
	return KTAP_RUN(tests);
}
