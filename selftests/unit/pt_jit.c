// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests dumps of JIT compilers, written by hand according to jitdump-specification.txt: functions
 * that replace each other, and damaged dumps.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/pt/code/memory.h"
#include "source/pt/input/jitdump.h"
#include "source/pt/input/perf_input.h"
#include "source/pt/input/spaces.h"
#include "unit/ktap.h"
#include "unit/perf_world.h"

#define PID	7
/* The clock of perf_world.h is 1000 ns + TSC / 2. */
#define NS(tsc)	(1000 + (tsc) / 2)
#define CODE	0x7fff00001000

enum { LOAD, MOVE, DEBUG_INFO, CLOSE, UNWINDING_INFO };
/* e_machine of ELF files */
enum { X86 = 3, X86_64 = 62, ARM = 40 };

static struct world w, dump;
static struct fargs_pt_input in;
static struct fargs_error_text err;
static struct fargs_pt_memory *memory;
static char dir[32], dump_path[64], data_path[64];

static void put_head(uint32_t machine, uint32_t pid, uint64_t flags)
{
	dump.n = 0;
	put32(&dump, 0x4a695444);
	put32(&dump, 1);
	put32(&dump, 40);
	put32(&dump, machine);
	put32(&dump, 0);
	put32(&dump, pid);
	put64(&dump, 1);
	put64(&dump, flags);
}

/* Adds the head of a record. Returns its offset for end_dumped(), which sets the size. */
static size_t begin_dumped(uint32_t type, uint64_t tsc)
{
	size_t at = dump.n;

	put32(&dump, type);
	put32(&dump, 0);
	put64(&dump, tsc);
	return at;
}

static void end_dumped(size_t at)
{
	uint32_t bytes = dump.n - at;

	memcpy(dump.bytes + at + 4, &bytes, sizeof(bytes));
}

static size_t put_load(uint64_t tsc, uint32_t pid, uint64_t addr, const char *name,
		       const char *code, uint64_t index)
{
	size_t at = begin_dumped(LOAD, tsc);

	put32(&dump, pid);
	put32(&dump, pid);
	put64(&dump, addr);
	put64(&dump, addr);
	put64(&dump, strlen(code));
	put64(&dump, index);
	put_bytes(&dump, name, strlen(name) + 1);
	put_bytes(&dump, code, strlen(code));
	end_dumped(at);
	return at;
}

static void put_move(uint64_t tsc, uint64_t from, uint64_t to, uint64_t bytes, uint64_t index)
{
	size_t at = begin_dumped(MOVE, tsc);

	put32(&dump, PID);
	put32(&dump, PID);
	put64(&dump, to);
	put64(&dump, from);
	put64(&dump, to);
	put64(&dump, bytes);
	put64(&dump, index);
	end_dumped(at);
}

static bool write_file(const char *path, const void *bytes, size_t n)
{
	FILE *file = fopen(path, "we");

	if (file && fwrite(bytes, 1, n, file) == n && !fclose(file))
		return true;
	ktap_fail(__FILE__, __LINE__, "cannot write %s", path);
	return false;
}

/* Reads a recording that maps the first @n bytes of the dump, as written by process @pid. */
static bool read_dump_of(size_t n, uint32_t pid)
{
	size_t data = begin_file(&w);
	uint64_t attrs;

	memcpy(&attrs, w.bytes + 24, sizeof(attrs));
	set64(&w, attrs + 40, 1 << 5 | 1 << 18);	/* exclude_kernel, sample_id_all */
	put_auxtrace_info(&w, true);
	put_mmap2(&w, pid, 0x7fff20000000, 4096, dump_path, NS(100));
	put_mmap2(&w, pid, 0x7fff30000000, 4096, dump_path, NS(100));
	finish_file(&w, data);
	fargs_pt_input_init(&in);
	if (write_file(dump_path, dump.bytes, n) && write_file(data_path, w.bytes, w.n) &&
	    !fargs_perf_input_read(&in, data_path, NULL, &err)) {
		memory = fargs_pt_memory_create(&in, &err);
		return memory;
	}
	ktap_fail(__FILE__, __LINE__, "%s", err.text);
	return false;
}

static bool read_dump(void)
{
	return read_dump_of(dump.n, PID);
}

static void end(void)
{
	fargs_pt_memory_destroy(memory);
	memory = NULL;
	fargs_pt_input_deinit(&in);
}

/* Returns the code at @addr in process @pid at a time: up to 8 bytes, which are characters. */
static const char *code_of(int32_t pid, uint64_t addr, uint64_t tsc)
{
	int32_t space = fargs_pt_spaces_at(&in, pid, NS(tsc));
	struct fargs_pt_view view;
	static char code[9];
	size_t n;

	if (space < 0)
		return "";
	CHECK(!fargs_pt_view_init(&view, memory, space));
	fargs_pt_view_move(&view, NS(tsc), NULL, NULL);
	n = fargs_pt_view_read(&view, addr, (uint8_t *)code, sizeof(code) - 1);
	code[n] = '\0';
	fargs_pt_view_deinit(&view);
	return code;
}

