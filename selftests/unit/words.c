// SPDX-License-Identifier: GPL-2.0-only
/* Tests user input: globs, misspelt names, sizes, command lines. */
#include <stdlib.h>

#include "base/duration.h"
#include "base/glob.h"
#include "base/near.h"
#include "base/size.h"
#include "base/words.h"
#include "unit/ktap.h"

static void stars(void)
{
	CHECK(fargs_glob_match("*", ""));
	CHECK(fargs_glob_match("*", "vfs_read"));
	CHECK(fargs_glob_match("vfs_*", "vfs_"));
	CHECK(fargs_glob_match("*_read", "vfs_read"));
	CHECK(fargs_glob_match("*s_*ea*", "vfs_read"));
	CHECK(!fargs_glob_match("*s_*ea", "vfs_read"));
	CHECK(fargs_glob_match("a*b*c", "aXbXbXc"));
	CHECK(!fargs_glob_match("vfs_*", "xvfs_read"));
	CHECK(!fargs_glob_match("", "x"));
}

static void question_marks(void)
{
	CHECK(fargs_glob_match("vfs_?ead", "vfs_read"));
	CHECK(!fargs_glob_match("vfs_read?", "vfs_read"));
	CHECK(fargs_glob_match("???", "abc"));
	CHECK(!fargs_glob_match("???", "ab"));
}

static void sets(void)
{
	CHECK(fargs_glob_match("sys_[a-c]x", "sys_bx"));
	CHECK(!fargs_glob_match("sys_[a-c]x", "sys_dx"));
	CHECK(fargs_glob_match("sys_[!a-c]x", "sys_dx"));
	CHECK(!fargs_glob_match("sys_[!a-c]x", "sys_ax"));
	CHECK(fargs_glob_match("a[]b]c", "a]c"));
	CHECK(fargs_glob_match("*[0-9]", "test12"));
	CHECK(!fargs_glob_match("[a-c]", ""));
}

static void open_sets_are_plain(void)
{
	CHECK(fargs_glob_match("a[b", "a[b"));
	CHECK(!fargs_glob_match("a[b", "ab"));
}

static void backslash_is_plain(void)
{
	CHECK(fargs_glob_match("\\*", "\\anything"));
	CHECK(!fargs_glob_match("\\*", "*"));
}

static void many_stars_end_soon(void)
{
	char text[64] = "";

	memset(text, 'a', sizeof(text) - 1);
	CHECK(!fargs_glob_match("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

static void near_names(void)
{
	static const char *const names[] = {
		"vfs_write", "vfs_read", "vfs_readv", "do_sys_open", "vfs_read", "schedule",
	};
	struct fargs_near near = { .wanted = "vfs_raed" };
	char text[128];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		fargs_near_offer(&near, names[i]);
	fargs_near_text(&near, text, sizeof(text));
	CHECK_STR(text, "vfs_read or vfs_readv");
}

static void far_names_are_not_offered(void)
{
	struct fargs_near near = { .wanted = "x" };
	char text[16];

	fargs_near_offer(&near, "schedule");
	fargs_near_offer(&near, "abc");
	CHECK_INT(near.nr, 0);
	fargs_near_text(&near, text, sizeof(text));
	CHECK_STR(text, "");
}

static void best_three_names(void)
{
	static const char *const names[] = { "abcdefgz", "abcdefyz", "abcdwxyh", "abcdefgx",
					    "abcdefghi" };
	struct fargs_near near = { .wanted = "abcdefgh" };
	char text[64];
	size_t i;

	for (i = 0; i < 5; i++)
		fargs_near_offer(&near, names[i]);
	fargs_near_text(&near, text, sizeof(text));
	CHECK_STR(text, "abcdefgz, abcdefgx or abcdefghi");
}

static void sizes(void)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = { { "1", 1 }, { "4096", 4096 }, { "512K", 524288 }, { "4M", 4194304 },
		     { "4m", 4194304 }, { "1G", 1073741824 } };
	static const char *const bad[] = { "", "M", "-1", "+1", " 1", "4X", "4MM", "1.5M",
					   "99999999999999999999", "16777216T" };
	uint64_t bytes;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CHECK_INT(fargs_size_parse(good[i].text, &bytes, NULL), 0);
		CHECK_INT(bytes, good[i].bytes);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fargs_error_text err = { };

		if (!fargs_size_parse(bad[i], &bytes, &err))
			ktap_fail(__FILE__, __LINE__, "taken: '%s'", bad[i]);
		CHECK(err.text[0]);
	}
}

/* Tests sizes of mappings, with pages of 8 KiB, so that the size of a page counts. */
static void mapped_sizes(void)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = { { "1", 8192 }, { "64", 524288 }, { "4M", 4194304 }, { "4096B", 4096 },
		     { "4096b", 4096 }, { "4MB", 4194304 }, { "1k", 1024 },
		     { "2251799813685247", UINT64_MAX - 8191 } };
	static const char *const bad[] = { "", "B", "-1B", "4BB", "4X", "2251799813685248",
					   "99999999999999999999" };
	uint64_t bytes;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CHECK_INT(fargs_size_parse_mapped(good[i].text, 8192, &bytes, NULL), 0);
		CHECK_INT(bytes, good[i].bytes);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fargs_error_text err = { };

		if (!fargs_size_parse_mapped(bad[i], 8192, &bytes, &err))
			ktap_fail(__FILE__, __LINE__, "taken: '%s'", bad[i]);
		CHECK(err.text[0]);
	}
}

