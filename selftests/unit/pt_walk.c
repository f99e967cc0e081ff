// SPDX-License-Identifier: GPL-2.0-only
/* Tests how the own decoder leaves traces that do not fit the code, and code that changes. */
#include <intel-pt.h>
#include <stdlib.h>

#include "source/pt/code/insn.h"
#include "source/pt/input/spaces.h"
#include "source/pt/trace/decoder.h"
#include "unit/pt_program.h"

static struct fargs_pt_flow flow;

/*
 * Decodes the trace in segments of @bytes. @flow is that of the last one; returns the number of
 * items of @kind in all.
 */
static size_t decode_segments(uint64_t bytes, enum fargs_pt_item_kind kind)
{
	struct fargs_pt_piece piece = { .bytes = trace.bytes, .size = trace.n, .begins = true };
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);
	struct fargs_pt_segments segs = { };
	size_t i, k, nr = 0;

	CHECK(!fargs_pt_segments_init(&segs, &s, bytes));
	for (i = 0; i < segs.nr; i++) {
		CHECK(!fargs_pt_decoder_run(d, &segs.all[i], &flow));
		for (k = 0; k < flow.nr; k++)
			nr += flow.items[k].kind == kind;
	}
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	return nr;
}

/* Decodes the trace into @flow, as one segment. */
static void decode(void)
{
	decode_segments(UINT64_MAX, FARGS_PT_ERROR);
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
	for (i = 0; i < flow.nr && i < 20; i++)
		printf("# kind %u from %" PRIx64 " to %" PRIx64 " error %u\n", flow.items[i].kind,
		       flow.items[i].from, flow.items[i].to, flow.items[i].error);
	return false;
}

/* put_*() add packets; an address has two bytes. */
static void put_with_ip(uint8_t opcode, uint64_t ip)
{
	const uint8_t packet[] = { opcode | 1 << 5, ip, ip >> 8 };

	put_bytes(&trace, packet, sizeof(packet));
}

static void put_tip(uint64_t ip)
{
	put_with_ip(0x0d, ip);
}

static void put_fup(uint64_t ip)
{
	put_with_ip(0x1d, ip);
}

static void put_taken(void)
{
	put_bytes(&trace, "\x06", 1);
}

static void put_end(void)
{
	put_bytes(&trace, "\x01", 1);
}

static void add_poke(uint64_t ns, uint64_t addr, const char *codes, uint16_t bytes)
{
	const struct fargs_pt_poke poke = {
		.ns = ns, .addr = addr, .old_bytes = bytes, .new_bytes = bytes,
		.code = (const uint8_t *)codes,
	};

	CHECK(!fargs_pt_input_add_poke(&in, &poke));
}

/* Tests an interrupt whose handler is unknown: a FUP, and a TIP whose address is suppressed. */
static void interrupts_to_nowhere(void)
{
	static const uint8_t code[] = { 0x90, 0x90, 0xc3 };

	set_code(code, sizeof(code));
	put_psb(&trace, 500, CODE);
	put_fup(CODE + 1);
	put_bytes(&trace, "\x0d", 1);
	put_with_ip(0x11, CODE + 2);
	put_end();
	decode();
	CHECK_INT(flow.nr, 5);
	CHECK(is_item(1, FARGS_PT_INTERRUPT, CODE + 1, 0));
	CHECK(is_item(2, FARGS_PT_ERROR, 0, 0));
	CHECK_INT(flow.items[2].error, pte_noip);
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE + 2));
	CHECK_INT(flow.items[3].flags, 0);
	CHECK(is_item(4, FARGS_PT_BRANCH, CODE + 2, 0));
	end_test();
}

/* Tests a PTW whose FUP is the address of a jump to a conditional branch: there is no PTWRITE. */
static void writes_without_ptwrite(void)
{
	/* 1000 jmp 1004 1004 jz 1000 1006 ret */
	static const uint8_t code[] = { 0xeb, 0x02, 0x90, 0x90, 0x74, 0xfa, 0xc3 };

	set_code(code, sizeof(code));
	put_psb(&trace, 500, CODE);
	put_bytes(&trace, "\x02\x92\x07\x00\x00\x00", 6);
	put_fup(CODE);
	put_fup(CODE + 6);
	put_tip(CODE + 4);
	put_taken();
	decode();
	REQUIRE(flow.nr == 6);
	CHECK(is_item(1, FARGS_PT_PTWRITE, CODE, 7));
	CHECK(is_item(2, FARGS_PT_ERROR, CODE + 4, 0));
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE + 6));
	CHECK(is_item(4, FARGS_PT_INTERRUPT, CODE + 6, CODE + 4));
	CHECK(is_item(5, FARGS_PT_BRANCH, CODE + 4, CODE));
	end_test();
}

