/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes chunks of an Intel PT recording according to fargs.dat(5). unit/perf_world.h makes the perf
 * records in them.
 */
#ifndef SELFTESTS_PT_WORLD_H
#define SELFTESTS_PT_WORLD_H

#include "file/format.h"
#include "file/writer.h"
#include "unit/perf_world.h"

struct pt_piece {
	unsigned int kind, cpu;
	struct world w;
};

static struct pt_piece pt_pieces[12];
static unsigned int nr_pt_pieces;

static struct world *begin_piece(unsigned int kind, unsigned int cpu)
{
	struct pt_piece *p = &pt_pieces[nr_pt_pieces++];

	p->kind = kind;
	p->cpu = cpu;
	p->w.n = 0;
	return &p->w;
}

static void put_pt_config(uint64_t config)
{
	static const char terms[] = "branch,mtc,mtc_period=3,pt,tsc/k";
	struct world *w = begin_piece(FARGS_CHUNK_PT_CONFIG, FARGS_CHUNK_NO_CPU);

	put32(w, 104);
	put32(w, 1 | 8);	/* flags: the kernel is traced; the time conversion is valid */
	put64(w, config);
	put64(w, 65536);
	put64(w, SAMPLE_TYPE);
	put64(w, 0);
	put64(w, SAMPLE_TYPE);
	put64(w, 0);
	put64(w, 1000);			/* time_zero, time_mult, time_shift */
	put32(w, 512);
	put32(w, 10);
	put32(w, 2);			/* ratio in CPUID leaf 15H */
	put32(w, 84);
	put32(w, 0);
	put32(w, 21);
	put32(w, 6 | 142 << 16 | 9 << 24);
	put32(w, 1 | 2 << 8);
	put32(w, sizeof(terms));
	put32(w, 0);
	put_bytes(w, terms, sizeof(terms));
}

static void put_pt_code_of(const char *name, uint64_t addr, const void *code, size_t bytes,
			   uint64_t begin_tsc)
{
	struct world *w = begin_piece(FARGS_CHUNK_PT_TEXT, FARGS_CHUNK_NO_CPU);
	char padded[16] = "";

	memcpy(padded, name, strlen(name));
	put32(w, 48);
	put32(w, strlen(name) + 1);
	put64(w, addr);
	put64(w, begin_tsc);
	put64(w, begin_tsc + 100);
	put_bytes(w, padded, sizeof(padded));
	put_bytes(w, code, bytes);
}

__attribute__((unused)) static void put_pt_code(uint64_t addr, const void *code, size_t bytes)
{
	put_pt_code_of("[kernel]", addr, code, bytes, 100);
}

__attribute__((unused)) static void put_pt_module(const char *name, uint64_t ns, bool is_removed)
{
	struct world *w = begin_piece(FARGS_CHUNK_PT_MODULES, FARGS_CHUNK_NO_CPU);
	char padded[64] = "";

	memcpy(padded, name, strlen(name));
	put64(w, ns);
	put32(w, is_removed);
	put32(w, 0);
	put_bytes(w, padded, sizeof(padded));
}

__attribute__((unused)) static void put_pt_aux(unsigned int cpu, uint64_t offset, uint32_t flags,
					       const void *packets, size_t bytes)
{
	struct world *w = begin_piece(FARGS_CHUNK_PT_AUX, cpu);

	put64(w, offset);
	put32(w, flags);
	put32(w, 0);
	put_bytes(w, packets, bytes);
}

/* Begins a chunk of sideband records. */
__attribute__((unused)) static struct world *begin_records(unsigned int cpu,
									  uint32_t ring)
{
	struct world *w = begin_piece(FARGS_CHUNK_PT_SIDEBAND, cpu);

	put32(w, ring);
	put32(w, 0);
	return w;
}

__attribute__((unused)) static void put_pt_symbols(const char *lines)
{
	struct world *w = begin_piece(FARGS_CHUNK_PT_SYMBOLS, FARGS_CHUNK_NO_CPU);

	put64(w, 4000);
	put_bytes(w, lines, strlen(lines));
}

__attribute__((unused)) static void put_pt_clock(uint64_t tsc, uint64_t mono_ns)
{
	struct world *w = begin_piece(FARGS_CHUNK_PT_CLOCK, FARGS_CHUNK_NO_CPU);

	put64(w, tsc);
	put64(w, mono_ns);
}

