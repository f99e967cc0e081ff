// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests what the own decoder reports of packets besides those of the flow, and perf's words for it.
 * Packets are those of SDM 3, "Trace Packets and Data Types"; the words and their values, those of
 * perf-intel-pt(1). selftests/golden/pt_letters compares more with perf.
 */
#include <stdlib.h>

#include "source/pt/events/reported.h"
#include "source/pt/packet/packet.h"
#include "source/pt/trace/decoder.h"
#include "unit/pt_program.h"

#define CBR_22		"\x02\x03\x16\x00"
#define PIP		"\x02\x43\x00\x10\x00\x00\x00\x00"
#define MODE_64		"\x99\x01"
#define WANTS_ALL	(FARGS_PT_WANTS_POWER | FARGS_PT_WANTS_TSX | FARGS_PT_WANTS_EVENTS)
#define ITEMS		200

/* All items of a trace. */
struct items {
	struct fargs_pt_item all[ITEMS];
	size_t nr;
};

#define PUT(packets)	put_bytes(&trace, packets, sizeof(packets) - 1)

/* Adds a packet with an address of two bytes. */
static void put_ip(uint8_t opcode, uint64_t ip)
{
	const uint8_t packet[] = { opcode | 1 << 5, ip, ip >> 8 };

	put_bytes(&trace, packet, sizeof(packet));
}

static void put_tip(uint64_t ip)
{
	put_ip(0x0d, ip);
}

static void put_fup(uint64_t ip)
{
	put_ip(0x1d, ip);
}

/* Decodes the trace in segments of @bytes. Of items that continue a flow, nothing is kept. */
static struct items decode(uint64_t bytes, uint8_t wants)
{
	struct fargs_pt_piece piece = { .bytes = trace.bytes, .size = trace.n, .begins = true };
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);
	struct fargs_pt_segments segs = { };
	struct fargs_pt_flow flow = { };
	struct items items = { };
	size_t i, k;

	fargs_pt_decoder_want(d, wants);
	CHECK(!fargs_pt_segments_init(&segs, &s, bytes));
	for (i = 0; i < segs.nr; i++) {
		CHECK(!fargs_pt_decoder_run(d, &segs.all[i], &flow));
		for (k = 0; k < flow.nr && items.nr < ITEMS; k++)
			if (!(flow.items[k].flags & FARGS_PT_CONTINUES) ||
			    flow.items[k].kind != FARGS_PT_BEGIN)
				items.all[items.nr++] = flow.items[k];
	}
	CHECK(bytes == UINT64_MAX || segs.nr > 1);
	fargs_pt_flow_deinit(&flow);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	return items;
}

static bool is_same(const struct fargs_pt_item *a, const struct fargs_pt_item *b)
{
	return a->kind == b->kind && a->from == b->from && a->to == b->to && a->tsc == b->tsc &&
	       a->offset == b->offset && a->flags == b->flags && a->insn == b->insn;
}

static size_t count(const struct items *items, enum fargs_pt_item_kind kind)
{
	size_t i, nr = 0;

	for (i = 0; i < items->nr; i++)
		nr += items->all[i].kind == kind;
	return nr;
}

/*
 * 1000 nop
 * 1001 jmp *%rax
 * 1003 nop
 */
static const uint8_t program[] = { 0x90, 0xff, 0xe0, 0x90 };

/* Each PSB is reported once, by one of the segments that it ends and begins. */
static void segments(void)
{
	struct items whole, parts;
	size_t i;

	set_code(program, sizeof(program));
	for (i = 0; i < 4; i++) {
		put_psb(&trace, 500 + 100 * i, CODE);
		PUT("\x02\xc2\x60\x00\x00\x00\x01\x00\x00\x00\x02\xe2");
		put_fup(CODE + 1);
		put_tip(CODE);
		PUT(CBR_22);
	}
	put_tip(CODE + 3);
	whole = decode(UINT64_MAX, WANTS_ALL);
	parts = decode(1, WANTS_ALL);
	CHECK_INT(count(&whole, FARGS_PT_PSB), 4);
	CHECK_INT(count(&whole, FARGS_PT_MWAIT), 4);
	CHECK_INT(count(&whole, FARGS_PT_EXSTOP), 4);
	CHECK_INT(whole.nr, parts.nr);
	for (i = 0; i < whole.nr; i++)
		CHECK(is_same(&whole.all[i], &parts.all[i]));
	fargs_pt_input_deinit(&in);
}

/* What is not requested is not reported, and what is does not change the flow. */
static void between_packets(void)
{
	struct items without, with;
	size_t i, k = 0;

	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	PUT(CBR_22);
	put_fup(CODE + 1);
	PUT(CBR_22 PIP CBR_22 MODE_64 CBR_22);
	put_tip(CODE);
	PUT(MODE_64 CBR_22 PIP CBR_22);
	put_tip(CODE + 3);
	PUT(CBR_22 PIP CBR_22 PIP);
	without = decode(UINT64_MAX, 0);
	with = decode(UINT64_MAX, WANTS_ALL);
	CHECK_INT(count(&with, FARGS_PT_CBR), 9);
	CHECK_INT(count(&without, FARGS_PT_INTERRUPT), 1);
	CHECK_INT(without.nr, 3);
	for (i = 0; i < with.nr; i++) {
		if (with.all[i].kind >= FARGS_PT_CBR)
			continue;
		CHECK(k < without.nr && is_same(&with.all[i], &without.all[k]));
		k++;
	}
	CHECK_INT(k, without.nr);
	fargs_pt_input_deinit(&in);
}

