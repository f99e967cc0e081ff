// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests lines that are formatted by several threads: they must be in order of time, have the name
 * that the task had at that time, and be the same with any number of threads.
 */
#include "pipeline/pipeline.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/pool.h"
#include "file/writer.h"
#include "sink/text/lines.h"
#include "source/fargs_dat/fargs_dat.h"
#include "unit/bytes.h"
#include "unit/ktap.h"

#define CPUS		5
#define NR_TIDS		50
#define NR_STEPS	60000
#define IP		0xffffffff81000004

static char path[64];
static struct fargs_meta meta;
static struct fargs_buf streams[CPUS];	/* records of each CPU */
static struct fargs_buf expected;		/* expected lines */
static uint64_t now, last;			/* times in ns; one tick of the clock is 1 ns */
static uint64_t seqs[CPUS];
/* current names of tasks: task 100 + i is called "task" followed by names[i] */
static unsigned int names[NR_TIDS];
static struct fargs_error_text err;

static unsigned int random_below(unsigned int n)
{
	static uint64_t state = 12345;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (state >> 33) % n;
}

static void add_call(unsigned int cpu, unsigned int task, uint64_t n)
{
	const uint8_t rec[] = {
		HEAD(64, FARGS_KIND_ENTRY, 100 + task, now, IP, 0, seqs[cpu]),
		'n', 0, FARGS_TYPE_U64, B64(n), 0, 0, 0, 0, 0,
	};
	char name[32], line[256];
	uint64_t us = (now + 500) / 1000;
	int len;

	seqs[cpu]++;
	fargs_buf_add(&streams[cpu], rec, sizeof(rec));
	snprintf(name, sizeof(name), "task%u", names[task]);
	len = snprintf(line, sizeof(line),
		       "%16s-%-7u [%03u] ..... %5u.%06u: f(n=%" PRIu64 ") <-0x0\n", name,
		       100 + task, cpu, (unsigned int)(us / 1000000),
		       (unsigned int)(us % 1000000), n);
	fargs_buf_add(&expected, line, len);
}

/* Adds a TASK record of @cpu: a task has renamed the task with tid 100 + @task. */
static void add_rename(unsigned int cpu, unsigned int task)
{
	uint8_t rec[] = {
		HEAD(104, FARGS_KIND_TASK, 7, now, 0, 0, seqs[cpu]),
		'r', 'e', 'n', 'a', 'm', 'e', 0, FARGS_TYPE_S32, B64(100 + task),
		't', 'g', 'i', 'd', 0, FARGS_TYPE_S32, B64(100),
		'c', 'o', 'm', 'm', 0, FARGS_TYPE_BYTES, B16(16),
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};

	names[task]++;
	snprintf((char *)rec + 86, 16, "task%u", names[task]);
	fargs_buf_add(&streams[cpu], rec, sizeof(rec));
}

