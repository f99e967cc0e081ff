// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decodes traces of random code, which a simulated CPU (flow_cpu.h) executed; the code changes
 * meanwhile. Whatever is decoded must be the same by block and by instruction, and in segments of
 * any size; without damage to the trace, it must be what the CPU executed.
 *
 *	flow [-n TIMES] [-t SECONDS] [-s SEED]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "fuzz/flow_cpu.h"
#include "fuzz/options.h"
#include "source/pt/packet/packet.h"
#include "source/pt/packet/psb.h"
#include "source/pt/trace/decoder.h"

static struct fuzz_random rng;
static struct cpu cpu;
static int code_fd;
static unsigned long nr_branches, nr_insns, nr_errors;

/* An item, and the number of instructions up to it. */
struct shown {
	struct fargs_pt_item item;
	uint64_t nr_insns;
};

struct decoded {
	struct shown *all;		/* without EXECUTED and those that depend on segments */
	size_t nr, room;
	uint64_t nr_insns, nr_executed, last_ip;
	unsigned int nr_errors;
	bool is_wrong;
};

static size_t put_insn(uint8_t *to, size_t at)
{
	static const struct {
		const char *code;
		uint8_t size, nr_random;
	} insns[] = {
		{ "\x90", 1, 0 }, { "\x66\x90", 2, 0 }, { "\x74", 1, 1 }, { "\x75", 1, 1 },
		{ "\x78", 1, 1 }, { "\xeb", 1, 1 }, { "\xe8", 1, 4 }, { "\xc3", 1, 0 },
		{ "\xc3", 1, 0 }, { "\xff\xe0", 2, 0 }, { "\xff\xd0", 2, 0 }, { "\x0f\x05", 2, 0 },
		{ "\xcf", 1, 0 }, { "\xcc", 1, 0 }, { "\xf3\x0f\xae\xe0", 4, 0 },
		{ "\x0f\x22\xd8", 3, 0 }, { "\x0f\xc7\x30", 3, 0 }, { "\x0f\x01\xc2", 3, 0 },
		{ "\x0f\x84", 2, 4 }, { "\xe9", 1, 4 }, { "\x66\xeb", 2, 1 }, { "", 0, 1 },
		{ "", 0, 3 },
	};
	size_t k = fuzz_below(&rng, sizeof(insns) / sizeof(insns[0])), i, n = insns[k].size;
	int32_t rel = (int32_t)fuzz_below(&rng, 2 * CODE_BYTES) - CODE_BYTES;

	if (at + n + insns[k].nr_random > CODE_BYTES)
		return at;
	memcpy(to + at, insns[k].code, n);
	if (insns[k].nr_random == 4) {
		if (fuzz_once_in(&rng, 20))
			rel = fuzz_random(&rng);
		memcpy(to + at + n, &rel, 4);
	} else {
		for (i = 0; i < insns[k].nr_random; i++)
			to[at + n + i] = fuzz_once_in(&rng, 2) ? fuzz_below(&rng, 40) :
								  fuzz_random(&rng);
	}
	return at + n + insns[k].nr_random;
}

/* Returns the address of code: near the ends of the address space, too. */
static uint64_t any_place(void)
{
	static const uint64_t of_64[] = {
		0x1000, 0xffffffff81000000, 0xffffffff81000f80, -(uint64_t)CODE_BYTES,
		0x7fffffffffffff80, 0x10,
	};
	static const uint64_t of_32[] = { 0x1000, 0x10, 0xffffffff - CODE_BYTES + 1, 0xfff0 };
	static const uint64_t of_16[] = { 0x1000, 0x10, 0xff00, 0x2345 };

	switch (cpu.mode) {
	case FARGS_PT_EXEC_64:
		return of_64[fuzz_below(&rng, 6)];
	case FARGS_PT_EXEC_32:
		return of_32[fuzz_below(&rng, 4)];
	default:
		return of_16[fuzz_below(&rng, 4)];
	}
}

