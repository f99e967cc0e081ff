// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the bytes of the emulator's packets: against libipt's encoder where it has the packet; else
 * against bytes written by hand from the formats in the SDM, volume 3, "Trace packets and data
 * types" (the edition of 2018 for PWRE), and in Linux' tools/perf, intel-pt-pkt-decoder.c, for
 * PEBS and event trace.
 */
#include <intel-pt.h>
#include <stdlib.h>

#include "fuzz/random.h"
#include "ptemu/packet.h"
#include "unit/ktap.h"

#define NR_RANDOM	500

static uint8_t ours[64], theirs[64];
static size_t our_size, nr_before;

static void put(void *arg, const void *bytes, size_t size)
{
	if (our_size + size > sizeof(ours))
		return;
	memcpy(ours + our_size, bytes, size);
	our_size += size;
}

static void count_before(void *arg)
{
	nr_before++;
}

static struct packet_out begin(void)
{
	our_size = 0;
	nr_before = 0;
	return (struct packet_out){ .put = put, .before = count_before };
}

static void print_bytes(const char *who, const uint8_t *bytes, size_t size)
{
	size_t i;

	printf("# %s:", who);
	for (i = 0; i < size; i++)
		printf(" %02x", bytes[i]);
	putchar('\n');
}

static bool is_same(const uint8_t *want, size_t size)
{
	if (size == our_size && !memcmp(want, ours, size))
		return true;
	print_bytes("ours", ours, our_size);
	print_bytes("wanted", want, size);
	return false;
}

/* Returns whether libipt encodes @packet as the bytes that were written. */
static bool is_encoded(const struct pt_packet *packet)
{
	struct pt_encoder *encoder;
	struct pt_config config;
	int size;

	pt_config_init(&config);
	config.begin = theirs;
	config.end = theirs + sizeof(theirs);
	encoder = pt_alloc_encoder(&config);
	if (!encoder)
		return false;
	size = pt_enc_next(encoder, packet);
	pt_free_encoder(encoder);
	if (size < 0) {
		printf("# libipt: %s\n", pt_errstr(pt_errcode(size)));
		return false;
	}
	return is_same(theirs, (size_t)size);
}

#define CHECK_ENCODED(...)						\
	do {								\
		struct pt_packet packet_ = { __VA_ARGS__ };		\
									\
		CHECK(is_encoded(&packet_));				\
	} while (0)

#define CHECK_BYTES(text)	CHECK(is_same((const uint8_t *)(text), sizeof(text) - 1))

static uint64_t random_next(struct fuzz_random *random)
{
	uint64_t high = fuzz_random(random);

	return high << 32 | fuzz_random(random);
}

static void modes(void)
{
	static const unsigned int bits[] = { 16, 32, 64 };
	struct packet_out out;
	size_t i;

	for (i = 0; i < 3; i++) {
		out = begin();
		packet_mode_exec(&out, bits[i], false);
		CHECK_ENCODED(.type = ppt_mode, .payload.mode = {
			.leaf = pt_mol_exec, .bits.exec.csl = bits[i] == 64,
			.bits.exec.csd = bits[i] == 32 });
	}
	/* The flag IF is bit 2; libipt 2.0 does not have it. */
	out = begin();
	packet_mode_exec(&out, 64, true);
	CHECK_BYTES("\x99\x05");
	out = begin();
	packet_mode_exec(&out, 32, true);
	CHECK_BYTES("\x99\x06");
	for (i = 0; i < 4; i++) {
		out = begin();
		packet_mode_tx(&out, i & 1, i & 2);
		CHECK_ENCODED(.type = ppt_mode, .payload.mode = {
			.leaf = pt_mol_tsx, .bits.tsx.intx = i & 1, .bits.tsx.abrt = i >> 1 });
	}
}

static void contexts(void)
{
	struct fuzz_random random = { 1 };
	struct packet_out out;
	unsigned int i;

	for (i = 0; i < NR_RANDOM; i++) {
		uint64_t value = random_next(&random) & 0xfffffffffffe0ull;

		out = begin();
		packet_pip_nr(&out, value, i & 1);
		CHECK_ENCODED(.type = ppt_pip, .payload.pip = { .cr3 = value, .nr = i & 1 });
		value &= ~0xfffull;
		out = begin();
		packet_vmcs(&out, value);
		CHECK_ENCODED(.type = ppt_vmcs, .payload.vmcs.base = value);
	}
}