/* Tests an indirect call that is patched at the time of its TIP: it still has a return address. */
static void patches_call_while_it_is_made(void)
{
	/* 1000 call *%rax 1002 jz 1000 ... 1010 ret */
	static const uint8_t code[] = {
		0xff, 0xd0, 0x74, 0xfc, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
		0x90, 0x90, 0xc3,
	};

	set_code(code, sizeof(code));
	add_poke(550, CODE, "\xff\xd0\x66\x90", 2);
	put_psb(&trace, 500, CODE);
	put_bytes(&trace, "\x19\x26\x02\x00\x00\x00\x00\x00", 8);	/* TSC 550 */
	put_tip(CODE + 0x10);
	put_taken();	/* the return */
	put_taken();
	decode();
	CHECK(is_item(1, FARGS_PT_POKED, 0, 1));
	CHECK(is_item(2, FARGS_PT_BRANCH, CODE, CODE + 0x10));
	CHECK(is_item(3, FARGS_PT_BRANCH, CODE + 0x10, CODE + 2));
	CHECK(is_item(4, FARGS_PT_BRANCH, CODE + 2, CODE));
	end_test();
}

/* Tests VMPTRLD: packets are generated for it, but it is no branch. */
static void runs_on_after_vmptrld(void)
{
	/* 1000 vmptrld (%rax) 1003 ret */
	static const uint8_t code[] = { 0x0f, 0xc7, 0x30, 0xc3 };

	set_code(code, sizeof(code));
	put_psb(&trace, 500, CODE);
	put_tip(CODE);
	put_fup(CODE + 3);
	put_tip(CODE + 3);
	decode();
	CHECK_INT(flow.nr, 3);
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE + 3, CODE));
	CHECK(is_item(2, FARGS_PT_INTERRUPT, CODE + 3, CODE + 3));
	CHECK_INT(flow.nr_insns, 3);
	end_test();
}

/*
 * Tests a MODE.Exec among branches, which does not belong there: after the next PSB, the mode is
 * again that of the PSB+.
 */
static void forgets_wrong_modes(void)
{
	/* 1000 jz 1004 1002 nop 1004 rex.w nop, in 32 bits dec %eax and nop; ret */
	static const uint8_t code[] = { 0x74, 0x02, 0x90, 0x90, 0x48, 0x90, 0xc3 };

	set_code(code, sizeof(code));
	put_psb(&trace, 500, CODE);
	put_bytes(&trace, "\x99\x02", 2);
	put_taken();
	put_tip(CODE + 2);
	put_psb(&trace, 600, CODE);
	put_taken();
	put_tip(CODE + 6);
	decode();
	/* jz, rex.w nop, ret */
	REQUIRE(flow.nr >= 3);
	CHECK(is_item(flow.nr - 1, FARGS_PT_BRANCH, CODE + 6, CODE + 6));
	CHECK_INT(flow.items[flow.nr - 1].nr_insns, 2);
	end_test();
}

/* Tests branches in a PSB+: the PSBEND was damaged, so these branches must not be skipped. */
static void reports_branches_in_psb(void)
{
	static const uint8_t code[] = { 0x74, 0x00, 0x74, 0x00, 0x74, 0xfa, 0xc3 };

	set_code(code, sizeof(code));
	put_psb(&trace, 500, CODE);
	put_taken();
	put_psb(&trace, 600, CODE + 2);
	trace.n -= 2;
	put_bytes(&trace, "\x00\x00", 2);
	put_taken();
	put_taken();
	put_psb(&trace, 700, CODE);
	put_taken();
	decode();
	REQUIRE(flow.nr == 5);
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE, CODE + 2));
	CHECK(is_item(2, FARGS_PT_ERROR, CODE + 2, 0));
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE));
	CHECK(is_item(4, FARGS_PT_BRANCH, CODE, CODE + 2));
	end_test();
}

/* Tests 32-bit code at the end of 4 GiB: the next instruction is at 0. */
static void wraps_32_bits(void)
{
	/* At FFFFFFFCH: four NOPs; at 0: a NOP and a RET */
	static const uint8_t code[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0xc3 };
	struct fargs_pt_code low = { .bytes = 2, .at = 4, .pid = -1 };

	set_code(code, sizeof(code));
	in.codes[0].addr = 0xfffffffc;
	in.codes[0].bytes = 4;
	low.path = strdup(temp_path);
	CHECK(!fargs_pt_input_add_code(&in, &low));
	put_psb(&trace, 500, 0xfffffffc);
	trace.bytes[trace.n - 2 - 7 - 1] = 2;	/* MODE.Exec: 32 bits */
	put_bytes(&trace, "\x2d\x00\x00", 3);
	decode();
	CHECK(is_item(1, FARGS_PT_BRANCH, 1, 0xffff0000));
	CHECK_INT(flow.items[1].nr_insns, 6);
	end_test();
}

