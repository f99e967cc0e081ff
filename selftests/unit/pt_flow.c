// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests decoding traces and code that contain errors. Traces and programs are written by hand, and
 * are only a few bytes long.
 */
#include <intel-pt.h>
#include <stdlib.h>

#include "model/event.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/error.h"
#include "source/pt/trace/decoder.h"
#include "unit/pt_program.h"

static struct fargs_pt_flow flow;
static bool has_cycles;

/* Decodes a trace in segments of @bytes, and appends all items to @flow. */
static void decode_pieces(const struct fargs_pt_piece *pieces, size_t nr, uint64_t bytes)
{
	struct fargs_pt_stream s = { .tid = -1, .pieces = (void *)pieces, .nr_pieces = nr };
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);
	struct fargs_pt_segments segs = { };
	struct fargs_pt_flow part = { };
	struct fargs_pt_cycle_mark *m;
	size_t i;

	if (has_cycles)
		fargs_pt_decoder_count_cycles(d);
	fargs_pt_flow_deinit(&flow);
	CHECK(!fargs_pt_segments_init(&segs, &s, bytes));
	for (i = 0; i < segs.nr; i++) {
		CHECK(!fargs_pt_decoder_run(d, &segs.all[i], &part));
		flow.items = realloc(flow.items, (flow.nr + part.nr + 1) * sizeof(*flow.items));
		if (part.nr)
			memcpy(flow.items + flow.nr, part.items,
			       part.nr * sizeof(*part.items));
		flow.cycles = realloc(flow.cycles, (flow.nr_cycle_marks + part.nr_cycle_marks + 1) *
						   sizeof(*flow.cycles));
		for (m = part.cycles; m < part.cycles + part.nr_cycle_marks; m++)
			flow.cycles[flow.nr_cycle_marks++] = (struct fargs_pt_cycle_mark){
				.item = flow.nr + m->item, .nr = flow.nr_cycles + m->nr,
			};
		flow.nr_cycles += part.nr_cycles;
		flow.nr += part.nr;
		flow.nr_insns += part.nr_insns;
	}
	fargs_pt_flow_deinit(&part);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
}

static void decode(uint64_t bytes)
{
	const struct fargs_pt_piece piece = {
		.bytes = trace.bytes, .size = trace.n, .begins = true,
	};

	decode_pieces(&piece, 1, bytes);
}

static void end_test(void)
{
	fargs_pt_flow_deinit(&flow);
	fargs_pt_input_deinit(&in);
}

static bool is_item(size_t i, enum fargs_pt_item_kind kind, uint64_t from, uint64_t to)
{
	const struct fargs_pt_item *item = &flow.items[i];

	if (i < flow.nr && item->kind == kind && item->from == from && item->to == to)
		return true;
	for (i = 0; i < flow.nr; i++)
		printf("# kind %u from %" PRIx64 " to %" PRIx64 " offset %" PRIu64 " insns %u\n",
		       flow.items[i].kind, flow.items[i].from, flow.items[i].to,
		       flow.items[i].offset, flow.items[i].nr_insns);
	return false;
}

/*
 * put_taken() adds a TNT with one branch, taken; put_end() ends the trace with a TIP.PGD without an
 * address.
 */
static void put_taken(void)
{
	put_bytes(&trace, "\x06", 1);
}

static void put_end(void)
{
	put_bytes(&trace, "\x01", 1);
}

/* 1000 jz 1010 1002 jz 1010 1010 nop 1011 ret */
static const uint8_t program[] = {
	0x74, 0x0e, 0x74, 0x0c, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
	0x90, 0x90, 0xc3,
};

/*
 * Tests a TNT with two branches: not taken, then taken. The first branch is the highest bit after
 * the stop bit.
 */
static void follows_branches(void)
{
	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	put_bytes(&trace, "\x0a", 1);
	put_end();
	decode(1);
	CHECK_INT(flow.nr, 3);
	CHECK(is_item(0, FARGS_PT_BEGIN, 0, CODE));
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE + 2, CODE + 0x10));
	CHECK_INT(flow.items[1].insn, FARGS_PT_INSN_COND);
	CHECK_INT(flow.items[1].nr_insns, 2);
	CHECK_INT(flow.items[1].tsc, 500);
	CHECK(is_item(2, FARGS_PT_BRANCH, CODE + 0x11, 0));
	CHECK_INT(flow.items[2].flags, FARGS_PT_ENDS);
	CHECK_INT(flow.nr_insns, 4);
	end_test();
}

