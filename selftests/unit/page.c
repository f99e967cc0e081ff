// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that rows of an HTML page, decoded here, equal the original lines, and that input beyond
 * the limits is refused.
 */
#include <errno.h>
#include <string.h>

#include "sink/html/page.h"
#include "sink/html/rows.h"
#include "unit/ktap.h"

static bool is_text(const struct fargs_buf *buf, const char *text)
{
	if (buf->n == strlen(text) && !memcmp(buf->text, text, buf->n))
		return true;
	printf("# %.*s\n# is not\n# %s\n", (int)buf->n, buf->text, text);
	return false;
}

/* Returns whether @lines are encoded as @rows with the tables @tables. */
static bool becomes(const char *const *lines, const char *rows, const char *tables)
{
	struct fargs_rows r = { };
	struct fargs_buf out = { }, tab = { };
	bool is_good = true;

	for (; *lines; lines++)
		is_good &= !fargs_rows_add(&r, &out, *lines, strlen(*lines));
	fargs_rows_put_tables(&r, &tab);
	is_good &= is_text(&out, rows) && is_text(&tab, tables);
	fargs_buf_deinit(&out);
	fargs_buf_deinit(&tab);
	fargs_rows_deinit(&r);
	return is_good;
}

static void takes_leaves_out(void)
{
	static const char *const lines[] = {
		"{\"type\":\"call\",\"cpu\":3,\"comm\":\"a \\\"b\",\"name\":\"f\",\"args\":"
		"[{\"name\":\"n\",\"type\":\"int\",\"value\":-5},"
		"{\"name\":\"s\",\"type\":\"char *\",\"value\":\"f\"}],\"caller\":{\"a\":[1]}}",
		"{\"type\":\"call\",\"cpu\":0,\"comm\":\"f\",\"name\":\"f\",\"args\":"
		"[{\"name\":\"n\",\"type\":\"int\",\"value\":7},"
		"{\"name\":\"s\",\"type\":\"char *\",\"value\":\"a \\\"b\"}],\"caller\":{\"a\":[1]}}",
		NULL
	};

	CHECK(becomes(lines, "[0,3,0,-5,1,0][0,0,1,7,0,0]",
			  "{\"shapes\":[\n"
			  "{\"type\":\"call\",\"cpu\":0,\"comm\":1,\"name\":\"f\",\"args\":"
			  "[{\"name\":\"n\",\"type\":\"int\",\"value\":0},"
			  "{\"name\":\"s\",\"type\":\"char *\",\"value\":1}],\"caller\":2}"
			  "],\"strings\":[\n\"a \\\"b\",\n\"f\"],\"values\":[\n{\"a\":[1]}]}"));
}

/*
 * Tests members inside a value whose names have a meaning elsewhere in an event, and the words true
 * and null.
 */
static void takes_values_for_values(void)
{
	static const char *const lines[] = {
		"{\"result\":{\"type\":\"t\",\"value\":{\"struct\":{\"name\":\"x\",\"type\":true,"
		"\"v\":[1,\"x\",null,{}]}}}}",
		NULL
	};

	CHECK(becomes(lines, "[0,0,0,1,0,1]",
			  "{\"shapes\":[\n{\"result\":{\"type\":\"t\",\"value\":{\"struct\":"
			  "{\"name\":1,\"type\":2,\"v\":[0,1,2,{}]}}}}"
			  "],\"strings\":[\n\"x\"],\"values\":[\ntrue,\nnull]}"));
}

static void escapes_html(void)
{
	static const char *const lines[] = {
		"{\"type\":\"<!--\",\"comm\":\"</script>\",\"stack\":[\"<\"]}", NULL
	};

	CHECK(becomes(lines, "[0,0,0]",
			  "{\"shapes\":[\n{\"type\":\"\\u003c!--\",\"comm\":1,\"stack\":2}],"
			  "\"strings\":[\n\"\\u003c/script>\"],\"values\":[\n[\"\\u003c\"]]}"));
}

static void refuses_what_is_no_line(void)
{
	static const char *const lines[] = {
		"", "[]", "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":[1",
		"{\"a\":\"\\",
		"{\"a\":{\"b\":1}", "{\"a\":1}x", "{\"stack\":[", "{\"stack\":]", "{\"stack\":{]",
		"{\"a\":,}", "{1:1}",
	};
	struct fargs_rows r = { };
	struct fargs_buf out = { };
	bool is_good = true;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (fargs_rows_add(&r, &out, lines[i], strlen(lines[i])) == -EINVAL && !out.n)
			continue;
		printf("# taken: %s\n", lines[i]);
		is_good = false;
	}
	CHECK(is_good);
	fargs_buf_deinit(&out);
	fargs_rows_deinit(&r);
}

/*
 * Tests the limit on the page's size. Losses are used because they are the smallest events, and
 * need no decoder.
 */
static void refuses_too_many(void)
{
	const struct fargs_event ev = { .kind = FARGS_KIND_LOST, .time_ns = 1, .lost = 2 };
	const struct fargs_meta meta = { };
	struct fargs_page *page = fargs_page_create(&meta, "title", false);
	const struct fargs_sink *view = fargs_page_sink(page);
	struct fargs_buf out = { };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < FARGS_PAGE_EVENTS_MAX && !ret; i++) {
		ret = view->event(view->arg, &out, NULL, &ev);
		out.n = 0;
	}
	CHECK(!ret && !*fargs_page_error(page));
	ret = view->event(view->arg, &out, NULL, &ev);
	CHECK(ret == -EFBIG && strstr(fargs_page_error(page), "--time"));
	fargs_buf_deinit(&out);
	fargs_page_destroy(page);
}

static const struct ktap_test tests[] = {
	{ "similar lines share a shape", takes_leaves_out },
	{ "values are not part of a shape", takes_values_for_values },
	{ "tables contain no HTML elements", escapes_html },
	{ "invalid lines are refused", refuses_what_is_no_line },
	{ "the number of events is limited", refuses_too_many },
};

int main(void)
{
	return KTAP_RUN(tests);
}
