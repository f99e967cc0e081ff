// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests a trace that is cut off at each byte, even within a packet, as it is when a buffer is full:
 * the decoded flow must be the beginning of the flow of the whole trace, and must include
 * everything that the complete packets report. The program and the trace are written by hand, and
 * are only a few bytes long.
 */
#include <stdlib.h>

#include "source/pt/code/insn.h"
#include "source/pt/trace/decoder.h"
#include "unit/pt_program.h"

#define PSB_BYTES	16

/* The code after each branch contains direct jumps, which need no packets. */
static const uint8_t program[] = {
	[0x00] = 0x74, 0x0e,			/* jz 1010 */
	[0x02] = 0x74, 0x0c,			/* jz 1010 */
	[0x04] = 0x90, 0x90, 0xeb, 0x18,	/* nop, nop, jmp 1020 */
	[0x10] = 0x90, 0xc3,			/* nop, ret */
	[0x20] = 0x75, 0xfe,			/* jnz 1020 */
	[0x22] = 0x90, 0xeb, 0x0b,		/* nop, jmp 1030 */
	[0x30] = 0x90, 0xeb, 0x0d,		/* nop, jmp 1040 */
	[0x40] = 0x90, 0xc3,			/* nop, ret */
	[0x50] = 0xf3, 0x0f, 0xae, 0xe0,	/* ptwrite eax */
	[0x54] = 0x90, 0xeb, 0x09,		/* nop, jmp 1060 */
	[0x60] = 0x0f, 0x22, 0xd8,		/* mov cr3, rax */
	[0x63] = 0x90, 0xeb, 0x0a,		/* nop, jmp 1070 */
	[0x70] = 0x74, 0x0e,			/* jz 1080 */
	[0x80] = 0xe8, 0x0b, 0x00, 0x00, 0x00,	/* call 1090 */
	[0x85] = 0xeb, 0x99,			/* jmp 1020 */
	[0x90] = 0xc3,				/* ret */
};

enum { TIP = 0x0d, PGE = 0x11, PGD = 0x01, FUP = 0x1d };
enum { IP16 = 0x20, IP32 = 0x40, IP48_SIGNED = 0x60, IP48 = 0x80, IP64 = 0xc0 };

/* Packets that report no branch, and long packets. */
static const struct {
	const char *bytes;
	size_t n;
} others[] = {
	{ "\x00", 1 },							/* PAD */
	{ "\x19\xff\x02\x00\x00\x00\x00\x00", 8 },			/* TSC */
	{ "\x59\x12", 2 },						/* MTC */
	{ "\x02\x73\x34\x12\x00\x10\x00", 7 },				/* TMA */
	{ "\x02\x03\x10\x00", 4 },					/* CBR */
	{ "\x0b", 1 },							/* CYC */
	{ "\x0f\x0b\x02", 3 },						/* CYC */
	{ "\x02\xa2\x12\x00\x00\x00\x00", 7 },				/* PWRX */
	{ "\x02\xc3\x88\x01\x02\x03\x04\x05\x06\x07\x08", 11 },		/* MNT */
};

/* The first @bytes of the trace report @items items. */
static struct mark {
	size_t bytes, items;
} marks[1024];
static size_t nr_marks, nr_told;
/* A trace that is cut off in this range reports an overflow, but not where execution continues. */
static size_t ovf_begin, ovf_end;

static void told(size_t items)
{
	nr_told += items;
	REQUIRE(nr_marks < sizeof(marks) / sizeof(marks[0]));
	marks[nr_marks++] = (struct mark){ trace.n, nr_told };
}

static void put_ip(uint8_t kind, uint8_t compression, uint64_t ip)
{
	const size_t bytes = compression == IP16 ? 2 : compression == IP32 ? 4 :
			     compression == IP64 ? 8 : 6;
	const uint8_t opcode = kind | compression;

	put_bytes(&trace, &opcode, 1);
	put_bytes(&trace, &ip, bytes);
}

/* From 1020, adds a branch that is not taken, two jumps, and a return to 1000. */
static void put_return(uint8_t compression)
{
	put_bytes(&trace, "\x04", 1);
	told(0);
	put_ip(TIP, compression, CODE);
	told(3);
}

/*
 * From 1000, adds two branches that are not taken. The following code, up to 1020, is not reported
 * by a packet yet.
 */
static void put_straight(void)
{
	put_bytes(&trace, "\x08", 1);
	told(0);
}

/*
 * Adds packets after a jump to 1020: the jump is certain once a packet reports what was executed
 * there.
 */
static void put_jump(void)
{
	put_bytes(&trace, "\x04", 1);
	told(1);
	put_ip(TIP, IP16, CODE);
	told(3);
	put_straight();
}