/* Adds a CYC packet: number of core cycles since the last one, at most 31. */
static void put_cycles(unsigned int nr)
{
	const uint8_t cyc = 3 | nr << 3;

	put_bytes(&trace, &cyc, 1);
}

/* Adds a TIP.PGE with two bytes of the address. */
static void put_begin(uint64_t ip)
{
	const uint8_t pge[] = { 0x31, ip, ip >> 8 };

	put_bytes(&trace, pge, sizeof(pge));
}

static void set_cycles(bool has_thresh)
{
	in.config.has_cyc = true;
	in.config.has_cyc_thresh = has_thresh;
	has_cycles = true;
}

static void end_cycles(void)
{
	has_cycles = false;
	end_test();
}

static bool is_told(size_t i, size_t item, uint64_t nr)
{
	if (i < flow.nr_cycle_marks && flow.cycles[i].item == item && flow.cycles[i].nr == nr)
		return true;
	for (i = 0; i < flow.nr_cycle_marks; i++)
		printf("# item %zu at %" PRIu64 "\n", flow.cycles[i].item, flow.cycles[i].nr);
	return false;
}

/* Tests a CYC before a TNT: it applies to the first branch, even if that is not taken. */
static void counts_cycles(void)
{
	set_code(program, sizeof(program));
	set_cycles(false);
	put_psb(&trace, 500, CODE);
	put_cycles(5);
	put_bytes(&trace, "\x0a", 1);
	put_cycles(7);
	put_end();
	decode(1);
	CHECK_INT(flow.nr, 3);
	CHECK_INT(flow.nr_cycle_marks, 1);
	CHECK(is_told(0, 2, 12));
	CHECK_INT(flow.nr_cycles, 12);
	fargs_pt_flow_deinit(&flow);

	trace.n = 0;
	put_psb(&trace, 500, CODE);
	put_cycles(5);
	put_taken();
	put_cycles(7);
	put_end();
	decode(1);
	CHECK_INT(flow.nr, 3);
	CHECK_INT(flow.nr_cycle_marks, 2);
	CHECK(is_told(0, 1, 5));
	CHECK(is_told(1, 2, 12));
	end_cycles();
}

/* Tests that cycles are counted only while the trace is on, and are counted across segments. */
static void counts_cycles_of_the_trace(void)
{
	set_code(program, sizeof(program));
	set_cycles(false);
	put_psb(&trace, 500, CODE);
	put_cycles(5);
	put_taken();
	put_cycles(7);
	put_end();
	put_cycles(30);
	put_begin(CODE + 2);
	put_cycles(2);
	put_psb(&trace, 600, CODE + 2);
	put_cycles(3);
	put_taken();
	put_cycles(4);
	put_end();
	put_cycles(31);
	decode(1);
	CHECK_INT(flow.nr, 7);
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE + 2));
	CHECK(is_item(5, FARGS_PT_BRANCH, CODE + 2, CODE + 0x10));
	CHECK_INT(flow.nr_cycle_marks, 5);
	CHECK(is_told(1, 2, 12));
	CHECK(is_told(2, 3, 12));
	CHECK(is_told(3, 5, 17));
	CHECK(is_told(4, 6, 21));
	CHECK_INT(flow.nr_cycles, 21);
	decode(1 << 20);
	CHECK_INT(flow.nr_cycle_marks, 5);
	CHECK(is_told(4, flow.nr - 1, 21));
	CHECK_INT(flow.nr_cycles, 21);
	end_cycles();
}

/* Tests a threshold, which omits some CYCs: a CYC applies only to the packet directly after it. */
static void counts_cycles_above_a_threshold(void)
{
	set_code(program, sizeof(program));
	set_cycles(true);
	put_psb(&trace, 500, CODE);
	put_cycles(5);
	put_bytes(&trace, "\x59\x00", 2);	/* MTC */
	put_taken();
	put_cycles(7);
	put_end();
	decode(1);
	CHECK_INT(flow.nr_cycle_marks, 1);
	CHECK(is_told(0, 2, 12));
	in.config.has_cyc_thresh = false;
	decode(1);
	CHECK_INT(flow.nr_cycle_marks, 2);
	CHECK(is_told(0, 1, 5));
	end_cycles();
}