static void make_codes(struct fargs_pt_input *in)
{
	struct fargs_pt_code code = { .bytes = CODE_BYTES, .pid = -1 };
	char path[32];
	size_t i, at, next;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", code_fd);
	for (i = 0; i < NR_CODES; i++) {
		struct cpu_code *c = &cpu.codes[i];

		*c = (struct cpu_code){ .addr = any_place() };
		if (i && fuzz_once_in(&rng, 3))
			c->addr = cpu.codes[0].addr + fuzz_below(&rng, 64);
		if (c->addr + CODE_BYTES - 1 < c->addr)
			c->addr = -(uint64_t)CODE_BYTES;
		if (i && fuzz_once_in(&rng, 3))
			c->from_ns = 1 + fuzz_below(&rng, 500);
		if (i && fuzz_once_in(&rng, 3))
			c->until_ns = c->from_ns + 1 + fuzz_below(&rng, 500);
		for (at = 0, next = 0; at < CODE_BYTES; at = next)
			next = put_insn(c->bytes, at);
		if (pwrite(code_fd, c->bytes, CODE_BYTES, i * CODE_BYTES) != CODE_BYTES)
			abort();
		code.path = strdup(path);
		code.at = i * CODE_BYTES;
		code.addr = c->addr;
		code.from_ns = c->from_ns;
		code.until_ns = c->until_ns;
		if (fargs_pt_input_add_code(in, &code))
			abort();
	}
}

static void make_pokes(struct fargs_pt_input *in)
{
	struct fargs_pt_poke poke;
	struct cpu_poke *p;
	uint64_t ns = 0;
	size_t i, k;

	cpu.nr_pokes = fuzz_once_in(&rng, 2) ? fuzz_below(&rng, NR_POKES + 1) : 0;
	for (i = 0; i < cpu.nr_pokes; i++) {
		p = &cpu.pokes[i];
		ns += fuzz_below(&rng, 200);
		*p = (struct cpu_poke){
			.ns = ns, .addr = cpu.codes[0].addr + fuzz_below(&rng, 40),
		};
		p->old_bytes = fuzz_below(&rng, POKE_BYTES + 1);
		p->new_bytes = fuzz_below(&rng, POKE_BYTES + 1);
		for (k = 0; k < sizeof(p->code); k++)
			p->code[k] = fuzz_once_in(&rng, 3) ? 0x90 : fuzz_random(&rng);
		poke = (struct fargs_pt_poke){
			.ns = ns, .addr = p->addr, .old_bytes = p->old_bytes,
			.new_bytes = p->new_bytes, .code = p->code,
		};
		if (fargs_pt_input_add_poke(in, &poke))
			abort();
	}
}

static void damage(uint8_t *bytes, size_t nr)
{
	static const char *const packets[] = {
		"\x0d", "\x01", "\x11", "\x1d", "\x02\xf3", "\x02\x23", "\x02\x12", "\x02\x92",
		"\x99\x01", "\x99\x02", "\x99\x20", "\x99\x22", "\x06", "\x0a", "\x02\x73", "\x59",
	};
	size_t i, n = 1 + fuzz_below(&rng, 5), at;
	const char *packet;

	for (i = 0; i < n; i++) {
		at = fuzz_below(&rng, nr);
		packet = packets[fuzz_below(&rng, sizeof(packets) / sizeof(packets[0]))];
		if (fuzz_once_in(&rng, 2) && at + strlen(packet) <= nr)
			memcpy(bytes + at, packet, strlen(packet));
		else
			bytes[at] = fuzz_random(&rng);
	}
}

static void show(struct decoded *to, const struct fargs_pt_flow *flow)
{
	const struct fargs_pt_item *item = flow->items;
	uint64_t nr = to->nr_insns;
	struct shown *larger;

	for (; item < flow->items + flow->nr; item++) {
		nr += item->nr_insns;
		if (item->kind == FARGS_PT_EXECUTED) {
			to->nr_executed++;
			to->last_ip = item->from;
			continue;
		}
		if (item->kind == FARGS_PT_BEGIN && item->flags & FARGS_PT_WAS_ON)
			continue;
		if (item->kind == FARGS_PT_BRANCH && to->nr_executed && to->last_ip != item->from)
			to->is_wrong = true;
		to->nr_errors += item->kind == FARGS_PT_ERROR;
		if (to->nr == to->room) {
			to->room = 2 * to->room + 64;
			larger = realloc(to->all, to->room * sizeof(*to->all));
			if (!larger)
				abort();
			to->all = larger;
		}
		to->all[to->nr++] = (struct shown){ *item, nr };
	}
	to->nr_insns += flow->nr_insns;
	if (nr + flow->nr_rest != to->nr_insns)
		to->is_wrong = true;
}

