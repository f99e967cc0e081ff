// SPDX-License-Identifier: GPL-2.0-only
/* Tests reading perf.data: files, directories, output to a pipe, and damaged files. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "source/perf_data/file.h"
#include "source/pt/input/perf_input.h"
#include "source/pt/input/switches.h"
#include "unit/ktap.h"
#include "unit/perf_world.h"

static struct world w;
static struct fargs_pt_input in;
static struct fargs_error_text err;
static char dir[32];

static const char *spill(const char *name, const void *bytes, size_t n)
{
	static char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "we");
	if (!file || fwrite(bytes, 1, n, file) != n || fclose(file))
		ktap_fail(__FILE__, __LINE__, "cannot write %s", path);
	return path;
}

/* Reads the first @n bytes of the recording as a file. */
static bool read_bytes(size_t n)
{
	fargs_pt_input_init(&in);
	strcpy(err.text, "");
	return !fargs_perf_input_read(&in, spill("data", w.bytes, n), NULL, &err);
}

static bool read_world(void)
{
	bool ok = read_bytes(w.n);

	if (!ok)
		printf("# %s\n", err.text);
	return ok;
}

static void put_all(void)
{
	put_auxtrace_info(&w, true);
	put_comm(&w, 7, "seven", 0);
	put_aux(&w, 1, 0, 21, 0);
	put_auxtrace(&w, 1, 0, "one of twenty-one bytes", 21);
	put_comm(&w, 7, "later", 900);
	put_fork(&w, 8, 7, 800);
	put_fork(&w, 9, 8, 950);
	put_switch(&w, 1, 7, 0, 500);
	put_switch(&w, 1, 0, 8, 700);
	put_ksymbol(&w, 0xffffffffc0000000, 64, "bpf_prog_1", false, 300);
	put_text_poke(&w, 0xffffffff81000010, 400);
	put_auxtrace(&w, 0, 0, "zeroth", 6);
	put_aux(&w, 0, 0, 6, 0);
}

static void makes_input(void)
{
	size_t data = begin_file(&w);

	put_all();
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK_INT(in.nr_streams, 2);
	CHECK_INT(in.streams[0].cpu, 0);
	CHECK_INT(in.streams[1].cpu, 1);
	CHECK_INT(in.streams[1].pieces[0].size, 21);
	CHECK(!memcmp(in.streams[1].pieces[0].bytes, "one of twenty-one byt", 21));
	CHECK_INT(in.streams[0].pieces[0].size, 6);
	CHECK(in.streams[0].pieces[0].begins && !in.streams[0].pieces[0].is_after_loss);
	fargs_pt_input_deinit(&in);
}

static void makes_config(void)
{
	size_t data = begin_file(&w);

	put_all();
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK(in.config.is_intel);
	CHECK_INT(in.config.family, 6);
	CHECK_INT(in.config.model, 142);
	CHECK_INT(in.config.stepping, 9);
	CHECK_INT(in.config.cpuid_0x15_eax, 2);
	CHECK_INT(in.config.cpuid_0x15_ebx, 84);
	CHECK_INT(in.config.mtc_freq, 3);
	CHECK_INT(in.config.nom_freq, 21);
	CHECK(in.config.has_tsc && in.config.has_mtc && !in.config.has_cyc);
	CHECK(in.config.has_kernel && !in.config.has_user);
	/* The time is 1000 + tsc * 512 / 1024 ns. */
	CHECK_INT(fargs_pt_input_ns(&in.config, 3001), 2500);
	CHECK_INT(fargs_pt_input_tsc(&in.config, 2500), 3000);
	fargs_pt_input_deinit(&in);
}

