/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording with records, made by hand: of one CPU of a kernel of a few instructions, in which f
 * and g are traced.
 *
 *	loop:	call f			f:	call ftrace_caller	g:	call ftrace_caller
 *		call g				ret				call f
 *		jmp loop							ret
 *
 *	ftrace_caller:	call fargs_entry_plain		fargs_entry_plain:	je 1f
 *			ret						nop
 *								1:	ret
 *
 * The nop takes a number; who is filtered jumps over it. So a call of f is told by four bits of
 * the trace, and one of g by eight.
 */
#ifndef SELFTESTS_JOIN_WORLD_H
#define SELFTESTS_JOIN_WORLD_H

#include "btf/btfs.h"
#include "sym/ksyms.h"
#include "uapi/fargs.h"
#include "unit/pt_world.h"

#define JOIN_LOOP	0xffffffff81000000
#define JOIN_F		0xffffffff81000100
#define JOIN_G		0xffffffff81000140
#define JOIN_FTRACE	0xffffffff81000200
#define JOIN_TRACER	0xffffffffc0000000
#define JOIN_SITE	(JOIN_TRACER + 2)

#define JOIN_RECORDS_MAX	1024

/* "n" of a record's body is its value. */
struct join_record {
	struct fargs_record head;
	uint8_t body[16];
};

static struct world join_trace;
static struct join_record join_records[JOIN_RECORDS_MAX];
static unsigned int join_nr_records;
static uint64_t join_seq;		/* comes next */
static unsigned int join_bits, join_nr_bits;	/* of a TNT packet that is not full yet */

static void join_put_tnt(void)
{
	if (join_nr_bits)
		join_trace.bytes[join_trace.n++] = (uint8_t)((1u << join_nr_bits | join_bits) << 1);
	join_bits = 0;
	join_nr_bits = 0;
}

static void join_put_bit(bool is_taken)
{
	join_bits = join_bits << 1 | is_taken;
	if (++join_nr_bits == 6)
		join_put_tnt();
}

/* From here on it is that time, at least. */
__attribute__((unused)) static void join_put_tsc(uint64_t tsc)
{
	uint64_t word = 0x19 | tsc << 8;

	join_put_tnt();
	put_bytes(&join_trace, &word, sizeof(word));
}

/* What comes before is not told of; the trace goes on in the loop. */
__attribute__((unused)) static void join_put_overflow(void)
{
	uint64_t ip = JOIN_LOOP;

	join_put_tnt();
	put_bytes(&join_trace, "\x02\xf3\x7d", 3);
	put_bytes(&join_trace, &ip, 6);
}

__attribute__((unused)) static void join_add_record(uint64_t ip, uint64_t n, uint64_t tsc)
{
	struct join_record *r = &join_records[join_nr_records++];

	*r = (struct join_record){ .body = { 'n', 0, FARGS_TYPE_U64 } };
	memcpy(r->body + 3, &n, sizeof(n));
	r->head = (struct fargs_record){
		.len = sizeof(*r), .kind = FARGS_KIND_ENTRY, .tid = 7, .tsc = tsc, .ip = ip,
		.parent_ip = JOIN_LOOP + 5, .seq = join_seq++,
		.preempt = FARGS_PREEMPT_NO_RESCHED,
	};
}

/* What the trace tells of the way to our code and back. */
static void join_put_callback(bool takes_number)
{
	join_put_bit(!takes_number);
	join_put_bit(true);
	join_put_bit(true);
}

__attribute__((unused)) static void join_put_f(bool takes_number)
{
	join_put_callback(takes_number);
	join_put_bit(true);
}

/* The call of f in it, too. */
__attribute__((unused)) static void join_put_g(bool takes_number, bool takes_inner)
{
	join_put_callback(takes_number);
	join_put_f(takes_inner);
	join_put_bit(true);
}

__attribute__((unused)) static void join_begin(uint64_t tsc)
{
	join_trace.n = 0;
	join_nr_records = 0;
	join_seq = 0;
	join_bits = 0;
	join_nr_bits = 0;
	put_psb(&join_trace, tsc, JOIN_LOOP);
}

