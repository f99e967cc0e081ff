// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests parts of the emulated Intel PT: packets (as libipt reads them), buffers, and clocks.
 * selftests/ptemu/run tests the whole emulation in a VM.
 */
#include <intel-pt.h>
#include <stdlib.h>

#include "fuzz/random.h"
#include "ptemu/clock.h"
#include "ptemu/insn.h"
#include "ptemu/model.h"
#include "ptemu/packet.h"
#include "ptemu/topa.h"
#include "unit/ktap.h"

#define NR_PACKETS	20000

/* A packet that was requested, in libipt's terms. Each branch of a TNT is a separate element. */
struct wanted {
	enum pt_packet_type type;
	uint64_t value, more;
};

static uint8_t trace[NR_PACKETS * 16];
static size_t trace_size;
static struct wanted wanted[NR_PACKETS];
static size_t nr_wanted;

static uint64_t random_next(struct fuzz_random *random)
{
	uint64_t high = fuzz_random(random);

	return high << 32 | fuzz_random(random);
}

static void put(void *arg, const void *bytes, size_t size)
{
	memcpy(trace + trace_size, bytes, size);
	trace_size += size;
}

static void want(enum pt_packet_type type, uint64_t value, uint64_t more)
{
	wanted[nr_wanted++] = (struct wanted){ type, value, more };
}

/* Returns a random kernel or user address, often close to the previous one. */
static uint64_t random_ip(struct fuzz_random *random)
{
	static uint64_t ip;

	switch (random_next(random) % 4) {
	case 0:
		ip = 0xffffffff80000000ull | (random_next(random) & 0x7fffffff);
		break;
	case 1:
		ip = random_next(random) & 0x7fffffffffffull;
		break;
	case 2:
		ip ^= random_next(random) & 0xffff;
		break;
	default:
		ip ^= random_next(random) & 0xffffffff;
	}
	return ip;
}

static void random_ip_packet(struct packet_out *out, struct fuzz_random *random)
{
	static const struct {
		enum packet_ip ours;
		enum pt_packet_type theirs;
	} kinds[] = {
		{ PACKET_TIP, ppt_tip }, { PACKET_TIP_PGE, ppt_tip_pge },
		{ PACKET_TIP_PGD, ppt_tip_pgd }, { PACKET_FUP, ppt_fup },
	};
	size_t i = random_next(random) % 4;
	uint64_t ip = random_ip(random);

	if (random_next(random) % 8 == 0) {
		packet_ip_none(out, kinds[i].ours);
		want(kinds[i].theirs, 0, pt_ipc_suppressed);
	} else {
		packet_ip(out, kinds[i].ours, ip);
		want(kinds[i].theirs, ip, 0);
	}
}

static void random_time_packet(struct packet_out *out, struct fuzz_random *random)
{
	uint64_t value = random_next(random), more = random_next(random) & 0x1ff;

	switch (random_next(random) % 5) {
	case 0:
		packet_tsc(out, value);
		want(ppt_tsc, value & 0xffffffffffffffull, 0);
		break;
	case 1:
		packet_tma(out, (uint16_t)value, (uint16_t)more);
		want(ppt_tma, value & 0xffff, more);
		break;
	case 2:
		packet_mtc(out, (uint8_t)value);
		want(ppt_mtc, value & 0xff, 0);
		break;
	case 3:
		packet_cbr(out, (uint8_t)value);
		want(ppt_cbr, value & 0xff, 0);
		break;
	default:
		value >>= 8 + random_next(random) % 56;
		packet_flush(out);
		packet_cyc(out, value);
		want(ppt_cyc, value, 0);
	}
}

