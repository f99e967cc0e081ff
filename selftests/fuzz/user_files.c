// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads a recording of user space, whose files are mutated: a program, of which the build ID, the
 * symbols and the linkage table are read, and the dump of a JIT compiler. None of this may access
 * memory out of bounds or loop forever.
 *
 *	user_files [-n TIMES] [-t SECONDS] [-s SEED]
 */
#include <unistd.h>

#include "base/file.h"
#include "fuzz/options.h"
#include "fuzz/pt_show.h"
#include "source/pt/input/perf_input.h"

#define PROGRAM		"/bin/true"
#define PROGRAM_AT	0x555555554000
#define DUMP_AT		0x7fff10000000
#define JIT_AT		0x7fff00000000
#define VISITS		300

static char dir[32], program_path[64], dump_path[64], data_path[64];

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *file = fopen(path, "we");

	if (!file || fwrite(bytes, 1, n, file) != n || fclose(file)) {
		printf("cannot write %s\n", path);
		exit(1);
	}
}

/* Adds a load or a move of function @index, according to jitdump-specification.txt. */
static void put_function(struct world *dump, bool is_move, uint64_t tsc, uint64_t addr,
			 uint64_t index)
{
	static const char name[] = "function", code[] = "\x90\x90\xeb\x00\x90\xc3";
	size_t at = dump->n;
	uint32_t bytes;

	put32(dump, is_move);
	put32(dump, 0);
	put64(dump, tsc);
	put64(dump, 7);
	put64(dump, addr);
	if (is_move)
		put64(dump, JIT_AT);
	put64(dump, addr);
	put64(dump, sizeof(code));
	put64(dump, index);
	if (!is_move) {
		put_bytes(dump, name, sizeof(name));
		put_bytes(dump, code, sizeof(code));
	}
	bytes = dump->n - at;
	memcpy(dump->bytes + at + 4, &bytes, sizeof(bytes));
}

static void make_dump(struct world *dump)
{
	unsigned int i;

	put64(dump, 0x4a695444 | 1ull << 32);
	put64(dump, 40 | 62ull << 32);
	put64(dump, 7ull << 32);
	put64(dump, 1);
	put64(dump, 1);
	for (i = 0; i < 20; i++)
		put_function(dump, i % 5 == 4, 2000 + 500 * i, JIT_AT + i % 7 * 4, i % 6);
}

static void put_ip(struct world *w, uint8_t opcode, uint64_t ip)
{
	put_bytes(w, &opcode, 1);
	put_bytes(w, &ip, 6);
}

/* Writes a recording in which the trace is enabled for a moment at addresses in both files. */
static void write_recording(void)
{
	static struct world w, trace;
	size_t data = begin_file(&w);
	uint64_t attrs, ip;
	unsigned int i;

	memcpy(&attrs, w.bytes + 24, sizeof(attrs));
	set64(&w, attrs + 40, 1 << 5 | 1 << 18);	/* exclude_kernel, sample_id_all */
	put_psb(&trace, 2000, 0);
	for (i = 0; i < VISITS; i++) {
		ip = i % 3 ? PROGRAM_AT + 0x1000 + i * 29 : JIT_AT + i % 50;
		put64(&trace, 0x19 | (2000ull + 40 * i) << 8);
		put_ip(&trace, 0x71, ip);
		if (i % 2)
			put_ip(&trace, 0x7d, ip);
		put_bytes(&trace, "\x01", 1);
	}
	put_auxtrace_info(&w, true);
	put_itrace_start(&w, 7, 0, 1001);
	put_mmap2(&w, 7, PROGRAM_AT, 0x10000, program_path, 0);
	put_mmap2(&w, 7, DUMP_AT, 0x1000, dump_path, 0);
	put_aux(&w, 0, 0, trace.n, 0);
	put_auxtrace(&w, 0, 0, trace.bytes, trace.n);
	finish_file(&w, data);
	write_file(data_path, w.bytes, w.n);
}

/* Reads and shows the recording. */
static void try_one(void)
{
	struct fargs_error_text err = { "" };
	struct fargs_pt_input in;

	fargs_pt_input_init(&in);
	if (fargs_perf_input_read(&in, data_path, NULL, &err)) {
		printf("%s\n", err.text);
		exit(1);
	}
	show(&in, &err);
	fargs_pt_input_deinit(&in);
}

/* Mutates a program: mostly its tables, which are a small part of it. May truncate it. */
static void mutate_program(uint8_t *program, size_t *n)
{
	size_t sections_at, at = 0, bytes = 1024;

	memcpy(&sections_at, program + 40, sizeof(sections_at));
	if (fuzz_once_in(&rng, 4) || *n < bytes) {
		mutate(program, n);
		return;
	}
	if (fuzz_once_in(&rng, 2) && sections_at < *n) {
		at = sections_at;
		bytes = *n - sections_at;
	}
	mutate(program + at, &bytes);
}

static void run(const struct fuzz_options *o, const uint8_t *program, size_t program_bytes)
{
	uint8_t *copy = malloc(program_bytes);
	static struct world dump, mutated;
	unsigned long i;
	size_t n;

	make_dump(&dump);
	for (i = 0; copy && fuzz_goes_on(o, i); i++) {
		memcpy(copy, program, program_bytes);
		n = program_bytes;
		mutated = dump;
		if (i) {
			mutate_program(copy, &n);
			mutate(mutated.bytes, &mutated.n);
		}
		write_file(program_path, copy, n);
		write_file(dump_path, mutated.bytes, mutated.n);
		try_one();
	}
	free(copy);
	printf("%lu programs and dumps\n", i);
}

int main(int argc, char **argv)
{
	struct fuzz_options o = { .nr = 1000, .seed = 1 };
	size_t size;
	char *program = fargs_file_read(PROGRAM, &size);

	strcpy(dir, "/tmp/fargs-fuzz-XXXXXX");
	if (!program || !fuzz_options_read(&o, argc, argv) || !mkdtemp(dir))
		return 1;
	rng.state = o.seed;
	snprintf(program_path, sizeof(program_path), "%s/program", dir);
	snprintf(dump_path, sizeof(dump_path), "%s/jit-7.dump", dir);
	snprintf(data_path, sizeof(data_path), "%s/data", dir);
	write_recording();
	run(&o, (const uint8_t *)program, size);
	unlink(program_path);
	unlink(dump_path);
	unlink(data_path);
	rmdir(dir);
	free(program);
	return 0;
}