static void follows_tasks(void)
{
	struct fargs_pt_switches sw;
	size_t data = begin_file(&w);

	put_all();
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK_STR(fargs_pt_input_comm(&in, 7, 0), "seven");
	CHECK_STR(fargs_pt_input_comm(&in, 7, 899), "seven");
	CHECK_STR(fargs_pt_input_comm(&in, 7, 900), "later");
	CHECK_STR(fargs_pt_input_comm(&in, 8, 800), "seven");
	CHECK_STR(fargs_pt_input_comm(&in, 8, 5000), "seven");
	CHECK_STR(fargs_pt_input_comm(&in, 9, 950), "seven");
	CHECK_STR(fargs_pt_input_comm(&in, 8, 799), NULL);
	CHECK_STR(fargs_pt_input_comm(&in, 10, 5000), NULL);
	fargs_pt_switches_init(&sw, &in, &in.streams[1]);
	CHECK_INT(sw.nr, 2);
	CHECK_INT(fargs_pt_switches_task(&sw, 0), 7);
	CHECK_INT(fargs_pt_switches_task(&sw, 1), 0);
	CHECK_INT(fargs_pt_switches_task(&sw, 2), 8);
	CHECK_INT(fargs_pt_switches_at(&sw, 499), 0);
	CHECK_INT(fargs_pt_switches_at(&sw, 500), 1);
	CHECK_INT(fargs_pt_switches_at(&sw, 9999), 2);
	fargs_pt_switches_init(&sw, &in, &in.streams[0]);
	CHECK_INT(fargs_pt_switches_task(&sw, 0), -1);
	fargs_pt_input_deinit(&in);
}

/* Tests that a switch is executed shortly after its record, never before it. */
static void counts_switches(void)
{
	static const struct fargs_pt_switch all[] = {
		{ .ns = 10, .from = 1, .to = 2 }, { .ns = 20, .from = 2, .to = 3 },
		{ .ns = 30, .from = 3, .to = 4 },
	};
	const struct fargs_pt_switches sw = { .all = all, .nr = 3, .first = 1 };

	CHECK_INT(fargs_pt_switches_check(&sw, 1, 15), 1);
	CHECK_INT(fargs_pt_switches_check(&sw, 1, 25), 1);
	CHECK_INT(fargs_pt_switches_check(&sw, 2, 25), 2);
	CHECK_INT(fargs_pt_switches_check(&sw, 1, 35), 3);
	CHECK_INT(fargs_pt_switches_check(&sw, 3, 15), 1);
}

static void reads_text_changes(void)
{
	size_t data = begin_file(&w);

	put_all();
	finish_file(&w, data);
	REQUIRE(read_world());
	REQUIRE(in.nr_pokes == 1 && in.nr_symbols == 1);
	CHECK_INT(in.pokes[0].ns, 400);
	CHECK_INT(in.pokes[0].old_bytes, 5);
	CHECK_INT(in.pokes[0].new_bytes, 5);
	CHECK_INT(in.pokes[0].code[5], 0xe8);
	CHECK(in.pokes[0].addr == 0xffffffff81000010);
	CHECK_STR(in.symbols[0].name, "bpf_prog_1");
	CHECK_INT(in.symbols[0].bytes, 64);
	CHECK(!in.symbols[0].is_removed);
	fargs_pt_input_deinit(&in);
}

static void check_piece(size_t i, uint64_t offset, uint64_t size, bool begins, bool is_after_loss)
{
	const struct fargs_pt_piece *p = &in.streams[0].pieces[i];

	REQUIRE(in.nr_streams == 1 && i < in.streams[0].nr_pieces);
	CHECK_INT(p->offset, offset);
	CHECK_INT(p->size, size);
	CHECK_INT(p->begins, begins);
	CHECK_INT(p->is_after_loss, is_after_loss);
}

/*
 * Tests pieces with padding: perf pads data to a multiple of eight bytes, and the next piece's
 * offset shows where it continues.
 */
static void joins_pieces(void)
{
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 100, "abcdefghijk", 11);
	put_auxtrace(&w, 0, 111, "lmnopqrs", 8);
	put_auxtrace(&w, 0, 200, "tuv", 3);
	put_aux(&w, 0, 100, 19, 0);
	put_aux(&w, 0, 200, 3, 0);
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK_INT(in.streams[0].nr_pieces, 3);
	check_piece(0, 100, 11, true, false);
	check_piece(1, 111, 8, false, false);
	check_piece(2, 200, 3, true, true);
	fargs_pt_input_deinit(&in);
}

