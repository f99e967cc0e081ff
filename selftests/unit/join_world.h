/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes an Intel PT recording that also has records of calls, with one CPU and a kernel that
 * consists of a few instructions. f and g are traced at their calls, p and t at their returns.
 *
 *	loop:			f:				g:
 *		call f			call ftrace_caller		call ftrace_caller
 *		call g			ret				call f
 *		call p						ret
 *		call t		p:	ret		t:	jmp p
 *		jmp loop
 *
 *	ftrace_caller:			return_to_handler:
 *		call fargs_entry_plain		call fargs_returned
 *		ret				ret
 *
 *	fargs_entry_plain, fargs_returned:
 *		je 1f
 *		nop
 *	1:	ret
 *
 * The nop represents the instruction that allocates a sequence number; filtered calls jump over it.
 * So the trace has four TNT bits for a call of f, and eight for a call of g. p returns to
 * return_to_handler, which returns to itself if t jumped to p.
 */
#ifndef SELFTESTS_JOIN_WORLD_H
#define SELFTESTS_JOIN_WORLD_H

#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"
#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"
#include "unit/pt_world.h"

#define JOIN_LOOP	0xffffffff81000000
#define JOIN_F		0xffffffff81000100
#define JOIN_G		0xffffffff81000140
#define JOIN_P		0xffffffff81000160
#define JOIN_T		0xffffffff81000170
#define JOIN_FTRACE	0xffffffff81000200
#define JOIN_HOOK	0xffffffff81000280
#define JOIN_TRACER	0xffffffffc0000000
#define JOIN_RETURNED	0xffffffffc0000040
#define JOIN_SITE_BYTES	2	/* offset of the nop in both functions */

#define JOIN_RECORDS_MAX	1024

/* A record. Its body has the value "n"; the body of a return also has $entry after it. */
struct join_record {
	struct fargs_record head;
	uint8_t body[32];
};

static struct world join_trace;
static struct join_record join_records[JOIN_RECORDS_MAX];
static unsigned int join_nr_records;
static uint64_t join_seq;		/* next sequence number */
/* bits of a TNT packet that is not full yet, and their number */
static unsigned int join_bits, join_nr_bits;

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

/* Ends the TNT packet, and adds a TSC packet: @tsc is the time of the following packets. */
__attribute__((unused)) static void join_put_tsc(uint64_t tsc)
{
	uint64_t word = 0x19 | tsc << 8;

	join_put_tnt();
	put_bytes(&join_trace, &word, sizeof(word));
}

/* Adds an overflow: preceding packets are lost, and the trace continues in the loop. */
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
	bool is_return = ip == JOIN_P || ip == JOIN_T;
	uint8_t *body = r->body;

	*r = (struct join_record){ .body = { 'n', 0, FARGS_TYPE_U64 } };
	memcpy(body + 3, &n, sizeof(n));
	body += 3 + sizeof(n);
	if (is_return) {
		memcpy(body, FARGS_NAME_ENTRY, sizeof(FARGS_NAME_ENTRY));
		body += sizeof(FARGS_NAME_ENTRY);
		*body++ = FARGS_TYPE_U64;
		memcpy(body, &tsc, sizeof(tsc));
	}
	r->head = (struct fargs_record){
		.len = sizeof(*r), .kind = is_return ? FARGS_KIND_RETURN : FARGS_KIND_ENTRY,
		.tid = 7, .tsc = tsc, .ip = ip, .parent_ip = JOIN_LOOP + 5, .seq = join_seq++,
		.preempt = FARGS_PREEMPT_NO_RESCHED,
	};
}

/* Adds the TNT bits of a call of fargs's own code, including its return. */
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

/* Adds the bits of a call of g, which includes a call of f. */
__attribute__((unused)) static void join_put_g(bool takes_number, bool takes_inner)
{
	join_put_callback(takes_number);
	join_put_f(takes_inner);
	join_put_bit(true);
}

static void join_put_tip(uint64_t ip)
{
	join_put_tnt();
	join_trace.bytes[join_trace.n++] = 0x6d;	/* TIP with 48 bits of the address */
	put_bytes(&join_trace, &ip, 6);
}

/* Adds the packets of a return to return_to_handler, and of return_to_handler itself. */
static void join_put_hook(bool takes_number)
{
	join_put_tip(JOIN_HOOK);
	join_put_bit(!takes_number);
	join_put_bit(true);
}

__attribute__((unused)) static void join_put_p(bool takes_number)
{
	join_put_hook(takes_number);
	join_put_tip(JOIN_LOOP + 0xf);
}

