// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests address filters of --pt-filter: the syntax of perf-record(1), with a list of symbols that
 * is written by hand, and functions of this program, whose places in its file are those in
 * /proc/self/maps.
 */
#include "ktap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/pt/capture/filter.h"

/* Functions "twice" are at several addresses; "both" is once global. */
static const char kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81001000 T vfs_read\n"
	"ffffffff81001100 t twice\n"
	"ffffffff81001180 D data_symbol\n"
	"ffffffff81001200 T vfs_write\n"
	"ffffffff81001200 T vfs_write_alias\n"
	"ffffffff81001400 t twice\n"
	"ffffffff81001500 T both\n"
	"ffffffff81001600 t both\n"
	"ffffffff81001700 T last\n"
	"ffffffff81002000 T _etext\n";

static struct fargs_ksyms *ks;
static struct fargs_pt_filters filters;
static struct fargs_error_text err;

/* Returns the text for the kernel, to be freed, or NULL with the reason in err. */
static char *resolve(const char *text)
{
	char *result = NULL;

	err.text[0] = '\0';
	if (!fargs_pt_filters_parse(&filters, text, &err) &&
	    !fargs_pt_filters_resolve(&filters, ks, &err))
		result = fargs_pt_filters_text(&filters);
	fargs_pt_filters_deinit(&filters);
	return result;
}

static void check_text(int line, const char *text, const char *want)
{
	char *got = resolve(text);

	if (!got || strcmp(got, want))
		ktap_fail(__FILE__, line, "'%s': '%s', not '%s'", text, got ? got : err.text, want);
	free(got);
}

static void check_refused(int line, const char *text, const char *want)
{
	char *got = resolve(text);

	if (got || strcmp(err.text, want))
		ktap_fail(__FILE__, line, "'%s': '%s', not '%s'", text, got ? got : err.text, want);
	free(got);
}

#define IS(text, want)		check_text(__LINE__, text, want)
#define REFUSED(text, want)	check_refused(__LINE__, text, want)

static void has_perfs_syntax(void)
{
	IS("filter vfs_read", "filter 0xffffffff81001000/0x100");
	IS("filter vfs_read / vfs_write", "filter 0xffffffff81001000/0x400");
	IS("filter vfs_read / 0x20", "filter 0xffffffff81001000/0x20");
	IS("  filter 0xffffffff81001000/16 ", "filter 0xffffffff81001000/0x10");
	IS("filter 0xffffffff81001010 / vfs_read", "filter 0xffffffff81001010/0xf0");
	IS("tracestop vfs_read", "stop 0xffffffff81001000/0x100");
	IS("start vfs_read", "start 0xffffffff81001000");
	IS("stop vfs_read", "stop 0xffffffff81001000");
	IS("start vfs_read / 4", "start 0xffffffff81001000/0x4");
	IS("filter vfs_read filter vfs_write",
	   "filter 0xffffffff81001000/0x100,filter 0xffffffff81001200/0x200");
	IS("filter vfs_read,tracestop vfs_write",
	   "filter 0xffffffff81001000/0x100,stop 0xffffffff81001200/0x200");
	IS("filter 0x1000/0x10@/dev/../dev/null,tracestop 4096/1 @/dev/null",
	   "filter 0x1000/0x10@/dev/null,stop 0x1000/0x1@/dev/null");
}

static void chooses_by_number(void)
{
	/* Up to the next symbol of any kind, as in perf. */
	IS("filter twice #1", "filter 0xffffffff81001100/0x80");
	IS("filter twice #2", "filter 0xffffffff81001400/0x100");
	IS("filter twice #1 / twice #2", "filter 0xffffffff81001100/0x400");
	IS("filter both #g", "filter 0xffffffff81001500/0x100");
	IS("filter both #G", "filter 0xffffffff81001500/0x100");
	IS("filter both #0", "filter 0xffffffff81001500/0x100");
	REFUSED("filter twice", "2 functions of the kernel are called 'twice': choose one by '#1' "
		"at 0xffffffff81001100, '#2' at 0xffffffff81001400 after its name");
	REFUSED("filter both", "2 functions of the kernel are called 'both': choose one by '#1' at "
		"0xffffffff81001500 (global), '#2' at 0xffffffff81001600 after its name");
	REFUSED("filter twice #3", "'twice #3': the kernel has only 2 functions 'twice'");
	REFUSED("filter twice #g", "'twice #g': no function 'twice' of the kernel is global");
}