static void add_lost(unsigned int cpu, uint64_t n)
{
	const uint8_t rec[] = {
		HEAD(72, FARGS_KIND_LOST, 0, now, 0, 0, seqs[cpu]),
		'l', 'o', 's', 't', 0, FARGS_TYPE_U64, B64(n), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	char line[64];
	int len = snprintf(line, sizeof(line), "%24s [%03u] lost %" PRIu64 " records\n", "", cpu,
			   n);

	seqs[cpu] += n;
	meta.stats[cpu].lost += n;
	fargs_buf_add(&streams[cpu], rec, sizeof(rec));
	fargs_buf_add(&expected, line, len);
}

/* Generates records in order of time; records with equal times are in the order of CPUs. */
static void happen(void)
{
	unsigned int i, what, task, cpu = 0;

	now = 1000;
	for (i = 0; i < NR_STEPS; i++) {
		cpu += random_below(3);
		if (cpu >= CPUS) {
			cpu = random_below(CPUS);
			now += 1 + random_below(2000);
		}
		what = random_below(100);
		task = random_below(NR_TIDS);
		if (what < 3)
			add_rename(cpu, task);
		else if (what < 4)
			add_lost(cpu, 1 + random_below(9));
		else
			add_call(cpu, task, i);
	}
	last = now;
}

static bool write_trace(void)
{
	/* Losses after the last record of two CPUs. */
	static const struct { unsigned int cpu, lost; } pending[] = { { 1, 5 }, { 4, 70 } };
	struct fargs_clock_sample samples[CPUS] = { };
	struct fargs_writer_options options = { .level = 1 };
	struct fargs_writer *w;
	unsigned int i;
	int ret = 0;

	fargs_meta_init(&meta);
	meta.info.nr_cpus = CPUS;
	meta.info.tsc_khz = 1000000;
	meta.nr_funcs = 1;
	meta.funcs = calloc(1, sizeof(*meta.funcs));
	meta.funcs[0].ip = IP;
	meta.funcs[0].name = strdup("f");
	meta.stats = calloc(CPUS, sizeof(*meta.stats));
	meta.nr_tasks = NR_TIDS;
	meta.tasks = calloc(NR_TIDS, sizeof(*meta.tasks));
	for (i = 0; i < NR_TIDS; i++) {
		meta.tasks[i].tid = 100 + i;
		strcpy(meta.tasks[i].comm, "task0");
	}
	for (i = 0; i < CPUS; i++)
		samples[i].is_valid = 1;
	fargs_meta_add_clock(&meta, samples);
	happen();
	for (i = 0; i < CPUS; i++)
		meta.stats[i].produced = seqs[i];
	for (i = 0; i < 2; i++) {
		char line[64];
		int len = snprintf(line, sizeof(line), "%24s [%03u] lost %u records\n", "",
				   pending[i].cpu, pending[i].lost);

		fargs_buf_add(&expected, line, len);
		meta.stats[pending[i].cpu].produced += pending[i].lost;
		meta.stats[pending[i].cpu].lost += pending[i].lost;
		meta.stats[pending[i].cpu].lost_pending = pending[i].lost;
	}

	w = fargs_writer_create(path, &meta, &options, &err);
	for (i = 0; w && i < CPUS && !ret; i++)
		ret = fargs_writer_records(w, i, streams[i].text, streams[i].n, &err);
	if (w && !ret)
		ret = fargs_writer_finish(w, &err);
	fargs_writer_destroy(w);
	return w && !ret;
}

static int collect(void *arg, const char *text, size_t bytes)
{
	fargs_buf_add(arg, text, bytes);
	return 0;
}

/* Reports into @lines. Returns false on failure. */
static bool report(struct fargs_pipeline_options *options, struct fargs_buf *lines)
{
	struct fargs_reader *reader;
	struct fargs_event_source *source = NULL;
	struct fargs_pipeline *p = NULL;
	struct fargs_lines text;
	struct fargs_meta got;
	unsigned int cpu;
	bool is_ok = false;
	const char *why;

	lines->n = 0;
	fargs_meta_init(&got);
	reader = fargs_reader_open(path, &got, &err);
	if (reader)
		source = fargs_dat_source_create(reader, &got, &err);
	fargs_lines_init(&text, false, false, false);
	if (source)
		p = fargs_pipeline_create(source, &text.sink, options, &err);
	if (p)
		is_ok = !fargs_pipeline_run(p, collect, lines, &err) && !lines->is_short;
	for (cpu = 0; is_ok && cpu < CPUS; cpu++)
		CHECK(fargs_account_agrees(
			fargs_account_get(fargs_decoder_account(source->decoder), cpu),
			&got.stats[cpu], false, &why));
	fargs_pipeline_destroy(p);
	fargs_dat_source_destroy(source);
	fargs_lines_deinit(&text);
	fargs_reader_destroy(reader);
	fargs_meta_deinit(&got);
	return is_ok;
}

static void check_lines(const struct fargs_buf *lines, unsigned int nr_threads)
{
	size_t i = 0;

	while (i < lines->n && i < expected.n && lines->text[i] == expected.text[i])
		i++;
	if (i != expected.n || i != lines->n)
		ktap_fail(__FILE__, __LINE__, "%u threads: other lines from byte %zu on",
			  nr_threads, i);
}

static void is_the_same_with_any_number_of_threads(void)
{
	static const unsigned int nrs[] = { 1, 2, 3, 8, FARGS_POOL_MAX };
	struct fargs_buf lines = { };
	size_t i;

	for (i = 0; i < sizeof(nrs) / sizeof(nrs[0]); i++) {
		struct fargs_pipeline_options options = { .nr_threads = nrs[i] };

		CHECK(report(&options, &lines));
		check_lines(&lines, nrs[i]);
	}
	fargs_buf_deinit(&lines);
}

/* Tests that limiting the report to a CPU or time window selects lines of the whole report. */
static void leaves_out_what_is_not_wanted(void)
{
	struct fargs_time_range range = { last / 2, last / 2 + last / 10 };
	struct fargs_pipeline_options options = {
		.nr_threads = 3, .cpus = { &(struct fargs_id_range){ 2, 2 }, 1 },
		.window = { .ranges = &range, .nr = 1 },
	};
	struct fargs_buf lines = { };
	size_t nr_lines = 0;
	char *line, *next, *at;

	REQUIRE(report(&options, &lines));
	fargs_buf_add_char(&expected, 0);
	fargs_buf_add_char(&lines, 0);
	at = expected.text;
	for (line = lines.text; *line; line = next, nr_lines++) {
		next = strchr(line, '\n') + 1;
		CHECK(!strncmp(strchr(line, '['), "[002]", 5));
		at = memmem(at, expected.text + expected.n - at, line, next - line);
		REQUIRE(at);
		at += next - line;
	}
	expected.n--;
	CHECK(nr_lines > NR_STEPS / 10 / CPUS / 2);
	fargs_buf_deinit(&lines);
}

static int refuse_third(void *arg, const char *text, size_t bytes)
{
	return ++*(int *)arg == 3 ? -ENOSPC : 0;
}

static void ends_when_lines_are_not_taken(void)
{
	struct fargs_pipeline_options options = {
		.nr_threads = 3,
	};
	struct fargs_meta got;
	struct fargs_reader *reader;
	struct fargs_event_source *source;
	struct fargs_pipeline *p;
	struct fargs_lines text;
	int nr = 0;

	fargs_meta_init(&got);
	reader = fargs_reader_open(path, &got, &err);
	REQUIRE(reader);
	source = fargs_dat_source_create(reader, &got, &err);
	REQUIRE(source);
	fargs_lines_init(&text, false, false, false);
	p = fargs_pipeline_create(source, &text.sink, &options, &err);
	REQUIRE(p);
	CHECK_INT(fargs_pipeline_run(p, refuse_third, &nr, &err), -ENOSPC);
	CHECK_INT(nr, 3);
	fargs_pipeline_destroy(p);
	fargs_dat_source_destroy(source);
	fargs_lines_deinit(&text);
	fargs_reader_destroy(reader);
	fargs_meta_deinit(&got);
}

static const struct ktap_test tests[] = {
	{ "lines are the same with any number of threads", is_the_same_with_any_number_of_threads },
	{ "filtered events are not shown", leaves_out_what_is_not_wanted },
	{ "ends if the output fails", ends_when_lines_are_not_taken },
};

int main(void)
{
	const char *dir = getenv("TMPDIR");
	int ret, fd;

	snprintf(path, sizeof(path), "%.40s/fargs-XXXXXX", dir ? dir : "/tmp");
	fd = mkstemp(path);
	if (fd < 0 || !write_trace()) {
		printf("Bail out! cannot write a trace: %s\n", err.text);
		return 1;
	}
	close(fd);
	ret = KTAP_RUN(tests);
	unlink(path);
	return ret;
}
