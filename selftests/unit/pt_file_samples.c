// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests a trace file whose Intel PT is in samples, made by hand according to fargs.dat(5): the
 * samples, the trace in them, and their summary. Damaged ones are refused.
 */
#include "unit/ktap.h"
#include "unit/pt_world.h"

#include <unistd.h>

#include "source/pt/input/input.h"
#include "source/pt/input/read.h"
#include "source/pt/input/summary.h"

static char path[64];
static struct fargs_error_text err;
static size_t first_bytes, second_bytes;

/* The second sample begins 10 bytes after the first one. The third one has no trace. */
static struct world *make(void)
{
	static struct world trace;
	struct world *w;

	trace.n = 0;
	memset(trace.bytes, 0, sizeof(trace.bytes));
	trace.n = 20;
	put_psb(&trace, 1000, 0xffffffff81000000);
	first_bytes = trace.n;
	put_psb(&trace, 2000, 0xffffffff81000000);
	second_bytes = trace.n - 10;
	nr_pt_pieces = 0;
	put_pt_config(0x2401);
	w = begin_piece(FARGS_CHUNK_PT_SAMPLERS, FARGS_CHUNK_NO_CPU);
	put_sampler(w, "cpu-clock", 100, 64);
	put_sampler(w, "page-faults:u", 1, 64);
	w = begin_piece(FARGS_CHUNK_PT_SAMPLES, 1);
	put_taken(w, 0, 0xffffffff81000000, 5000, trace.bytes, first_bytes);
	put_taken(w, 1, 0x1234, 6000, trace.bytes + 10, second_bytes);
	put_taken(w, 1, 0x1234, 7000, trace.bytes, 0);
	return w;
}

static int read_input(struct fargs_pt_input *in)
{
	int ret;

	fargs_pt_input_init(in);
	ret = write_pt_pieces(path, &err) ? fargs_pt_read(in, path, NULL, &err) : -1;
	unlink(path);
	return ret;
}

static void is_read(void)
{
	struct fargs_pt_input in;

	make();
	REQUIRE(!read_input(&in));
	CHECK_INT(in.nr_sampled, 3);
	CHECK_INT(in.sampled[0].ns, 5000);
	CHECK_INT(in.sampled[0].ip, 0xffffffff81000000);
	CHECK_INT(in.sampled[0].period, 1000);
	CHECK_INT(in.sampled[0].cpu, 1);
	CHECK_INT(in.sampled[0].tid, 8);
	CHECK_STR(in.sampled_events[in.sampled[0].event], "cpu-clock");
	CHECK_STR(in.sampled_events[in.sampled[1].event], "page-faults:u");
	/* Bytes that are in both samples are there once. */
	CHECK_INT(in.nr_streams, 1);
	CHECK_INT(in.streams[0].cpu, 1);
	REQUIRE(in.streams[0].nr_pieces == 2);
	CHECK(in.streams[0].pieces[0].begins && !in.streams[0].pieces[1].begins);
	CHECK_INT(in.streams[0].pieces[0].size, first_bytes);
	CHECK_INT(in.streams[0].pieces[1].size, second_bytes + 10 - first_bytes);
	CHECK_INT(in.streams[0].pieces[1].offset, first_bytes);
	fargs_pt_input_deinit(&in);
}

static void is_summed_up(void)
{
	struct fargs_pt_summary s;

	make();
	REQUIRE(write_pt_pieces(path, &err));
	REQUIRE(!fargs_pt_summary_init(&s, path, &err));
	unlink(path);
	CHECK_INT(s.cpus[1].nr_samples, 3);
	CHECK_INT(s.cpus[1].aux_bytes, first_bytes + second_bytes);
	CHECK_INT(s.cpus[0].nr_samples, 0);
	CHECK_INT(s.samples.nr, 2);
	CHECK_STR(s.samples.samplers[0].name, "cpu-clock");
	CHECK_INT(s.samples.samplers[0].attr.aux_sample_size, 64);
	CHECK_INT(s.samples.samplers[0].attr.sample_freq, 100);
	fargs_pt_summary_deinit(&s);
}

static void refuse(void)
{
	struct fargs_pt_input in;

	CHECK(read_input(&in) < 0);
	CHECK(strstr(err.text, "samples of Intel PT are corrupt"));
	fargs_pt_input_deinit(&in);
}