/* More EVDs than there is room for: the others, and the flow, are reported. */
static void many_packets(void)
{
	struct items items;
	unsigned int i;

	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	for (i = 0; i < 100; i++)
		PUT("\x02\x53\x00\x34\x12\x00\x00\x00\x00\x00\x00");
	PUT("\x02\x13\x01\x0e");
	put_fup(CODE + 1);
	put_tip(CODE);
	put_tip(CODE + 3);
	items = decode(UINT64_MAX, WANTS_ALL);
	CHECK(count(&items, FARGS_PT_EVD) > 16 && count(&items, FARGS_PT_EVD) <= 100);
	CHECK_INT(count(&items, FARGS_PT_INTERRUPT), 1);
	CHECK_INT(count(&items, FARGS_PT_BRANCH), 1);
	CHECK_INT(count(&items, FARGS_PT_ERROR), 0);
	fargs_pt_input_deinit(&in);
}

/* Without a FUP, the change of the interrupt flag is that of the next branch. */
static void interrupt_flag(void)
{
	static const struct {
		uint8_t kind, flags;
		uint64_t from, to;
	} expected[] = {
		{ FARGS_PT_BEGIN, FARGS_PT_WAS_ON, 0, CODE },
		{ FARGS_PT_IFLAG, FARGS_PT_IF_TOGGLES | FARGS_PT_BY_BRANCH, CODE + 1, 0 },
		{ FARGS_PT_BRANCH, FARGS_PT_IF_TOGGLES, CODE + 1, CODE },
		{ FARGS_PT_BRANCH, FARGS_PT_IF_OFF, CODE + 1, CODE },
		{ FARGS_PT_IFLAG, FARGS_PT_IF_TOGGLES | FARGS_PT_IF_OFF, CODE + 1, 1 },
		{ FARGS_PT_BRANCH, 0, CODE + 1, CODE },
	};
	struct items items;
	size_t i;

	set_code(program, sizeof(program));
	in.config.has_event_trace = true;
	PUT("\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x99\x05");
	put_fup(CODE);
	PUT("\x02\x23\x99\x01");
	put_tip(CODE);
	put_tip(CODE);
	PUT("\x99\x05");
	put_fup(CODE + 1);
	put_tip(CODE);
	items = decode(UINT64_MAX, FARGS_PT_WANTS_EVENTS);
	REQUIRE(items.nr == sizeof(expected) / sizeof(expected[0]));
	for (i = 0; i < items.nr; i++) {
		CHECK_INT(items.all[i].kind, expected[i].kind);
		CHECK_INT(items.all[i].flags, expected[i].flags);
		CHECK(items.all[i].from == expected[i].from && items.all[i].to == expected[i].to);
	}
	fargs_pt_input_deinit(&in);
}

/* Checks the words for an item of @kind with the value @to. */
static bool says(enum fargs_pt_item_kind kind, uint64_t to, uint8_t flags, const char *words)
{
	/* A TSC of 1,094.5 MHz, and a ratio of 11. */
	static const struct fargs_pt_config config = {
		.time_mult = 15328598, .time_shift = 24, .nom_freq = 11,
	};
	const struct fargs_pt_item item = { .kind = kind, .to = to, .flags = flags, .offset = 80 };
	struct fargs_pt_reported r;

	fargs_pt_reported_set(&r, &config, &item, NULL, 0);
	if (!strcmp(r.text, words))
		return true;
	printf("# '%s', expected '%s'\n", r.text, words);
	return false;
}

static void words(void)
{
	CHECK(says(FARGS_PT_PTWRITE, 0x123456789abcdef0, 0, "IP: 0 payload: 0x123456789abcdef0"));
	CHECK(says(FARGS_PT_PTWRITE, 1, FARGS_PT_EXACT, "IP: 1 payload: 0x1"));
	CHECK(says(FARGS_PT_CBR, 22, 0, "cbr: 22 freq: 2189 MHz (200%)"));
	CHECK(says(FARGS_PT_MWAIT, UINT64_C(1) << 32 | 0x60, 0, "hints: 0x60 extensions: 0x1"));
	CHECK(says(FARGS_PT_PWRE, 2 << 12, 0, "hw: 0 cstate: 2 sub-cstate: 0"));
	CHECK(says(FARGS_PT_PWRE, 1 << 12 | 3 << 8 | 1 << 7, 0, "hw: 1 cstate: 1 sub-cstate: 3"));
	CHECK(says(FARGS_PT_EXSTOP, 0, FARGS_PT_EXACT, "IP: 1"));
	CHECK(says(FARGS_PT_PWRX, 4 << 8 | 2 << 4 | 2, 0,
		   "deepest cstate: 2 last cstate: 2 wake reason: 0x4"));
	CHECK(says(FARGS_PT_PSB, 0, 0, "psb offs: 0x50"));
	CHECK(says(FARGS_PT_IFLAG, 0, FARGS_PT_BY_BRANCH, "IFLAG: 1->0 via branch"));
	CHECK(says(FARGS_PT_IFLAG, 1, 0, "IFLAG: 0->1 non branch"));
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "a PSB between segments is reported once", segments },
		{ "what packets report does not change the flow", between_packets },
		{ "any number of packets is passed", many_packets },
		{ "the interrupt flag changes by a branch, or before an instruction",
		  interrupt_flag },
		{ "the words are those of perf", words },
	};

	return TEMP_RUN(tests);
}