static void join_set_meta(struct fargs_meta *meta)
{
	static const char symbols[] =
		"ffffffff81000000 t loop\n"
		"ffffffff81000100 t f\n"
		"ffffffff81000140 t g\n"
		"ffffffff81000200 t ftrace_caller\n"
		"ffffffff81000300 t end\n"
		"ffffffffc0000000 t fargs_entry_plain\t[fargs]\n"
		"ffffffffc0000100 t fargs_end\t[fargs]\n";
	struct btf *btf = btf__new_empty();
	const void *raw;
	uint32_t size;

	fargs_meta_init(meta);
	meta->info.abi = FARGS_ABI;
	meta->info.nr_cpus = 1;
	meta->info.tsc_khz = 1000000;
	meta->info.seq_site[0] = JOIN_SITE;
	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	raw = btf__raw_data(btf, &size);
	meta->btfs = fargs_btfs_create();
	fargs_btfs_add(meta->btfs, "vmlinux", raw, size, NULL);
	btf__free(btf);
	meta->ksyms = fargs_ksyms_parse(symbols, sizeof(symbols) - 1, NULL);
	meta->nr_funcs = 2;
	meta->funcs = calloc(2, sizeof(*meta->funcs));
	meta->funcs[0] = (struct fargs_func){ .ip = JOIN_F, .addr = JOIN_F, .name = strdup("f"),
					      .btf_id = 1 };
	meta->funcs[1] = (struct fargs_func){ .ip = JOIN_G, .addr = JOIN_G, .name = strdup("g"),
					      .btf_id = 1 };
	meta->stats = calloc(1, sizeof(*meta->stats));
	meta->stats[0].produced = join_seq;
	meta->stats[0].lost = join_seq - join_nr_records;
}

/* The chunks that are not of records. */
__attribute__((unused)) static void join_put_pieces(void)
{
	static uint8_t kernel[0x210], tracer[] = { 0x74, 1, 0x90, 0xc3 };
	static const struct { uint16_t at, to; } calls[] = {
		{ 0, 0x100 }, { 5, 0x140 }, { 0x100, 0x200 }, { 0x140, 0x200 }, { 0x145, 0x100 },
	};
	int32_t distance;
	size_t i;

	memset(kernel, 0xcc, sizeof(kernel));
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		distance = calls[i].to - (calls[i].at + 5);
		kernel[calls[i].at] = 0xe8;
		memcpy(kernel + calls[i].at + 1, &distance, sizeof(distance));
	}
	distance = (int32_t)(JOIN_TRACER - (JOIN_FTRACE + 5));
	kernel[0x200] = 0xe8;
	memcpy(kernel + 0x201, &distance, sizeof(distance));
	memcpy(kernel + 0xa, "\xeb\xf4", 2);
	kernel[0x105] = 0xc3;
	kernel[0x14a] = 0xc3;
	kernel[0x205] = 0xc3;
	nr_pt_pieces = 0;
	put_pt_config(1 << 10 | 1 << 13);
	put_pt_code(JOIN_LOOP, kernel, sizeof(kernel));
	put_pt_code(JOIN_TRACER, tracer, sizeof(tracer));
	put_pt_aux(0, 0, 1, join_trace.bytes, join_trace.n);
}

/* All of it, once the trace has ended. */
__attribute__((unused)) static bool join_write(const char *path, struct fargs_error_text *err)
{
	const struct fargs_writer_options options = { 0 };
	struct fargs_writer *w;
	struct fargs_meta meta;
	unsigned int i;
	int ret = 0;

	join_set_meta(&meta);
	w = fargs_writer_create(path, &meta, &options, err);
	for (i = 0; w && !ret && i < nr_pt_pieces; i++) {
		const struct iovec iov[2] = { { pt_pieces[i].w.bytes, pt_pieces[i].w.n } };

		ret = fargs_writer_pt(w, pt_pieces[i].kind, pt_pieces[i].cpu, iov, false, err);
	}
	if (w && !ret && join_nr_records)
		ret = fargs_writer_records(w, 0, join_records,
					   join_nr_records * sizeof(*join_records), err);
	if (w && !ret)
		ret = fargs_writer_finish(w, err);
	fargs_writer_destroy(w);
	fargs_meta_deinit(&meta);
	return w && !ret;
}

#endif