/* Tests a piece in which trace is missing: only the AUX record shows where. */
static void cuts_where_truncated(void)
{
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 0, "0123456789abcdef", 16);
	put_auxtrace(&w, 0, 16, "ghijklmn", 8);
	put_aux(&w, 0, 0, 6, 1);
	put_aux(&w, 0, 6, 10, 1);
	put_aux(&w, 1, 0, 9, 1);
	put_aux(&w, 0, 16, 8, 1);
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK_INT(in.streams[0].nr_pieces, 3);
	check_piece(0, 0, 6, true, false);
	check_piece(1, 6, 10, true, true);
	check_piece(2, 16, 8, true, true);
	CHECK(!memcmp(in.streams[0].pieces[1].bytes, "6789abcdef", 10));
	fargs_pt_input_deinit(&in);
}

static void put_pipe(void)
{
	size_t at;

	w.n = 0;
	put_bytes(&w, "PERFILE2", 8);
	put64(&w, 16);
	at = begin_record(&w, 64, 0);
	put_attr(&w, PT_TYPE, TSC_BIT, 1 << 4);
	put64(&w, ID_PT);
	end_record(&w, at);
	at = begin_record(&w, 64, 0);
	put_attr(&w, 1, 9, 0);
	put64(&w, ID_SIDE);
	end_record(&w, at);
	at = begin_record(&w, 80, 0);
	put64(&w, 9);
	put_feature_text(&w, "GenuineIntel,6,158,9");
	for (; w.n % 8; w.n++)
		w.bytes[w.n] = 0;
	end_record(&w, at);
	at = begin_record(&w, 66, 0);
	put64(&w, 13);
	end_record(&w, at);
	put_bytes(&w, "tracing data.\0\0\0", 16);
	put_all();
}

static void reads_pipes(void)
{
	put_pipe();
	REQUIRE(read_world());
	CHECK_INT(in.nr_streams, 2);
	CHECK_INT(in.config.model, 158);
	CHECK_STR(fargs_pt_input_comm(&in, 9, 950), "seven");
	fargs_pt_input_deinit(&in);
}

/* Without times in perf's header, those of the kernel's records are used. */
static void knows_when_was_recorded(void)
{
	size_t at;

	put_pipe();
	REQUIRE(read_world());
	CHECK_INT(in.first_ns, 300);
	CHECK_INT(in.last_ns, 2000);
	fargs_pt_input_deinit(&in);
	put_pipe();
	at = begin_record(&w, 80, 0);
	put64(&w, 21);
	put64(&w, 299);
	put64(&w, 2001);
	end_record(&w, at);
	REQUIRE(read_world());
	CHECK_INT(in.first_ns, 299);
	CHECK_INT(in.last_ns, 2001);
	fargs_pt_input_deinit(&in);
}

static void reads_directories(void)
{
	size_t data = begin_file(&w);
	struct world second = { };

	put_all();
	finish_file(&w, data);
	spill("data", w.bytes, w.n);
	put_auxtrace(&second, 2, 0, "of a thread", 11);
	spill("data.0", second.bytes, second.n);
	CHECK(fargs_perf_file_is(dir));
	fargs_pt_input_init(&in);
	REQUIRE(!fargs_perf_input_read(&in, dir, NULL, &err));
	CHECK_INT(in.nr_streams, 3);
	CHECK_INT(in.streams[2].cpu, 2);
	fargs_pt_input_deinit(&in);
	unlink(spill("data.0", "", 0));
}

/* Tests a file of a perf record process that was killed: perf writes the data's size last. */
static void reads_unfinished(void)
{
	size_t data = begin_file(&w);

	put_all();
	set64(&w, 48, 0);
	(void)data;
	REQUIRE(read_world());
	CHECK_INT(in.nr_streams, 2);
	fargs_pt_input_deinit(&in);
}

static bool refuses(const char *why)
{
	bool ok = read_bytes(w.n);

	fargs_pt_input_deinit(&in);
	if (!ok && strstr(err.text, why) && !strchr(err.text, '\n'))
		return true;
	printf("# %s\n", ok ? "it is read" : err.text);
	return false;
}

static void refuses_shared_ids(void)
{
	size_t data = begin_file(&w), attrs = 104 + 16, i;

	put_all();
	finish_file(&w, data);
	/* Both events have as many ids as the file has room for. */
	for (i = 0; i < 2; i++) {
		set64(&w, attrs + i * (128 + 16) + 128, 0);
		set64(&w, attrs + i * (128 + 16) + 136, w.n);
	}
	CHECK(refuses("more ids than fit into the file"));
}