static void refuses_damage(void)
{
	struct world *w = make();

	/* An event that is not there; the id follows the header. */
	set64(w, 8, 2);
	refuse();
	/* AUX data that are longer than the sample. */
	w = make();
	set64(w, 56, 4096);
	refuse();
	/* A record that is cut off. */
	w = make();
	w->n -= 8;
	refuse();
	/* A description that is longer than the chunk. */
	make();
	memcpy(pt_pieces[1].w.bytes, "\xff\xff\xff\xff", 4);
	refuse();
	make();
	pt_pieces[1].w.n = 4;
	refuse();
}

/* Two events of PEBS records, a counter of each and one that is damaged; and the trace. */
static void has_outputs(void)
{
	static struct world trace;
	struct fargs_pt_summary s;
	struct fargs_pt_input in;
	struct world *w;

	trace.n = 0;
	put_psb(&trace, 1000, 0xffffffff81000000);
	nr_pt_pieces = 0;
	put_pt_config(0x2401);
	w = begin_piece(FARGS_CHUNK_PT_SAMPLERS, FARGS_CHUNK_NO_CPU);
	put_output(w, "cycles:ppp", 10000);
	put_output(w, "branch-misses:ppp", 77);
	put_pt_aux(1, 0, 1, trace.bytes, trace.n);
	w = begin_records(1, 0);
	put_hw_id(w, 3, 1, 6000, 1);
	put_hw_id(w, 0, 1, 5000, 0);
	put_hw_id(w, 64, 1, 7000, 1);
	put_hw_id(w, 1, 1, 7000, 2);
	/* The kernel took a sample itself. */
	w = begin_piece(FARGS_CHUNK_PT_SAMPLES, 1);
	put_untraced(w, 1, 0x1234, 6500);
	REQUIRE(!read_input(&in));
	REQUIRE(in.nr_pebs_events == 2);
	CHECK(in.config.has_pebs);
	CHECK_STR(in.pebs_events[0].name, "cycles:ppp");
	CHECK_STR(in.pebs_events[1].name, "branch-misses:ppp");
	CHECK_INT(in.pebs_events[1].attr.sample_period, 77);
	REQUIRE(in.nr_pebs_counters == 2);
	CHECK_INT(in.pebs_counters[0].ns, 5000);
	CHECK_INT(in.pebs_counters[0].counter, 0);
	CHECK_INT(in.pebs_counters[0].event, 0);
	CHECK_INT(in.pebs_counters[1].ns, 6000);
	CHECK_INT(in.pebs_counters[1].cpu, 1);
	CHECK_INT(in.pebs_counters[1].tid, -1);
	CHECK_INT(in.pebs_counters[1].counter, 3);
	CHECK_INT(in.pebs_counters[1].event, 1);
	REQUIRE(in.nr_sampled == 1);
	CHECK_STR(in.sampled_events[in.sampled[0].event], "branch-misses:ppp");
	CHECK_INT(in.sampled[0].ip, 0x1234);
	REQUIRE(in.nr_streams == 1 && in.streams[0].nr_pieces == 1);
	CHECK_INT(in.streams[0].pieces[0].size, trace.n);
	fargs_pt_input_deinit(&in);
	REQUIRE(write_pt_pieces(path, &err));
	REQUIRE(!fargs_pt_summary_init(&s, path, &err));
	unlink(path);
	CHECK_INT(s.samples.nr, 2);
	CHECK_INT(s.cpus[1].nr_samples, 1);
	CHECK_INT(s.cpus[1].aux_bytes, trace.n);
	fargs_pt_summary_deinit(&s);
}

/* Trace in samples and trace beside them are of different recordings. */
static void refuses_both(void)
{
	struct fargs_pt_input in;

	make();
	put_pt_aux(1, 0, 1, "\0\0", 2);
	CHECK(read_input(&in) < 0);
	CHECK(strstr(err.text, "Intel PT beside samples of it"));
	fargs_pt_input_deinit(&in);
}

static const struct ktap_test tests[] = {
	{ "samples are read", is_read },
	{ "samples are summed up", is_summed_up },
	{ "damaged samples are refused", refuses_damage },
	{ "PEBS records in the trace", has_outputs },
	{ "trace in samples and beside them is refused", refuses_both },
};

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/pt_file_samples.%d", getpid());
	return KTAP_RUN(tests);
}
