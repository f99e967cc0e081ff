// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests chunks of Intel PT in a trace file, their summary, and perf records that report new code.
 */
#define NR_RECORDS	12

#include "unit/file_world.h"

#include <linux/perf_event.h>

#include "file/pt_file.h"
#include "file/recover.h"
#include "file/scan.h"
#include "source/pt/capture/code_events.h"
#include "source/pt/input/summary.h"

static const char terms[] = "branch,pt,tsc/k";

static struct fargs_file_pt_config config = {
	.bytes = sizeof(config), .flags = FARGS_PT_KERNEL, .config = 0x2401,
	.aux_bytes = 4096, .terms_bytes = sizeof(terms),
};

static int put(struct fargs_writer *w, unsigned int kind, unsigned int cpu, const void *front,
	       size_t front_bytes, const void *body, size_t bytes)
{
	const struct iovec iov[2] = {
		{ (void *)front, front_bytes }, { (void *)body, bytes },
	};

	return fargs_writer_pt(w, kind, cpu, iov, false, &err);
}

static int put_aux(struct fargs_writer *w, unsigned int cpu, uint64_t offset, uint32_t flags,
		   size_t bytes)
{
	const struct fargs_file_pt_aux head = { .offset = offset, .flags = flags };
	/* data that can be compressed */
	static char packets[8192];

	memset(packets, 'x', sizeof(packets));
	return put(w, FARGS_CHUNK_PT_AUX, cpu, &head, sizeof(head), packets, bytes);
}

static int put_text(struct fargs_writer *w, const char *code)
{
	struct {
		struct fargs_file_pt_text head;
		char name[16];
	} front = {
		{ .bytes = sizeof(front), .name_bytes = 9, .addr = 0xffffffff81000000 }, "[kernel]",
	};

	return put(w, FARGS_CHUNK_PT_TEXT, FARGS_CHUNK_NO_CPU, &front, sizeof(front), code,
		   strlen(code));
}

/* @stats: of two CPUs, with @stats_bytes each. */
static bool write_pt(bool is_finished, const void *stats, size_t stats_bytes)
{
	struct fargs_writer *w;
	size_t bytes;
	void *buf = records_of(0, &bytes);
	int ret;

	while (meta.nr_clocks > 1)
		free(meta.clocks[--meta.nr_clocks].cpus);
	unlink(path);
	w = fargs_writer_create(path, &meta, &options, &err);
	if (!w)
		return false;
	ret = put(w, FARGS_CHUNK_PT_CONFIG, FARGS_CHUNK_NO_CPU, &config, sizeof(config), terms,
		  sizeof(terms));
	ret = ret ?: put_text(w, "some code");
	ret = ret ?: put_aux(w, 0, 0, FARGS_PT_AUX_BEGINS, 5000);
	ret = ret ?: fargs_writer_records(w, 0, buf, bytes, &err);
	ret = ret ?: put_aux(w, 1, 0, FARGS_PT_AUX_BEGINS, 100);
	ret = ret ?: put_aux(w, 0, 5000, 0, 300);
	ret = ret ?: put_text(w, "other");
	ret = ret ?: put_aux(w, 0, 5300, FARGS_PT_AUX_BEGINS | FARGS_PT_AUX_AFTER_LOSS, 1);
	if (stats)
		ret = ret ?: put(w, FARGS_CHUNK_PT_STATS, FARGS_CHUNK_NO_CPU, stats,
				 2 * stats_bytes, NULL, 0);
	if (is_finished)
		ret = ret ?: fargs_writer_finish(w, &err);
	fargs_writer_destroy(w);
	free(buf);
	return !ret;
}

