// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the reader of packets with libipt's packet decoder, on random bytes.
 *
 *	pt_packet_libipt [NUMBER [SEED]]
 *
 * NUMBER: of strings of random bytes to read: 200,000.
 */
#include <intel-pt.h>
#include <stdlib.h>

#include "fuzz/random.h"
#include "source/pt/decode/libipt/version.h"
#include "source/pt/packet/packet.h"
#include "unit/ktap.h"
#include "unit/pt_packet_same.h"

static unsigned long nr_wanted = 200000;
static struct fuzz_random rng = { 1 };

static bool random_bit(void)
{
	return fuzz_below(&rng, 2);
}

/* Packets that libipt has since 2.1; the header may be older. */
enum {
	PPT_CFE = ppt_ptw + 1,
	PPT_EVD,
};

struct cfe {
	unsigned int type;
	uint8_t vector;
	uint32_t ip:1;
};

struct evd {
	unsigned int type;
	uint64_t payload;
};

static struct fargs_pt_packet ip_of(enum fargs_pt_packet_kind kind, const struct pt_packet *from)
{
	return (struct fargs_pt_packet){ .kind = kind, .value = from->payload.ip.ip,
					 .nr = from->payload.ip.ipc };
}

static struct fargs_pt_packet mode_of(const struct pt_packet_mode *mode)
{
	if (mode->leaf == pt_mol_exec)
		return (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_EXEC,
			.flags = mode->bits.exec.csl | mode->bits.exec.csd << 1 };
	return (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_TSX,
		.flags = mode->bits.tsx.intx | mode->bits.tsx.abrt << 1 };
}

/* Payloads of PWRE and PWRX are compared in the fields that libipt has; @ours has the others. */
static uint64_t pwre_of(const struct pt_packet_pwre *pwre, uint64_t ours)
{
	/* It has the flag for the hardware in bit 3, which is reserved, instead of bit 7. */
	return (ours & 0xf7) | pwre->hw << 3 | pwre->sub_state << 8 | pwre->state << 12;
}

static uint64_t pwrx_of(const struct pt_packet_pwrx *pwrx, uint64_t ours)
{
	return (ours & ~UINT64_C(0xdff)) | pwrx->last << 4 | pwrx->deepest |
	       pwrx->interrupt << 8 | pwrx->store << 10 | pwrx->autonomous << 11;
}

static struct fargs_pt_packet event_of(const struct pt_packet *from)
{
	struct cfe cfe;
	struct evd evd;

	memcpy(&cfe, &from->payload, sizeof(cfe));
	memcpy(&evd, &from->payload, sizeof(evd));
	if ((unsigned int)from->type == PPT_CFE)
		return (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_CFE, .nr = cfe.type,
						 .value = cfe.vector, .flags = cfe.ip };
	if ((unsigned int)from->type == PPT_EVD)
		return (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_EVD, .nr = evd.type,
						 .value = evd.payload };
	return (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_BAD };
}