/* Adds a branch to itself that is taken 46 times, and then not taken. */
static void put_loop(void)
{
	put_bytes(&trace, "\x02\xa3\xfe\xff\xff\xff\xff\xff", 8);
	told(1 + 46);
	put_ip(TIP, IP16, CODE);
	told(3);
	put_straight();
}

/* Adds interrupts, whose handler is at 1020. */
static void put_interrupts(void)
{
	put_ip(FUP, IP48_SIGNED, CODE + 5);
	put_ip(TIP, IP48, CODE + 0x20);
	told(1);
	put_return(IP64);
	put_straight();
	put_ip(FUP, IP16, CODE + 5);
	put_bytes(&trace, "\x02\x43\x00\x20\x00\x00\x00\x00", 8);	/* PIP */
	put_ip(TIP, IP32, CODE + 0x20);
	told(1);
	put_return(IP16);
	put_straight();
	put_ip(FUP, IP32, CODE + 5);
	put_bytes(&trace, "\x19\xfe\x02\x00\x00\x00\x00\x00", 8);	/* TSC */
	put_bytes(&trace, "\x99\x01", 2);				/* MODE.Exec */
	put_ip(TIP, IP48, CODE + 0x20);
	told(1);
	put_return(IP48);
	put_straight();
}

/* Ends the trace by an interrupt, and then with a branch; the trace continues after each end. */
static void put_ends(void)
{
	put_ip(FUP, IP48, CODE + 5);
	put_ip(PGD, 0, 0);
	trace.n -= 6;
	told(1);
	put_ip(PGE, IP48_SIGNED, CODE + 0x20);
	told(1);
	put_bytes(&trace, "\x04", 1);
	put_ip(PGD, IP16, CODE + 0x300);
	told(3);
	put_bytes(&trace, "\x02\x43\x00\x30\x00\x00\x00\x00", 8);	/* PIP */
	put_bytes(&trace, "\x99\x01", 2);				/* MODE.Exec */
	put_ip(PGE, IP16, CODE);
	told(1);
	put_straight();
}

/* From 1020, adds a PTWRITE, a mov to CR3, and a return that a TNT reports. */
static void put_events(void)
{
	put_bytes(&trace, "\x04", 1);
	told(1);
	put_ip(TIP, IP16, CODE + 0x50);
	told(3);
	put_bytes(&trace, "\x02\x92\x78\x56\x34\x12", 6);		/* PTW, followed by FUP */
	put_ip(FUP, IP48_SIGNED, CODE + 0x50);
	told(1);
	put_bytes(&trace, "\x02\x43\x00\x40\x00\x00\x00\x00", 8);	/* PIP */
	told(0);
	put_bytes(&trace, "\x0e", 1);
	told(1 + 1 + 1 + 1 + 1);
	put_jump();
	put_bytes(&trace, "\x99\x21", 2);	/* MODE.TSX, followed by FUP */
	put_ip(FUP, IP16, CODE + 5);
	put_jump();
	put_bytes(&trace, "\x02\xe2", 2);	/* EXSTOP, followed by FUP */
	put_ip(FUP, IP32, CODE + 5);
	put_jump();
}

static void put_overflow(void)
{
	put_bytes(&trace, "\x02\xf3", 2);
	ovf_begin = trace.n;
	put_ip(FUP, IP48_SIGNED, CODE + 2);
	ovf_end = trace.n;
	told(1);
	put_bytes(&trace, "\x04", 1);
	told(0);
}

static void make(void)
{
	size_t i;

	put_psb(&trace, 500, CODE);
	/* The first item is the beginning of the trace. */
	nr_told++;
	put_straight();
	put_loop();
	put_jump();
	put_interrupts();
	put_ends();
	put_events();
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		put_bytes(&trace, others[i].bytes, others[i].n);
		put_jump();
	}
	put_psb(&trace, 0x2000, CODE + 5);
	put_jump();
	put_overflow();
	put_jump();
}

static void begin(void)
{
	set_code(program, sizeof(program));
	nr_marks = 0;
	nr_told = 0;
	make();
}

/*
 * Decodes the first @n bytes, in memory of exact size, so that a sanitizer detects reads beyond the
 * end.
 */