static void sums_up(void)
{
	const struct fargs_file_pt_stats stats[2] = {
		{ .aux_bytes = 5301, .nr_truncated = 2, .nr_lost = { 3, 4 }, .nr_lost_samples = 5 },
		{ .aux_bytes = 100, .nr_partial = 1, .nr_collisions = 1 },
	};
	struct fargs_pt_summary s;

	REQUIRE(write_pt(true, stats, sizeof(*stats)));
	REQUIRE(!fargs_pt_summary_init(&s, path, &err));
	CHECK(s.is_there);
	CHECK_STR(s.terms, terms);
	CHECK_INT(s.config.config, 0x2401);
	CHECK_INT(s.text_bytes, 14);
	CHECK_INT(s.nr_texts, 2);
	CHECK(s.has_stats);
	CHECK_INT(s.cpus[0].aux_bytes, 5301);
	CHECK_INT(s.cpus[0].nr_losses, 2);
	CHECK_INT(s.cpus[0].nr_lost, 7);
	CHECK_INT(s.cpus[0].nr_lost_samples, 5);
	CHECK_INT(s.cpus[1].aux_bytes, 100);
	CHECK_INT(s.cpus[1].nr_losses, 2);
	fargs_pt_summary_deinit(&s);
}

/* Tests the totals of older files, which have six numbers. */
static void sums_up_older_files(void)
{
	const uint64_t stats[2][6] = { { 5301, 2, 0, 0, 3, 4 }, { 100, 0, 1, 1, 0, 0 } };
	struct fargs_pt_summary s;

	REQUIRE(write_pt(true, stats, sizeof(stats[0])));
	REQUIRE(!fargs_pt_summary_init(&s, path, &err));
	CHECK(s.has_stats);
	CHECK_INT(s.cpus[0].nr_losses, 2);
	CHECK_INT(s.cpus[0].nr_lost, 7);
	CHECK_INT(s.cpus[0].nr_lost_samples, 0);
	CHECK_INT(s.cpus[1].nr_losses, 2);
	fargs_pt_summary_deinit(&s);
}

static void sums_up_what_was_cut_off(void)
{
	struct fargs_pt_summary s;

	REQUIRE(write_pt(false, NULL, 0));
	REQUIRE(!fargs_pt_summary_init(&s, path, &err));
	CHECK(!s.has_stats);
	CHECK_INT(s.cpus[0].aux_bytes, 5301);
	CHECK_INT(s.cpus[0].nr_losses, 1);
	CHECK_INT(s.cpus[1].aux_bytes, 100);
	fargs_pt_summary_deinit(&s);
}

static void has_none(void)
{
	struct fargs_pt_summary s;

	REQUIRE(write_file(path, true));
	REQUIRE(!fargs_pt_summary_init(&s, path, &err));
	CHECK(!s.is_there);
	CHECK_INT(s.cpus[0].aux_bytes, 0);
	fargs_pt_summary_deinit(&s);
}

/*
 * Walks through a file. Returns the sizes of its packets and its code, whether the code can be
 * mapped, and whether packets are compressed.
 */
static void walk(const char *name, size_t *aux, size_t *texts, bool *is_code_there, bool *is_packed)
{
	struct fargs_scan_chunk chunk;
	struct fargs_scan scan;
	struct fargs_meta got;
	char payload[16384];

	*aux = *texts = 0;
	*is_code_there = true;
	*is_packed = false;
	fargs_meta_init(&got);
	REQUIRE(slurp(name) && !fargs_scan_init(&scan, name, &got, &err));
	while (fargs_scan_next(&scan, &chunk, &err) == 1) {
		if (chunk.head.kind == FARGS_CHUNK_PT_AUX) {
			REQUIRE(!fargs_scan_payload(&scan, &chunk, payload, &err));
			*aux += chunk.head.raw_bytes - sizeof(struct fargs_file_pt_aux);
			CHECK_INT(payload[chunk.head.raw_bytes - 1], 'x');
			*is_packed |= chunk.head.flags & FARGS_CHUNK_ZSTD;
		}
		if (chunk.head.kind == FARGS_CHUNK_PT_TEXT && !(*texts)++)
			*is_code_there = !memcmp(image + chunk.payload + 48, "some code", 9);
	}
	fargs_scan_deinit(&scan);
	fargs_meta_deinit(&got);
}

