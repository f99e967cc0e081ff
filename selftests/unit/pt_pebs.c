// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests PEBS records in a trace: which packets are read, of which events a record is, and what
 * samples have of it. Packets are those of SDM 3, "Trace Packets and Data Types"; numbers of
 * registers and bits of transactions those of asm/perf_regs.h and linux/perf_event.h.
 */
#include "source/pt/events/pebs.h"

#include <stdlib.h>
#include <string.h>

#include "unit/ktap.h"

static struct fargs_pt_pebs pebs, again;

static void parse(const char *bytes, size_t nr)
{
	memset(&pebs, 0xff, sizeof(pebs));
	fargs_pt_pebs_read(&pebs, (const uint8_t *)bytes, (const uint8_t *)bytes + nr, 0);
}

#define READ(bytes)	parse(bytes, sizeof(bytes) - 1)
#define BEP		"\x02\x33"
/* A value of eight bytes. */
#define VALUE(byte)	byte "\x01\x00\x00\x00\x00\x00\x00"
/* BBPs: 02 63, and the type. BIPs: the number << 3 | 4, and the value. */
#define BASIC		"\x02\x63\x04"
#define MEMORY		"\x02\x63\x05"
#define REGS		"\x02\x63\x01"

/* Checks that @mask has all values of @group, and that they survive packing. */
static void check_mask(enum fargs_pt_pebs_group group, uint32_t mask)
{
	uint64_t words[FARGS_PT_PEBS_WORDS_MAX];
	size_t nr = fargs_pt_pebs_pack(&pebs, words);
	unsigned int i;

	CHECK_INT(pebs.masks[group], mask);
	memset(&again, 0, sizeof(again));
	CHECK_INT(fargs_pt_pebs_unpack(&again, words), nr);
	CHECK(!memcmp(again.masks, pebs.masks, sizeof(pebs.masks)));
	CHECK_INT(again.is_32_bits, pebs.is_32_bits);
	for (i = 0; i < FARGS_PT_PEBS_VALUES; i++)
		if (mask >> i & 1)
			CHECK(again.values[group][i] == pebs.values[group][i]);
}

static void reads_groups(void)
{
	static const struct {
		char type;
		enum fargs_pt_pebs_group group;
	} all[] = {
		{ 1, FARGS_PT_PEBS_REGS }, { 4, FARGS_PT_PEBS_BASIC }, { 5, FARGS_PT_PEBS_MEMORY },
		{ 8, FARGS_PT_PEBS_LBR_0 }, { 9, FARGS_PT_PEBS_LBR_1 },
		{ 10, FARGS_PT_PEBS_LBR_2 }, { 16, FARGS_PT_PEBS_XMM },
	};
	char packets[] = "\x02\x63\x00\x04" VALUE("\x11") "\xfc" VALUE("\x22") BEP;
	size_t i, k;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		packets[2] = all[i].type;
		READ(packets);
		check_mask(all[i].group, 1u << 31 | 1);
		CHECK_INT(pebs.values[all[i].group][0], 0x111);
		CHECK_INT(pebs.values[all[i].group][31], 0x122);
		for (k = 0; k < FARGS_PT_PEBS_GROUPS; k++)
			CHECK(k == all[i].group || !pebs.masks[k]);
		CHECK(!pebs.is_32_bits);
	}
	/* Another group's values are nowhere, and those of one after it are. */
	READ("\x02\x63\x14\x04" VALUE("\x11") BASIC "\x0c" VALUE("\x03") BEP);
	check_mask(FARGS_PT_PEBS_BASIC, 2);
	for (k = 0; k < FARGS_PT_PEBS_GROUPS; k++)
		CHECK(k == FARGS_PT_PEBS_BASIC || !pebs.masks[k]);
}

