// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several programs in one recording, with different code at the same address: records of mappings,
 * forks, execs and switches determine which one is decoded.
 */
#include "unit/ktap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/pt/decode/decoder.h"
#include "source/pt/decode/insn.h"
#include "source/pt/input/perf_input.h"
#include "unit/perf_world.h"

#define CODE		0x401000
#define CODE_BYTES	0x100
#define SEEN_MAX	64
/* The clock of perf_world.h: 1000 ns + TSC / 2. MTCs are 337 ticks apart, or 168 ns. */
#define NS(tsc)		(1000 + (tsc) / 2)

static struct world w, trace;
static struct fargs_pt_input in;
static struct fargs_error_text err;
static char dir[32];
static char paths[4][64];		/* programs 1 to 3 */

/* Conditional branches of all streams, one after the other: the digits of the programs. */
static char seen[SEEN_MAX];
static unsigned int nr_errors;

/*
 * Program N: N - 1 NOPs, JZ to 16 bytes after it, and there a SYSCALL. All have the same packets:
 * only the address of the JZ shows which of them was decoded.
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

/* From the beginning of a program to its end: TIP.PGE, TNT of one branch, taken, TIP.PGD. */
static void put_run_at(uint64_t ip, uint64_t tsc)
{
	put_tsc(tsc);
	put_bytes(&trace, "\x71", 1);
	put_bytes(&trace, &ip, 6);
	put_bytes(&trace, "\x06\x01", 2);
}

static void put_run(uint64_t tsc)
{
	put_run_at(CODE, tsc);
}

/* The same, with a PSB in it: the next segment begins in user space. */
static void put_cut_run(uint64_t tsc)
{
	const uint64_t ip = CODE;

	put_tsc(tsc);
	put_bytes(&trace, "\x71", 1);
	put_bytes(&trace, &ip, 6);
	put_psb(&trace, tsc + 10, CODE);
	put_bytes(&trace, "\x06\x01", 2);
}

/* What follows is the trace of a CPU or, with @cpu -1, of a thread. */
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

/* User space alone was traced. */
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

/* All of it, by one decoder, cut into segments of @bytes. */
static const char *decode(uint64_t bytes, bool is_by_insn)
{
	struct fargs_pt_text *text = fargs_pt_text_create(&in, &err);
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

/* Are these the programs that were executed, however it is decoded? */
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
	fargs_pt_input_deinit(&in);
}

/* On both CPUs at the same time, and each from one CPU to the other. */
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

/* A child has its parent's code, until it executes another program; so has its parent. */
static void put_family(void)
{
	put_map(7, 1, CODE, 0);
	put_fork(&w, 8, 7, NS(120000));
	put_exec(&w, 8, NS(160000));
	put_map(8, 2, CODE, NS(161000));
	put_exec(&w, 7, NS(200000));
	put_map(7, 3, CODE, NS(201000));
	/* It had been read before that. */
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

/* perf records a thread without a clock; its programs are at different addresses. */
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

/* The last time before is that of a clock that ticks each 168 ns: records may be later. */
static void times_are_late(void)
{
	size_t data = begin_user_file(true);

	put_map(7, 1, CODE, 0);
	put_map(8, 2, CODE, 0);
	put_map(9, 3, 2 * CODE, 0);
	put_itrace_start(&w, 7, 0, NS(100000));
	put_psb(&trace, 100000, 0);
	put_run(110000);
	/* Less than a tick. */
	put_run(120000);
	put_switch(&w, 0, 7, 8, NS(120200));
	put_exec(&w, 8, NS(130200));
	put_map(8, 3, CODE, NS(130220));
	put_run(130000);
	/* More than that, but only one of them has code there. */
	put_run_at(2 * CODE, 140000);
	put_switch(&w, 0, 8, 9, NS(140700));
	put_run_at(2 * CODE, 150000);
	put_trace(0, -1);
	check_programs(data, "12333");
}

/* Where a file is mapped that another one was before. */
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

/* More programs than images are kept of. */
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

/* Each forks the next one, which maps one more file: that is all the memory that there is. */
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

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "two processes on CPUs", two_processes_on_cpus },
		{ "two threads", two_threads },
		{ "fork and exec, on CPUs", fork_and_exec_on_cpus },
		{ "fork and exec, of threads", fork_and_exec_of_threads },
		{ "threads without times", threads_without_times },
		{ "records arrive late", times_are_late },
		{ "a file is mapped over another", one_in_place_of_another },
		{ "many processes", many_processes },
		{ "long families", long_families },
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