static void random_other_packet(struct packet_out *out, struct fuzz_random *random)
{
	uint64_t value = random_next(random);
	bool has_ip = random_next(random) % 2;

	switch (random_next(random) % 8) {
	case 0:
		packet_psb(out);
		want(ppt_psb, 0, 0);
		packet_psbend(out);
		want(ppt_psbend, 0, 0);
		break;
	case 1:
		packet_pip(out, value);
		want(ppt_pip, value & 0xfffffffffffe0ull, 0);
		break;
	case 2:
		packet_mode_exec64(out);
		want(ppt_mode, pt_mol_exec, 1);
		break;
	case 3:
		packet_mode_tsx(out);
		want(ppt_mode, pt_mol_tsx, 0);
		break;
	case 4:
		packet_ovf(out);
		want(ppt_ovf, 0, 0);
		break;
	case 5:
		packet_ptw(out, value & UINT32_MAX, 4, has_ip);
		want(ppt_ptw, value & UINT32_MAX, has_ip);
		break;
	default:
		packet_ptw(out, value, 8, has_ip);
		want(ppt_ptw, value, 2 | has_ip);
	}
}

static void make_packets(struct fuzz_random *random)
{
	struct packet_out out = { .put = put };
	uint64_t bit;

	trace_size = 0;
	nr_wanted = 0;
	packet_psb(&out);
	want(ppt_psb, 0, 0);
	while (nr_wanted < NR_PACKETS - 8) {
		switch (random_next(random) % 16) {
		case 0:
			random_ip_packet(&out, random);
			break;
		case 1:
			random_time_packet(&out, random);
			break;
		case 2:
			random_other_packet(&out, random);
			break;
		default:
			bit = random_next(random) & 1;
			packet_tnt(&out, bit);
			want(ppt_tnt_8, bit, 0);
		}
	}
	packet_flush(&out);
}

/*
 * Returns the full address of a packet, according to the compression rules in the SDM. *@last: the
 * last address.
 */
static uint64_t whole_ip(const struct pt_packet_ip *ip, uint64_t *last)
{
	switch (ip->ipc) {
	case pt_ipc_update_16:
		*last = (*last & ~0xffffull) | (ip->ip & 0xffff);
		break;
	case pt_ipc_update_32:
		*last = (*last & ~0xffffffffull) | (ip->ip & 0xffffffff);
		break;
	case pt_ipc_sext_48:
		*last = (uint64_t)((int64_t)(ip->ip << 16) >> 16);
		break;
	default:
		*last = ~0ull;
	}
	return *last;
}

static struct wanted read_packet(const struct pt_packet *packet, uint64_t *last_ip)
{
	struct wanted got = { .type = packet->type };

	switch (packet->type) {
	case ppt_psb:
		*last_ip = 0;
		break;
	case ppt_fup:
	case ppt_tip:
	case ppt_tip_pge:
	case ppt_tip_pgd:
		if (packet->payload.ip.ipc == pt_ipc_suppressed)
			got.more = pt_ipc_suppressed;
		else
			got.value = whole_ip(&packet->payload.ip, last_ip);
		break;
	case ppt_tsc:
		got.value = packet->payload.tsc.tsc;
		break;
	case ppt_tma:
		got.value = packet->payload.tma.ctc;
		got.more = packet->payload.tma.fc;
		break;
	case ppt_mtc:
		got.value = packet->payload.mtc.ctc;
		break;
	case ppt_cbr:
		got.value = packet->payload.cbr.ratio;
		break;
	case ppt_cyc:
		got.value = packet->payload.cyc.value;
		break;
	case ppt_pip:
		got.value = packet->payload.pip.cr3;
		got.more = packet->payload.pip.nr;
		break;
	case ppt_mode:
		got.value = packet->payload.mode.leaf;
		if (got.value == pt_mol_exec)
			got.more = packet->payload.mode.bits.exec.csl;
		else
			got.more = packet->payload.mode.bits.tsx.intx;
		break;
	case ppt_ptw:
		got.value = packet->payload.ptw.payload;
		got.more = packet->payload.ptw.plc << 1 | packet->payload.ptw.ip;
		break;
	default:
		break;
	}
	return got;
}

static bool is_wanted(size_t at, struct wanted got)
{
	return at < nr_wanted && wanted[at].type == got.type && wanted[at].value == got.value &&
	       wanted[at].more == got.more;
}

