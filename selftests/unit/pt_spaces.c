// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests several programs in one recording, with different code at the same address: records of
 * mappings, forks, execs and switches determine which program is decoded.
 */
#include "unit/ktap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/pt/code/insn.h"
#include "source/pt/input/perf_input.h"
#include "source/pt/trace/decoder.h"
#include "unit/perf_world.h"

#define CODE		0x401000
#define CODE_BYTES	0x100
#define SEEN_MAX	64
/* The clock of perf_world.h is 1000 ns + TSC / 2. MTCs are 337 ticks or 168 ns apart. */
#define NS(tsc)		(1000 + (tsc) / 2)

static struct world w, trace;
static struct fargs_pt_input in;
static struct fargs_error_text err;
static char dir[32];
static char paths[4][64];		/* files of programs 1 to 3 */

/* The conditional branches of all streams, in order: each as the digit of its program. */
static char seen[SEEN_MAX];
static unsigned int nr_errors;
static char note[256];			/* the last one */

/*
 * Writes program N: N - 1 NOPs, a JZ to 16 bytes after it, and a SYSCALL at its target. All
 * programs have the same packets: only the address of the JZ shows which one was decoded.
 */
static void write_program(unsigned int nr)
{
	uint8_t code[CODE_BYTES];
	FILE *file;

	memset(code, 0x90, sizeof(code));
	memcpy(code + nr - 1, "\x74\x0e", 2);
	memcpy(code + nr - 1 + 16, "\x0f\x05", 2);
	snprintf(paths[nr], sizeof(paths[nr]), "%s/%u", dir, nr);
	file = fopen(paths[nr], "we");
	if (!file || fwrite(code, 1, sizeof(code), file) != sizeof(code) || fclose(file))
		ktap_fail(__FILE__, __LINE__, "cannot write %s", paths[nr]);
}

static void put_map(uint32_t pid, unsigned int program, uint64_t addr, uint64_t ns)
{
	put_mmap2(&w, pid, addr, CODE_BYTES, paths[program], ns);
}

static void put_tsc(uint64_t tsc)
{
	const uint64_t word = 0x19 | tsc << 8;

	put_bytes(&trace, &word, 8);
}

/* Adds a run of a program: TIP.PGE, a TNT with one branch, taken, and TIP.PGD. */
static void put_untimed_run(uint64_t ip)
{
	put_bytes(&trace, "\x71", 1);
	put_bytes(&trace, &ip, 6);
	put_bytes(&trace, "\x06\x01", 2);
}

static void put_run_at(uint64_t ip, uint64_t tsc)
{
	put_tsc(tsc);
	put_untimed_run(ip);
}

static void put_run(uint64_t tsc)
{
	put_run_at(CODE, tsc);
}

/* Adds a run with a PSB in it, so that the next segment begins in user space. */
static void put_cut_run(uint64_t tsc)
{
	const uint64_t ip = CODE;

	put_tsc(tsc);
	put_bytes(&trace, "\x71", 1);
	put_bytes(&trace, &ip, 6);
	put_psb(&trace, tsc + 10, CODE);
	put_bytes(&trace, "\x06\x01", 2);
}

/* Adds the packets generated so far as the trace of a CPU or, if @cpu is -1, of a thread. */
static void put_trace(uint32_t cpu, uint32_t tid)
{
	size_t at = begin_record(&w, 71, 0), n = trace.n;

	put64(&w, (n + 7) & ~7ul);
	put64(&w, 0);
	put64(&w, 0);
	put32(&w, cpu == -1u ? tid : cpu);
	put32(&w, tid);
	put32(&w, cpu);
	put32(&w, 0);
	end_record(&w, at);
	put_bytes(&w, trace.bytes, n);
	for (; n % 8; n++)
		w.bytes[w.n++] = 0;
	trace.n = 0;
}

/* Begins a file in which only user space was traced. */
static size_t begin_user_file(bool is_per_cpu)
{
	size_t data = begin_file(&w);
	uint64_t attrs;

	memcpy(&attrs, w.bytes + 24, sizeof(attrs));
	set64(&w, attrs + 40, 1 << 5 | 1 << 18);	/* exclude_kernel, sample_id_all */
	put_auxtrace_info(&w, is_per_cpu);
	trace.n = 0;
	return data;
}