/* Converts a packet of libipt. Fields that it does not have are copied from @ours. */
static struct fargs_pt_packet packet_of(const struct pt_packet *from,
					const struct fargs_pt_packet *ours)
{
	struct fargs_pt_packet p = { };

	switch (from->type) {
	case ppt_pad:
		p.kind = FARGS_PT_PACKET_PAD;
		break;
	case ppt_psb:
		p.kind = FARGS_PT_PACKET_PSB;
		break;
	case ppt_psbend:
		p.kind = FARGS_PT_PACKET_PSBEND;
		break;
	case ppt_ovf:
		p.kind = FARGS_PT_PACKET_OVF;
		break;
	case ppt_stop:
		p.kind = FARGS_PT_PACKET_STOP;
		break;
	case ppt_fup:
		p = ip_of(FARGS_PT_PACKET_FUP, from);
		break;
	case ppt_tip:
		p = ip_of(FARGS_PT_PACKET_TIP, from);
		break;
	case ppt_tip_pge:
		p = ip_of(FARGS_PT_PACKET_PGE, from);
		break;
	case ppt_tip_pgd:
		p = ip_of(FARGS_PT_PACKET_PGD, from);
		break;
	case ppt_tnt_8:
	case ppt_tnt_64:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_TNT,
					      .value = from->payload.tnt.payload,
					      .nr = from->payload.tnt.bit_size };
		break;
	case ppt_mode:
		p = mode_of(&from->payload.mode);
		/* 2.0 does not have IF; neither has the reserved bits. */
		p.flags |= ours->flags & 0x1c;
		break;
	case ppt_pip:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_PIP,
					      .value = from->payload.pip.cr3,
					      .flags = from->payload.pip.nr };
		break;
	case ppt_vmcs:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_VMCS,
					      .value = from->payload.vmcs.base };
		break;
	case ppt_cbr:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_CBR,
					      .value = from->payload.cbr.ratio };
		break;
	case ppt_tsc:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_TSC,
					      .value = from->payload.tsc.tsc };
		break;
	case ppt_tma:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_TMA,
					      .value = from->payload.tma.ctc,
					      .nr = from->payload.tma.fc };
		break;
	case ppt_mtc:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_MTC,
					      .value = from->payload.mtc.ctc };
		break;
	case ppt_cyc:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_CYC,
					      .value = from->payload.cyc.value };
		break;
	case ppt_mnt:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_MNT,
					      .value = from->payload.mnt.payload };
		break;
	case ppt_exstop:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_EXSTOP,
					      .flags = from->payload.exstop.ip };
		break;
	case ppt_mwait:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_MWAIT,
					      .value = from->payload.mwait.hints |
						       (uint64_t)from->payload.mwait.ext << 32 };
		break;
	case ppt_pwre:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_PWRE,
			.value = pwre_of(&from->payload.pwre, ours->value) };
		break;
	case ppt_pwrx:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_PWRX,
			.value = pwrx_of(&from->payload.pwrx, ours->value) };
		break;
	case ppt_ptw:
		p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_PTW,
					      .value = from->payload.ptw.payload,
					      .nr = from->payload.ptw.plc ? 8 : 4,
					      .flags = from->payload.ptw.ip };
		break;
	default:
		p = event_of(from);
		break;
	}
	p.size = from->size;
	return p;
}

/* All differences between the reader and libipt. */
enum difference {
	SAME,
	DIFFERENT,
	NOT_IN_LIBIPT,		/* it does not know BBP, BEP, TRIG; and 2.0 not CFE, EVD */
	LONG_CYC,		/* it refuses a CYC of ten bytes, even if these are 64 bits */
	TYPE_OF_EVD,		/* it reads five bits; SDM and perf have six */
	NO_TNT,			/* it refuses a TNT without branches, which perf does not */
	BAD_PSB,		/* it does not look at a PSB of which the end is missing */
	NR_DIFFERENCES,
};

/* Returns whether libipt knows no packet that begins with @bytes, and we do. */
static bool is_new(const uint8_t *bytes)
{
	if (bytes[0] == 0xd9)
		return true;
	if (bytes[0] != 2)
		return false;
	return bytes[1] == 0x63 || bytes[1] == 0x33 || bytes[1] == 0xb3 ||
	       ((bytes[1] == 0x13 || bytes[1] == 0x53) && !fargs_pt_libipt_is(2, 1));
}

static enum difference compare_error(const struct fargs_pt_packet *ours, int status,
				     const uint8_t *bytes)
{
	if (status == -pte_bad_opc && is_new(bytes) && ours->kind != FARGS_PT_PACKET_BAD)
		return NOT_IN_LIBIPT;
	if (status == -pte_eos && ours->kind != FARGS_PT_PACKET_CUT)
		return ours->kind == FARGS_PT_PACKET_BAD && bytes[1] == 0x82 ? BAD_PSB : DIFFERENT;
	if (status == -pte_eos || ours->kind == FARGS_PT_PACKET_BAD)
		return SAME;
	if ((bytes[0] & 7) == 7)
		return ours->size == 10 || ours->kind == FARGS_PT_PACKET_CUT ? LONG_CYC :
		       DIFFERENT;
	if (ours->kind == FARGS_PT_PACKET_TNT)
		return ours->nr ? DIFFERENT : NO_TNT;
	return DIFFERENT;
}

static enum difference compare(const struct fargs_pt_packet *ours, int status,
			       const struct pt_packet *from, const uint8_t *bytes)
{
	struct fargs_pt_packet theirs;

	if (status < 0)
		return compare_error(ours, status, bytes);
	theirs = packet_of(from, ours);
	if (is_same(&theirs, ours))
		return SAME;
	if (theirs.kind == FARGS_PT_PACKET_EVD && theirs.nr == (ours->nr & 0x1f)) {
		theirs.nr = ours->nr;
		return is_same(&theirs, ours) ? TYPE_OF_EVD : DIFFERENT;
	}
	print_packet("libipt", &theirs);
	return DIFFERENT;
}