/*
 * Returns the number of requested elements, from @at on, that the packet contains; 0: the packet is
 * different.
 */
static size_t compare(size_t at, const struct pt_packet *packet, uint64_t *last_ip)
{
	unsigned int i, nr = packet->payload.tnt.bit_size;

	if (packet->type != ppt_tnt_8 && packet->type != ppt_tnt_64)
		return is_wanted(at, read_packet(packet, last_ip));
	for (i = 0; i < nr; i++) {
		uint64_t bit = packet->payload.tnt.payload >> (nr - 1 - i) & 1;

		if (!is_wanted(at + i, (struct wanted){ ppt_tnt_8, bit, 0 }))
			return 0;
	}
	return nr;
}

static void packets_are_what_libipt_reads(void)
{
	struct fuzz_random random = { 1 };
	uint64_t last_ip = 0;
	struct pt_packet_decoder *decoder;
	struct pt_packet packet;
	struct pt_config config;
	size_t at = 0, same;
	int status;

	make_packets(&random);
	pt_config_init(&config);
	config.begin = trace;
	config.end = trace + trace_size;
	decoder = pt_pkt_alloc_decoder(&config);
	REQUIRE(decoder);
	REQUIRE(pt_pkt_sync_forward(decoder) >= 0);
	while ((status = pt_pkt_next(decoder, &packet, sizeof(packet))) >= 0) {
		same = compare(at, &packet, &last_ip);
		if (!same)
			break;
		at += same;
	}
	CHECK_INT(status, -pte_eos);
	CHECK_INT(at, nr_wanted);
	pt_pkt_free_decoder(decoder);
}

/* Physical memory of the tests. Writes to wrong addresses are detected. */
static uint8_t memory[1 << 16];

static bool read_memory(void *arg, uint64_t pa, void *to, size_t size)
{
	if (pa > sizeof(memory) || size > sizeof(memory) - pa)
		return false;
	memcpy(to, memory + pa, size);
	return true;
}

static bool write_memory(void *arg, uint64_t pa, const void *from, size_t size)
{
	if (pa > sizeof(memory) || size > sizeof(memory) - pa)
		return false;
	memcpy(memory + pa, from, size);
	return true;
}

static const struct topa_memory machine = { .read = read_memory, .write = write_memory };

static void set_entry(unsigned int i, uint64_t entry)
{
	memcpy(memory + 0x1000 + i * 8, &entry, 8);
}

static void fill(uint8_t *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 256 + 1);
}

/*
 * Tests a ToPA table with regions of 4 KiB at 4000 and 8 KiB at 8000, whose END entry points to the
 * table itself.
 */
static void table_goes_round(void)
{
	struct topa topa = { .base = 0x1000, .mask_ptrs = 0x7f, .is_table = true };
	uint8_t bytes[0x3100];

	memset(memory, 0, sizeof(memory));
	set_entry(0, 0x4000);
	set_entry(1, 0x8000 | 1 << 6 | TOPA_INT);
	set_entry(2, 0x1000 | TOPA_END);
	fill(bytes, sizeof(bytes));
	CHECK_INT(topa_write(&topa, &machine, bytes, 0x2fff), 0x2fff);
	CHECK(!topa.is_interrupt);
	CHECK(topa.mask_ptrs == (0x1fffull << 32 | 1 << 7 | 0x7f));
	CHECK_INT(topa_write(&topa, &machine, bytes + 0x2fff, 0x101), 0x101);
	CHECK(topa.is_interrupt && !topa.is_stopped && !topa.is_error);
	CHECK(topa.mask_ptrs == (0x100ull << 32 | 0x7f));
	CHECK(!memcmp(memory + 0x4000, bytes + 0x3000, 0x100));
	CHECK(!memcmp(memory + 0x4100, bytes + 0x100, 0xf00));
	CHECK(!memcmp(memory + 0x8000, bytes + 0x1000, 0x2000));
	CHECK(!memory[0x5000] && !memory[0xa000]);
}