static void pairs_of_sizes(void)
{
	static const char *const bad[] = { "", ",", "4M,", "x,4M", "4M,x", "0", "0,4M", "4M,0",
					   "1,2,3" };
	struct fargs_error_text err;
	uint64_t first = 7, second = 7;
	size_t i;

	CHECK_INT(fargs_size_parse_pair("2", 4096, &first, &second, &err), 0);
	CHECK_INT(first, 8192);
	CHECK_INT(second, 7);
	CHECK_INT(fargs_size_parse_pair(",4M", 4096, &first, &second, &err), 0);
	CHECK_INT(first, 8192);
	CHECK_INT(second, 4 << 20);
	CHECK_INT(fargs_size_parse_pair("1M,3", 1, &first, &second, &err), 0);
	CHECK_INT(first, 1 << 20);
	CHECK_INT(second, 3);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err.text[0] = '\0';
		CHECK(fargs_size_parse_pair(bad[i], 4096, &first, &second, &err) < 0);
		CHECK(err.text[0]);
	}
}

static void exact_sizes(void)
{
	char buf[32];

	CHECK_STR(fargs_size_exact(0, buf, sizeof(buf)), "0");
	CHECK_STR(fargs_size_exact(1000, buf, sizeof(buf)), "1000");
	CHECK_STR(fargs_size_exact(1024, buf, sizeof(buf)), "1K");
	CHECK_STR(fargs_size_exact(3 << 20, buf, sizeof(buf)), "3M");
	CHECK_STR(fargs_size_exact(1ull << 63, buf, sizeof(buf)), "8E");
}

static void command_lines(void)
{
	char *const words[] = { "trace", "-f", "vfs_*", "--", "sh", "-c", "echo 'a'", "", NULL };
	char *text = fargs_words_join(words);

	CHECK_STR(text, "trace -f 'vfs_*' -- sh -c 'echo '\\''a'\\''' ''");
	free(text);
}

static void times(void)
{
	static const struct { const char *text; uint64_t ns; } good[] = {
		{ "1ns", 1 }, { "10us", 10000 }, { "500ms", 500000000 }, { "7s", 7000000000 },
		{ "0s", 0 }, { "18446744073s", 18446744073000000000ull },
	};
	static const char *const bad[] = {
		"", "5", "s", "-1s", " 1s", "1 s", "1.5s", "1m", "1sec", "0x1s", "18446744074s",
		"99999999999999999999ns",
	};
	struct fargs_error_text err;
	uint64_t ns;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CHECK_INT(fargs_duration_parse(good[i].text, &ns, NULL), 0);
		CHECK(ns == good[i].ns);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(fargs_duration_parse(bad[i], &ns, &err) != 0);
}

static const struct ktap_test tests[] = {
	{ "a star matches any run", stars },
	{ "a question mark matches one character", question_marks },
	{ "a set matches its members", sets },
	{ "a set that is not closed stands for itself", open_sets_are_plain },
	{ "a backslash stands for itself", backslash_is_plain },
	{ "many stars do not take exponential time", many_stars_end_soon },
	{ "similar names are suggested, best first, once each", near_names },
	{ "dissimilar names are not suggested", far_names_are_not_offered },
	{ "at most the best three names are suggested", best_three_names },
	{ "sizes have suffixes, and nothing else", sizes },
	{ "sizes of mappings count pages", mapped_sizes },
	{ "sizes come in pairs", pairs_of_sizes },
	{ "sizes are shown exactly", exact_sizes },
	{ "command lines are quoted for a shell", command_lines },
	{ "times are parsed", times },
};

int main(void)
{
	return KTAP_RUN(tests);
}