/* Tests an error: decoding stops until the next PSB, but the cycles in between are counted. */
static void counts_cycles_behind_errors(void)
{
	set_code(program, sizeof(program));
	set_cycles(false);
	put_psb(&trace, 500, CODE);
	put_cycles(5);
	put_taken();
	put_cycles(6);
	put_taken();		/* the ret, which has no matching call */
	put_cycles(2);
	put_taken();		/* libipt reads this packet before it reports the error */
	put_end();
	put_begin(CODE);
	put_psb(&trace, 600, CODE);
	put_cycles(8);
	put_taken();
	put_cycles(9);
	put_end();
	decode(1 << 20);
	CHECK(flow.nr && flow.nr_cycle_marks == 3);
	CHECK(is_told(0, 1, 5));
	CHECK(is_told(2, flow.nr - 1, 30));
	CHECK_INT(flow.nr_cycles, 30);
	end_cycles();
}

/* Tests a trace whose last packet is a time: it does not show that any code was executed. */
static void stops_at_the_end(void)
{
	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE + 4);
	put_bytes(&trace, "\x19\xff\x02\x00\x00\x00\x00\x00", 8);
	decode(1);
	CHECK_INT(flow.nr_insns, 0);
	end_test();
}

/*
 * Tests a jmp to itself, which uses up no packets: an error is reported, and decoding continues at
 * the next PSB.
 */
static void leaves_circles(void)
{
	static const uint8_t circle[] = { 0xeb, 0xfe, 0x90, 0xc3 };
	size_t second;

	set_code(circle, sizeof(circle));
	put_psb(&trace, 500, CODE);
	put_taken();
	second = trace.n;
	put_psb(&trace, 600, CODE + 2);
	put_end();
	decode(UINT64_MAX);
	CHECK_INT(flow.nr, 4);
	CHECK(is_item(1, FARGS_PT_ERROR, CODE, 0));
	CHECK_INT(flow.items[1].error, 0);
	CHECK(flow.items[1].offset <= second);
	CHECK(is_item(2, FARGS_PT_BEGIN, 0, CODE + 2));
	CHECK(is_item(3, FARGS_PT_BRANCH, CODE + 3, 0));
	decode(1);
	CHECK_INT(flow.nr, 4);
	CHECK(is_item(1, FARGS_PT_ERROR, CODE, 0));
	end_test();
}

/*
 * Tests a branch to an address without code: the branch itself must be shown, followed by an error.
 */
static void tells_missing_code(void)
{
	size_t at;

	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE + 0x10);
	put_bytes(&trace, "\x2d\x00\x80", 3);	/* TIP with IP 8000H */
	put_taken();
	at = trace.n;
	put_psb(&trace, 600, CODE);
	put_taken();
	put_end();
	decode(UINT64_MAX);
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE + 0x11, 0x8000));
	CHECK(is_item(2, FARGS_PT_ERROR, 0x8000, 0));
	CHECK_INT(flow.items[2].error, pte_nomap);
	CHECK(flow.items[2].offset <= at);
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE));
	CHECK_INT(flow.items[3].flags, FARGS_PT_WAS_ON);
	CHECK(is_item(4, FARGS_PT_BRANCH, CODE, CODE + 0x10));
	end_test();
}

/*
 * Tests erratum BDM70: a PSB+ reports that the trace is on while it is off, directly before a
 * TIP.PGE with the same address. The result must be the same if the PSB+ is at the end of a
 * segment.
 */
static void knows_when_it_is_on(void)
{
	static const uint64_t sizes[] = { UINT64_MAX, 1 };
	size_t i, k;

	for (k = 0; k < 2; k++) {
		set_code(program, sizeof(program));
		in.config.is_intel = true;
		in.config.family = 6;
		in.config.model = 0x3d;
		for (i = 0; i < 3; i++) {
			put_psb(&trace, 0, 0);
			put_psb(&trace, 0, CODE);
			put_bytes(&trace, "\x00\x02\x03\x10\x00", 5);	/* PAD, CBR */
			put_bytes(&trace, "\x71\x00\x10\x00\x00\x00\x00", 7);	/* TIP.PGE */
			put_taken();
			put_end();
		}
		decode(sizes[k]);
		CHECK_INT(flow.nr, 3 * 3);
		for (i = 0; i < 3; i++) {
			CHECK(is_item(3 * i, FARGS_PT_BEGIN, 0, CODE));
			CHECK_INT(flow.items[3 * i].flags, 0);
			CHECK(is_item(3 * i + 1, FARGS_PT_BRANCH, CODE, CODE + 0x10));
			CHECK(is_item(3 * i + 2, FARGS_PT_BRANCH, CODE + 0x11, 0));
		}
		end_test();
	}
}

