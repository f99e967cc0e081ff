// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the address filters of recordings: from the text that perf passes to the kernel and stores
 * in its AUXTRACE_INFO record (tools/perf/util/auxtrace.c, intel-pt.h).
 */
#include <stdlib.h>

#include "source/pt/input/address_filter.h"
#include "source/pt/input/perf_input.h"
#include "unit/perf_world.h"
#include "unit/temp_file.h"

static struct world w;
static struct fargs_pt_input in;
static struct fargs_error_text err;

static struct fargs_pt_config parse(const char *text)
{
	struct fargs_pt_config config = { .nr_ranges = 1 };

	fargs_pt_address_filter_parse(&config, text);
	return config;
}

static void has_ranges(void)
{
	struct fargs_pt_config c = parse("filter 0xffffffff81000000/0x10,filter 4096/1");

	CHECK_INT(c.nr_ranges, 2);
	CHECK(c.ranges[0].first == 0xffffffff81000000 && c.ranges[0].last == 0xffffffff8100000f);
	CHECK(c.ranges[1].first == 4096 && c.ranges[1].last == 4096);
	CHECK_INT(parse("").nr_ranges, 0);
}

/* Ranges of files are at other addresses in each process; the others end the trace. */
static void has_none(void)
{
	static const char *const texts[] = {
		"filter 0x1000/0x10@/bin/sh", "filter 0x1000/0x10,filter 0/1@/bin/sh",
		"start 0x1000", "stop 0x1000", "tracestop 0x1000/0x10", "filter", "filter ",
		"filter 0x1000", "filter 0x1000/", "filter 0x1000/0", "filter 0x1000/0x10 ",
		"filter 0xffffffffffffffff/2",
		"filter 1/1,filter 2/1,filter 3/1,filter 4/1,filter 5/1",
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (parse(texts[i]).nr_ranges)
			ktap_fail(__FILE__, __LINE__, "'%s'", texts[i]);
}

/* Reads a file whose AUXTRACE_INFO has @text and says that it has @size bytes. */
static size_t read_file(const char *text, uint64_t size)
{
	const uint64_t values[] = {
		PT_TYPE, 10, 512, 1000, 1, TSC_BIT, 0x800, 3, 0, 1, MTC_BIT, MTC_FREQ_BITS, 84, 2,
		2, 21, size,
	};
	size_t data = begin_file(&w), at = begin_record(&w, 70, 0), nr;

	put32(&w, 1);
	put32(&w, 0);
	put_bytes(&w, values, sizeof(values));
	put_bytes(&w, text, strlen(text));
	end_record(&w, at);
	put_auxtrace(&w, 0, 0, "\0\0\0\0\0\0\0\0", 8);
	finish_file(&w, data);
	temp_write(w.bytes, w.n);
	fargs_pt_input_init(&in);
	if (fargs_perf_input_read(&in, temp_path, NULL, &err))
		ktap_fail(__FILE__, __LINE__, "%s", err.text);
	nr = in.config.nr_ranges;
	fargs_pt_input_deinit(&in);
	return nr;
}

static void is_read(void)
{
	/* 24 bytes */
	const char *text = "filter 0x123456/0x123456";

	CHECK_INT(read_file(text, 24), 1);
	CHECK_INT(read_file("", 0), 0);
	/* The record ends before. */
	CHECK_INT(read_file(text, 32), 0);
	CHECK_INT(read_file(text, UINT64_MAX), 0);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "filters of the kernel are ranges", has_ranges },
		{ "other filters are no ranges", has_none },
		{ "the filter is in AUXTRACE_INFO", is_read },
	};

	return TEMP_RUN(tests);
}
