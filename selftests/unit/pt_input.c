// SPDX-License-Identifier: GPL-2.0-only
/* Tests reading a recording of fargs record --pt for decoding. */
#include "unit/ktap.h"

#include <errno.h>

#include "kernel/sym/ksyms.h"
#include "source/pt/input/mono.h"
#include "source/pt/input/read.h"
#include "source/pt/input/switches.h"
#include "unit/pt_world.h"
#include "unit/temp_file.h"

#define CONFIG	(1ull << 0 | 1ull << 9 | 1ull << 10 | 1ull << 13 | 3ull << 14)

static struct fargs_pt_input in;
static struct fargs_error_text err;

static void put_all(void)
{
	struct world *w;

	nr_pt_pieces = 0;
	put_pt_config(CONFIG);
	put_pt_code(0xffffffff81000000, "\x0f\x1f\x44\0\0", 5);
	put_pt_symbols("ffffffffc0000000 t late\t[m]\n");
	put_pt_aux(1, 0, 1, "first", 5);
	w = begin_records(1, 0);
	put_aux(w, 1, 0, 5, 0);
	put_pt_aux(0, 0, 1, "zeroth", 6);
	w = begin_records(1, 1);
	put_switch(w, 1, 7, 8, 500);
	put_comm(w, 7, "seven", 300);
	put_fork(w, 8, 7, 400);
	put_ksymbol(w, 0xffffffffc0001000, 64, "bpf_prog_1", false, 300);
	put_text_poke(w, 0xffffffff81000000, 450);
	put_pt_aux(1, 5, 0, "second", 6);
	put_pt_aux(1, 100, 3, "third", 5);
}

static int read_pt(void)
{
	fargs_pt_input_init(&in);
	err.text[0] = '\0';
	if (!write_pt_pieces(temp_path, &err)) {
		ktap_fail(__FILE__, __LINE__, "%s", err.text);
		return -1;
	}
	return fargs_pt_read(&in, temp_path, NULL, &err);
}

static bool is(const struct fargs_pt_piece *piece, const char *bytes, uint64_t offset, bool begins,
	       bool is_after_loss)
{
	return piece->size == strlen(bytes) && !memcmp(piece->bytes, bytes, piece->size) &&
	       piece->offset == offset && piece->begins == begins &&
	       piece->is_after_loss == is_after_loss;
}

static void reads_streams(void)
{
	put_all();
	REQUIRE(!read_pt());
	REQUIRE(in.nr_streams == 2);
	CHECK_INT(in.streams[0].cpu, 0);
	CHECK_INT(in.streams[1].cpu, 1);
	CHECK_INT(in.streams[1].tid, -1);
	CHECK_INT(in.streams[0].nr_pieces, 1);
	REQUIRE(in.streams[1].nr_pieces == 3);
	CHECK(is(&in.streams[0].pieces[0], "zeroth", 0, true, false));
	CHECK(is(&in.streams[1].pieces[0], "first", 0, true, false));
	CHECK(is(&in.streams[1].pieces[1], "second", 5, false, false));
	CHECK(is(&in.streams[1].pieces[2], "third", 100, true, true));
	fargs_pt_input_deinit(&in);
}

static void reads_the_config(void)
{
	put_all();
	REQUIRE(!read_pt());
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
	fargs_pt_input_deinit(&in);
}

/* The perf clock is 2500 ns at TSC 3000 and 1500 at TSC 1000: half as fast as the other clock. */
static void reads_clocks(void)
{
	uint64_t ns = 0;

	put_all();
	put_pt_clock(3000, 70000);
	put_pt_clock(1000, 68000);
	REQUIRE(!read_pt());
	CHECK(fargs_pt_mono_convert(&in, 70000, &ns));
	CHECK_INT(ns, 2500);
	CHECK(fargs_pt_mono_convert(&in, 69000, &ns));
	CHECK_INT(ns, 2000);
	fargs_pt_input_deinit(&in);
}