/* Tests damage in the first PSB+: what cannot be decoded is reported. */
static void reports_damage_at_the_beginning(void)
{
	static const uint8_t code[] = { 0x74, 0x00, 0xc3 };

	set_code(code, sizeof(code));
	put_psb(&trace, 500, CODE);
	trace.n -= 2;
	put_bytes(&trace, "\x02\xff", 2);
	put_taken();
	put_psb(&trace, 600, CODE);
	put_taken();
	decode();
	CHECK_INT(flow.nr, 3);
	CHECK(is_item(0, FARGS_PT_ERROR, 0, 0));
	CHECK(is_item(1, FARGS_PT_BEGIN, 0, CODE));
	CHECK(is_item(2, FARGS_PT_BRANCH, CODE, CODE + 2));
	end_test();
}

/* Tests a change of code while tracing is off, between two segments. */
static void reports_changes_between_segments(void)
{
	static const uint8_t code[] = { 0x90, 0xc3 };

	set_code(code, sizeof(code));
	add_poke(550, CODE, "\x90\x90", 1);
	put_psb(&trace, 500, CODE);
	put_end();
	put_psb(&trace, 600, 0);
	put_with_ip(0x11, CODE);
	put_end();
	CHECK_INT(decode_segments(UINT64_MAX, FARGS_PT_POKED), 1);
	CHECK_INT(decode_segments(1, FARGS_PT_POKED), 1);
	end_test();
}

static void add_program(int32_t pid, uint64_t addr, uint64_t at)
{
	const struct fargs_pt_mapping map = {
		.pid = pid, .kind = FARGS_PT_MAP,
		.path = strdup(temp_path), .at = at, .bytes = 0x40,
		.addr = addr,
	};

	CHECK(!fargs_pt_input_add_mapping(&in, &map));
}

/*
 * Tests a jump of the kernel over the end of the address space: what is at its target depends on
 * the program. The JZ is at the target in one program, and a byte later in the other.
 */
static void jumps_into_programs(void)
{
	enum { TARGET = 0x10000 };
	const uint64_t jump = -(uint64_t)TARGET;
	uint8_t code[0x90];
	struct fargs_pt_piece piece = { .bytes = trace.bytes, .begins = true };
	struct fargs_pt_stream streams[] = {
		{ .cpu = UINT32_MAX, .tid = 7, .pieces = &piece, .nr_pieces = 1 },
		{ .cpu = UINT32_MAX, .tid = 8, .pieces = &piece, .nr_pieces = 1 },
	};
	struct fargs_pt_segments segs = { };
	struct fargs_pt_decoder *d;
	struct fargs_pt_text *text;
	unsigned int i;

	memset(code, 0x90, sizeof(code));
	memcpy(code, "\xe9\xfb\xff\x01\x00", 5);
	memcpy(code + 0x10, "\x74\x0e", 2);
	memcpy(code + 0x51, "\x74\x0d", 2);
	set_code(code, sizeof(code));
	in.codes[0].addr = jump;
	in.codes[0].bytes = 5;
	add_program(7, TARGET, 0x10);
	add_program(8, TARGET, 0x50);
	CHECK(!fargs_pt_spaces_build(&in));
	put_psb(&trace, 500, jump);
	put_taken();
	piece.size = trace.n;
	text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	d = fargs_pt_decoder_create(&in, text, 0);
	for (i = 0; i < 4; i++) {
		CHECK(!fargs_pt_segments_init(&segs, &streams[i & 1], UINT64_MAX));
		CHECK(!fargs_pt_decoder_run(d, &segs.all[0], &flow));
		CHECK(is_item(1, FARGS_PT_BRANCH, jump, TARGET));
		CHECK(is_item(2, FARGS_PT_BRANCH, TARGET + (i & 1), TARGET + 0x10));
		fargs_pt_segments_deinit(&segs);
	}
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
	end_test();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "an interrupt without a handler's address is reported once",
		  interrupts_to_nowhere },
		{ "a PTW without a PTWRITE is reported once", writes_without_ptwrite },
		{ "a call that is patched meanwhile has a return address",
		  patches_call_while_it_is_made },
		{ "VMPTRLD is no branch", runs_on_after_vmptrld },
		{ "a wrong mode is forgotten at the next PSB", forgets_wrong_modes },
		{ "branches in a PSB+ are an error", reports_branches_in_psb },
		{ "damage in the first PSB+ is an error", reports_damage_at_the_beginning },
		{ "changes of code between segments are reported",
		  reports_changes_between_segments },
		{ "a jump from the kernel goes to the current program", jumps_into_programs },
		{ "32-bit code continues at 0 after 4 GiB", wraps_32_bits },
	};

	return TEMP_RUN(tests);
}