static void reads_sizes(void)
{
	/* Values of four bytes, and times in between: TSC, CYC, MTC, PAD. */
	READ("\x02\x63\x81\x14\x01\x02\x03\x04\x19\x01\x02\x03\x04\x05\x06\x07\x13\x59\x07\x00"
	     "\x1c\xff\xff\xff\xff" BASIC "\x04" VALUE("\x50") BEP);
	check_mask(FARGS_PT_PEBS_REGS, 1 << 2 | 1 << 3);
	CHECK_INT(pebs.values[FARGS_PT_PEBS_REGS][FARGS_PT_PEBS_AX], 0x04030201);
	CHECK_INT(pebs.values[FARGS_PT_PEBS_REGS][FARGS_PT_PEBS_CX], 0xffffffff);
	check_mask(FARGS_PT_PEBS_BASIC, 1);
	CHECK(pebs.is_32_bits);
	/* Cut in the middle of a value. */
	READ(BASIC "\x04" VALUE("\x50") "\x0c\x01\x02");
	check_mask(FARGS_PT_PEBS_BASIC, 1);
	READ("");
	check_mask(FARGS_PT_PEBS_BASIC, 0);
}

static struct fargs_pt_input in;
static struct fargs_pt_pebs_counters counters;
static uint32_t events[FARGS_PT_PEBS_COUNTERS_MAX];

/* Returns the events of a record with the applicable counters @bits at @ns, as digits. */
static const char *events_of(uint64_t bits, uint64_t ns)
{
	static char text[FARGS_PT_PEBS_COUNTERS_MAX + 1];
	unsigned int nr, i;

	memset(&pebs, 0, sizeof(pebs));
	pebs.masks[FARGS_PT_PEBS_BASIC] = 1 << FARGS_PT_PEBS_COUNTERS;
	pebs.values[FARGS_PT_PEBS_BASIC][FARGS_PT_PEBS_COUNTERS] = bits;
	nr = fargs_pt_pebs_counters_events(&counters, &pebs, ns, events);
	for (i = 0; i < nr; i++)
		text[i] = '0' + events[i];
	text[nr] = '\0';
	return text;
}

static void add_counter(uint32_t cpu, uint64_t ns, uint32_t counter, uint32_t event)
{
	const struct fargs_pt_pebs_counter c = {
		.ns = ns, .cpu = cpu, .tid = -1, .counter = counter, .event = event,
	};

	CHECK(!fargs_pt_input_add_pebs_counter(&in, &c));
}

static void finds_events(void)
{
	struct fargs_pt_stream stream = { .cpu = 1, .tid = -1 };

	fargs_pt_input_init(&in);
	add_counter(2, 0, 3, 9);
	add_counter(1, 500, 1, 4);
	add_counter(1, 0, 0, 1);
	add_counter(1, 0, 1, 2);
	add_counter(0, 0, 2, 7);
	add_counter(1, 10, 63, 3);
	CHECK(!fargs_pt_input_sort(&in));
	fargs_pt_pebs_counters_init(&counters, &in, &stream);
	CHECK_STR(events_of(1, 5), "1");
	CHECK_STR(events_of(3, 5), "12");
	/* A counter that is not known: the first event; and as in perf, no more are looked at. */
	CHECK_STR(events_of(1ull << 63, 5), "0");
	CHECK_STR(events_of(1 | 4 | 2, 5), "120");
	CHECK_STR(events_of(4 | 1ull << 63, 20), "0");
	CHECK_STR(events_of(2 | 1ull << 63, 20), "23");
	CHECK_STR(events_of(2, 499), "2");
	CHECK_STR(events_of(2, 500), "4");
	CHECK_STR(events_of(0, 500), "0");
	pebs.masks[FARGS_PT_PEBS_BASIC] = 0;
	CHECK_INT(fargs_pt_pebs_counters_events(&counters, &pebs, 500, events), 1);
	CHECK_INT(events[0], 0);
	/* Of another CPU, whose records say nothing; and of one without times, which has all. */
	stream.cpu = 3;
	fargs_pt_pebs_counters_init(&counters, &in, &stream);
	CHECK_STR(events_of(1, 500), "0");
	stream.cpu = 1;
	fargs_pt_pebs_counters_init(&counters, &in, &stream);
	CHECK_STR(events_of(2, UINT64_MAX), "4");
	fargs_pt_input_deinit(&in);
}