static bool read_file(size_t data)
{
	char path[64];
	FILE *file;

	finish_file(&w, data);
	snprintf(path, sizeof(path), "%s/data", dir);
	file = fopen(path, "we");
	if (!file || fwrite(w.bytes, 1, w.n, file) != w.n || fclose(file)) {
		ktap_fail(__FILE__, __LINE__, "cannot write %s", path);
		return false;
	}
	fargs_pt_input_init(&in);
	if (!fargs_perf_input_read(&in, path, NULL, &err))
		return true;
	ktap_fail(__FILE__, __LINE__, "%s", err.text);
	fargs_pt_input_deinit(&in);
	return false;
}

static void see(const struct fargs_pt_flow *flow)
{
	size_t i, n = strlen(seen);

	for (i = 0; i < flow->nr && n + 1 < SEEN_MAX; i++) {
		const struct fargs_pt_item *item = &flow->items[i];

		nr_errors += item->kind == FARGS_PT_ERROR;
		if (item->kind == FARGS_PT_BRANCH && item->insn == FARGS_PT_INSN_COND)
			seen[n++] = '1' + (item->from & 0xf);
	}
	seen[n] = '\0';
}

/* Decodes all streams with one decoder, in segments of @bytes. Returns the branches in @seen. */
static const char *decode(uint64_t bytes, bool is_by_insn)
{
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);
	struct fargs_pt_flow flow = { };
	struct fargs_pt_segments segs;
	size_t s, i;

	strcpy(seen, "");
	nr_errors = 0;
	if (is_by_insn)
		fargs_pt_decoder_step_by_insn(d);
	for (s = 0; s < in.nr_streams; s++) {
		CHECK(!fargs_pt_segments_init(&segs, &in.streams[s], bytes));
		for (i = 0; i < segs.nr; i++) {
			CHECK(!fargs_pt_decoder_run(d, &segs.all[i], &flow));
			see(&flow);
		}
		fargs_pt_segments_deinit(&segs);
	}
	fargs_pt_flow_deinit(&flow);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	return seen;
}

/*
 * Checks that the file decodes to @programs, with any segment size, by blocks and by instructions.
 */
static void check_programs(size_t data, const char *programs)
{
	if (!read_file(data))
		return;
	CHECK_STR(decode(1, false), programs);
	CHECK_INT(nr_errors, 0);
	CHECK_STR(decode(UINT64_MAX, false), programs);
	CHECK_INT(nr_errors, 0);
	CHECK_STR(decode(1, true), programs);
	CHECK_INT(nr_errors, 0);
	snprintf(note, sizeof(note), "%s", in.nr_notes ? in.notes[in.nr_notes - 1] : "");
	fargs_pt_input_deinit(&in);
}

/* Tests two processes that run on two CPUs at the same time, and migrate. */
static void two_processes_on_cpus(void)
{
	size_t data = begin_user_file(true);

	put_comm(&w, 7, "seven", 0);
	put_map(7, 1, CODE, 0);
	put_comm(&w, 8, "eight", 0);
	put_map(8, 2, CODE, 0);
	put_itrace_start(&w, 7, 0, NS(100000));
	put_itrace_start(&w, 8, 1, NS(100000));
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_run(130000);
	put_psb(&trace, 140000, 0);
	put_run(150000);
	put_cut_run(170000);
	put_run(180000);
	put_run(210000);
	put_trace(0, -1);
	put_switch(&w, 0, 7, 8, NS(120000));
	put_switch(&w, 0, 8, 7, NS(160000));
	put_switch(&w, 0, 7, 8, NS(200000));
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_run(130000);
	put_run(170000);
	put_trace(1, -1);
	put_switch(&w, 1, 8, 7, NS(120000));
	put_switch(&w, 1, 7, 8, NS(160000));
	check_programs(data, "122112212");
}

static void two_threads(void)
{
	size_t data = begin_user_file(false);

	put_comm(&w, 7, "seven", 0);
	put_map(7, 1, CODE, 0);
	put_comm(&w, 8, "eight", 0);
	put_map(8, 2, CODE, 0);
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_cut_run(130000);
	put_trace(-1, 8);
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_cut_run(130000);
	put_run(140000);
	put_trace(-1, 7);
	check_programs(data, "11122");
}

