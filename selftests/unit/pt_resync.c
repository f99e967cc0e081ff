// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests where decoding continues after code that is missing, and after packets that do not fit the
 * code: at the next packet with an address, and what is in between is not shown. Traces and
 * programs are written by hand, and are only a few bytes long.
 */
#include <intel-pt.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "source/pt/code/insn.h"
#include "source/pt/trace/decoder.h"
#include "unit/pt_program.h"

static struct fargs_pt_flow flow;

/* Decodes @trace in one segment. */
static void decode(void)
{
	decode_trace(&flow, 0, true);
}

/* An item that is expected; @error is only compared if the kind is ERROR. */
struct expected {
	uint8_t kind, flags, error;
	uint64_t from, to;
};

static bool is_item(const struct fargs_pt_item *item, const struct expected *e)
{
	return item->kind == e->kind && item->flags == e->flags && item->from == e->from &&
	       item->to == e->to && (item->kind != FARGS_PT_ERROR || item->error == e->error);
}

static void show_items(void)
{
	const struct fargs_pt_item *item;

	for (item = flow.items; item < flow.items + flow.nr && item < flow.items + 20; item++)
		printf("# kind %u flags %u from %" PRIx64 " to %" PRIx64 " error %u offset %" PRIu64
		       "\n", item->kind, item->flags, item->from, item->to, item->error,
		       item->offset);
}

/* Decodes, and compares all items. */
static void decodes_to(const struct expected *expected, size_t nr)
{
	size_t i;

	decode();
	CHECK_INT(flow.nr, nr);
	for (i = 0; i < nr && i < flow.nr && is_item(&flow.items[i], &expected[i]); i++)
		;
	CHECK_INT(i, nr);
	if (i != nr || flow.nr != nr)
		show_items();
	fargs_pt_flow_deinit(&flow);
	fargs_pt_input_deinit(&in);
}

#define DECODES_TO(expected) decodes_to(expected, sizeof(expected) / sizeof((expected)[0]))

/* Packets with the lower 16 bits of an address: the kinds have these opcodes. */
enum { TIP = 0x2d, PGE = 0x31, PGD = 0x21, FUP = 0x3d };

static void put_address(uint8_t opcode, uint64_t ip)
{
	const uint8_t bytes[] = { opcode, ip, ip >> 8 };

	put_bytes(&trace, bytes, sizeof(bytes));
}

/* A TIP or PGD without an address. */
static void put_suppressed(uint8_t opcode)
{
	const uint8_t byte = opcode & 0x1f;

	put_bytes(&trace, &byte, 1);
}

/* A TNT with one branch: taken, or a compressed return. */
static void put_taken(void)
{
	put_bytes(&trace, "\x06", 1);
}

/* A PTWRITE with a FUP. */
static void put_ptwrite(uint32_t value, uint64_t ip)
{
	put_bytes(&trace, "\x02\x92", 2);
	put_bytes(&trace, &value, 4);
	put_address(FUP, ip);
}

/*
 * 1000 jmp 1008
 * 1008 jmp *%rax
 * 1010 call 1018
 * 1015 nop
 * 1016 ret
 * 1018 ret
 * 1020 jmp 3000 (where no code is)
 * 1028 jz 1030
 * 1030 jmp *%rax
 */
static const uint8_t program[0x38] = {
	[0x00] = 0xeb, 0x06,
	[0x08] = 0xff, 0xe0,
	[0x10] = 0xe8, 0x03, 0x00, 0x00, 0x00, 0x90, 0xc3,
	[0x18] = 0xc3,
	[0x20] = 0xe9, 0xdb, 0x1f, 0x00, 0x00,
	[0x28] = 0x74, 0x06,
	[0x30] = 0xff, 0xe0,
};

static void begin(uint64_t ip)
{
	set_code(program, sizeof(program));
	put_psb(&trace, 500, ip);
}

#define IS_BEGIN(ip) { FARGS_PT_BEGIN, FARGS_PT_WAS_ON, 0, 0, ip }
#define IS_BRANCH(from, to) { FARGS_PT_BRANCH, 0, 0, from, to }
#define IS_LAST(from) { FARGS_PT_BRANCH, FARGS_PT_ENDS, 0, from, 0 }
#define IS_ERROR(error, from) { FARGS_PT_ERROR, 0, error, from, 0 }

