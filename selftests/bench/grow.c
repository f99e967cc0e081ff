// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a large trace file from a small one: repeats its records, each time with later times and
 * higher sequence numbers, as if the recorded activity had continued.
 *
 *	grow FILE OUT BYTES	BYTES: total size of the records, uncompressed
 *
 * FILE must have no losses. Later times are extrapolated from its clock samples. All copies of the
 * records have the same tasks.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/record.h"
#include "file/reader.h"
#include "file/writer.h"

/* maximum size of a CPU's records that are written at once */
#define TURN_RECORDS	(1u << 18)

struct stream {
	char *records;
	size_t bytes;
	size_t at;		/* position in @records */
	uint64_t turn;
	uint64_t seq_step;	/* sequence numbers in one turn, that is, one copy of @records */
};

static void read_stream(struct fargs_reader *r, unsigned int cpu, struct stream *s,
			uint64_t *first_tsc, uint64_t *last_tsc)
{
	const struct fargs_record *rec;
	struct fargs_error_text why;
	const void *run;
	size_t bytes, at;
	int ret;

	while ((ret = fargs_reader_next(r, cpu, &run, &bytes, &why)) == 1) {
		s->records = realloc(s->records, s->bytes + bytes);
		if (!s->records)
			errx(1, "out of memory");
		memcpy(s->records + s->bytes, run, bytes);
		s->bytes += bytes;
	}
	if (ret)
		errx(1, "%s", why.text);
	for (at = 0; at < s->bytes; at += rec->len) {
		rec = (const void *)(s->records + at);
		if (rec->tsc < *first_tsc)
			*first_tsc = rec->tsc;
		if (rec->tsc > *last_tsc)
			*last_tsc = rec->tsc;
		if (rec->kind == FARGS_KIND_LOST)
			errx(1, "some was lost on CPU %u", cpu);
		if (rec->kind != FARGS_KIND_TASK)
			s->seq_step++;
	}
}

/* Writes the next records of @cpu, at most to the end of the current turn. Returns their size. */
static uint64_t write_run(struct fargs_writer *w, unsigned int cpu, struct stream *s,
			  uint64_t tsc_step)
{
	static char run[TURN_RECORDS] __attribute__((aligned(8)));
	struct fargs_error_text why;
	struct fargs_record *rec;
	size_t n = 0;

	for (; s->at < s->bytes; s->at += rec->len, n += rec->len) {
		rec = (void *)(s->records + s->at);
		if (n + rec->len > sizeof(run))
			break;
		memcpy(run + n, rec, rec->len);
		rec = (void *)(run + n);
		rec->tsc += s->turn * tsc_step;
		rec->seq += s->turn * s->seq_step;
	}
	if (fargs_writer_records(w, cpu, run, n, &why))
		errx(1, "%s", why.text);
	if (s->at == s->bytes) {
		s->at = 0;
		s->turn++;
	}
	return n;
}

int main(int argc, char **argv)
{
	const struct fargs_writer_options options = { .level = 1 };
	uint64_t first_tsc = UINT64_MAX, last_tsc = 0, left, step, turn = 0, was;
	struct fargs_error_text why;
	struct fargs_reader *r;
	struct fargs_writer *w;
	struct stream *streams;
	struct fargs_meta meta;
	unsigned int cpu;

	if (argc != 4)
		errx(1, "usage: grow FILE OUT BYTES");
	left = strtoull(argv[3], NULL, 10);
	fargs_meta_init(&meta);
	r = fargs_reader_open(argv[1], &meta, &why);
	if (!r)
		errx(1, "%s", why.text);
	streams = calloc(meta.info.nr_cpus, sizeof(*streams));
	if (!streams || !meta.stats)
		errx(1, "%s: no counters", argv[1]);
	for (cpu = 0; cpu < meta.info.nr_cpus; cpu++)
		read_stream(r, cpu, &streams[cpu], &first_tsc, &last_tsc);
	if (first_tsc > last_tsc)
		errx(1, "%s: no records", argv[1]);
	step = last_tsc - first_tsc + 1;
	w = fargs_writer_create(argv[2], &meta, &options, &why);
	if (!w)
		errx(1, "%s", why.text);
	/*
	 * In each turn, write all records of each CPU once, so that the counters agree with the
	 * records.
	 */
	for (; left; turn++) {
		for (cpu = 0; cpu < meta.info.nr_cpus; cpu++) {
			while (streams[cpu].bytes && streams[cpu].turn == turn) {
				was = write_run(w, cpu, &streams[cpu], step);
				left -= was < left ? was : left;
			}
		}
	}
	for (cpu = 0; cpu < meta.info.nr_cpus; cpu++) {
		memset(&meta.stats[cpu], 0, sizeof(meta.stats[cpu]));
		meta.stats[cpu].produced = turn * streams[cpu].seq_step;
	}
	if (fargs_writer_finish(w, &why))
		errx(1, "%s", why.text);
	fargs_writer_destroy(w);
	fargs_reader_destroy(r);
	fargs_meta_deinit(&meta);
	return 0;
}
