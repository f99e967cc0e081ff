// SPDX-License-Identifier: GPL-2.0-only
/* Tests the rings of a session as a source: what is added arrives at a sink, in order. */
#include <errno.h>
#include <stdlib.h>

#include "pipeline/pipeline.h"
#include "source/ring/ring_source.h"
#include "unit/bytes.h"
#include "unit/ktap.h"

#define CPUS	2
/* A record whose body is not used. */
#define REC(tsc, tid) HEAD(56, FARGS_KIND_ENTRY, tid, tsc, 0, 0, 0), 0, 0, 0, 0, 0, 0, 0, 0

static char seen[256];
static unsigned int nr_pauses;

static struct fargs_meta meta;
static struct fargs_event_source *source;
static struct fargs_pipeline *pipeline;
static struct fargs_error_text err;

static void note(const char *text)
{
	size_t n = strlen(seen);

	snprintf(seen + n, sizeof(seen) - n, "%s%s", n ? " " : "", text);
}

static int take_event(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		      const struct fargs_event *ev)
{
	char text[64];

	snprintf(text, sizeof(text), "%u:%llu/%d%s", ev->cpu, (unsigned long long)ev->time_ns,
		 ev->tid, ev->kind == FARGS_KIND_LOST ? "lost" : "");
	note(text);
	return 0;
}

static int take_pause(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	nr_pauses++;
	return 0;
}

static int take_end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	note("end");
	return 0;
}

static const struct fargs_sink sink = {
	.event = take_event, .pause = take_pause, .end = take_end, .is_in_order = true,
};

static const struct fargs_pipeline_options options = {
	.nr_threads = 1,
};

static const uint8_t cpu0[] = { REC(10, 1), REC(30, 2) };
static const uint8_t cpu1[] = { REC(20, 4), REC(40, 6) };

/* One tick of the TSC is 1 ns. */
static void begin(void)
{
	struct fargs_clock_sample samples[CPUS];
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		samples[cpu] = (struct fargs_clock_sample){
			.tsc = 1, .perf_ns = 1, .is_valid = FARGS_CLOCK_VALID,
		};
	seen[0] = '\0';
	nr_pauses = 0;
	fargs_meta_init(&meta);
	meta.info.abi = FARGS_ABI;
	meta.info.nr_cpus = CPUS;
	meta.info.tsc_khz = 1000000;
	meta.info.tsc_stable = 1;
	meta.stats = calloc(CPUS, sizeof(*meta.stats));
	CHECK_INT(fargs_meta_add_clock(&meta, samples), 0);
	source = fargs_ring_source_create(&meta, &err);
	CHECK(source != NULL);
	pipeline = fargs_pipeline_create(source, &sink, &options, &err);
	CHECK(pipeline != NULL);
	CHECK_INT(fargs_pipeline_begin(pipeline, NULL, NULL), 0);
}

static void finish(void)
{
	fargs_pipeline_destroy(pipeline);
	fargs_ring_source_destroy(source);
	fargs_meta_deinit(&meta);
}

static int settle(uint64_t now_tsc, uint64_t late_ns, uint64_t held_ns)
{
	return fargs_ring_source_settle(source, now_tsc, late_ns, held_ns, &err);
}

static int add(unsigned int cpu, const void *records, size_t bytes)
{
	return fargs_ring_source_records(source, cpu, records, bytes, &err);
}

static void passes_on_what_is_certain(void)
{
	begin();
	CHECK_INT(add(1, cpu1, sizeof(cpu1)), 0);
	CHECK_INT(add(0, cpu0, sizeof(cpu0)), 0);
	CHECK_INT(settle(35, 5, FARGS_RING_SOURCE_END), 0);
	CHECK_INT(fargs_pipeline_pump(pipeline, &err), 0);
	CHECK_STR(seen, "0:10/1 1:20/4");
	CHECK_INT(nr_pauses, 1);
	/* A formatted event that is held back holds back what follows it. */
	CHECK_INT(settle(100, 5, 40), 0);
	CHECK_INT(fargs_pipeline_pump(pipeline, &err), 0);
	CHECK_STR(seen, "0:10/1 1:20/4 0:30/2");
	CHECK_INT(settle(FARGS_RING_SOURCE_END, 5, FARGS_RING_SOURCE_END), 0);
	CHECK_INT(fargs_pipeline_pump(pipeline, &err), 0);
	CHECK_INT(fargs_pipeline_finish(pipeline, true), 0);
	CHECK_STR(seen, "0:10/1 1:20/4 0:30/2 1:40/6 end");
	finish();
}