static struct fargs_pt_pebs_sample sample;
static struct fargs_pt_pebs_event event;

/* Makes the sample of the record that was read. */
static void make(uint64_t sample_type, uint64_t regs)
{
	event.attr = (struct perf_event_attr){
		.sample_type = sample_type, .sample_period = 77, .sample_regs_intr = regs,
	};
	sample.pebs = pebs;
	fargs_pt_pebs_sample_set(&sample, &event);
}

static void has_memory(void)
{
	const uint64_t all = PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_TRANSACTION;

	READ(MEMORY "\x04" VALUE("\x50") "\x14" VALUE("\x60") "\x1c" VALUE("\x07") BEP);
	make(all, 0);
	CHECK_INT(sample.addr, 0x150);
	CHECK_INT(sample.weight, 0x160);
	CHECK_INT(sample.transaction, 0);
	CHECK_INT(sample.period, 77);
	make(0, 0);
	CHECK(!sample.addr && !sample.weight && !sample.transaction && !sample.ip);
	make(PERF_SAMPLE_WEIGHT_STRUCT, 0);
	CHECK_INT(sample.weight, 0x160);
	/* Sapphire Rapids: latency of the cache in bits 47:32. */
	READ(MEMORY "\x14\x45\x00\x00\x00\x23\x01\x00\x00" BEP);
	make(all, 0);
	CHECK_INT(sample.weight, 0x123);
	/* Cycles of the last transaction; its bits; and with EAX bit 0, the code of the abort. */
	READ(MEMORY "\x1c\x33\x22\x11\x00\x03\x01\x00\x00"
	     REGS "\x14\x01\x00\x00\xab\x00\x00\x00\x00" BEP);
	make(all, 0);
	CHECK_INT(sample.weight, 0x112233);
	CHECK(sample.transaction == (3 | 0xabull << PERF_TXN_ABORT_SHIFT));
	pebs.values[FARGS_PT_PEBS_MEMORY][FARGS_PT_PEBS_TSX] = (uint64_t)PERF_TXN_ELISION << 32;
	make(all, 0);
	CHECK(sample.transaction == PERF_TXN_ELISION);
}

static void has_place(void)
{
	READ(REGS "\x0c" VALUE("\x20") BASIC "\x04" VALUE("\x10") BEP);
	make(0, 0);
	CHECK_INT(sample.ip, 0x110);
	READ(REGS "\x0c" VALUE("\x20") BEP);
	make(0, 0);
	CHECK_INT(sample.ip, 0x120);
	event.attr.freq = 1;
	fargs_pt_pebs_sample_set(&sample, &event);
	CHECK_INT(sample.period, 0);
}