static void refuses_others(void)
{
	size_t data = begin_file(&w), at;

	put_comm(&w, 7, "seven", 0);
	finish_file(&w, data);
	CHECK(refuses("it has no AUX data"));
	memcpy(w.bytes, "2ELIFREP", 8);
	CHECK(refuses("big-endian"));
	memcpy(w.bytes, "PERFILE1", 8);
	CHECK(refuses("is not a perf.data file"));
	w.n = 0;
	CHECK(refuses("is not a perf.data file"));
	data = begin_file(&w);
	at = begin_record(&w, 70, 0);
	put64(&w, 4);
	end_record(&w, at);
	finish_file(&w, data);
	CHECK(refuses("not from Intel PT (type 4)"));
	data = begin_file(&w);
	at = begin_record(&w, 81, 0);
	put64(&w, 4);
	end_record(&w, at);
	finish_file(&w, data);
	CHECK(refuses("record without '-z'"));
}

enum { SAMPLE_AUX = 1 << 20, SAMPLE_CALLCHAIN = 1 << 5 };

/* Sets what samples of the second event contain: AUX data come last. */
static void set_sample_type(uint64_t type)
{
	set64(&w, 104 + 16 + 128 + 16 + 24, type | SAMPLE_AUX);
}

/* Adds a sample with SAMPLE_TYPE, except for the CPU if that is -1, and AUX data. */
static void put_aux_sample(int cpu, uint32_t tid, uint64_t ns, const void *bytes, size_t n)
{
	size_t at = begin_record(&w, 9, 2);

	put64(&w, ID_SIDE);
	put32(&w, tid);
	put32(&w, tid);
	put64(&w, ns);
	if (cpu >= 0)
		put64(&w, cpu);
	put64(&w, n);
	put_bytes(&w, bytes, n);
	for (; n % 8; n++)
		w.bytes[w.n++] = 0;
	end_record(&w, at);
}

/* Adds a record that assigns the ids of both events to a CPU, or to a thread. */
static void put_id_index(uint64_t cpu, uint64_t tid)
{
	static const uint64_t ids[] = { ID_PT, ID_SIDE };
	size_t at = begin_record(&w, 69, 0), i;

	put64(&w, 2);
	for (i = 0; i < 2; i++) {
		put64(&w, ids[i]);
		put64(&w, 0);
		put64(&w, cpu);
		put64(&w, tid);
	}
	end_record(&w, at);
}

/* Tests perf record --aux-sample: a sample has a part of the trace of its CPU. */
static void reads_aux_samples(void)
{
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	set_sample_type(SAMPLE_TYPE);
	put_aux_sample(1, 7, 500, "first sample", 12);
	put_aux_sample(0, 7, 600, "", 0);
	put_aux_sample(0, 7, 700, "another CPU's", 13);
	put_aux_sample(1, 8, 800, "second", 6);
	finish_file(&w, data);
	REQUIRE(read_world());
	REQUIRE(in.nr_streams == 2);
	CHECK_INT(in.streams[0].cpu, 0);
	CHECK_INT(in.streams[0].nr_pieces, 1);
	CHECK(!memcmp(in.streams[0].pieces[0].bytes, "another CPU's", 13));
	REQUIRE(in.streams[1].nr_pieces == 2);
	CHECK(!memcmp(in.streams[1].pieces[0].bytes, "first sample", 12));
	CHECK(!memcmp(in.streams[1].pieces[1].bytes, "second", 6));
	CHECK_INT(in.streams[1].pieces[1].size, 6);
	CHECK(in.streams[1].pieces[1].begins && !in.streams[1].pieces[1].is_after_loss);
	CHECK(in.streams[1].pieces[1].offset >= 12);
	CHECK_INT(in.first_ns, 500);
	CHECK_INT(in.last_ns, 800);
	fargs_pt_input_deinit(&in);
}