/* Tests an overflow: the last branch before it is known. */
static void tells_overflow(void)
{
	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	put_taken();
	put_bytes(&trace, "\x02\xf3", 2);
	put_bytes(&trace, "\x7d\x02\x10\x00\x00\x00\x00", 7);	/* FUP with IP 1002H */
	put_taken();
	put_end();
	decode(1);
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE, CODE + 0x10));
	CHECK_INT(flow.items[1].nr_insns, 1);
	CHECK(is_item(2, FARGS_PT_OVERFLOW, CODE, CODE + 2));
	CHECK_INT(flow.items[2].offset, 40);
	CHECK_INT(flow.items[2].nr_insns, 0);
	CHECK(is_item(3, FARGS_PT_BRANCH, CODE + 2, CODE + 0x10));
	end_test();
}

/* Tests that lost trace between pieces is reported, and so are bytes before the first PSB. */
static void tells_gaps(void)
{
	struct fargs_pt_piece pieces[2] = { };

	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	put_taken();
	pieces[0] = (struct fargs_pt_piece){ .bytes = trace.bytes, .begins = true };
	pieces[0].size = trace.n;
	pieces[1] = (struct fargs_pt_piece){ .bytes = trace.bytes + trace.n, .offset = 1000,
					     .begins = true, .is_after_loss = true };
	put_bytes(&trace, "\x06\x0a\x06", 3);
	put_psb(&trace, 600, CODE + 2);
	put_taken();
	put_end();
	pieces[1].size = trace.bytes + trace.n - pieces[1].bytes;
	decode_pieces(pieces, 2, UINT64_MAX);
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE, CODE + 0x10));
	CHECK(is_item(2, FARGS_PT_LOST, 0, 3));
	CHECK_INT(flow.items[2].offset, 1000);
	CHECK_INT(flow.items[2].tsc, 600);
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE + 2));
	CHECK(is_item(4, FARGS_PT_BRANCH, CODE + 2, CODE + 0x10));
	end_test();
}

/*
 * Tests that a piece which begins with a PSB is not taken for the continuation of the one before
 * it: an AUX sample may begin anywhere.
 */
static void tells_gaps_before_psbs(void)
{
	struct fargs_event_error error;
	struct fargs_pt_piece pieces[2] = { };

	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	put_taken();
	pieces[0] = (struct fargs_pt_piece){ .bytes = trace.bytes, .begins = true };
	pieces[0].size = trace.n;
	pieces[1] = (struct fargs_pt_piece){ .bytes = trace.bytes + trace.n, .offset = trace.n,
					     .begins = true };
	put_psb(&trace, 600, CODE + 2);
	put_taken();
	put_end();
	pieces[1].size = trace.bytes + trace.n - pieces[1].bytes;
	decode_pieces(pieces, 2, UINT64_MAX);
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE, CODE + 0x10));
	CHECK(is_item(2, FARGS_PT_SKIPPED, 0, 0));
	CHECK_INT(flow.items[2].offset, pieces[1].offset);
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE + 2));
	CHECK(is_item(4, FARGS_PT_BRANCH, CODE + 2, CODE + 0x10));
	fargs_pt_error_describe(&error, &flow.items[2]);
	CHECK_STR(error.text, "the trace before this place was not recorded");
	CHECK(!error.has_count);
	end_test();
}