/* Adds the packets of a call of t: p returns first, then t. */
__attribute__((unused)) static void join_put_t(bool takes_inner, bool takes_number)
{
	join_put_hook(takes_inner);
	join_put_hook(takes_number);
	join_put_tip(JOIN_LOOP + 0x14);
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
		"ffffffff81000160 t p\n"
		"ffffffff81000170 t t\n"
		"ffffffff81000200 t ftrace_caller\n"
		"ffffffff81000280 t return_to_handler\n"
		"ffffffff81000300 t end\n"
		"ffffffffc0000000 t fargs_entry_plain\t[fargs]\n"
		"ffffffffc0000040 t fargs_returned\t[fargs]\n"
		"ffffffffc0000100 t fargs_end\t[fargs]\n";
	static const struct fargs_func funcs[] = {
		{ .ip = JOIN_F, .addr = JOIN_F, .name = (char *)"f" },
		{ .ip = JOIN_G, .addr = JOIN_G, .name = (char *)"g" },
		{ .ip = JOIN_P, .addr = JOIN_P, .name = (char *)"p",
		  .layout_flags = FARGS_LAYOUT_RETURN },
		{ .ip = JOIN_T, .addr = JOIN_T, .name = (char *)"t",
		  .layout_flags = FARGS_LAYOUT_RETURN },
	};
	struct btf *btf = btf__new_empty();
	const void *raw;
	uint32_t size;
	size_t i;

	fargs_meta_init(meta);
	meta->info.abi = FARGS_ABI;
	meta->info.nr_cpus = 1;
	meta->info.tsc_khz = 1000000;
	meta->info.seq_site[FARGS_PATH_PLAIN] = JOIN_TRACER + JOIN_SITE_BYTES;
	meta->info.seq_site[FARGS_PATH_RETURN] = JOIN_RETURNED + JOIN_SITE_BYTES;
	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	raw = btf__raw_data(btf, &size);
	meta->btfs = fargs_btfs_create();
	fargs_btfs_add(meta->btfs, "vmlinux", raw, size, NULL);
	btf__free(btf);
	meta->ksyms = fargs_ksyms_parse(symbols, sizeof(symbols) - 1, NULL);
	meta->nr_funcs = sizeof(funcs) / sizeof(*funcs);
	meta->funcs = calloc(meta->nr_funcs, sizeof(*meta->funcs));
	for (i = 0; i < meta->nr_funcs; i++) {
		meta->funcs[i] = funcs[i];
		meta->funcs[i].name = strdup(funcs[i].name);
		meta->funcs[i].btf_id = 1;
	}
	meta->stats = calloc(1, sizeof(*meta->stats));
	meta->stats[0].produced = join_seq;
	meta->stats[0].lost = join_seq - join_nr_records;
}

/* Adds all chunks except those with records. */
__attribute__((unused)) static void join_put_pieces(void)
{
	static const uint8_t callback[] = { 0x74, 1, 0x90, 0xc3 };
	static const struct { uint16_t at; uint64_t to; } calls[] = {
		{ 0, JOIN_F }, { 5, JOIN_G }, { 0xa, JOIN_P }, { 0xf, JOIN_T },
		{ 0x100, JOIN_FTRACE }, { 0x140, JOIN_FTRACE }, { 0x145, JOIN_F },
		{ 0x200, JOIN_TRACER }, { 0x280, JOIN_RETURNED },
	};
	static const uint16_t returns[] = { 0x105, 0x14a, 0x160, 0x205, 0x285 };
	static uint8_t kernel[0x290], tracer[0x44];
	int32_t distance;
	size_t i;

	memset(kernel, 0xcc, sizeof(kernel));
	memset(tracer, 0xcc, sizeof(tracer));
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		distance = (int32_t)(calls[i].to - (JOIN_LOOP + calls[i].at + 5));
		kernel[calls[i].at] = 0xe8;
		memcpy(kernel + calls[i].at + 1, &distance, sizeof(distance));
	}
	for (i = 0; i < sizeof(returns) / sizeof(*returns); i++)
		kernel[returns[i]] = 0xc3;
	memcpy(kernel + 0x14, "\xeb\xea", 2);
	memcpy(kernel + 0x170, "\xeb\xee", 2);
	memcpy(tracer, callback, sizeof(callback));
	memcpy(tracer + 0x40, callback, sizeof(callback));
	nr_pt_pieces = 0;
	put_pt_config(1 << 10 | 1 << 13);
	put_pt_code(JOIN_LOOP, kernel, sizeof(kernel));
	put_pt_code(JOIN_TRACER, tracer, sizeof(tracer));
	put_pt_aux(0, 0, 1, join_trace.bytes, join_trace.n);
	/* The CPU runs task 7 during the whole trace: the switch to another task is much later. */
	put_switch(begin_records(0, 1), 0, 7, 8, 1000000000);
}

/* Writes all chunks and records to a file. Returns false with the reason in @err on failure. */
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
