// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads mutated recordings of fargs record --pt, whose chunks have valid checksums. Each recording
 * is read or refused with a reason and summarized, its packets are dumped, and everything that can
 * be decoded is decoded. None of this may access memory out of bounds or loop forever.
 *
 *	pt [-n TIMES] [-t SECONDS] [-s SEED]
 */
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/pt_show.h"
#include "source/pt/input/read.h"
#include "source/pt/input/summary.h"
#include "unit/pt_world.h"

static char path[32];
#define RECORDINGS	3

static struct pt_piece original[RECORDINGS][12];
static unsigned int nr_original[RECORDINGS];

static bool is_mute(int ret, const struct fargs_error_text *err)
{
	return ret && (!err->text[0] || strchr(err->text, '\n'));
}

/* Tries a file. Returns whether it was accepted. */
static bool try_one(bool *is_wrong)
{
	struct fargs_error_text err = { "" };
	struct fargs_pt_summary summary;
	struct fargs_pt_input in;
	int ret;

	if (!write_pt_pieces(path, &err)) {
		printf("%s\n", err.text);
		exit(1);
	}
	*is_wrong |= is_mute(fargs_pt_summary_init(&summary, path, &err), &err);
	fargs_pt_summary_deinit(&summary);
	fargs_pt_input_init(&in);
	err.text[0] = '\0';
	ret = fargs_pt_read(&in, path, NULL, &err);
	*is_wrong |= is_mute(ret, &err);
	if (!ret)
		show(&in, &err);
	fargs_pt_input_deinit(&in);
	return !ret;
}

/* Keeps the chunks as recording @nr. */
static void keep(unsigned int nr)
{
	memcpy(original[nr], pt_pieces, sizeof(pt_pieces));
	nr_original[nr] = nr_pt_pieces;
}

/* Makes a file with every kind of chunk that the reader handles. */
static void make(void)
{
	static struct world trace;
	struct world *w;

	put_trace(&trace, 0xffffffff1000 | 1);
	put_pt_config(1 << 9 | 1 << 10 | 1 << 13 | 3 << 14);
	put_pt_code(0xffffffffffff1000, "\x90\x90\xe8\0\0\0\0\xc3\xcc", 9);
	put_pt_symbols("ffffffffffff1000 t late\t[m]\n");
	put_pt_aux(0, 0, 1, trace.bytes, trace.n);
	w = begin_records(0, 0);
	put_aux(w, 0, 0, trace.n, 0);
	w = begin_records(0, 1);
	put_comm(w, 7, "seven", 3000);
	put_fork(w, 8, 7, 3600);
	put_switch(w, 0, 7, 8, 3700);
	put_ksymbol(w, 0xffffffffc0000000, 64, "bpf_prog_1", false, 300);
	put_text_poke(w, 0xffffffffffff1002, 4000);
	put_pt_aux(1, 0, 1, trace.bytes, trace.n);
	put_pt_aux(1, trace.n, 0, trace.bytes, trace.n);
	put_pt_aux(1, 5000, 3, trace.bytes + 5, trace.n - 5);
	put_pt_clock(3000, 1000);
	w = begin_piece(FARGS_CHUNK_PT_STATS, FARGS_CHUNK_NO_CPU);
	memset(w->bytes, 0, 96);
	w->n = 96;
	keep(0);
}

