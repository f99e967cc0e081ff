// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the reader of packets with the emulator's encoder, which is independent of it.
 *
 *	pt_packet_random [NUMBER [SEED]]
 *
 * NUMBER: of random packets to write and read: 200,000.
 */
#include <stdlib.h>

#include "fuzz/random.h"
#include "ptemu/packet.h"
#include "source/pt/packet/packet.h"
#include "unit/ktap.h"
#include "unit/pt_packet_same.h"

#define BATCH	1000

static unsigned long nr_wanted = 200000;
static struct fuzz_random rng = { 1 };

/* What the encoder wrote, and the packets in it. */
static struct {
	struct packet_out out;
	uint8_t bytes[BATCH * 200];
	size_t size, begin;		/* of the last packet */
	struct fargs_pt_packet packets[BATCH * 20];
	uint64_t ips[BATCH * 20];	/* the last IP after each */
	size_t nr;
} w;

static void put(void *arg, const void *bytes, size_t size)
{
	if (size > sizeof(w.bytes) - w.size)
		abort();
	memcpy(w.bytes + w.size, bytes, size);
	w.size += size;
}

static uint64_t random_64(void)
{
	uint64_t high = fuzz_random(&rng), v = high << 32 | fuzz_random(&rng);

	/* Of any length. */
	return v >> fuzz_below(&rng, 64);
}

static bool random_bit(void)
{
	return fuzz_below(&rng, 2);
}

/* Records the packet that was just written. */
static void wrote(enum fargs_pt_packet_kind kind, uint64_t value, uint16_t nr, uint8_t flags)
{
	w.ips[w.nr] = w.out.last_ip;
	w.packets[w.nr++] = (struct fargs_pt_packet){ .kind = kind, .value = value, .nr = nr,
						      .flags = flags,
						      .size = (uint8_t)(w.size - w.begin) };
	w.begin = w.size;
}

static void write_tnt(void)
{
	bool is_long = random_bit();
	unsigned int nr = 1 + fuzz_below(&rng, is_long ? 46 : 6), i;
	uint64_t value = 0;

	for (i = 0; i < nr; i++) {
		value = value << 1 | random_bit();
		packet_tnt(&w.out, value & 1);
	}
	packet_flush_as(&w.out, is_long);
	wrote(FARGS_PT_PACKET_TNT, value, nr, 0);
}

static void write_ip(void)
{
	static const struct {
		enum packet_ip theirs;
		enum fargs_pt_packet_kind ours;
	} kinds[] = {
		{ PACKET_TIP, FARGS_PT_PACKET_TIP }, { PACKET_TIP_PGE, FARGS_PT_PACKET_PGE },
		{ PACKET_TIP_PGD, FARGS_PT_PACKET_PGD }, { PACKET_FUP, FARGS_PT_PACKET_FUP },
	};
	static const uint8_t sizes[] = { 0, 2, 4, 6, 6, 0, 8 };
	unsigned int kind = fuzz_below(&rng, 4), ipc;
	uint64_t ip = random_bit() ? random_64() : ~random_64();

	do
		ipc = fuzz_below(&rng, 7);
	while (ipc == 5);
	packet_ip_as(&w.out, kinds[kind].theirs, ipc, ip);
	if (sizes[ipc] < 8)
		ip &= (UINT64_C(1) << sizes[ipc] * 8) - 1;
	wrote(kinds[kind].ours, ip, ipc, 0);
}

static void write_mode(void)
{
	static const uint8_t flags[] = { 0, FARGS_PT_EXEC_CS_D, FARGS_PT_EXEC_CS_L };
	unsigned int bits = fuzz_below(&rng, 3);
	bool a = random_bit(), b = random_bit();

	packet_mode_exec(&w.out, 16 << bits, a);
	wrote(FARGS_PT_PACKET_EXEC, 0, 0, flags[bits] | (a ? FARGS_PT_EXEC_IF : 0));
	packet_mode_tx(&w.out, a, b);
	wrote(FARGS_PT_PACKET_TSX, 0, 0, (a ? FARGS_PT_TSX_IN : 0) |
	      (b ? FARGS_PT_TSX_ABORT : 0));
}

static void write_address_space(void)
{
	uint64_t v = random_64();
	bool is_nonroot = random_bit();

	packet_pip_nr(&w.out, v, is_nonroot);
	wrote(FARGS_PT_PACKET_PIP, v & 0xfffffffffffe0, 0, is_nonroot);
	packet_vmcs(&w.out, v);
	wrote(FARGS_PT_PACKET_VMCS, v & 0xffffffffff000, 0, 0);
}

static void write_time(void)
{
	uint64_t v = random_64();
	uint16_t fast = fuzz_below(&rng, 512);

	packet_tsc(&w.out, v);
	wrote(FARGS_PT_PACKET_TSC, v & 0xffffffffffffff, 0, 0);
	packet_tma(&w.out, (uint16_t)v, fast);
	wrote(FARGS_PT_PACKET_TMA, v & 0xffff, fast, 0);
	packet_mtc(&w.out, (uint8_t)v);
	wrote(FARGS_PT_PACKET_MTC, v & 0xff, 0, 0);
	packet_cbr(&w.out, (uint8_t)v);
	wrote(FARGS_PT_PACKET_CBR, v & 0xff, 0, 0);
	packet_cyc(&w.out, v);
	wrote(FARGS_PT_PACKET_CYC, v, 0, 0);
}