/* Tests samples without a CPU: perf records to which CPU each event id belongs. */
static void finds_cpus_of_ids(void)
{
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	set_sample_type(SAMPLE_TYPE & ~SAMPLE_CPU);
	put_id_index(3, -1);
	put_aux_sample(-1, 7, 500, "of CPU 3", 8);
	finish_file(&w, data);
	REQUIRE(read_world());
	REQUIRE(in.nr_streams == 1);
	CHECK_INT(in.streams[0].cpu, 3);
	CHECK_INT(in.streams[0].tid, -1);
	fargs_pt_input_deinit(&in);
	/* The trace of a thread, with --per-thread. */
	data = begin_file(&w);
	put_auxtrace_info(&w, false);
	set_sample_type(SAMPLE_TYPE);
	put_id_index(-1, 7);
	put_aux_sample(2, 7, 500, "of 7 on CPU 2", 13);
	put_aux_sample(1, 7, 600, "of 7 on CPU 1", 13);
	finish_file(&w, data);
	REQUIRE(read_world());
	REQUIRE(in.nr_streams == 1);
	CHECK_INT(in.streams[0].cpu, UINT32_MAX);
	CHECK_INT(in.streams[0].tid, 7);
	CHECK_INT(in.streams[0].nr_pieces, 2);
	fargs_pt_input_deinit(&in);
}

/* Tests fields that precede AUX data, and samples that are too short. */
static void bounds_aux_samples(void)
{
	size_t data = begin_file(&w), at, size_at;

	put_auxtrace_info(&w, true);
	set_sample_type(SAMPLE_TYPE | SAMPLE_CALLCHAIN);
	at = begin_record(&w, 9, 2);
	put64(&w, ID_SIDE);
	put64(&w, 7);
	put64(&w, 500);
	put64(&w, 0);
	put64(&w, 2);
	put64(&w, 0x401000);
	put64(&w, 0x402000);
	size_at = w.n;
	put64(&w, 16);
	put_bytes(&w, "sixteen bytes...", 16);
	end_record(&w, at);
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK_INT(in.streams[0].pieces[0].size, 16);
	CHECK(!memcmp(in.streams[0].pieces[0].bytes, "sixteen bytes...", 16));
	fargs_pt_input_deinit(&in);
	set64(&w, size_at, 17);
	CHECK(refuses("a sample is shorter"));
	set64(&w, size_at, UINT64_MAX);
	CHECK(refuses("a sample is shorter"));
	/* The CPU is unknown. */
	data = begin_file(&w);
	put_auxtrace_info(&w, true);
	set_sample_type(SAMPLE_TYPE & ~SAMPLE_CPU);
	put_aux_sample(-1, 7, 500, "anywhere", 8);
	finish_file(&w, data);
	CHECK(refuses("the CPU of an AUX sample is unknown"));
	data = begin_file(&w);
	put_auxtrace_info(&w, true);
	at = begin_record(&w, 69, 0);
	put64(&w, 1);
	end_record(&w, at);
	finish_file(&w, data);
	CHECK(refuses("too short"));
}

/* Returns what is printed of missing trace. */
static const char *gaps_of(const struct fargs_pt_input *input)
{
	static char text[256];
	struct fargs_buf out = { };

	fargs_pt_input_put_gaps(&out, input);
	snprintf(text, sizeof(text), "%.*s", (int)out.n, out.text);
	fargs_buf_deinit(&out);
	return text;
}

enum { AUX_TRUNCATED = 1, AUX_OVERWRITE = 2, AUX_PARTIAL = 4, AUX_COLLISION = 8 };

/* Tests flags of AUX records which report that packets are missing, but not where. */
static void counts_gaps(void)
{
	size_t data = begin_file(&w);

	put_auxtrace_info(&w, true);
	put_aux(&w, 1, 0, 8, AUX_OVERWRITE);
	put_aux(&w, 1, 8, 8, AUX_PARTIAL);
	put_aux(&w, 1, 16, 8, AUX_PARTIAL | AUX_COLLISION);
	put_auxtrace(&w, 1, 0, "three parts of eight ...", 24);
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK_INT(in.aux.nr, 3);
	CHECK_INT(in.aux.nr_partial, 2);
	CHECK_INT(in.aux.nr_collisions, 1);
	CHECK_STR(gaps_of(&in),
		  "AUX data with gaps, for instance because KVM ran a guest (PARTIAL): 2 of 3\n"
		  "AUX data in which packets were lost by a collision (COLLISION): 1 of 3\n");
	/* The trace continues: where tracing was turned off, the packets show it. */
	CHECK_INT(in.streams[0].nr_pieces, 1);
	CHECK_INT(in.streams[0].pieces[0].size, 24);
	fargs_pt_input_deinit(&in);
	data = begin_file(&w);
	put_all();
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK_STR(gaps_of(&in), "");
	fargs_pt_input_deinit(&in);
}