/*
 * Task 8 has the code of its parent, task 7, until it executes another program. The parent does so
 * later.
 */
static void put_family(void)
{
	put_map(7, 1, CODE, 0);
	put_fork(&w, 8, 7, NS(120000));
	put_exec(&w, 8, NS(160000));
	put_map(8, 2, CODE, NS(161000));
	put_exec(&w, 7, NS(200000));
	put_map(7, 3, CODE, NS(201000));
	/* Task 9 is forked by task 8, so it has the code of program 2. */
	put_fork(&w, 9, 8, NS(220000));
}

static void fork_and_exec_on_cpus(void)
{
	size_t data = begin_user_file(true);

	put_family();
	put_itrace_start(&w, 7, 0, NS(100000));
	put_itrace_start(&w, 0, 1, NS(100000));
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_run(150000);
	put_run(190000);
	put_run(210000);
	put_cut_run(230000);
	put_trace(0, -1);
	put_switch(&w, 1, 0, 8, NS(130000));
	put_psb(&trace, 100000, 0);
	put_run(150000);
	put_run(170000);
	put_cut_run(180000);
	put_switch(&w, 1, 8, 9, NS(240000));
	put_run(250000);
	put_trace(1, -1);
	check_programs(data, "111331222");
	CHECK_STR(note, "");
}

static void fork_and_exec_of_threads(void)
{
	size_t data = begin_user_file(false);

	put_family();
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_run(190000);
	put_run(210000);
	put_trace(-1, 7);
	put_psb(&trace, 140000, 0);
	put_run(150000);
	put_run(170000);
	put_trace(-1, 8);
	put_psb(&trace, 240000, 0);
	put_run(250000);
	put_trace(-1, 9);
	check_programs(data, "113122");
}

/* Tests threads recorded without times: their programs are at different addresses. */
static void threads_without_times(void)
{
	size_t data = begin_user_file(false);

	put_comm(&w, 7, "seven", 0);
	put_map(7, 1, CODE, 0);
	put_exec(&w, 7, 0);
	put_map(7, 2, 2 * CODE, 0);
	put_comm(&w, 8, "eight", 0);
	put_map(8, 3, CODE, 0);
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_cut_run(120000);
	put_psb(&trace, 130000, 0);
	put_run_at(2 * CODE, 140000);
	put_run_at(2 * CODE, 150000);
	put_trace(-1, 7);
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_trace(-1, 8);
	check_programs(data, "11223");
}

/*
 * Tests coarse times: the clock ticks every 168 ns, so a switch record may be later than the last
 * time before the entry to user space.
 */
static void times_are_late(void)
{
	size_t data = begin_user_file(true);

	put_map(7, 1, CODE, 0);
	put_map(8, 2, CODE, 0);
	put_map(9, 3, 2 * CODE, 0);
	put_itrace_start(&w, 7, 0, NS(100000));
	put_psb(&trace, 100000, 0);
	put_run(110000);
	/* The switch is later by less than a tick. */
	put_run(120000);
	put_switch(&w, 0, 7, 8, NS(120200));
	put_exec(&w, 8, NS(130200));
	put_map(8, 3, CODE, NS(130220));
	put_run(130000);
	/*
	 * The switch is later by more than a tick, but only one of the tasks has code at this
	 * address.
	 */
	put_run_at(2 * CODE, 140000);
	put_switch(&w, 0, 8, 9, NS(140700));
	put_run_at(2 * CODE, 150000);
	put_trace(0, -1);
	check_programs(data, "12333");
}

/* Tests a file that is mapped at the address of another file. */
static void one_in_place_of_another(void)
{
	size_t data = begin_user_file(true);

	put_map(7, 1, CODE, 0);
	put_map(8, 3, CODE, 0);
	put_map(7, 2, CODE, NS(150000));
	put_itrace_start(&w, 7, 0, NS(100000));
	put_psb(&trace, 100000, 0);
	put_run(110000);
	put_run(140000);
	put_run(160000);
	put_switch(&w, 0, 7, 8, NS(170000));
	put_run(180000);
	put_switch(&w, 0, 8, 7, NS(190000));
	put_run(200000);
	put_trace(0, -1);
	check_programs(data, "11232");
}