/*
 * Returns whether each PSB has a TSC, and none is earlier than one before. Without a TSC, a segment
 * does not know the time. In a segment, changes of code are not taken back: the next segment may
 * begin with older code.
 */
static bool is_time_steady(const uint8_t *bytes)
{
	struct fargs_pt_reader r = { .at = bytes, .end = bytes + cpu.nr_bytes };
	bool is_psb = false;
	struct fargs_pt_packet p;
	uint64_t tsc = 0;

	for (;;) {
		fargs_pt_packet_read(&r, &p);
		if (p.kind == FARGS_PT_PACKET_CUT)
			return true;
		if (p.kind == FARGS_PT_PACKET_BAD) {
			r.at = bytes + fargs_pt_psb_find(bytes, cpu.nr_bytes, r.at + 1 - bytes);
			r.bip_bytes = 0;
		}
		if ((p.kind == FARGS_PT_PACKET_TSC && p.value < tsc) ||
		    (p.kind != FARGS_PT_PACKET_TSC && is_psb))
			return false;
		is_psb = p.kind == FARGS_PT_PACKET_PSB;
		if (p.kind == FARGS_PT_PACKET_TSC)
			tsc = p.value;
	}
}

static struct decoded decode(struct fargs_pt_input *in, const uint8_t *bytes,
			     uint64_t segment_bytes, bool is_by_insn)
{
	struct fargs_pt_piece piece = { .bytes = bytes, .size = cpu.nr_bytes, .begins = true };
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_error_text err;
	struct fargs_pt_text *text = fargs_pt_text_create(in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(in, text, 0);
	struct fargs_pt_segments segs = { };
	struct fargs_pt_flow flow = { };
	struct decoded to = { };
	size_t i;

	fargs_pt_decoder_want(d, FARGS_PT_WANTS_POWER | FARGS_PT_WANTS_TSX | FARGS_PT_WANTS_EVENTS);
	if (is_by_insn)
		fargs_pt_decoder_step_by_insn(d);
	if (fargs_pt_segments_init(&segs, &s, segment_bytes))
		abort();
	for (i = 0; i < segs.nr; i++) {
		if (fargs_pt_decoder_run(d, &segs.all[i], &flow))
			abort();
		show(&to, &flow);
		/* Nothing in a trace makes a flow that is much longer. */
		if (flow.nr > 100000 + 300 * (uint64_t)cpu.nr_bytes)
			to.is_wrong = true;
	}
	if (is_by_insn && to.nr_executed != to.nr_insns)
		to.is_wrong = true;
	fargs_pt_flow_deinit(&flow);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	return to;
}

static bool is_same_item(const struct shown *a, const struct shown *b)
{
	const struct fargs_pt_item *x = &a->item, *y = &b->item;

	/* What was executed before an overflow is not known at the beginning of a segment. */
	return x->kind == y->kind && (x->from == y->from || x->kind == FARGS_PT_OVERFLOW) &&
	       x->to == y->to && x->tsc == y->tsc && x->insn == y->insn && x->flags == y->flags &&
	       x->error == y->error && a->nr_insns == b->nr_insns;
}

static void print_item(const char *name, const struct decoded *d, size_t i)
{
	const struct fargs_pt_item *item = &d->all[i].item;

	if (i < d->nr)
		printf("%s[%zu]: kind %u %#lx to %#lx insn %u flags %u tsc %lu error %u insns %lu "
		       "offset %lu\n", name, i, item->kind, item->from, item->to, item->insn,
		       item->flags, item->tsc, item->error, d->all[i].nr_insns, item->offset);
	else
		printf("%s[%zu]: none\n", name, i);
}

static bool is_same(const struct decoded *a, const struct decoded *b, const char *what)
{
	size_t i = 0;

	while (i < a->nr && i < b->nr && is_same_item(&a->all[i], &b->all[i]))
		i++;
	if (i == a->nr && i == b->nr && a->nr_insns == b->nr_insns)
		return true;
	printf("differs %s: %lu and %lu instructions\n", what, a->nr_insns, b->nr_insns);
	if (i)
		print_item("a", a, i - 1);
	print_item("a", a, i);
	print_item("b", b, i);
	return false;
}

/* Compares with what the CPU executed. */
static bool is_true(const struct decoded *d)
{
	const struct fargs_pt_item *item;
	size_t i, n = 0;

	for (i = 0; i < d->nr; i++) {
		item = &d->all[i].item;
		if (item->kind == FARGS_PT_ERROR)
			break;
		if (item->kind != FARGS_PT_BRANCH)
			continue;
		if (n == cpu.nr_seen || cpu.seen[n].from != item->from ||
		    cpu.seen[n].to != item->to)
			break;
		n++;
	}
	if (i == d->nr && n == cpu.nr_seen && d->nr_insns == cpu.nr_insns)
		return true;
	printf("not true: %lu instructions, not %lu\n", d->nr_insns, cpu.nr_insns);
	print_item("decoded", d, i);
	if (n < cpu.nr_seen)
		printf("executed[%zu]: %#lx to %#lx\n", n, cpu.seen[n].from, cpu.seen[n].to);
	return false;
}

/* Decodes in several ways. Returns false if anything is wrong. */
static bool check(struct fargs_pt_input *in, const uint8_t *bytes, bool is_damaged)
{
	struct decoded d[4];
	bool is_good;
	size_t i;

	d[0] = decode(in, bytes, UINT64_MAX, false);
	d[1] = decode(in, bytes, UINT64_MAX, true);
	d[2] = decode(in, bytes, 1, false);
	d[3] = decode(in, bytes, 1 + fuzz_below(&rng, 500), true);
	nr_branches += cpu.nr_seen;
	nr_insns += d[0].nr_insns;
	nr_errors += d[0].nr_errors;
	is_good = is_same(&d[0], &d[1], "by instruction");
	for (i = 2; i < 4 && !d[0].nr_errors && is_time_steady(bytes); i++)
		is_good &= d[i].nr_errors || is_same(&d[0], &d[i], "in segments");
	if (!is_damaged)
		is_good &= is_true(&d[0]);
	for (i = 0; i < 4; i++) {
		if (d[i].is_wrong)
			printf("wrong in itself: %zu\n", i);
		is_good &= !d[i].is_wrong;
		free(d[i].all);
	}
	return is_good;
}

static bool try_one(void)
{
	bool is_damaged = fuzz_once_in(&rng, 2), is_good;
	struct fargs_pt_input in;
	uint8_t *bytes;

	fargs_pt_input_init(&in);
	in.config.has_kernel = true;
	in.config.has_time = true;
	in.config.time_mult = 1;
	memset(&cpu, 0, sizeof(cpu));
	cpu.rng = &rng;
	cpu.mode = fuzz_once_in(&rng, 3) ? fuzz_below(&rng, 2) : FARGS_PT_EXEC_64;
	cpu.has_ptw = fuzz_once_in(&rng, 2);
	make_codes(&in);
	make_pokes(&in);
	cpu.ip = cpu_any_ip(&cpu);
	cpu_run(&cpu, 1 + fuzz_below(&rng, fuzz_once_in(&rng, 4) ? 1000 : 100));
	/* Of the exact size, so that a sanitizer detects accesses beyond it. */
	bytes = malloc(cpu.nr_bytes);
	if (!bytes)
		return false;
	memcpy(bytes, cpu.trace, cpu.nr_bytes);
	if (is_damaged)
		damage(bytes, cpu.nr_bytes);
	is_good = check(&in, bytes, is_damaged);
	free(bytes);
	fargs_pt_input_deinit(&in);
	return is_good;
}

int main(int argc, char **argv)
{
	struct fuzz_options o = { .nr = 1000, .seed = 1 };
	bool is_good = true;
	unsigned long i;
	uint64_t seed;

	if (!fuzz_options_read(&o, argc, argv) || optind < argc) {
		fprintf(stderr, "usage: flow [-n TIMES] [-t SECONDS] [-s SEED]\n");
		return 1;
	}
	code_fd = memfd_create("code", MFD_CLOEXEC);
	if (code_fd < 0 || ftruncate(code_fd, NR_CODES * CODE_BYTES))
		return 1;
	rng.state = o.seed;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; is_good && fuzz_goes_on(&o, i); i++) {
		seed = rng.state;
		is_good = try_one();
		if (!is_good)
			printf("again: -n 1 -s %#lx\n", seed);
	}
	printf("%lu traces, %lu branches, %lu instructions, %lu errors\n", i, nr_branches, nr_insns,
	       nr_errors);
	return !is_good;
}