/* Tests records of PEBS by PT, a counter of each event: of unknown events, and too short. */
static void ignores_hw_ids(void)
{
	struct fargs_pt_switches sw;
	size_t data = begin_file(&w), at;

	put_auxtrace_info(&w, true);
	at = begin_record(&w, 21, 0);
	put64(&w, 3);
	put_sample(&w, 7, 7, 100, 1, ID_PT);
	end_record(&w, at);
	put_itrace_start(&w, 7, 1, 200);
	put_auxtrace(&w, 1, 0, "eight...", 8);
	/* Without a body, too. */
	at = begin_record(&w, 21, 0);
	put_sample(&w, 7, 7, 300, 1, ID_PT);
	end_record(&w, at);
	finish_file(&w, data);
	REQUIRE(read_world());
	CHECK_INT(in.nr_streams, 1);
	fargs_pt_switches_init(&sw, &in, &in.streams[0]);
	CHECK_INT(sw.nr, 0);
	CHECK_INT(fargs_pt_switches_task(&sw, 0), 7);
	CHECK_INT(in.first_ns, 100);
	CHECK_INT(in.last_ns, 300);
	fargs_pt_input_deinit(&in);
}

static void names_the_byte(void)
{
	size_t data = begin_file(&w);
	char why[64];

	put_auxtrace_info(&w, true);
	snprintf(why, sizeof(why), "data' is corrupt at byte %zu: ", w.n);
	put_auxtrace(&w, 0, 0, "abcdefgh", 8);
	finish_file(&w, data);
	set64(&w, w.n - 64 - 4 - 16 - 8 - 48 + 8, 1 << 20);
	CHECK(refuses(why));
}

/* Tests a file that is cut off at each byte: it is refused with a reason, or read completely. */
static void survives_cuts(void)
{
	size_t data = begin_file(&w), n, nr_refused = 0;

	put_all();
	finish_file(&w, data);
	for (n = 0; n < w.n; n++) {
		if (!read_bytes(n)) {
			nr_refused++;
			CHECK(err.text[0] && !strchr(err.text, '\n'));
		}
		fargs_pt_input_deinit(&in);
	}
	CHECK_INT(nr_refused, w.n);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "makes streams of AUXTRACE, without perf's padding", makes_input },
		{ "reads the configuration from AUXTRACE_INFO, the event and CPUID", makes_config },
		{ "follows names across forks, and tasks across switches", follows_tasks },
		{ "counts switches, and corrects the count if one is missing", counts_switches },
		{ "reads TEXT_POKE and KSYMBOL", reads_text_changes },
		{ "joins pieces by offset", joins_pieces },
		{ "cuts pieces where the trace was truncated", cuts_where_truncated },
		{ "reads the output of a pipe", reads_pipes },
		{ "knows between which times was recorded", knows_when_was_recorded },
		{ "reads directories", reads_directories },
		{ "reads unfinished files", reads_unfinished },
		{ "refuses unreadable files", refuses_others },
		{ "reads AUX samples", reads_aux_samples },
		{ "finds the CPUs and threads of AUX samples", finds_cpus_of_ids },
		{ "checks the size of AUX samples", bounds_aux_samples },
		{ "counts AUX records that report gaps", counts_gaps },
		{ "reads ITRACE_START, and AUX_OUTPUT_HW_ID without harm", ignores_hw_ids },
		{ "refuses IDs shared by all events", refuses_shared_ids },
		{ "reports the offset of an error", names_the_byte },
		{ "refuses files that are cut off", survives_cuts },
	};
	char command[64];
	int status;

	strcpy(dir, "/tmp/fargs-perf-XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	status = KTAP_RUN(tests);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command) ? 1 : status;
}