static void write_plain(void)
{
	packet_psb(&w.out);
	wrote(FARGS_PT_PACKET_PSB, 0, 0, 0);
	packet_psbend(&w.out);
	wrote(FARGS_PT_PACKET_PSBEND, 0, 0, 0);
	packet_ovf(&w.out);
	wrote(FARGS_PT_PACKET_OVF, 0, 0, 0);
	packet_trace_stop(&w.out);
	wrote(FARGS_PT_PACKET_STOP, 0, 0, 0);
	packet_pad(&w.out);
	wrote(FARGS_PT_PACKET_PAD, 0, 0, 0);
}

static void write_payload(void)
{
	unsigned int size = random_bit() ? 8 : 4;
	uint64_t v = random_64();
	bool has_ip = random_bit();

	packet_mnt(&w.out, v);
	wrote(FARGS_PT_PACKET_MNT, v, 0, 0);
	packet_ptw(&w.out, v, size, has_ip);
	wrote(FARGS_PT_PACKET_PTW, size == 4 ? (uint32_t)v : v, size, has_ip);
}

static void write_power(void)
{
	uint64_t v = random_64();
	bool is_set = random_bit();
	uint8_t a = v & 15, b = v >> 4 & 15;

	packet_mwait(&w.out, (uint32_t)v, (uint32_t)(v >> 32));
	wrote(FARGS_PT_PACKET_MWAIT, v, 0, 0);
	packet_pwre(&w.out, is_set, a, b);
	wrote(FARGS_PT_PACKET_PWRE, (uint64_t)is_set << 7 | a << 12 | b << 8, 0, 0);
	packet_exstop(&w.out, is_set);
	wrote(FARGS_PT_PACKET_EXSTOP, 0, 0, is_set);
	packet_pwrx(&w.out, a, b, PACKET_WAKE_STORE);
	wrote(FARGS_PT_PACKET_PWRX, a << 4 | b | 4 << 8, 0, 0);
}

static void write_group(void)
{
	unsigned int size = random_bit() ? 8 : 4, nr = fuzz_below(&rng, 5), i;
	uint8_t type = fuzz_below(&rng, 32);
	bool has_ip = random_bit();
	uint64_t v;

	packet_bbp(&w.out, size, type);
	wrote(FARGS_PT_PACKET_BBP, type, size, 0);
	for (i = 0; i < nr; i++) {
		v = random_64();
		packet_bip(&w.out, size, i * 7, v);
		wrote(FARGS_PT_PACKET_BIP, size == 4 ? (uint32_t)v : v, i * 7, 0);
	}
	packet_bep(&w.out, has_ip);
	wrote(FARGS_PT_PACKET_BEP, 0, 0, has_ip);
}

static void write_events(void)
{
	uint8_t type = fuzz_below(&rng, 32), bytes[5] = { 0xd9 };
	uint64_t v = random_64();
	bool has_ip = random_bit(), has_count = random_bit();

	packet_cfe(&w.out, type, (uint8_t)v, has_ip);
	wrote(FARGS_PT_PACKET_CFE, v & 0xff, type, has_ip);
	packet_evd(&w.out, type, v);
	wrote(FARGS_PT_PACKET_EVD, v, type, 0);
	bytes[1] = (uint8_t)(has_ip << 7 | has_count << 6);
	bytes[2] = type;
	bytes[3] = (uint8_t)v;
	bytes[4] = (uint8_t)(v >> 8);
	packet_bytes(&w.out, bytes, has_count ? 5 : 3);
	wrote(FARGS_PT_PACKET_TRIG, has_count ? v & 0xffff : 0, type,
	      (has_ip ? FARGS_PT_TRIG_IP : 0) | (has_count ? FARGS_PT_TRIG_COUNT : 0));
}

static void (*const writers[])(void) = {
	write_tnt, write_tnt, write_ip, write_ip, write_mode, write_address_space, write_time,
	write_plain, write_payload, write_power, write_group, write_events,
};

static void read_batch(void)
{
	struct fargs_pt_reader r = { .at = w.bytes, .end = w.bytes + w.size };
	struct fargs_pt_packet p;
	uint64_t ip = 0;
	size_t i;

	for (i = 0; i < w.nr; i++) {
		fargs_pt_packet_read(&r, &p);
		if (p.kind == FARGS_PT_PACKET_PSB)
			ip = 0;
		if (p.kind >= FARGS_PT_PACKET_TIP && p.kind <= FARGS_PT_PACKET_FUP)
			fargs_pt_packet_ip(&p, &ip);
		if (is_same(&p, &w.packets[i]) && ip == w.ips[i])
			continue;
		print_packet("read", &p);
		print_packet("written", &w.packets[i]);
		ktap_fail(__FILE__, __LINE__, "packet %zu, IP 0x%" PRIx64 ", not 0x%" PRIx64, i,
			  ip, w.ips[i]);
		return;
	}
	CHECK(r.at == r.end);
}

static void as_written(void)
{
	unsigned long nr = 0;
	unsigned int i;

	while (nr < nr_wanted && !ktap_has_failed) {
		w.size = 0;
		w.begin = 0;
		w.nr = 0;
		w.out = (struct packet_out){ .put = put };
		for (i = 0; i < BATCH; i++)
			writers[fuzz_below(&rng, sizeof(writers) / sizeof(writers[0]))]();
		read_batch();
		nr += w.nr;
	}
	printf("# %lu packets\n", nr);
}

static const struct ktap_test tests[] = {
	{ "packets are read as the encoder wrote them", as_written },
};

int main(int argc, char **argv)
{
	if (argc > 1)
		nr_wanted = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		rng.state = strtoull(argv[2], NULL, 0);
	return KTAP_RUN(tests);
}
