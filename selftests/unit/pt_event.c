// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests how the attributes of events are shown, in the words of perf record -vv. The values are
 * those of linux/perf_event.h and, for the config, of IA32_RTIT_CTL in the SDM.
 */
#include "source/pt/capture/attr.h"
#include "source/pt/capture/event.h"

#include <string.h>

#include "unit/ktap.h"

static const char *shown(const struct perf_event_attr *attr)
{
	static char text[1024];
	struct fargs_buf out = { };

	fargs_pt_event_put(&out, attr);
	snprintf(text, sizeof(text), "%.*s", (int)out.n, out.text);
	fargs_buf_deinit(&out);
	return text;
}

static void trace_event(void)
{
	const struct fargs_pt_pmu pmu = { .type = 8 };
	const struct fargs_pt_terms terms = { .config = 0x300e601, .is_kernel = true };
	struct perf_event_attr attr;

	fargs_pt_attr_trace(&attr, &pmu, &terms, 1 << 20);
	attr.size = 136;
	CHECK_STR(shown(&attr), " type 8 size 136 config 0x300e601 sample_period 1 sample_type "
		  "TID|TIME|CPU read_format LOST disabled 1 exclude_user 1 exclude_hv 1 watermark "
		  "1 sample_id_all 1 wakeup_watermark 4294967295 aux_watermark 1048576");
}

static void side_event(void)
{
	struct perf_event_attr attr;

	fargs_pt_attr_side(&attr, 262144);
	attr.size = 136;
	CHECK_STR(shown(&attr), " type 1 size 136 config 0x9 sample_period 1 sample_type "
		  "TID|TIME|CPU read_format LOST disabled 1 exclude_hv 1 mmap 1 comm 1 task 1 "
		  "watermark 1 sample_id_all 1 mmap2 1 comm_exec 1 context_switch 1 ksymbol 1 "
		  "bpf_event 1 text_poke 1 build_id 1 wakeup_watermark 262144");
}

static void tracepoint_event(void)
{
	struct perf_event_attr attr;

	fargs_pt_attr_tracepoint(&attr, 0x1f4);
	attr.size = 136;
	CHECK_STR(shown(&attr), " type 2 size 136 config 0x1f4 sample_period 1 sample_type "
		  "TID|TIME|CPU|RAW read_format LOST disabled 1 exclude_hv 1 sample_id_all 1 "
		  "wakeup_events 1");
}

/* Bits of aux_action in Linux 6.13's perf_event.h: 1 start paused, 2 pause, 4 resume. */
static void pausing_events(void)
{
	const struct fargs_pt_pmu pmu = { .type = 8 };
	const struct fargs_pt_terms terms = { .config = 1, .is_user = true };
	struct perf_event_attr attr;

	fargs_pt_attr_action(&attr, 0x1f4, false);
	attr.size = 136;
	CHECK_INT(attr.__reserved_3, 2);
	CHECK_STR(shown(&attr),
		  " type 2 size 136 config 0x1f4 sample_period 1 exclude_hv 1 aux_pause 1");
	fargs_pt_attr_action(&attr, 0x1f4, true);
	CHECK_INT(attr.__reserved_3, 4);
	CHECK(strstr(shown(&attr), " aux_resume 1"));
	fargs_pt_attr_trace(&attr, &pmu, &terms, 1 << 20);
	CHECK_INT(attr.__reserved_3, 0);
	fargs_pt_attr_start_paused(&attr);
	CHECK_INT(attr.__reserved_3, 1);
	CHECK(strstr(shown(&attr), " aux_watermark 1048576 aux_start_paused 1"));
}

static void sampled_event(void)
{
	struct perf_event_attr attr;

	fargs_pt_attr_sample(&attr, 1, 0, 4096);
	attr.freq = 1;
	attr.sample_freq = 100;
	attr.size = 136;
	CHECK_STR(shown(&attr), " type 1 size 136 config 0x0 sample_freq 100 sample_type "
		  "IP|TID|TIME|CPU|PERIOD|IDENTIFIER|AUX read_format LOST exclude_hv 1 freq 1 "
		  "watermark 1 sample_id_all 1 wakeup_watermark 4294967295 aux_sample_size 4096");
}

static void unknown_bits(void)
{
	const struct perf_event_attr attr = {
		.sample_type = 1ull << 40 | PERF_SAMPLE_IP, .read_format = 1 << 7,
	};

	CHECK_STR(shown(&attr), " config 0x0 sample_type IP|0x10000000000 read_format 0x80");
}

static char line[2048];

static void take_line(void *arg, const char *text)
{
	snprintf(arg, sizeof(line), "%s", text);
}

/* Tests an event of a type that no PMU has, which the kernel refuses to open. */
static void refused_event(void)
{
	const struct fargs_pt_log log = { take_line, line };
	const struct perf_event_attr attr = { .type = 0x7ffffffe, .size = sizeof(attr) };

	CHECK_INT(fargs_pt_event_open(&attr, -1, 0, -1, 0, "nothing", &log), -1);
	CHECK(!strncmp(line, "perf_event_open nothing: type 2147483646 size ", 46));
	CHECK(strstr(line, " config 0x0 pid -1 cpu 0 group_fd -1 flags 0x8 = E"));
}

static const struct ktap_test tests[] = {
	{ "the Intel PT event", trace_event },
	{ "the sideband event", side_event },
	{ "a tracepoint", tracepoint_event },
	{ "events that pause or resume Intel PT", pausing_events },
	{ "an event whose samples have Intel PT", sampled_event },
	{ "unknown bits are numbers", unknown_bits },
	{ "an event that is refused", refused_event },
};

int main(void)
{
	return KTAP_RUN(tests);
}