/* PERF_SAMPLE_IP, PERIOD and AUX of linux/perf_event.h. */
enum { SAMPLE_IP = 1, SAMPLE_PERIOD = 256, SAMPLE_AUX = 1 << 20 };

/* Adds the description of an event to PT_SAMPLERS. */
__attribute__((unused)) static void put_sampler(struct world *w, const char *name,
						uint64_t freq, uint32_t aux_bytes)
{
	size_t at;

	put32(w, 128);
	put32(w, strlen(name) + 1);
	at = w->n;
	/* A software event; the frequency is in place of the period. */
	put_attr(w, 1, 0, 1ull << 10);
	set64(w, at + 16, freq);
	set64(w, at + 24, SAMPLE_TYPE | SAMPLE_IP | SAMPLE_PERIOD | SAMPLE_AUX);
	memcpy(w->bytes + at + 112, &aux_bytes, sizeof(aux_bytes));
	put_text(w, name);
}

/* Adds the description of an event whose PEBS records are in the trace. */
__attribute__((unused)) static void put_output(struct world *w, const char *name, uint64_t period)
{
	size_t at;

	put32(w, 128);
	put32(w, strlen(name) + 1);
	at = w->n;
	/* Cycles; precise_ip 3 in bits 16:15, aux_output in bit 31. */
	put_attr(w, 0, 0, 3ull << 15 | 1ull << 31);
	set64(w, at + 16, period);
	set64(w, at + 24, SAMPLE_TYPE | SAMPLE_IP | SAMPLE_PERIOD);
	put_text(w, name);
}

/* Adds PERF_RECORD_AUX_OUTPUT_HW_ID. */
__attribute__((unused)) static void put_hw_id(struct world *w, uint64_t counter, uint32_t cpu,
					      uint64_t ns, uint64_t event)
{
	size_t at = begin_record(w, 21, 0);

	put64(w, counter);
	put32(w, 7);
	put32(w, 8);
	put64(w, ns);
	put64(w, cpu);
	put64(w, event);
	end_record(w, at);
}

/* Begins a sample for PT_SAMPLES, as begin_record(). */
static size_t begin_taken(struct world *w, uint64_t event, uint64_t ip, uint64_t ns)
{
	size_t at = begin_record(w, 9, 1);

	put64(w, event);
	put64(w, ip);
	put32(w, 7);
	put32(w, 8);
	put64(w, ns);
	put64(w, 1);
	put64(w, 1000);
	return at;
}

/*
 * Adds a sample to PT_SAMPLES. The fields are those of the sample_type, in the order of
 * linux/perf_event.h.
 */
__attribute__((unused)) static void put_taken(struct world *w, uint64_t event, uint64_t ip,
					      uint64_t ns, const void *aux, uint64_t bytes)
{
	static const uint8_t zeroes[8];
	size_t at = begin_taken(w, event, ip, ns);

	put64(w, bytes);
	put_bytes(w, aux, bytes);
	put_bytes(w, zeroes, -bytes & 7);
	end_record(w, at);
}

/* Adds a sample of an event with PEBS records, which the kernel took itself. */
__attribute__((unused)) static void put_untraced(struct world *w, uint64_t event, uint64_t ip,
						 uint64_t ns)
{
	end_record(w, begin_taken(w, event, ip, ns));
}

/* Writes all chunks to a file of two CPUs. */
__attribute__((unused)) static bool write_pt_pieces(const char *path, struct fargs_error_text *err)
{
	struct fargs_writer_options options = { 0 };
	struct fargs_writer *w;
	struct fargs_meta meta;
	unsigned int i;
	int ret = 0;

	fargs_meta_init(&meta);
	meta.info.nr_cpus = 2;
	meta.info.tsc_khz = 1000000;
	w = fargs_writer_create(path, &meta, &options, err);
	for (i = 0; w && !ret && i < nr_pt_pieces; i++) {
		const struct iovec iov[2] = { { pt_pieces[i].w.bytes, pt_pieces[i].w.n } };

		ret = fargs_writer_pt(w, pt_pieces[i].kind, pt_pieces[i].cpu, iov, false, err);
	}
	if (w && !ret)
		ret = fargs_writer_finish(w, err);
	fargs_writer_destroy(w);
	fargs_meta_deinit(&meta);
	return w && !ret;
}

#endif
