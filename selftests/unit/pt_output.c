// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests records AUX_OUTPUT_HW_ID, made by hand as in linux/perf_event.h: the id that the kernel
 * gave to an event on a CPU becomes the event's index, and nothing else changes.
 */
#include <errno.h>
#include <string.h>

#include "source/pt/capture/cpu_sample.h"
#include "unit/ktap.h"

static struct fargs_pt_open_sampler samplers[] = {
	{ .fd = -1, .nr = 0, .id = 71 }, { .fd = -1, .nr = 1, .id = 72 },
	/* Of another task, for the same events. */
	{ .fd = -1, .nr = 0, .id = 81 }, { .fd = -1, .nr = 1, .id = 82 },
};

static const struct fargs_pt_cpu cpu = { .samplers = { samplers, 4 } };

/* Header: type 21, misc 0, size 48; counter; pid and tid; time; CPU; identifier. */
static uint64_t record[6] = { 21 | 48ull << 48, 3, 7 | 8ull << 32, 5000, 1, 0 };

static void has_index(void)
{
	static const struct {
		uint64_t id, nr;
	} all[] = { { 71, 0 }, { 72, 1 }, { 81, 0 }, { 82, 1 } };
	struct fargs_pt_output_record to;
	const void *at;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		record[5] = all[i].id;
		at = record;
		memset(&to, 0xff, sizeof(to));
		CHECK_INT(fargs_pt_cpu_take_output(&cpu, &at, sizeof(record), &to), 0);
		CHECK(at == &to);
		CHECK(!memcmp(&to, record, 40));
		CHECK(((const uint64_t *)at)[5] == all[i].nr);
		CHECK_INT(record[5], all[i].id);
	}
}

static void is_refused(void)
{
	struct fargs_pt_output_record to;
	const void *at = record;

	record[5] = 73;
	CHECK_INT(fargs_pt_cpu_take_output(&cpu, &at, sizeof(record), &to), -EIO);
	record[5] = 71;
	CHECK_INT(fargs_pt_cpu_take_output(&cpu, &at, sizeof(record) - 8, &to), -EIO);
	CHECK(at == record);
}

static const struct ktap_test tests[] = {
	{ "ids become indexes", has_index },
	{ "damaged records are refused", is_refused },
};

int main(void)
{
	return KTAP_RUN(tests);
}