static const char *code_at(uint64_t addr, uint64_t tsc)
{
	return code_of(PID, addr, tsc);
}

static void names_of_dumps(void)
{
	CHECK(fargs_jitdump_is_name("/tmp/jit-12.dump"));
	CHECK(fargs_jitdump_is_name("/jit-1.dump"));
	CHECK(!fargs_jitdump_is_name("/tmp/jit-.dump"));
	CHECK(!fargs_jitdump_is_name("/tmp/jit-12.dump.so"));
	CHECK(!fargs_jitdump_is_name("/tmp/ajit-12.dump"));
	CHECK(!fargs_jitdump_is_name("/tmp/jit-12"));
	CHECK(!fargs_jitdump_is_name("/jit-12.dump/a"));
	CHECK(!fargs_jitdump_is_name("jit"));
}

static void put_functions(void)
{
	size_t at;

	put_head(X86_64, PID, 1);
	at = begin_dumped(UNWINDING_INFO, 200);
	put64(&dump, 4);
	put64(&dump, 4);
	put64(&dump, 0);
	put_bytes(&dump, "info", 4);
	end_dumped(at);
	put_load(200, PID, CODE, "first", "abcdefgh", 1);
	at = begin_dumped(DEBUG_INFO, 300);
	put64(&dump, CODE);
	put64(&dump, 0);
	end_dumped(at);
	put_load(300, PID, CODE + 0x100, "moved", "MOVED", 2);
	put_load(400, PID, CODE + 0x200, "empty", "", 3);
	put_load(500, PID, CODE + 2, "second", "XYZ", 4);
	put_move(600, CODE + 0x100, CODE + 0x300, 5, 2);
	at = begin_dumped(99, 700);
	put_bytes(&dump, "of the future", 13);
	end_dumped(at);
	put_load(700, PID, CODE + 0x400, "last", "LAST", 5);
	end_dumped(begin_dumped(CLOSE, 800));
	put_load(900, PID, CODE + 0x500, "after", "the end", 6);
}

static void functions_replace_others(void)
{
	put_functions();
	REQUIRE(read_dump());
	CHECK_INT(in.nr_notes, 0);
	/* The dump is mapped twice, but its functions are there once. */
	CHECK_INT(in.nr_codes, 5);
	/* Code that replaces none is there from the beginning: times in the trace are inexact. */
	CHECK_STR(code_at(CODE, 0), "abcdefgh");
	CHECK_STR(code_at(CODE, 499), "abcdefgh");
	CHECK_STR(code_at(CODE, 500), "abXYZfgh");
	CHECK_STR(code_at(CODE + 0x100, 1000), "MOVED");
	CHECK_STR(code_at(CODE + 0x300, 600), "MOVED");
	CHECK_STR(code_at(CODE + 0x400, 700), "LAST");
	CHECK_STR(code_at(CODE + 0x500, 1000), "");
	CHECK_STR(in.codes[0].name, "first");
	CHECK_STR(in.codes[3].name, "moved");
	CHECK_INT(in.codes[3].addr, CODE + 0x300);
	end();
}

/* In a pid namespace, the pids in the dump are not those in the kernel's records. */
static void pids_of_a_namespace(void)
{
	put_head(X86_64, 3, 1);
	put_load(200, 3, CODE, "own", "own", 1);
	put_load(200, 4, CODE, "other", "other", 2);
	REQUIRE(read_dump_of(dump.n, PID));
	CHECK_STR(code_of(PID, CODE, 300), "own");
	CHECK_STR(code_of(4, CODE, 300), "other");
	CHECK_STR(code_of(3, CODE, 300), "");
	end();
}

/* Times of CLOCK_MONOTONIC are of no use: of several functions, the last one is used. */
static void times_of_another_clock(void)
{
	put_head(X86, PID, 0);
	put_load(5, PID, CODE, "first", "first", 1);
	put_load(4, PID, CODE, "last", "last!", 1);
	REQUIRE(read_dump());
	CHECK_INT(in.nr_notes, 1);
	CHECK(strstr(in.notes[0], "another clock"));
	CHECK_STR(code_at(CODE, 100), "last!");
	CHECK_STR(code_at(CODE, 1000), "last!");
	end();
}

static void has_no_code(const char *why)
{
	REQUIRE(read_dump());
	CHECK_INT(in.nr_codes, 0);
	CHECK_INT(in.nr_notes, 1);
	if (in.nr_notes && !strstr(in.notes[0], why))
		ktap_fail(__FILE__, __LINE__, "%s", in.notes[0]);
	end();
}