static void reads_code(void)
{
	char bytes[5];
	FILE *file;

	put_all();
	REQUIRE(!read_pt());
	REQUIRE(in.nr_codes == 1);
	CHECK_INT(in.codes[0].addr, 0xffffffff81000000);
	CHECK_INT(in.codes[0].bytes, 5);
	CHECK_INT(in.codes[0].pid, -1);
	file = fopen(in.codes[0].path, "re");
	REQUIRE(file);
	CHECK(!fseek(file, in.codes[0].at, SEEK_SET) && fread(bytes, 1, 5, file) == 5 &&
	      !memcmp(bytes, "\x0f\x1f\x44\0\0", 5));
	fclose(file);
	REQUIRE(in.nr_pokes == 1);
	CHECK_INT(in.pokes[0].ns, 450);
	CHECK_INT(in.pokes[0].old_bytes, 5);
	CHECK_INT(in.pokes[0].code[5], 0xe8);
	fargs_pt_input_deinit(&in);
}

static void reads_what_is_beside(void)
{
	struct fargs_pt_switches sw;

	put_all();
	REQUIRE(!read_pt());
	CHECK_STR(fargs_pt_input_comm(&in, 7, 300), "seven");
	CHECK_STR(fargs_pt_input_comm(&in, 8, 400), "seven");
	fargs_pt_switches_init(&sw, &in, &in.streams[1]);
	CHECK_INT(fargs_pt_switches_task(&sw, 0), 7);
	CHECK_INT(fargs_pt_switches_task(&sw, 1), 8);
	/* The times of the first and the last record, which is about AUX data. */
	CHECK_INT(in.first_ns, 300);
	CHECK_INT(in.last_ns, 2000);
	REQUIRE(in.nr_symbols == 1);
	CHECK_STR(in.symbols[0].name, "bpf_prog_1");
	REQUIRE(in.ksyms);
	CHECK_STR(fargs_ksyms_find_addr(in.ksyms, 0xffffffffc0000010)->name, "late");
	fargs_pt_input_deinit(&in);
}

static void refuse(const char *why)
{
	CHECK_INT(read_pt(), -EIO);
	if (!strstr(err.text, why) || !strstr(err.text, temp_path))
		ktap_fail(__FILE__, __LINE__, "'%s' is not about %s", err.text, why);
	fargs_pt_input_deinit(&in);
}

static void refuses_nonsense(void)
{
	put_all();
	pt_pieces[0].w.n = 103;
	refuse("how Intel PT was recorded");
	put_all();
	set64(&pt_pieces[1].w, 0, 54);
	refuse("code that is longer");
	put_all();
	pt_pieces[3].cpu = 2;
	refuse("of an unknown CPU");
	put_all();
	pt_pieces[4].w.bytes[0] = 2;
	refuse("of an unknown ring");
	put_all();
	pt_pieces[4].w.n -= 8;
	refuse("sideband record is corrupt");
	put_all();
	set64(&pt_pieces[3].w, 0, UINT64_MAX - 2);
	refuse("ends past the maximum offset");
}

/* Tests missing chunks, as in a damaged file: a new piece begins after them. */
static void begins_anew_where_chunks_are_missing(void)
{
	put_all();
	set64(&pt_pieces[7].w, 0, 6);
	REQUIRE(!read_pt());
	REQUIRE(in.streams[1].nr_pieces == 3);
	CHECK(is(&in.streams[1].pieces[1], "second", 6, true, true));
	fargs_pt_input_deinit(&in);
	set64(&pt_pieces[7].w, 0, 4);
	refuse("has Intel PT of CPU 1 twice");
}