static void full_table_stops(void)
{
	struct topa topa = { .base = 0x1000, .mask_ptrs = 0x7f, .is_table = true };
	uint8_t bytes[0x1100];

	memset(memory, 0, sizeof(memory));
	set_entry(0, 0x4000 | TOPA_STOP | TOPA_INT);
	set_entry(1, 0x1000 | TOPA_END);
	fill(bytes, sizeof(bytes));
	CHECK_INT(topa_write(&topa, &machine, bytes, sizeof(bytes)), 0x1000);
	CHECK(topa.is_stopped && topa.is_interrupt && !topa.is_error);
	CHECK(topa.mask_ptrs == (0x1000ull << 32 | 0x7f));
	CHECK_INT(topa_write(&topa, &machine, bytes, 1), 0);
	CHECK(!memory[0x5000]);
}

static void range_goes_round(void)
{
	struct topa topa = { .base = 0x4000, .mask_ptrs = 0xff0ull << 32 | 0xfff };
	uint8_t bytes[0x20];

	memset(memory, 0, sizeof(memory));
	fill(bytes, sizeof(bytes));
	CHECK_INT(topa_write(&topa, &machine, bytes, 0x20), 0x20);
	CHECK(topa.mask_ptrs == (0x10ull << 32 | 0xfff));
	CHECK(!memcmp(memory + 0x4ff0, bytes, 0x10));
	CHECK(!memcmp(memory + 0x4000, bytes + 0x10, 0x10));
}

static void missing_memory_is_an_error(void)
{
	struct topa topa = { .base = 1ull << 40, .mask_ptrs = 0x7f, .is_table = true };

	CHECK_INT(topa_write(&topa, &machine, "x", 1), 0);
	CHECK(topa.is_error);
}

/*
 * Tests MTCs with CTC bit 3: one for every eight ticks of the crystal clock, each of which is 500
 * ticks of the TSC.
 */
static void clock_ticks(void)
{
	struct packet_out out = { .put = put };
	struct clock clock;
	uint64_t due;

	trace_size = 0;
	clock_start(&clock, CTL_MTC_EN | CTL_TSC_EN | 3ull << CTL_MTC_FREQ_SHIFT, 500 * 80 + 7);
	CHECK(!clock_is_mtc_due(&clock, 500 * 88 - 1, &due));
	REQUIRE(clock_is_mtc_due(&clock, 500 * 96 + 3, &due));
	CHECK_INT(due, 500 * 88);
	clock_mtc(&clock, &out, due);
	REQUIRE(clock_is_mtc_due(&clock, 500 * 96 + 3, &due));
	CHECK_INT(due, 500 * 96);
	clock_mtc(&clock, &out, due);
	CHECK(!clock_is_mtc_due(&clock, 500 * 96 + 3, &due));
	CHECK_INT(trace_size, 4);
	CHECK(!memcmp(trace, "\x59\x0b\x59\x0c", 4));
}

/*
 * Tests a CPU that wakes up: MTCs do not show how long it slept, but TSC and TMA do, and CBR shows
 * its new frequency.
 */
static void clock_wakes(void)
{
	struct packet_out out = { .put = put };
	struct clock clock;
	uint64_t due;

	trace_size = 0;
	clock_start(&clock, CTL_MTC_EN | CTL_TSC_EN | 3ull << CTL_MTC_FREQ_SHIFT, 0);
	REQUIRE(clock_is_mtc_due(&clock, 500 * 80000 + 5, &due));
	CHECK_INT(due, 500 * 80000 + 5);
	clock_mtc(&clock, &out, due);
	CHECK(!clock_is_mtc_due(&clock, 500 * 80000 + 5, &due));
	CHECK_INT(trace_size, 8 + 7 + 4);
	CHECK(!memcmp(trace, "\x19\x05\x5a\x62\x02\x00\x00\x00", 8));
	CHECK(!memcmp(trace + 8, "\x02\x73\x80\x38\x00\x05\x00", 7));
	CHECK(!memcmp(trace + 15, "\x02\x03\x18\x00", 4));
}