/* The same of samples. */
static void make_sampled(void)
{
	static struct world trace;
	struct world *w;

	nr_pt_pieces = 0;
	put_trace(&trace, 0xffffffff1000 | 1);
	put_pt_config(1 << 9 | 1 << 10 | 1 << 13 | 3 << 14);
	w = begin_piece(FARGS_CHUNK_PT_SAMPLERS, FARGS_CHUNK_NO_CPU);
	put_sampler(w, "cpu-clock", 100, 64);
	put_sampler(w, "page-faults:u", 1, 64);
	put_pt_code(0xffffffffffff1000, "\x90\x90\xe8\0\0\0\0\xc3\xcc", 9);
	w = begin_piece(FARGS_CHUNK_PT_SAMPLES, 0);
	put_taken(w, 0, 0xffffffffffff1000, 5000, trace.bytes, trace.n - 5);
	put_taken(w, 1, 0xffffffffffff1001, 6000, trace.bytes + 5, trace.n - 5);
	put_taken(w, 0, 0xffffffffffff1001, 7000, trace.bytes, 0);
	w = begin_piece(FARGS_CHUNK_PT_SAMPLES, 1);
	put_taken(w, 1, 0xffffffffffff1001, 5500, trace.bytes, trace.n);
	w = begin_piece(FARGS_CHUNK_PT_STATS, FARGS_CHUNK_NO_CPU);
	memset(w->bytes, 0, 128);
	w->n = 128;
	keep(1);
}

/* With two events whose PEBS records are in the trace, and a sample beside it. */
static void make_outputs(void)
{
	static struct world trace;
	struct world *w;

	nr_pt_pieces = 0;
	put_trace(&trace, 0xffffffff1000 | 1);
	put_pt_config(1 << 9 | 1 << 10 | 1 << 13 | 3 << 14);
	w = begin_piece(FARGS_CHUNK_PT_SAMPLERS, FARGS_CHUNK_NO_CPU);
	put_output(w, "cycles:ppp", 1000);
	put_output(w, "branch-misses:ppp", 10);
	put_pt_code(0xffffffffffff1000, "\x90\x90\xe8\0\0\0\0\xc3\xcc", 9);
	put_pt_aux(0, 0, 1, trace.bytes, trace.n);
	w = begin_records(0, 0);
	put_hw_id(w, 0, 0, 3000, 0);
	put_hw_id(w, 1, 0, 3000, 1);
	put_hw_id(w, 0, 0, 4000, 1);
	w = begin_piece(FARGS_CHUNK_PT_SAMPLES, 0);
	put_untraced(w, 1, 0xffffffffffff1000, 5000);
	keep(2);
}

static void change(void)
{
	unsigned int nr = fuzz_below(&rng, RECORDINGS);
	struct pt_piece *p;

	memcpy(pt_pieces, original[nr], sizeof(pt_pieces));
	nr_pt_pieces = nr_original[nr];
	do {
		p = &pt_pieces[fuzz_below(&rng, nr_pt_pieces)];
		if (fuzz_once_in(&rng, 8))
			p->cpu = fuzz_below(&rng, 4);
		mutate(p->w.bytes, &p->w.n);
	} while (fuzz_once_in(&rng, 2));
}

int main(int argc, char **argv)
{
	unsigned long times = 1000, seconds = 0, i, nr_read = 0;
	bool is_wrong = false;
	time_t end;
	int opt, fd;

	rng.state = 1;
	while ((opt = getopt(argc, argv, "n:t:s:")) != -1) {
		if (opt == 'n')
			times = strtoul(optarg, NULL, 0);
		else if (opt == 't')
			seconds = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			rng.state = strtoull(optarg, NULL, 0);
		else
			return 1;
	}
	strcpy(path, "/dev/shm/fargs-fuzz-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	for (i = 0; i < RECORDINGS; i++) {
		static void (*const all[RECORDINGS])(void) = { make, make_sampled, make_outputs };

		all[i]();
		if (try_one(&is_wrong))
			continue;
		printf("what was not changed is not read\n");
		is_wrong = true;
	}
	end = time(NULL) + seconds;
	for (i = 0; !is_wrong && (seconds ? time(NULL) < end : i < times); i++) {
		change();
		nr_read += try_one(&is_wrong);
	}
	unlink(path);
	printf("%lu files, %lu of them read\n", i, nr_read);
	if (is_wrong)
		printf("refused without a reason in one line\n");
	return is_wrong;
}