/* Tests that packets are compressed if that makes them smaller, and code is never compressed. */
static void packs_what_it_may(void)
{
	bool is_code_there, is_packed;
	size_t aux, texts;

	options.level = 1;
	REQUIRE(write_pt(true, NULL, 0));
	walk(path, &aux, &texts, &is_code_there, &is_packed);
	CHECK_INT(aux, 5401);
	CHECK_INT(texts, 2);
	CHECK(is_code_there);
	CHECK(is_packed);
	options.level = 0;
	REQUIRE(write_pt(true, NULL, 0));
	walk(path, &aux, &texts, &is_code_there, &is_packed);
	CHECK_INT(aux, 5401);
	CHECK(!is_packed);
}

static void recovers(void)
{
	struct fargs_recovery result;
	bool is_code_there, is_packed;
	size_t aux, texts;

	options.level = 1;
	REQUIRE(write_pt(false, NULL, 0));
	options.level = 0;
	REQUIRE(!fargs_recover(path, other, false, &result, &err));
	walk(other, &aux, &texts, &is_code_there, &is_packed);
	CHECK_INT(aux, 5401);
	CHECK_INT(texts, 2);
	CHECK(is_code_there);
}

static void refuses_nonsense(void)
{
	struct fargs_file_pt_config right = config;
	struct fargs_pt_summary s;

	config.terms_bytes = sizeof(terms) + 1;
	REQUIRE(write_pt(true, NULL, 0));
	CHECK_INT(fargs_pt_summary_init(&s, path, &err), -EIO);
	CHECK(strstr(err.text, "invalid Intel PT"));
	fargs_pt_summary_deinit(&s);
	config = right;
	/* Nothing follows the terms. */
	config.filter_bytes = 1;
	REQUIRE(write_pt(true, NULL, 0));
	CHECK_INT(fargs_pt_summary_init(&s, path, &err), -EIO);
	fargs_pt_summary_deinit(&s);
	config = right;
	config.bytes = sizeof(config) + sizeof(terms) + 1;
	REQUIRE(write_pt(true, NULL, 0));
	CHECK_INT(fargs_pt_summary_init(&s, path, &err), -EIO);
	fargs_pt_summary_deinit(&s);
	config = right;
}

/* Makes a PERF_RECORD_KSYMBOL as described by perf_event_open(2). */
static size_t make_ksymbol(char *to, uint16_t type, uint16_t flags, uint64_t addr, uint32_t bytes)
{
	const struct perf_event_header head = { PERF_RECORD_KSYMBOL, 0, 24 + 8 };

	memcpy(to, &head, 8);
	memcpy(to + 8, &addr, 8);
	memcpy(to + 16, &bytes, 4);
	memcpy(to + 20, &type, 2);
	memcpy(to + 22, &flags, 2);
	memcpy(to + 24, "program", 8);
	return 32;
}

/*
 * Makes a sample with TID, TIME, CPU and RAW of module_load or, without @has_taints, of
 * module_free. The raw data have the fields that tracefs lists in the events' format files.
 */
static size_t make_module(char *to, uint16_t id, const char *name, uint64_t ns, bool has_taints)
{
	uint32_t at = has_taints ? 16 : 12, loc = at | (uint32_t)(strlen(name) + 1) << 16;
	uint32_t raw_bytes = at + strlen(name) + 1;
	struct perf_event_header head = { PERF_RECORD_SAMPLE, 0, 8 + 24 + 4 };

	/* The raw data and their size together are a multiple of 8 bytes. */
	raw_bytes += -(raw_bytes + 4) & 7;
	head.size += raw_bytes;
	memset(to, 0, head.size);
	memcpy(to, &head, 8);
	memcpy(to + 16, &ns, 8);
	memcpy(to + 32, &raw_bytes, 4);
	memcpy(to + 36, &id, 2);
	memcpy(to + 36 + at - 4, &loc, 4);
	strcpy(to + 36 + at, name);
	return head.size;
}