static void cycles_have_a_threshold(void)
{
	struct packet_out out = { .put = put };
	struct clock clock;

	trace_size = 0;
	clock_start(&clock, CTL_CYC_EN | 5ull << CTL_CYC_THRESH_SHIFT, 1000);
	clock_cyc(&clock, &out, 1015);
	CHECK_INT(trace_size, 0);
	clock_cyc(&clock, &out, 1016);
	CHECK_INT(trace_size, 1);
	CHECK_INT(trace[0], 16 << 3 | 3);
	/* An earlier MTC was already written: no time has passed. */
	clock_cyc(&clock, &out, 1010);
	CHECK_INT(trace_size, 1);
}

static void knows_instructions(void)
{
	static const struct {
		const char *bytes;
		uint8_t size, kind;
		uint64_t target;
	} cases[] = {
		{ "\x74\xfe", 2, INSN_JCC, 0x1000 },
		{ "\x0f\x84\x00\x01\x00\x00", 6, INSN_JCC, 0x1106 },
		{ "\xe3\x10", 2, INSN_JCC, 0x1012 },
		{ "\xeb\x02", 2, INSN_JMP, 0x1004 },
		{ "\xe9\xfb\xff\xff\xff", 5, INSN_JMP, 0x1000 },
		{ "\xe8\x00\x00\x00\x00", 5, INSN_CALL, 0x1005 },
		{ "\x2e\xe8\x00\x00\x00\x01", 6, INSN_CALL, 0x1001006 },
		{ "\xc3", 1, INSN_RET, 0 },
		{ "\xf3\xc3", 2, INSN_RET, 0 },
		{ "\xff\xd0", 2, INSN_CALL_INDIRECT, 0 },
		{ "\x41\xff\xe3", 3, INSN_JMP_INDIRECT, 0 },
		{ "\x3e\xff\x20", 3, INSN_JMP_INDIRECT, 0 },
		{ "\xff\x30", 2, INSN_OTHER, 0 },
		{ "\x48\xcf", 2, INSN_IRET, 0 },
		{ "\x0f\x05", 2, INSN_FAR, 0 },
		{ "\x48\x0f\x07", 3, INSN_FAR, 0 },
		{ "\x0f\x01\xd0", 3, INSN_OTHER, 0 },
		{ "\xcc", 1, INSN_TRAP, 0 },
		{ "\xf3\x48\xab", 3, INSN_REPEATED, 0 },
		{ "\x48\xab", 2, INSN_OTHER, 0 },
		{ "\xf4", 1, INSN_IDLE, 0 },
		{ "\x0f\x01\xc9", 3, INSN_IDLE, 0 },
		{ "\xfa", 1, INSN_CLI, 0 },
		{ "\xfb", 1, INSN_STI, 0 },
		{ "\x66\x9d", 2, INSN_POPF, 0 },
		{ "\x0f\x22\xd8", 3, INSN_MOV_CR3, 0 },
		{ "\x44\x0f\x22\xd8", 4, INSN_OTHER, 0 },
		{ "\x0f\x30", 2, INSN_WRMSR, 0 },
		{ "\xf3\x0f\x1e\xfa", 4, INSN_OTHER, 0 },
		{ "\xf3\x49\x0f\xae\xe1", 5, INSN_PTWRITE, 0 },
		{ "\xf3\x0f\xae\xe8", 4, INSN_OTHER, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct insn insn = { .pc = 0x1000, .size = cases[i].size };

		insn_classify(&insn, (const uint8_t *)cases[i].bytes);
		CHECK_INT(insn.kind, cases[i].kind);
		CHECK_INT(insn.target, cases[i].target);
		if (insn.kind == INSN_PTWRITE) {
			CHECK_INT(insn.reg, 9);
			CHECK_INT(insn.operand_size, 8);
		}
	}
}

/* Operands of PTWRITE as GNU as encodes them. */
static void knows_operands(void)
{
	static const struct {
		uint8_t bytes[16], size;
		bool is_32bit;
		struct insn_address address;
	} cases[] = {
		/* ptwriteq 0x20(%rax,%rcx,8) */
		{ "\xf3\x48\x0f\xae\x64\xc8\x20", 7, false, { INSN_NO_REGISTER, 0, 1, 8, 0x20 } },
		/* ptwritel 0xa7b17(%rip), and as 32-bit code ptwritel 0xa7b17 */
		{ "\xf3\x0f\xae\x25\x17\x7b\x0a", 8, false,
		  { INSN_NO_REGISTER, INSN_RIP, INSN_NO_REGISTER, 1, 0xa7b17 } },
		{ "\xf3\x0f\xae\x25\x17\x7b\x0a", 8, true,
		  { INSN_NO_REGISTER, INSN_NO_REGISTER, INSN_NO_REGISTER, 1, 0xa7b17 } },
		/* ptwriteq %gs:0x12345678 */
		{ "\x65\xf3\x48\x0f\xae\x24\x25\x78\x56\x34\x12", 11, false,
		  { 5, INSN_NO_REGISTER, INSN_NO_REGISTER, 1, 0x12345678 } },
		/* ptwritel -8(%r13) */
		{ "\xf3\x41\x0f\xae\x65\xf8", 6, false,
		  { INSN_NO_REGISTER, 13, INSN_NO_REGISTER, 1, -8 } },
		/* ptwriteq 0x1000(%r12,%r9,4) */
		{ "\xf3\x4b\x0f\xae\xa4\x8c\x00\x10", 10, false,
		  { INSN_NO_REGISTER, 12, 9, 4, 0x1000 } },
		/* ptwritel (%rsp) */
		{ "\xf3\x0f\xae\x24\x24", 5, false,
		  { INSN_NO_REGISTER, 4, INSN_NO_REGISTER, 1, 0 } },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct insn_address *want = &cases[i].address;
		struct insn_address got;
		uint8_t size;

		got = insn_address(cases[i].bytes, cases[i].is_32bit, &size);
		CHECK_INT(size, cases[i].size);
		CHECK_INT(got.segment, want->segment);
		CHECK_INT(got.base, want->base);
		CHECK_INT(got.index, want->index);
		CHECK_INT(got.scale, want->scale);
		CHECK_INT(got.displacement, want->displacement);
	}
}

static void refuses_what_a_cpu_would(void)
{
	struct model model = { 0 };

	CHECK(!model_is_fault(&model, MSR_RTIT_CTL, CTL_TRACE_EN | CTL_OS | CTL_TOPA));
	CHECK(model_is_fault(&model, MSR_RTIT_CTL, 1ull << 50));
	CHECK(model_is_fault(&model, MSR_RTIT_CTL, CTL_MTC_EN | 1ull << CTL_MTC_FREQ_SHIFT));
	CHECK(model_is_fault(&model, MSR_RTIT_CTL, 7ull << CTL_PSB_FREQ_SHIFT));
	model.control = CTL_TRACE_EN | CTL_OS;
	CHECK(model_is_fault(&model, MSR_RTIT_OUTPUT_BASE, 0));
	CHECK(model_is_fault(&model, MSR_RTIT_CTL, CTL_TRACE_EN | CTL_USER));
	CHECK(!model_is_fault(&model, MSR_RTIT_CTL, CTL_OS));
}

static const struct ktap_test tests[] = {
	{ "libipt reads the packets that were written", packets_are_what_libipt_reads },
	{ "a table of regions wraps", table_goes_round },
	{ "a full table stops the trace", full_table_stops },
	{ "a single range wraps", range_goes_round },
	{ "memory that does not exist is an error", missing_memory_is_an_error },
	{ "MTCs follow the crystal clock", clock_ticks },
	{ "a clock that slept emits the time", clock_wakes },
	{ "cycle counts have a threshold", cycles_have_a_threshold },
	{ "instructions are classified", knows_instructions },
	{ "operands in memory are found", knows_operands },
	{ "configurations that a CPU refuses are refused", refuses_what_a_cpu_would },
};

int main(void)
{
	return KTAP_RUN(tests);
}