static void plain(void)
{
	struct packet_out out = begin();

	packet_pad(&out);
	CHECK_ENCODED(.type = ppt_pad);
	out = begin();
	packet_trace_stop(&out);
	CHECK_ENCODED(.type = ppt_stop);
	out = begin();
	packet_mnt(&out, 0x123456789abcdef0);
	CHECK_ENCODED(.type = ppt_mnt, .payload.mnt.payload = 0x123456789abcdef0);
	out = begin();
	packet_cbr(&out, 0xa5);
	CHECK_ENCODED(.type = ppt_cbr, .payload.cbr.ratio = 0xa5);
	out = begin();
	packet_ptw(&out, 0x123456789abcdef0, 8, true);
	CHECK_ENCODED(.type = ppt_ptw,
		      .payload.ptw = { .payload = 0x123456789abcdef0, .plc = 1, .ip = 1 });
}

/* Every number of branches, short and long. A short TNT is as libipt's for up to six branches. */
static void branches(void)
{
	struct fuzz_random random = { 2 };
	struct packet_out out;
	unsigned int nr, i;

	for (nr = 1; nr < 47; nr++) {
		uint64_t bits = random_next(&random) & ((1ull << nr) - 1);

		out = begin();
		for (i = nr; i--;)
			packet_tnt(&out, bits >> i & 1);
		packet_flush_as(&out, true);
		CHECK_ENCODED(.type = ppt_tnt_64,
			      .payload.tnt = { .bit_size = nr, .payload = bits });
		CHECK_INT(nr_before, 1);
		out = begin();
		for (i = nr; i--;)
			packet_tnt(&out, bits >> i & 1);
		packet_flush_as(&out, false);
		CHECK_INT(our_size, (nr + 5) / 6);
		CHECK_INT(nr_before, (nr + 5) / 6);
		CHECK_INT(out.nr_tnt, 0);
		for (i = 0; i < our_size; i++) {
			unsigned int size = i + 1 < our_size || nr % 6 == 0 ? 6 : nr % 6;
			unsigned int left = i + 1 < our_size ? nr - (i + 1) * 6 : 0;

			CHECK_INT(ours[i], 1 << (size + 1) |
				  (bits >> left & ((1u << size) - 1)) << 1);
		}
	}
}

/*
 * All compressions, for addresses that they can express and for others; libipt's decoders apply
 * the same rules (unit/ptemu.c).
 */
static void addresses(void)
{
	static const struct { enum packet_ipc ours; enum pt_ip_compression theirs; } ipcs[] = {
		{ PACKET_IPC_NONE, pt_ipc_suppressed }, { PACKET_IPC_UPDATE_16, pt_ipc_update_16 },
		{ PACKET_IPC_UPDATE_32, pt_ipc_update_32 }, { PACKET_IPC_SEXT_48, pt_ipc_sext_48 },
		{ PACKET_IPC_UPDATE_48, pt_ipc_update_48 }, { PACKET_IPC_FULL, pt_ipc_full },
	};
	static const struct { enum packet_ip ours; enum pt_packet_type theirs; } kinds[] = {
		{ PACKET_TIP, ppt_tip }, { PACKET_TIP_PGE, ppt_tip_pge },
		{ PACKET_TIP_PGD, ppt_tip_pgd }, { PACKET_FUP, ppt_fup },
	};
	const uint64_t last = 0xffff800012345678, ip = 0x00007fff12349abc;
	/* What ip becomes after last. */
	static const uint64_t reads[] = {
		0xffff800012345678, 0xffff800012349abc, 0xffff800012349abc,
		0x00007fff12349abc, 0xffff7fff12349abc, 0x00007fff12349abc,
	};
	size_t i, kind;

	for (i = 0; i < 6; i++) {
		for (kind = 0; kind < 4; kind++) {
			struct packet_out out = begin();

			out.last_ip = last;
			CHECK_INT(packet_ip_fits(&out, ipcs[i].ours, ip), i && reads[i] == ip);
			CHECK(packet_ip_as(&out, kinds[kind].ours, ipcs[i].ours, ip) == reads[i]);
			CHECK(out.last_ip == reads[i]);
			CHECK_ENCODED(.type = kinds[kind].theirs,
				      .payload.ip = { .ipc = ipcs[i].theirs, .ip = ip });
			CHECK_INT(nr_before, kinds[kind].ours != PACKET_FUP);
		}
	}
}