static void has_registers(void)
{
	/* perf's order is AX BX CX DX SI DI BP SP IP FLAGS, four segments, R8 to R15, XMM. */
	static const char *const names[] = {
		"reg_flags", "reg_ip", "reg_ax", "reg_cx", "reg_dx", "reg_bx", "reg_sp", "reg_bp",
		"reg_si", "reg_di", "reg_r8", "reg_r9", "reg_r10", "reg_r11", "reg_r12", "reg_r13",
		"reg_r14", "reg_r15",
	};
	static const unsigned int perf[] = {
		9, 8, 0, 2, 3, 1, 7, 6, 4, 5, 16, 17, 18, 19, 20, 21, 22, 23,
	};
	struct fargs_arg args[FARGS_PT_PEBS_SAMPLE_VALUES];
	unsigned int i;

	for (i = 0; i < FARGS_PT_PEBS_NR_REGS; i++) {
		memset(&pebs, 0, sizeof(pebs));
		pebs.masks[FARGS_PT_PEBS_REGS] = 1u << i;
		pebs.values[FARGS_PT_PEBS_REGS][i] = 1000 + i;
		make(PERF_SAMPLE_REGS_INTR, UINT64_MAX);
		CHECK_INT(sample.regs_mask, 1 << perf[i]);
		CHECK_INT(sample.regs[perf[i]], 1000 + i);
		CHECK_INT(fargs_pt_pebs_sample_values(&sample, &event, args), 3);
		CHECK_STR(args[0].val.name, "period");
		CHECK_STR(args[1].val.name, "reg_bits");
		CHECK_STR(args[2].val.name, names[i]);
		CHECK(*(const uint64_t *)args[2].val.data == 1000 + i);
		make(PERF_SAMPLE_REGS_INTR, ~(1ull << perf[i]));
		CHECK(!sample.regs_mask);
		make(0, UINT64_MAX);
		CHECK(!sample.regs_mask);
		CHECK_INT(fargs_pt_pebs_sample_values(&sample, &event, args), 1);
	}
	memset(&pebs, 0, sizeof(pebs));
	pebs.masks[FARGS_PT_PEBS_XMM] = 1u << 31 | 1u << 2;
	make(PERF_SAMPLE_REGS_INTR, UINT64_MAX);
	CHECK(sample.regs_mask == (1ull << 63 | 1ull << 34));
	CHECK_INT(fargs_pt_pebs_sample_values(&sample, &event, args), 4);
	CHECK_STR(args[2].val.name, "reg_xmm1");
	CHECK_STR(args[3].val.name, "reg_xmm15_high");
}

static void has_branches(void)
{
	unsigned int i;

	memset(&pebs, 0, sizeof(pebs));
	pebs.masks[FARGS_PT_PEBS_LBR_0] = 0x1f;		/* the second one has no INFO */
	pebs.masks[FARGS_PT_PEBS_LBR_2] = 7u << 27;
	for (i = 0; i < FARGS_PT_PEBS_VALUES; i++) {
		pebs.values[FARGS_PT_PEBS_LBR_0][i] = 100 + i;
		pebs.values[FARGS_PT_PEBS_LBR_2][i] = 300 + i;
	}
	/* IA32_LBR_x_INFO: mispredicted, in a transaction, an abort; cycles. */
	pebs.values[FARGS_PT_PEBS_LBR_0][2] = 1ull << 63 | 1ull << 61 | 5;
	pebs.values[FARGS_PT_PEBS_LBR_2][29] = 1ull << 62 | 1 << 16;
	make(PERF_SAMPLE_BRANCH_STACK, 0);
	CHECK_INT(sample.nr_branches, 2);
	CHECK_INT(sample.branches[0].from, 100);
	CHECK_INT(sample.branches[0].to, 101);
	CHECK(sample.branches[0].is_mispredicted && !sample.branches[0].is_predicted);
	CHECK(sample.branches[0].aborts && !sample.branches[0].is_in_tx);
	CHECK_INT(sample.branches[0].cycles, 5);
	CHECK_INT(sample.branches[1].from, 327);
	CHECK(!sample.branches[1].is_mispredicted && sample.branches[1].is_predicted);
	CHECK(!sample.branches[1].aborts && sample.branches[1].is_in_tx);
	CHECK_INT(sample.branches[1].cycles, 0);
	make(0, 0);
	CHECK_INT(sample.nr_branches, 0);
}

static const struct ktap_test tests[] = {
	{ "groups", reads_groups },
	{ "sizes of values, and other packets", reads_sizes },
	{ "events of counters", finds_events },
	{ "memory and transactions", has_memory },
	{ "place and period", has_place },
	{ "registers", has_registers },
	{ "last branches", has_branches },
};

int main(void)
{
	return KTAP_RUN(tests);
}