static void says_that_there_is_none(void)
{
	nr_pt_pieces = 0;
	CHECK_INT(read_pt(), -ENODATA);
	CHECK(strstr(err.text, "has no Intel PT"));
	fargs_pt_input_deinit(&in);
	put_all();
	REQUIRE(!read_pt());
	fargs_pt_input_deinit(&in);
	CHECK_INT(fargs_pt_read(&in, temp_path, "kcore", &err), -EINVAL);
}

/*
 * Tests when modules' code is valid. Times are TSCs: 1000 ns plus half a ns per tick
 * (put_pt_config()).
 */
static void test_load_times(void)
{
	struct world *w;

	nr_pt_pieces = 0;
	put_pt_config(CONFIG);
	put_pt_code(0xffffffff81000000, "\x0f\x1f\x44\0\0", 5);
	w = begin_records(1, 1);
	put_itrace_start(w, 1, 1, 2000);
	put_pt_module("late", 3000, false);
	put_pt_module("late", 4000, true);
	put_pt_code_of("late", 0xffffffffc0000000, "\xc3", 1, 4200);
	REQUIRE(!read_pt());
	REQUIRE(in.nr_codes == 2);
	CHECK_INT(in.codes[0].addr, 0xffffffff81000000);
	CHECK_INT(in.codes[0].from_ns, 0);
	CHECK_INT(in.codes[0].until_ns, 0);
	CHECK_INT(in.codes[1].bytes, 1);
	CHECK_INT(in.codes[1].from_ns, 3000);
	CHECK_INT(in.codes[1].until_ns, 4000);
	fargs_pt_input_deinit(&in);
	/*
	 * The module was unloaded while its code was copied; code that was copied at another time
	 * is valid.
	 */
	put_pt_code_of("late", 0xffffffffc0001000, "\xc3", 1, 4400);
	put_pt_code_of("late", 0xffffffffc0000000, "", 0, 4200);
	REQUIRE(!read_pt());
	REQUIRE(in.nr_codes == 3);
	CHECK_INT(in.codes[0].bytes + in.codes[1].bytes + in.codes[2].bytes, 5 + 1);
	CHECK_INT(in.codes[2].addr, 0xffffffffc0001000);
	CHECK_INT(in.codes[2].bytes, 1);
	fargs_pt_input_deinit(&in);
}

/*
 * Tests pages of BPF programs: where there is no program, they contain INT3, which is not executed.
 */
static void leaves_out_what_is_no_program(void)
{
	char code[64];

	memset(code, 0xcc, sizeof(code));
	memset(code + 8, 0x90, 4);
	/* Short runs of INT3 may be part of a program. */
	memset(code + 32, 0x90, 16);
	memset(code + 36, 0xcc, 4);
	nr_pt_pieces = 0;
	put_pt_config(CONFIG);
	put_pt_code(0xffffffff81000000, "\x0f\x1f\x44\0\0", 5);
	put_pt_code_of("bpf", 0xffffffffc0000000, code, sizeof(code), 300);
	REQUIRE(!read_pt());
	REQUIRE(in.nr_codes == 3);
	CHECK_INT(in.codes[1].addr, 0xffffffffc0000000);
	CHECK_INT(in.codes[1].bytes, 12);
	CHECK_INT(in.codes[2].addr, 0xffffffffc0000000 + 32);
	CHECK_INT(in.codes[2].bytes, 16);
	CHECK_INT(in.codes[2].at - in.codes[1].at, 32);
	fargs_pt_input_deinit(&in);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "reads streams", reads_streams },
		{ "reads the config", reads_the_config },
		{ "reads clocks", reads_clocks },
		{ "reads code", reads_code },
		{ "reads sideband data", reads_what_is_beside },
		{ "knows when code was loaded", test_load_times },
		{ "skips mappings that are not code", leaves_out_what_is_no_program },
		{ "refuses invalid files", refuses_nonsense },
		{ "resynchronizes after missing chunks", begins_anew_where_chunks_are_missing },
		{ "reports a file without Intel PT", says_that_there_is_none },
	};

	return TEMP_RUN(tests);
}