static void power(void)
{
	struct packet_out out = begin();

	packet_mwait(&out, 0x60, 1);
	CHECK_ENCODED(.type = ppt_mwait, .payload.mwait = { .hints = 0x60, .ext = 1 });
	CHECK_INT(nr_before, 1);
	out = begin();
	packet_exstop(&out, false);
	CHECK_ENCODED(.type = ppt_exstop);
	CHECK_INT(nr_before, 1);
	out = begin();
	packet_exstop(&out, true);
	CHECK_ENCODED(.type = ppt_exstop, .payload.exstop.ip = 1);
	out = begin();
	packet_pwre(&out, false, 6, 2);
	CHECK_ENCODED(.type = ppt_pwre, .payload.pwre = { .state = 6, .sub_state = 2 });
	/*
	 * HW is bit 7 of byte 2 in the SDM's table of PWRE and in perf (perf_synth_intel_pwre).
	 * libipt, up to 2.1.2, has it in bit 3, which is reserved.
	 */
	out = begin();
	packet_pwre(&out, true, 6, 2);
	CHECK_BYTES("\x02\x22\x80\x62");
	out = begin();
	packet_pwrx(&out, 3, 6, PACKET_WAKE_INTERRUPT);
	CHECK_ENCODED(.type = ppt_pwrx,
		      .payload.pwrx = { .last = 3, .deepest = 6, .interrupt = 1 });
	out = begin();
	packet_pwrx(&out, 3, 6, PACKET_WAKE_STORE);
	CHECK_ENCODED(.type = ppt_pwrx, .payload.pwrx = { .last = 3, .deepest = 6, .store = 1 });
	out = begin();
	packet_pwrx(&out, 3, 6, PACKET_WAKE_HARDWARE);
	CHECK_ENCODED(.type = ppt_pwrx,
		      .payload.pwrx = { .last = 3, .deepest = 6, .autonomous = 1 });
}

static void pebs(void)
{
	struct packet_out out = begin();

	packet_bbp(&out, 8, 1);
	packet_bip(&out, 8, 3, 0x1122334455667788);
	CHECK_BYTES("\x02\x63\x01\x1c\x88\x77\x66\x55\x44\x33\x22\x11");
	out = begin();
	packet_bbp(&out, 4, 4);
	packet_bip(&out, 4, 31, 0x11223344);
	CHECK_BYTES("\x02\x63\x84\xfc\x44\x33\x22\x11");
	out = begin();
	packet_bep(&out, false);
	packet_bep(&out, true);
	CHECK_BYTES("\x02\x33\x02\xb3");
}

static void events(void)
{
	struct packet_out out = begin();

	packet_cfe(&out, PACKET_CFE_INTR, 14, true);
	packet_cfe(&out, PACKET_CFE_IRET, 0, false);
	CHECK_BYTES("\x02\x13\x81\x0e\x02\x13\x02\x00");
	out = begin();
	packet_evd(&out, PACKET_EVD_PFA, 0x7fff12345678);
	CHECK_BYTES("\x02\x53\x00\x78\x56\x34\x12\xff\x7f\x00\x00");
	out = begin();
	packet_evd(&out, PACKET_EVD_VMXR, 48);
	CHECK_BYTES("\x02\x53\x02\x30\x00\x00\x00\x00\x00\x00\x00");
#if LIBIPT_VERSION >= 0x201
	CHECK_ENCODED(.type = ppt_evd, .payload.evd = { .type = pt_evd_vmxr, .payload = 48 });
	out = begin();
	packet_cfe(&out, PACKET_CFE_VMEXIT_INTR, 14, true);
	CHECK_ENCODED(.type = ppt_cfe,
		      .payload.cfe = { .type = pt_cfe_vmexit_intr, .vector = 14, .ip = 1 });
#endif
}

/* Branches that were collected precede any other packet. */
static void branches_come_first(void)
{
	struct packet_out out = begin();

	packet_tnt(&out, true);
	packet_vmcs(&out, 0x1000);
	packet_tnt(&out, false);
	packet_cfe(&out, PACKET_CFE_IRET, 0, false);
	CHECK_BYTES("\x06\x02\xc8\x01\x00\x00\x00\x00\x04\x02\x13\x02\x00");
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "MODE.Exec and MODE.TSX", modes },
		{ "PIP with NR, and VMCS", contexts },
		{ "PAD, TraceStop, MNT, CBR and PTW", plain },
		{ "short and long TNT", branches },
		{ "each compression of an IP", addresses },
		{ "MWAIT, EXSTOP, PWRE and PWRX", power },
		{ "BBP, BIP and BEP", pebs },
		{ "CFE and EVD", events },
		{ "collected branches come first", branches_come_first },
	};

	return KTAP_RUN(tests);
}