/* Random bytes, half of which begin like a packet. */
static void make_random(uint8_t *bytes, size_t size)
{
	static const char begins[] = "\x02\x03\x01\x0d\x11\x1d\x19\x59\x99\xd9\x07\xff";
	static const char seconds[] = "\x03\x12\x13\x22\x23\x32\x33\x43\x53\x62\x63\x73\x82\x83"
				      "\x92\xa2\xa3\xb2\xb3\xc2\xc3\xc8\xe2\xf3";
	size_t i;

	for (i = 0; i < size; i++)
		bytes[i] = random_bit() ? fuzz_random(&rng) : fuzz_random(&rng) & 3;
	if (random_bit()) {
		bytes[0] = begins[fuzz_below(&rng, sizeof(begins) - 1)];
		if ((bytes[0] & 0x1f) != 0x19 && (bytes[0] & 1) && (bytes[0] & 3) != 3)
			bytes[0] |= fuzz_below(&rng, 8) << 5;
	}
	if (size > 16 && bytes[0] == 2 && random_bit()) {
		bytes[1] = seconds[fuzz_below(&rng, sizeof(seconds) - 1)];
		if (bytes[1] == 0xc3 && random_bit())
			bytes[2] = 0x88;
		if (bytes[1] == 0xa3 && random_bit())
			memcpy(bytes + 2, "\1\0\0\0\0", 6);
		for (i = 1; bytes[1] == 0x82 && i < 16 && !fuzz_once_in(&rng, 30); i++)
			bytes[i] = i & 1 ? 0x82 : 0x02;
	}
}

static void as_libipt(void)
{
	unsigned long nr[NR_DIFFERENCES] = { }, nr_kinds[FARGS_PT_PACKET_KINDS] = { }, i;
	uint8_t bytes[20];
	struct pt_packet_decoder *d;
	struct pt_config config;
	struct fargs_pt_packet p;
	struct pt_packet theirs;
	struct fargs_pt_reader r;
	enum difference difference;
	int status;

	pt_config_init(&config);
	config.begin = bytes;
	config.end = bytes + sizeof(bytes);
	d = pt_pkt_alloc_decoder(&config);
	REQUIRE(d);
	for (i = 0; i < nr_wanted; i++) {
		size_t begin = fuzz_once_in(&rng, 4) ? fuzz_below(&rng, sizeof(bytes)) : 0;

		make_random(bytes + begin, sizeof(bytes) - begin);
		r = (struct fargs_pt_reader){ .at = bytes + begin, .end = bytes + sizeof(bytes) };
		fargs_pt_packet_read(&r, &p);
		memset(&theirs, 0, sizeof(theirs));
		status = pt_pkt_sync_set(d, begin);
		if (status >= 0)
			status = pt_pkt_next(d, &theirs, sizeof(theirs));
		difference = compare(&p, status, &theirs, bytes + begin);
		nr[difference]++;
		nr_kinds[p.kind]++;
		if (difference != DIFFERENT)
			continue;
		print_packet("ours", &p);
		printf("#");
		for (; begin < sizeof(bytes); begin++)
			printf(" %02x", bytes[begin]);
		printf("\n");
		ktap_fail(__FILE__, __LINE__, "libipt: %d", status);
		break;
	}
	pt_pkt_free_decoder(d);
	printf("# %lu same; not in libipt %lu, CYC of ten bytes %lu, type of EVD %lu, ", nr[SAME],
	       nr[NOT_IN_LIBIPT], nr[LONG_CYC], nr[TYPE_OF_EVD]);
	printf("empty TNT %lu, bad PSB %lu\n", nr[NO_TNT], nr[BAD_PSB]);
	for (i = 0; !ktap_has_failed && i < FARGS_PT_PACKET_KINDS; i++)
		CHECK(i == FARGS_PT_PACKET_BIP || nr_kinds[i]);
}

static const struct ktap_test tests[] = {
	{ "random bytes are read as libipt reads them", as_libipt },
};

int main(int argc, char **argv)
{
	if (argc > 1)
		nr_wanted = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		rng.state = strtoull(argv[2], NULL, 0);
	return KTAP_RUN(tests);
}