static void other_files(void)
{
	put_head(ARM, PID, 1);
	put_load(200, PID, CODE, "a", "arm", 1);
	has_no_code("is not a dump");
	put_head(X86_64, PID, 1);
	dump.bytes[0] ^= 1;
	has_no_code("is not a dump");
	put_head(X86_64, PID, 1);
	dump.bytes[4] = 2;
	has_no_code("is not a dump");
	put_head(X86_64, PID, 1);
	dump.bytes[8] = 39;
	has_no_code("is not a dump");
	dump.n = 39;
	has_no_code("is not a dump");
	dump.n = 0;
	has_no_code("cannot be read");
}

/* Sets 32 bits of the dump, at @offset in the record at @at, and checks what is then read. */
static void damage(size_t at, size_t offset, uint64_t value, size_t bytes, bool is_damaged)
{
	uint8_t kept[8];

	memcpy(kept, dump.bytes + at + offset, bytes);
	memcpy(dump.bytes + at + offset, &value, bytes);
	REQUIRE(read_dump());
	CHECK_STR(code_at(CODE, 300), "good");
	CHECK_INT(in.nr_notes, is_damaged);
	if (is_damaged) {
		CHECK(in.nr_notes && strstr(in.notes[0], "damaged at byte"));
		CHECK_STR(code_at(CODE + 0x200, 300), "");
	}
	end();
	memcpy(dump.bytes + at + offset, kept, bytes);
}

static void damaged_records(void)
{
	size_t at;

	put_head(X86_64, PID, 1);
	put_load(200, PID, CODE, "good", "good", 1);
	at = put_load(200, PID, CODE + 0x100, "bad", "code", 2);
	put_load(200, PID, CODE + 0x200, "rest", "rest", 3);
	/* The size of the record: 0, as large as its head, and beyond the end of the file. */
	damage(at, 4, 0, 4, true);
	damage(at, 4, 15, 4, true);
	damage(at, 4, 55, 4, true);
	damage(at, 4, 1000, 4, true);
	damage(at, 4, UINT32_MAX, 4, true);
	/* The size of the code, and its address. */
	damage(at, 40, 5, 8, true);
	damage(at, 40, UINT64_MAX, 8, true);
	damage(at, 40, 0, 8, false);
	damage(at, 32, UINT64_MAX - 2, 8, true);
	/* A name without an end. */
	memset(dump.bytes + at + 56, 'x', 8);
	damage(at, 56, 'x', 1, true);
	/* A move of a function that is not there, to an invalid address, and one that is short. */
	put_head(X86_64, PID, 1);
	put_load(200, PID, CODE, "good", "good", 1);
	at = dump.n;
	put_move(250, CODE, CODE + 0x100, 4, 1);
	put_load(200, PID, CODE + 0x200, "rest", "rest", 3);
	damage(at, 56, 9, 8, false);
	damage(at, 40, UINT64_MAX, 8, true);
	damage(at, 4, 60, 4, true);
}

/* However long the part of a dump is that was written, all complete functions in it are read. */
static void truncated_dumps(void)
{
	size_t ends[3], n, i, nr;

	put_head(X86_64, PID, 1);
	for (i = 0; i < 3; i++) {
		put_load(200, PID, CODE + 0x100 * i, "name", "code", i);
		ends[i] = dump.n;
	}
	for (n = 40; n <= dump.n; n++) {
		for (nr = 0; nr < 3 && ends[nr] <= n; nr++)
			;
		REQUIRE(read_dump_of(n, PID));
		CHECK_INT(in.nr_codes, nr);
		CHECK_INT(in.nr_notes, n != 40 && (!nr || ends[nr - 1] != n));
		end();
	}
}

static void random_bytes(void)
{
	unsigned int seed, k;
	uint8_t kept;

	put_functions();
	for (seed = 0; seed < 1500; seed++) {
		unsigned int random = seed;
		size_t at = 0;

		for (k = 0; k < 2; k++) {
			at = rand_r(&random) % dump.n;
			kept = dump.bytes[at];
			dump.bytes[at] = rand_r(&random);
		}
		REQUIRE(read_dump());
		code_at(CODE, 300);
		end();
		/* Half of the damage stays, so that it accumulates; then all begins anew. */
		dump.bytes[at] = kept;
		if (seed % 10 == 9)
			put_functions();
	}
}

static const struct ktap_test tests[] = {
	{ "dumps are recognised by their names", names_of_dumps },
	{ "functions replace others and are moved", functions_replace_others },
	{ "pids of a namespace are those of the kernel's record", pids_of_a_namespace },
	{ "times of another clock are not used", times_of_another_clock },
	{ "other files are not read", other_files },
	{ "records before a damaged one are read", damaged_records },
	{ "truncated dumps are read up to their end", truncated_dumps },
	{ "random damage does no harm", random_bytes },
};

int main(void)
{
	int status;

	strcpy(dir, "/tmp/fargs-unit-XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	snprintf(dump_path, sizeof(dump_path), "%s/jit-%d.dump", dir, PID);
	snprintf(data_path, sizeof(data_path), "%s/data", dir);
	status = KTAP_RUN(tests);
	unlink(dump_path);
	unlink(data_path);
	rmdir(dir);
	return status;
}