/* A TIP shows the address, TNTs in the missing code are skipped. */
static void continues_at_a_tip(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 0x20), IS_BRANCH(CODE + 0x20, 0x3000), IS_ERROR(pte_nomap, 0x3000),
		IS_BEGIN(CODE + 8), IS_BRANCH(CODE + 8, CODE + 0x10),
		IS_BRANCH(CODE + 0x10, CODE + 0x18), IS_BRANCH(CODE + 0x18, CODE + 0x15),
		IS_LAST(CODE + 0x16),
	};

	begin(CODE + 0x20);
	put_taken();
	put_taken();
	put_address(TIP, CODE + 8);
	put_address(TIP, CODE + 0x10);
	put_taken();
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/* A program without code is one hole, until an address has code. */
static void continues_where_code_is(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 0x20), IS_BRANCH(CODE + 0x20, 0x3000), IS_ERROR(pte_nomap, 0x3000),
		IS_BEGIN(CODE + 8), IS_LAST(CODE + 8),
	};

	begin(CODE + 0x20);
	put_address(TIP, 0x3010);
	put_taken();
	put_psb(&trace, 600, 0x3020);
	put_address(TIP, 0x3030);
	put_address(TIP, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/* A FUP shows where an interrupt was; the handler is known from the TIP. */
static void continues_at_an_interrupt(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 0x20), IS_BRANCH(CODE + 0x20, 0x3000), IS_ERROR(pte_nomap, 0x3000),
		IS_BEGIN(0x3456), { FARGS_PT_INTERRUPT, 0, 0, 0x3456, CODE + 8 },
		IS_LAST(CODE + 8),
	};

	begin(CODE + 0x20);
	put_taken();
	put_address(FUP, 0x3456);
	put_address(TIP, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/* After a PGD, nothing is executed up to the PGE. */
static void continues_at_a_pge(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 0x20), IS_BRANCH(CODE + 0x20, 0x3000), IS_ERROR(pte_nomap, 0x3000),
		{ FARGS_PT_BEGIN, 0, 0, 0, CODE + 8 }, IS_LAST(CODE + 8),
	};

	begin(CODE + 0x20);
	put_taken();
	put_suppressed(PGD);
	put_address(PGE, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

static void continues_at_a_psb(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 0x20), IS_BRANCH(CODE + 0x20, 0x3000), IS_ERROR(pte_nomap, 0x3000),
		IS_BEGIN(CODE + 8), IS_LAST(CODE + 8),
	};

	begin(CODE + 0x20);
	put_taken();
	put_psb(&trace, 600, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/* The TIP at which a conditional branch fails shows where decoding continues. */
static void continues_at_what_does_not_fit(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 0x28), IS_ERROR(pte_bad_query, CODE + 0x28),
		IS_BEGIN(CODE + 8), IS_LAST(CODE + 8),
	};

	begin(CODE + 0x28);
	put_address(TIP, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/*
 * After a hole, the CPU may know of calls that are not shown. The call before it is still on the
 * CPU's stack, since its return went elsewhere, but perhaps not on top.
 */
static void knows_no_calls_after_a_hole(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 0x10), IS_BRANCH(CODE + 0x10, CODE + 0x18),
		IS_BRANCH(CODE + 0x18, CODE + 0x20), IS_BRANCH(CODE + 0x20, 0x3000),
		IS_ERROR(pte_nomap, 0x3000),
		IS_BEGIN(CODE + 0x16), IS_ERROR(pte_retstack_empty, CODE + 0x16),
		IS_BEGIN(CODE + 8), IS_LAST(CODE + 8),
	};

	begin(CODE + 0x10);
	put_address(TIP, CODE + 0x20);
	put_address(TIP, CODE + 0x16);
	put_taken();
	put_taken();
	put_address(TIP, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/* An interrupt to an unknown address is one hole. */
static void passes_interrupts_to_nowhere(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE), { FARGS_PT_INTERRUPT, 0, 0, CODE, 0 },
		{ FARGS_PT_ERROR, 0, pte_noip, 0, 0 }, IS_BEGIN(CODE + 8), IS_LAST(CODE + 8),
	};

	begin(CODE);
	put_address(FUP, CODE);
	put_suppressed(TIP);
	put_taken();
	put_address(TIP, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/* No PTWRITE is at the address of the packet: its value is shown, and nothing else is known. */
static void passes_wrong_ptwrites(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 0x28), IS_ERROR(pte_bad_query, CODE + 0x28),
		IS_BEGIN(CODE), { FARGS_PT_PTWRITE, FARGS_PT_EXACT, 0, CODE, 0x1234 },
		{ FARGS_PT_BRANCH, 0, 0, CODE, CODE + 8 },
		{ FARGS_PT_BRANCH, 0, 0, CODE + 8, CODE + 8 }, IS_LAST(CODE + 8),
	};

	begin(CODE + 0x28);
	put_ptwrite(0x1234, CODE);
	put_address(TIP, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/* A PSB+ without PSBEND ends at the next packet that affects the flow. */
static void passes_damaged_psbs(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE), IS_ERROR(pte_bad_opc, CODE), IS_BEGIN(CODE + 8), IS_LAST(CODE + 8),
	};
	unsigned int i;

	for (i = 0; i < 2; i++) {
		begin(CODE);
		put_psb(&trace, 550, CODE + 0x28);
		trace.n -= 2;
		if (i)
			put_taken();
		put_psb(&trace, 600, CODE + 8);
		put_suppressed(PGD);
		DECODES_TO(expected);
	}
}