/* Tests pieces of any length, which cut PSBs and packets in two: the result must be the same. */
static void joins_pieces(void)
{
	struct fargs_pt_piece pieces[256] = { };
	struct fargs_pt_item whole[16];
	size_t bytes, nr, i;

	set_code(program, sizeof(program));
	for (i = 0; i < 4; i++) {
		/* The TSC's bytes look like part of the PSB after them. */
		put_psb(&trace, 0x82028202828202 + i, CODE);
		put_taken();
		put_bytes(&trace, "\x2d\x02\x10", 3);	/* ret to 1002H */
		put_taken();
		put_bytes(&trace, "\x2d\x00\x10", 3);
	}
	decode(UINT64_MAX);
	nr = flow.nr;
	REQUIRE(nr == 1 + 4 * 4);
	nr = nr < 16 ? nr : 16;
	memcpy(whole, flow.items, nr * sizeof(*whole));
	for (bytes = 1; bytes < 60; bytes++) {
		for (i = 0; i * bytes < trace.n && i < 256; i++)
			pieces[i] = (struct fargs_pt_piece){
				.bytes = trace.bytes + i * bytes, .offset = i * bytes,
				.begins = !i, .size = (i + 1) * bytes < trace.n ? bytes :
							trace.n - i * bytes,
			};
		if (i == 256)
			continue;
		decode_pieces(pieces, i, UINT64_MAX);
		CHECK_INT(flow.nr, 17);
		CHECK(!memcmp(flow.items, whole, nr * sizeof(*whole)));
	}
	end_test();
}

static void add_poke(uint64_t ns, uint64_t addr, const char *codes, uint16_t bytes)
{
	const struct fargs_pt_poke poke = {
		.ns = ns, .addr = addr, .old_bytes = bytes, .new_bytes = bytes,
		.code = (const uint8_t *)codes,
	};

	CHECK(!fargs_pt_input_add_poke(&in, &poke));
}

/* Adds one iteration: from 1000H to the return, and back. */
static void put_round(uint64_t tsc)
{
	put_psb(&trace, tsc, CODE);
	put_bytes(&trace, "\x2d\x00\x10", 3);
}

/*
 * Tests code that changes: it is jmp 1010 until 550, jmp 1008 until 650, then nops. The copy in the
 * file has other bytes, because the result must not depend on the time of the copy.
 */
static void changes_code(void)
{
	static const uint8_t code[] = {
		0xcc, 0xcc, 0x90, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0x90, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc,
		0xcc, 0xcc, 0x90, 0xc3,
	};
	static const uint64_t ends[] = { CODE + 0x11, CODE + 0x11, CODE + 9, CODE + 9, CODE + 3 };
	static const uint64_t sizes[] = { 1, UINT64_MAX };
	size_t i, k, n;

	for (k = 0; k < 2; k++) {
		set_code(code, sizeof(code));
		add_poke(550, CODE, "\xeb\x0e\xeb\x06", 2);
		add_poke(650, CODE, "\xeb\x06\x66\x90", 2);
		put_round(500);
		put_round(540);
		put_round(560);
		put_round(640);
		put_round(660);
		put_end();
		decode(sizes[k]);
		for (i = 0, n = 0; i < flow.nr; i++) {
			if (flow.items[i].kind == FARGS_PT_BRANCH && flow.items[i].to == CODE) {
				CHECK_INT(flow.items[i].from, ends[n]);
				n++;
			}
			CHECK(flow.items[i].kind != FARGS_PT_ERROR);
		}
		CHECK_INT(n, 5);
		end_test();
	}
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "TNT packets determine which branches are taken", follows_branches },
		{ "cycles are counted for the branches directly after them", counts_cycles },
		{ "cycles are the same with one segment or several", counts_cycles_of_the_trace },
		{ "with cyc_thresh cycles are those of the next packet",
		  counts_cycles_above_a_threshold },
		{ "cycles continue after errors", counts_cycles_behind_errors },
		{ "no instruction is shown after the last packet", stops_at_the_end },
		{ "a PSB may wrongly indicate that the trace is on", knows_when_it_is_on },
		{ "an endless loop is left at the next PSB", leaves_circles },
		{ "missing code is reported after the branch to it", tells_missing_code },
		{ "overflows are reported after the branch before them", tells_overflow },
		{ "lost bytes, and bytes before the first PSB, are reported", tells_gaps },
		{ "reports gaps before PSBs", tells_gaps_before_psbs },
		{ "pieces may be cut anywhere", joins_pieces },
		{ "code changes at the times of its records", changes_code },
	};

	return TEMP_RUN(tests);
}