/* Tests a trace with more programs than the cache of code images can hold. */
static void many_processes(void)
{
	char programs[SEEN_MAX] = "";
	size_t data = begin_user_file(true), i;

	for (i = 0; i < 40; i++)
		put_map(100 + i, 1 + i % 3, CODE, 0);
	put_itrace_start(&w, 1, 0, NS(100000));
	put_psb(&trace, 100000, 0);
	for (i = 0; i < 60; i++) {
		put_switch(&w, 0, i ? 100 + (i - 1) * 7 % 40 : 1, 100 + i * 7 % 40,
			   NS(110000 + 10000 * i));
		put_run(115000 + 10000 * i);
		programs[i] = '1' + i * 7 % 40 % 3;
	}
	put_trace(0, -1);
	check_programs(data, programs);
}

/*
 * Tests a long chain of processes, each of which is forked by the previous one and maps one more
 * file: memory must grow only linearly.
 */
static void long_families(void)
{
	size_t data = begin_user_file(true), i;

	put_map(100, 1, CODE, 0);
	for (i = 1; i < 300; i++) {
		put_fork(&w, 100 + i, 100 + i - 1, NS(100000 + 100 * i));
		if (i % 100 == 0)
			put_map(100 + i, 2, i * CODE, NS(100050 + 100 * i));
	}
	put_itrace_start(&w, 399, 0, NS(100000));
	put_psb(&trace, 150000, 0);
	put_run(160000);
	put_run_at(100 * CODE, 170000);
	put_run_at(200 * CODE, 180000);
	put_trace(0, -1);
	if (!read_file(data))
		return;
	CHECK_STR(decode(1, false), "122");
	CHECK_INT(nr_errors, 0);
	CHECK_INT(in.nr_codes, 3);
	fargs_pt_input_deinit(&in);
}

/*
 * Tests a trace without MTCs: the TSC after the PSB is its only time, and execs and switches are
 * later.
 */
static void times_are_rare(void)
{
	size_t data = begin_user_file(true);
	uint64_t attrs;

	memcpy(&attrs, w.bytes + 24, sizeof(attrs));
	set64(&w, attrs + 8, 0x2000 | TSC_BIT);
	put_map(6, 1, CODE, 0);
	put_fork(&w, 7, 6, NS(90000));
	put_itrace_start(&w, 7, 0, NS(100000));
	put_psb(&trace, 100000, 0);
	put_exec(&w, 7, NS(110000));
	put_map(7, 2, 2 * CODE, NS(111000));
	put_untimed_run(2 * CODE);
	put_untimed_run(2 * CODE);
	put_exec(&w, 7, NS(210000));
	put_map(7, 3, 3 * CODE, NS(211000));
	put_untimed_run(3 * CODE);
	put_switch(&w, 0, 7, 6, NS(310000));
	put_untimed_run(CODE);
	put_trace(0, -1);
	check_programs(data, "2231");
	/* If both tasks had code at the same address, the trace would not show whose it was. */
	CHECK(strstr(note, "mtc=0"));
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "two processes on CPUs are distinguished", two_processes_on_cpus },
		{ "two threads are distinguished", two_threads },
		{ "fork and exec are followed on CPUs", fork_and_exec_on_cpus },
		{ "fork and exec are followed for threads", fork_and_exec_of_threads },
		{ "threads are decoded without times", threads_without_times },
		{ "records may have later times than the trace", times_are_late },
		{ "without MTCs, the code shows which program is executed", times_are_rare },
		{ "a file may be mapped over another one", one_in_place_of_another },
		{ "more programs than cached images are decoded", many_processes },
		{ "memory grows linearly with a chain of forks", long_families },
	};
	char command[64];
	unsigned int i;
	int status;

	strcpy(dir, "/tmp/fargs-pt-XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	for (i = 1; i <= 3; i++)
		write_program(i);
	status = KTAP_RUN(tests);
	snprintf(command, sizeof(command), "rm -r '%s'", dir);
	return system(command) ? 1 : status;
}