static struct fargs_pt_flow decode(size_t n, uint64_t segment_bytes, bool is_by_insn)
{
	uint8_t *bytes = malloc(n ? n : 1);
	struct fargs_pt_piece piece = { .bytes = bytes, .size = n, .begins = true };
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);
	struct fargs_pt_flow flow = { }, part = { };
	struct fargs_pt_segments segs = { };
	size_t i, k;

	memcpy(bytes, trace.bytes, n);
	if (is_by_insn)
		fargs_pt_decoder_step_by_insn(d);
	CHECK(!fargs_pt_segments_init(&segs, &s, segment_bytes));
	for (i = 0; i < segs.nr; i++) {
		CHECK(!fargs_pt_decoder_run(d, &segs.all[i], &part));
		flow.items = realloc(flow.items, (flow.nr + part.nr + 1) * sizeof(*flow.items));
		for (k = 0; k < part.nr; k++)
			/* Skip items that only continue in the next segment. */
			if (!(part.items[k].flags & FARGS_PT_CONTINUES))
				flow.items[flow.nr++] = part.items[k];
		flow.nr_insns += part.nr_insns;
	}
	fargs_pt_flow_deinit(&part);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	free(bytes);
	return flow;
}

static void print_item(const char *what, const struct fargs_pt_item *item)
{
	printf("# %s kind %u from %" PRIx64 " to %" PRIx64 " insn %u flags %u error %u insns %u\n",
	       what, item->kind, item->from, item->to, item->insn, item->flags, item->error,
	       item->nr_insns);
}

/*
 * Returns whether the items are equal, except for their times: the cut trace may lack the packet
 * that shows when something happened.
 */
static bool is_same(const struct fargs_pt_item *part, const struct fargs_pt_item *whole, size_t n)
{
	bool is_in_ovf = part->kind == FARGS_PT_OVERFLOW && n >= ovf_begin && n < ovf_end;

	if (part->kind == whole->kind && part->from == whole->from &&
	    part->to == (is_in_ovf ? 0 : whole->to) && part->insn == whole->insn &&
	    part->flags == whole->flags && part->error == whole->error &&
	    part->nr_insns == whole->nr_insns)
		return true;
	print_item("cut", part);
	print_item("not", whole);
	return false;
}

static bool is_beginning(const struct fargs_pt_flow *part, const struct fargs_pt_flow *whole,
			 size_t n)
{
	size_t i;

	if (part->nr > whole->nr) {
		print_item("one more:", &part->items[whole->nr]);
		return false;
	}
	for (i = 0; i < part->nr; i++)
		if (!is_same(&part->items[i], &whole->items[i], n))
			return false;
	return part->nr_insns <= whole->nr_insns;
}

static void cut_anywhere(uint64_t segment_bytes, bool is_by_insn)
{
	struct fargs_pt_flow whole, part;
	size_t n;

	begin();
	whole = decode(trace.n, segment_bytes, is_by_insn);
	/*
	 * Begin with a whole PSB: an incomplete PSB cannot be decoded, and is reported as an error.
	 */
	for (n = PSB_BYTES; n <= trace.n; n++) {
		part = decode(n, segment_bytes, is_by_insn);
		if (!is_beginning(&part, &whole, n))
			ktap_fail(__FILE__, __LINE__, "with %zu bytes of %zu", n, trace.n);
		fargs_pt_flow_deinit(&part);
	}
	fargs_pt_flow_deinit(&whole);
	fargs_pt_input_deinit(&in);
}

static void blocks_are_true(void)
{
	cut_anywhere(UINT64_MAX, false);
}

static void segments_are_true(void)
{
	cut_anywhere(1, false);
}

static void instructions_are_true(void)
{
	cut_anywhere(UINT64_MAX, true);
}

/* Tests that what a packet reports is decoded without the following packets. */
static void packets_are_used(void)
{
	struct fargs_pt_flow flow;
	size_t i, k, n;

	begin();
	for (i = 0; i < nr_marks; i++) {
		n = i + 1 < nr_marks ? marks[i + 1].bytes : trace.n + 1;
		for (k = marks[i].bytes; k < n && k <= trace.n; k++) {
			flow = decode(k, UINT64_MAX, false);
			if (flow.nr < marks[i].items)
				ktap_fail(__FILE__, __LINE__, "%zu of %zu items, with %zu bytes",
					  flow.nr, marks[i].items, k);
			fargs_pt_flow_deinit(&flow);
		}
	}
	flow = decode(trace.n, UINT64_MAX, false);
	CHECK_INT(flow.nr, nr_told);
	for (i = 0; i < flow.nr; i++)
		CHECK(flow.items[i].kind != FARGS_PT_ERROR);
	fargs_pt_flow_deinit(&flow);
	fargs_pt_input_deinit(&in);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "complete packets are decoded completely", packets_are_used },
		{ "the decoded flow of a cut trace is the beginning of the whole",
		  blocks_are_true },
		{ "a cut trace is decoded the same in parts", segments_are_true },
		{ "a cut trace is decoded the same instruction by instruction",
		  instructions_are_true },
	};

	return TEMP_RUN(tests);
}