static void hears_of_modules(void)
{
	struct fargs_pt_code_events code_events = { .load_id = 300, .free_id = 301 }, old;
	char record[160];
	size_t n;

	n = make_module(record, 300, "came", 5000, true);
	CHECK_INT(fargs_pt_code_events_parse(&code_events, record, n), 0);
	CHECK(code_events.has_loaded);
	n = make_module(record, 301, "a_name_as_long_as_names_can_be_that_modules_have__12345",
			6000, false);
	CHECK_INT(fargs_pt_code_events_parse(&code_events, record, n), 0);
	REQUIRE(code_events.nr_modules == 2);
	CHECK_INT(code_events.modules[0].ns, 5000);
	CHECK_INT(code_events.modules[0].is_removed, 0);
	CHECK(!strcmp(code_events.modules[0].name, "came"));
	CHECK_INT(code_events.modules[1].ns, 6000);
	CHECK_INT(code_events.modules[1].is_removed, 1);
	CHECK(!strcmp(code_events.modules[1].name,
		      "a_name_as_long_as_names_can_be_that_modules_have__12345"));
	fargs_pt_code_events_move(&code_events, &old);
	CHECK(old.has_loaded);
	CHECK_INT(old.nr_modules, 2);
	fargs_pt_code_events_deinit(&old);
	/* If a module is unloaded, no code must be copied. */
	CHECK_INT(fargs_pt_code_events_parse(&code_events, record, n), 0);
	CHECK_INT(code_events.nr_modules, 1);
	CHECK(!code_events.has_loaded);
	fargs_pt_code_events_move(&code_events, &old);
	fargs_pt_code_events_deinit(&old);
	CHECK(!code_events.has_loaded);
	CHECK_INT(code_events.nr_modules, 0);
	CHECK_INT(code_events.load_id, 300);
	CHECK_INT(code_events.free_id, 301);
	/* A record that is cut off before the name is malformed. */
	n = make_module(record, 300, "came", 5000, true);
	for (n = 8; n < 36 + 16; n++)
		CHECK_INT(fargs_pt_code_events_parse(&code_events, record, n), -EIO);
	CHECK_INT(code_events.nr_modules, 0);
	fargs_pt_code_events_deinit(&code_events);
}

static void hears_of_code(void)
{
	struct fargs_pt_code_events code_events = { 0 }, old;
	char record[32];
	size_t n;

	n = make_ksymbol(record, PERF_RECORD_KSYMBOL_TYPE_BPF, 0, 0xffffffffc0001000, 77);
	CHECK_INT(fargs_pt_code_events_parse(&code_events, record, n), 0);
	REQUIRE(code_events.nr_bpf == 1);
	CHECK_INT(code_events.bpf[0].addr, 0xffffffffc0001000);
	CHECK_INT(code_events.bpf[0].bytes, 77);
	CHECK(!code_events.has_loaded);
	/* Ignore an unregistered program, and code whose contents are in another record. */
	n = make_ksymbol(record, PERF_RECORD_KSYMBOL_TYPE_BPF,
			 PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER, 0xffffffffc0001000, 77);
	CHECK_INT(fargs_pt_code_events_parse(&code_events, record, n), 0);
	n = make_ksymbol(record, PERF_RECORD_KSYMBOL_TYPE_OOL, 0, 0xffffffffc0002000, 77);
	CHECK_INT(fargs_pt_code_events_parse(&code_events, record, n), 0);
	CHECK_INT(code_events.nr_bpf, 1);
	CHECK_INT(fargs_pt_code_events_parse(&code_events, record, 20), -EIO);
	fargs_pt_code_events_move(&code_events, &old);
	CHECK_INT(code_events.nr_bpf, 0);
	CHECK_INT(old.nr_bpf, 1);
	fargs_pt_code_events_deinit(&old);
	fargs_pt_code_events_deinit(&code_events);
}

static int run(void)
{
	static const struct ktap_test tests[] = {
		{ "summarizes traces", sums_up },
	{ "totals of older files are read", sums_up_older_files },
		{ "summarizes truncated traces", sums_up_what_was_cut_off },
		{ "reports a file without traces", has_none },
		{ "compresses data that may be compressed", packs_what_it_may },
		{ "recovers traces", recovers },
		{ "refuses invalid chunks", refuses_nonsense },
		{ "reads records of new code", hears_of_code },
		{ "reads records of loaded and unloaded modules", hears_of_modules },
	};

	return KTAP_RUN(tests);
}

int main(void)
{
	return file_world_run(run);
}