static void shows_losses_if_they_are_wanted(void)
{
	begin();
	meta.stats[1].lost_pending = 3;
	CHECK_INT(fargs_pipeline_finish(pipeline, true), 0);
	CHECK_STR(seen, "1:0/0lost end");
	finish();

	begin();
	meta.stats[1].lost_pending = 3;
	CHECK_INT(fargs_pipeline_finish(pipeline, false), 0);
	CHECK_STR(seen, "end");
	finish();
}

/* The records are copied, and the memory of used ones serves for later ones. */
static void copies_records(void)
{
	uint8_t records[sizeof(cpu0)];
	unsigned int i;

	begin();
	for (i = 0; i < 3; i++) {
		memcpy(records, cpu0, sizeof(records));
		CHECK_INT(add(0, records, i == 1 ? sizeof(records) / 2 : sizeof(records)), 0);
		memset(records, 0, sizeof(records));
		CHECK_INT(settle(FARGS_RING_SOURCE_END, 0, FARGS_RING_SOURCE_END), 0);
		CHECK_INT(fargs_pipeline_pump(pipeline, &err), 0);
	}
	CHECK_STR(seen, "0:10/1 0:30/2 0:30/1 0:30/1 0:30/2");
	finish();
}

static void takes_only_whole_records(void)
{
	uint8_t bad[sizeof(cpu0)];

	begin();
	CHECK_INT(add(0, cpu0, sizeof(cpu0) - 8), -EIO);
	CHECK_STR(err.text, "the records of CPU 0 are corrupt: this is a bug in the module");
	memcpy(bad, cpu0, sizeof(bad));
	bad[56] = 64;	/* the lengths no longer add up to the size */
	CHECK_INT(add(0, bad, sizeof(bad)), -EIO);
	bad[56] = 0;	/* a length of 0 would cause an endless loop */
	CHECK_INT(add(0, bad, sizeof(bad)), -EIO);
	CHECK_INT(add(CPUS, cpu0, sizeof(cpu0)), -EIO);
	CHECK_INT(fargs_ring_source_events(source, 0, cpu0, sizeof(cpu0), &err), -EIO);
	CHECK_INT(settle(FARGS_RING_SOURCE_END, 0, FARGS_RING_SOURCE_END), 0);
	CHECK_INT(fargs_pipeline_pump(pipeline, &err), 0);
	CHECK_STR(seen, "");
	finish();
}

/* If the kernel does not trust the TSC, times are certain only before the last clock sample. */
static void waits_for_clocks(void)
{
	struct fargs_clock_sample samples[CPUS];
	unsigned int cpu;

	begin();
	for (cpu = 0; cpu < CPUS; cpu++)
		samples[cpu] = (struct fargs_clock_sample){
			.tsc = 25, .perf_ns = 25,
			.is_valid = FARGS_CLOCK_VALID | FARGS_CLOCK_UNSTABLE,
		};
	CHECK_INT(add(0, cpu0, sizeof(cpu0)), 0);
	CHECK_INT(fargs_ring_source_clock(source, samples, &err), 0);
	CHECK_INT(settle(1000, 5, FARGS_RING_SOURCE_END), 0);
	CHECK_INT(fargs_pipeline_pump(pipeline, &err), 0);
	CHECK_STR(seen, "0:10/1");
	finish();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "passes on records whose order is certain", passes_on_what_is_certain },
		{ "shows losses at the end if they are wanted", shows_losses_if_they_are_wanted },
		{ "copies records", copies_records },
		{ "accepts complete records only", takes_only_whole_records },
		{ "waits for clock samples if the TSC is not trusted", waits_for_clocks },
	};

	return KTAP_RUN(tests);
}