static void refuses(void)
{
	REFUSED("", "it is empty: give a filter like 'filter vfs_read'");
	REFUSED("vfs_read", "'vfs_read' is none of 'filter', 'start', 'stop' and 'tracestop'");
	REFUSED("filter", "the address or the symbol after the action is missing");
	REFUSED("filter @/bin/sh", "the address or the symbol after the action is missing");
	REFUSED("filter vfs_read /", "the size or the symbol after '/' is missing");
	REFUSED("filter vfs_read @", "the file after '@' is missing");
	REFUSED("filter 0x10", "the range at 0x10 has no size: give it after '/'");
	REFUSED("filter 0x10/0", "the range at 0x10 has no size: give it after '/'");
	REFUSED("filter 12z/1", "'12z/1' is not a number");
	REFUSED("filter 0x10000000000000000/1", "'0x10000000000000000/1' is not a number");
	REFUSED("filter twice #x", "'#x' is not the number of a symbol: give '#1' for the first, "
		"'#g' for a global one");
	REFUSED("filter no_such", "'no_such' is not a function of the kernel");
	REFUSED("filter data_symbol", "'data_symbol' is not a function of the kernel");
	REFUSED("filter vfs_write / vfs_read", "'vfs_read' (0xffffffff81001000) is before the "
		"start of the range (0xffffffff81001200)");
	REFUSED("filter main @/no/such", "'/no/such': No such file or directory");
}

static void needs_symbols_for_names_only(void)
{
	struct fargs_ksyms *before = ks;

	ks = NULL;
	REFUSED("filter vfs_read", "the kernel's symbols are hidden (run as root): give addresses");
	IS("filter 0xffffffff81001000/1", "filter 0xffffffff81001000/0x1");
	ks = before;
}

/* Returns the offset in this program's file of the code at @addr, by /proc/self/maps. */
static uint64_t offset_of(uint64_t addr)
{
	uint64_t begin, end, at, found = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &begin, &end, &at) == 3 &&
		    addr >= begin && addr < end)
			found = addr - begin + at;
	fclose(maps);
	return found;
}

static void finds_functions_of_a_file(void)
{
	char text[512], want[512], path[256], *got;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[n > 0 ? n : 0] = '\0';
	snprintf(text, sizeof(text), "filter has_perfs_syntax @%s", path);
	snprintf(want, sizeof(want), "filter 0x%" PRIx64 "/",
		 offset_of((uint64_t)(uintptr_t)has_perfs_syntax));
	got = resolve(text);
	CHECK(got && !strncmp(got, want, strlen(want)));
	snprintf(want, sizeof(want), "@%s", path);
	CHECK(got && strstr(got, want));
	free(got);
	snprintf(text, sizeof(text), "filter * @%s", path);
	got = resolve(text);
	CHECK(got && !strncmp(got, "filter 0x0/0x", 13));
	free(got);
	snprintf(text, sizeof(text), "filter no_such @%s", path);
	snprintf(want, sizeof(want), "'no_such' is not a function of %s", path);
	REFUSED(text, want);
}

static char *cover(const uint64_t *addrs, size_t nr, size_t max, uint64_t *bytes)
{
	char *text = NULL;

	if (!fargs_pt_filters_add_functions(&filters, addrs, nr, max, ks, bytes, &err))
		text = fargs_pt_filters_text(&filters);
	fargs_pt_filters_deinit(&filters);
	return text;
}

/* Functions side by side are one range; more ranges than the CPU has share the smallest gaps. */
static void covers_functions(void)
{
	static const uint64_t addrs[] = {
		0xffffffff81001500, 0xffffffff81001000, 0xffffffff81001200, 0xffffffff81001600,
	};
	uint64_t bytes;
	char *text;

	text = cover(addrs, 4, 4, &bytes);
	CHECK_STR(text, "filter 0xffffffff81001000/0x100,filter 0xffffffff81001200/0x200,"
		  "filter 0xffffffff81001500/0x200");
	CHECK_INT(bytes, 0x500);
	free(text);
	text = cover(addrs, 4, 2, &bytes);
	CHECK_STR(text, "filter 0xffffffff81001000/0x400,filter 0xffffffff81001500/0x200");
	CHECK_INT(bytes, 0x600);
	free(text);
	text = cover(addrs, 4, 1, &bytes);
	CHECK_STR(text, "filter 0xffffffff81001000/0x700");
	free(text);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "the syntax is perf's", has_perfs_syntax },
		{ "'#' chooses among symbols of a name", chooses_by_number },
		{ "wrong filters are refused", refuses },
		{ "addresses need no symbols", needs_symbols_for_names_only },
		{ "functions of a file", finds_functions_of_a_file },
		{ "ranges contain all traced functions", covers_functions },
	};
	int ret;

	printf("# row A23\n# row G19\n");
	ks = fargs_ksyms_parse(kallsyms, strlen(kallsyms), &err);
	if (!ks)
		return 1;
	ret = KTAP_RUN(tests);
	fargs_ksyms_destroy(ks);
	return ret;
}