/* A damaged packet seems to contain the first half of the PSB. */
static void finds_psbs_in_packets(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 8), IS_BRANCH(CODE + 8, 0x8202820282028202),
		IS_ERROR(pte_bad_opc, 0x8202820282028202), IS_BEGIN(CODE),
		IS_BRANCH(CODE, CODE + 8), IS_LAST(CODE + 8),
	};

	begin(CODE + 8);
	put_bytes(&trace, "\xcd", 1);
	put_psb(&trace, 600, CODE);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/*
 * The instruction at the address of the interrupt is not reached without a TIP: the jump before may
 * not have been executed, either.
 */
static void believes_no_way_to_a_missed_event(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE), IS_ERROR(pte_bad_query, CODE + 8),
		IS_BEGIN(CODE + 0x15), { FARGS_PT_INTERRUPT, 0, 0, CODE + 0x15, CODE + 8 },
		IS_LAST(CODE + 8),
	};

	begin(CODE);
	put_address(FUP, CODE + 0x15);
	put_address(TIP, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

/*
 * The conditional branch at 1028 has a TIP where it needs a TNT: the TIP before it, to 1028, was
 * damaged. The one before that may have been, too; the first one has an interrupt after it, at the
 * address to which it leads.
 */
static void believes_no_packets_before_a_misfit(void)
{
	static const struct expected expected[] = {
		IS_BEGIN(CODE + 8), IS_BRANCH(CODE + 8, CODE + 0x30),
		{ FARGS_PT_INTERRUPT, 0, 0, CODE + 0x30, CODE + 8 },
		IS_BRANCH(CODE + 8, CODE + 0x30), IS_ERROR(pte_bad_query, CODE + 0x28),
		IS_BEGIN(CODE + 8), IS_LAST(CODE + 8),
	};

	begin(CODE + 8);
	put_address(TIP, CODE + 0x30);
	put_address(FUP, CODE + 0x30);
	put_address(TIP, CODE + 8);
	put_address(TIP, CODE + 0x30);
	put_address(TIP, CODE + 0x30);
	put_address(TIP, CODE + 0x28);
	put_address(TIP, CODE + 8);
	put_suppressed(PGD);
	DECODES_TO(expected);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "after missing code, decoding continues at a TIP", continues_at_a_tip },
		{ "a hole ends where code is", continues_where_code_is },
		{ "after missing code, decoding continues at an interrupt",
		  continues_at_an_interrupt },
		{ "after missing code, decoding continues where tracing is turned on",
		  continues_at_a_pge },
		{ "after missing code, decoding continues at a PSB", continues_at_a_psb },
		{ "decoding continues at the packet that does not fit",
		  continues_at_what_does_not_fit },
		{ "calls before a hole are forgotten", knows_no_calls_after_a_hole },
		{ "an interrupt to an unknown address is reported once",
		  passes_interrupts_to_nowhere },
		{ "a PTWRITE that is not in the code is reported once", passes_wrong_ptwrites },
		{ "a PSB+ without end contains no packets of the flow", passes_damaged_psbs },
		{ "a PSB is found even in what seems to be a packet", finds_psbs_in_packets },
		{ "nothing is shown of the way to an event that is not there",
		  believes_no_way_to_a_missed_event },
		{ "nothing is shown of the two packets before what does not fit",
		  believes_no_packets_before_a_misfit },
	};
	/* A decoder that does not advance needs more and more memory. */
	const struct rlimit limit = { 1u << 30, 1u << 30 };

	setrlimit(RLIMIT_AS, &limit);
	return TEMP_RUN(tests);
}
