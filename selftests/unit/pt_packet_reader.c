// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the reader of packets with bytes written by hand from the formats in the SDM, volume 3,
 * "Trace packets and data types"; for PEBS and event trace, also as Linux' tools/perf reads them,
 * and for TRIG, as libipt after 2.1 does.
 */
#include "source/pt/packet/packet.h"

#include <sys/mman.h>
#include <unistd.h>

#include "source/pt/packet/errata.h"
#include "unit/ktap.h"
#include "unit/pt_packet_same.h"

#define PSB	"\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82"
#define ONES	"\x81\x82\x83\x84\x85\x86\x87\x88"
#define BYTES(text)	(const uint8_t *)(text), sizeof(text) - 1

struct example {
	const uint8_t *bytes;
	size_t size;
	struct fargs_pt_packet packet;
};

/* One packet: its bytes, kind, and fields in the order of enum fargs_pt_packet_kind's comments. */
#define EXAMPLE(text, kind_, ...)						\
	{ BYTES(text), { .kind = FARGS_PT_PACKET_##kind_, .size = sizeof(text) - 1,	\
			 __VA_ARGS__ } }

static const struct example examples[] = {
	EXAMPLE("\0", PAD),
	/* A stop bit precedes the oldest branch. */
	EXAMPLE("\x04", TNT, .nr = 1, .value = 0),
	EXAMPLE("\x06", TNT, .nr = 1, .value = 1),
	EXAMPLE("\x1a", TNT, .nr = 3, .value = 5),
	EXAMPLE("\xfe", TNT, .nr = 6, .value = 0x3f),
	EXAMPLE("\x80", TNT, .nr = 6, .value = 0),
	EXAMPLE("\x02\xa3\x01\0\0\0\0\0", TNT, .nr = 0, .value = 0),
	EXAMPLE("\x02\xa3\x06\0\0\0\0\0", TNT, .nr = 2, .value = 2),
	EXAMPLE("\x02\xa3\x01\0\0\0\0\x80", TNT, .nr = 47, .value = 1),
	EXAMPLE("\x02\xa3\xff\xff\xff\xff\xff\xff", TNT, .nr = 47, .value = 0x7fffffffffff),
	EXAMPLE("\x0d", TIP, .nr = FARGS_PT_IPC_NONE),
	EXAMPLE("\x2d\x81\x82", TIP, .nr = FARGS_PT_IPC_UPDATE_16, .value = 0x8281),
	EXAMPLE("\x4d\x81\x82\x83\x84", TIP, .nr = FARGS_PT_IPC_UPDATE_32, .value = 0x84838281),
	EXAMPLE("\x6d\x81\x82\x83\x84\x85\x86", TIP, .nr = FARGS_PT_IPC_SEXT_48,
		.value = 0x868584838281),
	EXAMPLE("\x8d\x81\x82\x83\x84\x85\x86", TIP, .nr = FARGS_PT_IPC_UPDATE_48,
		.value = 0x868584838281),
	EXAMPLE("\xcd" ONES, TIP, .nr = FARGS_PT_IPC_FULL, .value = 0x8887868584838281),
	EXAMPLE("\x01", PGD, .nr = FARGS_PT_IPC_NONE),
	EXAMPLE("\x21\x81\x82", PGD, .nr = FARGS_PT_IPC_UPDATE_16, .value = 0x8281),
	EXAMPLE("\x11", PGE, .nr = FARGS_PT_IPC_NONE),
	EXAMPLE("\xd1" ONES, PGE, .nr = FARGS_PT_IPC_FULL, .value = 0x8887868584838281),
	EXAMPLE("\x1d", FUP, .nr = FARGS_PT_IPC_NONE),
	EXAMPLE("\x5d\x81\x82\x83\x84", FUP, .nr = FARGS_PT_IPC_UPDATE_32, .value = 0x84838281),
	EXAMPLE("\x99\x01", EXEC, .flags = FARGS_PT_EXEC_CS_L),
	EXAMPLE("\x99\x06", EXEC, .flags = FARGS_PT_EXEC_CS_D | FARGS_PT_EXEC_IF),
	EXAMPLE("\x99\x21", TSX, .flags = FARGS_PT_TSX_IN),
	EXAMPLE("\x99\x22", TSX, .flags = FARGS_PT_TSX_ABORT),
	/* CR3 bits 51 to 5 are bits 47 to 1, NR is bit 0. */
	EXAMPLE("\x02\x43\x03\0\0\0\0\x80", PIP, .value = UINT64_C(1) << 51 | 1 << 5, .flags = 1),
	EXAMPLE("\x02\x43\x02\x01\0\0\0\0", PIP, .value = 0x1020),
	EXAMPLE("\x02\xc8\x81\x82\x83\x84\x85", VMCS, .value = 0x8584838281000),
	EXAMPLE("\x19\x81\x82\x83\x84\x85\x86\x87", TSC, .value = 0x87868584838281),
	EXAMPLE("\x02\x73\x81\x82\0\x83\x01", TMA, .value = 0x8281, .nr = 0x183),
	EXAMPLE("\x59\x81", MTC, .value = 0x81),
	EXAMPLE("\x02\x03\x81\0", CBR, .value = 0x81),
	/* Five bits, then seven in each further byte. */
	EXAMPLE("\x03", CYC, .value = 0),
	EXAMPLE("\xfb", CYC, .value = 0x1f),
	EXAMPLE("\xff\xfe", CYC, .value = 0xfff),
	EXAMPLE("\x0f\x03\x04", CYC, .value = 1 | 1 << 5 | 2 << 12),
	EXAMPLE("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x0e", CYC, .value = UINT64_MAX),
	EXAMPLE("\x07\x01\x01\x01\x01\x01\x01\x01\x01\x02", CYC, .value = UINT64_C(1) << 61),
	EXAMPLE(PSB, PSB),
	EXAMPLE("\x02\x23", PSBEND),
	EXAMPLE("\x02\xf3", OVF),
	EXAMPLE("\x02\x83", STOP),
	EXAMPLE("\x02\xc3\x88" ONES, MNT, .value = 0x8887868584838281),
	EXAMPLE("\x02\x12\x81\x82\x83\x84", PTW, .nr = 4, .value = 0x84838281),
	EXAMPLE("\x02\x32" ONES, PTW, .nr = 8, .value = 0x8887868584838281),
	EXAMPLE("\x02\xb2" ONES, PTW, .nr = 8, .value = 0x8887868584838281, .flags = 1),
	EXAMPLE("\x02\x92\x81\x82\x83\x84", PTW, .nr = 4, .value = 0x84838281, .flags = 1),
	EXAMPLE("\x02\x62", EXSTOP),
	EXAMPLE("\x02\xe2", EXSTOP, .flags = 1),
	EXAMPLE("\x02\xc2" ONES, MWAIT, .value = 0x8887868584838281),
	EXAMPLE("\x02\x22\x80\x21", PWRE, .value = 0x2180),
	EXAMPLE("\x02\xa2\x81\x82\x83\x84\x85", PWRX, .value = 0x8584838281),
	EXAMPLE("\x02\x63\x1f", BBP, .value = 0x1f, .nr = 8),
	EXAMPLE("\x02\x63\x81", BBP, .value = 1, .nr = 4),
	EXAMPLE("\x02\x33", BEP),
	EXAMPLE("\x02\xb3", BEP, .flags = 1),
	EXAMPLE("\x02\x13\x81\x82", CFE, .nr = 1, .value = 0x82, .flags = 1),
	EXAMPLE("\x02\x13\x1f\x0e", CFE, .nr = 0x1f, .value = 0x0e),
	EXAMPLE("\x02\x53\x3f" ONES, EVD, .nr = 0x3f, .value = 0x8887868584838281),
	EXAMPLE("\x02\x53\x02" ONES, EVD, .nr = 2, .value = 0x8887868584838281),
	EXAMPLE("\xd9\x80\x81", TRIG, .nr = 0x81, .flags = FARGS_PT_TRIG_IP),
	EXAMPLE("\xd9\x20\x81", TRIG, .nr = 0x81, .flags = FARGS_PT_TRIG_MULTIPLE),
	EXAMPLE("\xd9\x40\x81\x82\x83", TRIG, .nr = 0x81, .flags = FARGS_PT_TRIG_COUNT,
		.value = 0x8382),
};

#define NR_EXAMPLES	(sizeof(examples) / sizeof(examples[0]))

/* Bytes at the end of a page that is followed by none: reading beyond them is fatal. */
static uint8_t *guarded(const uint8_t *bytes, size_t size)
{
	static uint8_t *page;
	size_t page_size = sysconf(_SC_PAGESIZE);

	if (!page) {
		page = mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED || mprotect(page + page_size, page_size, PROT_NONE))
			return NULL;
	}
	return memcpy(page + page_size - size, bytes, size);
}

/* Reads @bytes, of which the first packet is to be @want, after a BBP if @bip_bytes. */
static bool reads(const uint8_t *bytes, size_t size, uint8_t bip_bytes, uint16_t errata,
		  const struct fargs_pt_packet *want)
{
	const uint8_t *at = guarded(bytes, size);
	struct fargs_pt_reader r = { .at = at, .end = at + size, .bip_bytes = bip_bytes,
				     .errata = errata };
	struct fargs_pt_packet p = { };

	fargs_pt_packet_read(&r, &p);
	if (is_same(&p, want) && r.at == at + want->size)
		return true;
	print_packet("read", &p);
	print_packet("wanted", want);
	return false;
}

static bool is_bad(const uint8_t *bytes, size_t size)
{
	return reads(bytes, size, 0, 0, &(struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_BAD });
}

static void each(void)
{
	uint64_t kinds = 1 << FARGS_PT_PACKET_BAD | 1 << FARGS_PT_PACKET_CUT |
			 1 << FARGS_PT_PACKET_BIP;
	size_t i;

	for (i = 0; i < NR_EXAMPLES; i++) {
		CHECK(reads(examples[i].bytes, examples[i].size, 0, 0, &examples[i].packet));
		kinds |= UINT64_C(1) << examples[i].packet.kind;
	}
	CHECK(kinds == (UINT64_C(1) << FARGS_PT_PACKET_KINDS) - 1);
}

static void cut(void)
{
	struct fargs_pt_packet p;
	struct fargs_pt_reader r;
	size_t i, size;

	for (i = 0; i < NR_EXAMPLES; i++) {
		for (size = 0; size < examples[i].size; size++) {
			r = (struct fargs_pt_reader){ .at = guarded(examples[i].bytes, size) };
			r.end = r.at + size;
			fargs_pt_packet_read(&r, &p);
			CHECK_INT(p.kind, FARGS_PT_PACKET_CUT);
			CHECK(!p.size && r.at == r.end - size);
		}
	}
	/* In a group. */
	for (size = 0; size < 9; size++) {
		r = (struct fargs_pt_reader){ .at = guarded((const uint8_t *)"\x0c" ONES, size),
					      .bip_bytes = 8 };
		r.end = r.at + size;
		fargs_pt_packet_read(&r, &p);
		CHECK_INT(p.kind, FARGS_PT_PACKET_CUT);
	}
}

static void bad(void)
{
	char bytes[10] = { 0x02 };
	unsigned int byte;

	/* Reserved compressions of addresses, and sizes of PTW. */
	CHECK(is_bad(BYTES("\xad" ONES)) && is_bad(BYTES("\xed" ONES)));
	CHECK(is_bad(BYTES("\xb1" ONES)) && is_bad(BYTES("\xfd" ONES)));
	CHECK(is_bad(BYTES("\x02\x52" ONES)) && is_bad(BYTES("\x02\xf2" ONES)));
	/* Other leaves of MODE. */
	CHECK(is_bad(BYTES("\x99\x40")) && is_bad(BYTES("\x99\xe1")));
	/* A long TNT without a stop bit; a PSB that ends in something else. */
	CHECK(is_bad(BYTES("\x02\xa3\0\0\0\0\0\0")));
	CHECK(is_bad(BYTES("\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x83")));
	CHECK(is_bad(BYTES("\x02\x82\x02\x83")));
	/* More than 64 bits of cycles. */
	CHECK(is_bad(BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x10")));
	CHECK(is_bad(BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00")));
	/* Reserved bits of TMA. */
	CHECK(is_bad(BYTES("\x02\x73\x81\x82\x01\x83\x01")));
	CHECK(is_bad(BYTES("\x02\x73\x81\x82\x00\x83\x03")));
	CHECK(is_bad(BYTES("\x02\xc3\x89" ONES)));
	/* Unknown first bytes, and second bytes. */
	for (byte = 1; byte < 256; byte += 2) {
		static const char known[] = "\x19\x59\x99\xd9";
		bool is_known = strchr(known, (char)byte) || (byte & 3) == 3 ||
				((byte & 0x1f) == 0x0d || (byte & 0x1f) == 0x11 ||
				 (byte & 0x1f) == 0x01 || (byte & 0x1f) == 0x1d);

		bytes[0] = (char)byte;
		if (!is_known)
			CHECK(is_bad((uint8_t *)bytes, sizeof(bytes)));
	}
	bytes[0] = 2;
	for (byte = 0; byte < 256; byte++) {
		static const char known[] = "\x03\x12\x13\x22\x23\x32\x33\x43\x53\x62\x63\x73\x82"
					    "\x83\x92\xa2\xa3\xb2\xb3\xc2\xc3\xc8\xe2\xf3";

		bytes[1] = (char)byte;
		if (!byte || !strchr(known, (char)byte))
			CHECK(is_bad((uint8_t *)bytes, sizeof(bytes)));
	}
}

/* Reads whole @bytes, and returns the kinds of packets as letters. */
static const char *kinds_of(const uint8_t *bytes, size_t size)
{
	static const char letters[FARGS_PT_PACKET_KINDS] = {
		[FARGS_PT_PACKET_BAD] = '!', [FARGS_PT_PACKET_CUT] = '-',
		[FARGS_PT_PACKET_TNT] = 't', [FARGS_PT_PACKET_TIP] = 'T',
		[FARGS_PT_PACKET_FUP] = 'F', [FARGS_PT_PACKET_BBP] = '<',
		[FARGS_PT_PACKET_BIP] = 'i', [FARGS_PT_PACKET_BEP] = '>',
		[FARGS_PT_PACKET_OVF] = 'O', [FARGS_PT_PACKET_PSB] = 'P',
		[FARGS_PT_PACKET_MTC] = 'm', [FARGS_PT_PACKET_CYC] = 'c',
	};
	struct fargs_pt_reader r = { .at = bytes, .end = bytes + size };
	static char text[64];
	struct fargs_pt_packet p;
	size_t n = 0;

	while (r.at < r.end && n < sizeof(text) - 1) {
		fargs_pt_packet_read(&r, &p);
		text[n++] = letters[p.kind];
		if (!p.size)
			break;
	}
	text[n] = '\0';
	return text;
}

static void groups(void)
{
	struct fargs_pt_packet item = { .kind = FARGS_PT_PACKET_BIP, .size = 9, .nr = 0x11,
					.value = 0x8887868584838281 };

	CHECK(reads(BYTES("\x8c" ONES), 8, 0, &item));
	item.size = 5;
	item.value = 0x84838281;
	CHECK(reads(BYTES("\x8c\x81\x82\x83\x84"), 4, 0, &item));
	/* Outside of a group, or with other lower bits, it is a TNT. */
	item = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_TNT, .size = 1, .nr = 6,
					 .value = 6 };
	CHECK(reads(BYTES("\x8c"), 0, 0, &item));
	item.value = 7;
	CHECK(reads(BYTES("\x8e"), 8, 0, &item));
	CHECK_STR(kinds_of(BYTES("\x02\x63\x01\x04" ONES "\x0c" ONES "\x02\x33\x04\x0c")),
		  "<ii>tt");
	CHECK_STR(kinds_of(BYTES("\x02\x63\x81\x04\1\2\3\4\x02\x63\x04\x0c" ONES "\x02\xb3\x04")),
		  "<i<i>t");
	/* Packets of time may be in between; others end a group whose BEP is lost. */
	CHECK_STR(kinds_of(BYTES("\x02\x63\x81\x59\1\x03\x04\1\2\3\4\x02\xb3\x1d\x04")), "<mci>Ft");
	CHECK_STR(kinds_of(BYTES("\x02\x63\x81\x04\1\2\3\4\x0d\x04")), "<iTt");
	CHECK_STR(kinds_of(BYTES("\x02\x63\x81\x02\xf3\x04")), "<Ot");
	CHECK_STR(kinds_of(BYTES("\x02\x63\x81" PSB "\x04")), "<Pt");
	CHECK_STR(kinds_of(BYTES("\x02\x63\x81\x06\x04")), "<tt");
}

static void errata(void)
{
	struct fargs_pt_packet p = { .kind = FARGS_PT_PACKET_OVF, .size = 3 };

	/* The first byte of a CYC, then an OVF; or two CYCs. */
	CHECK(reads(BYTES("\x1f\x02\xf3"), 0, FARGS_PT_SKD007, &p));
	p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_CYC, .size = 2,
				      .value = 3 | 1 << 5 };
	CHECK(reads(BYTES("\x1f\x02\xf3"), 0, (uint16_t)~FARGS_PT_SKD007, &p));
	CHECK(reads(BYTES("\x1f\x02"), 0, FARGS_PT_SKD007, &p));
	CHECK(reads(BYTES("\x1f\x02\xfb"), 0, FARGS_PT_SKD007, &p));
	p.value = 3 | 2 << 5;
	CHECK(reads(BYTES("\x1f\x04\xf3"), 0, FARGS_PT_SKD007, &p));
	/* A TMA with reserved bits, and a byte that follows. */
	p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_PAD, .size = 8 };
	CHECK(reads(BYTES("\x02\x73\x81\x82\x01\x83\x01\x02\x82"), 0, FARGS_PT_SKZ84, &p));
	p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_CUT };
	CHECK(reads(BYTES("\x02\x73\x81\x82\x01\x83\x01"), 0, FARGS_PT_SKZ84, &p));
	p = (struct fargs_pt_packet){ .kind = FARGS_PT_PACKET_TMA, .size = 7, .value = 0x8281,
				      .nr = 0x183 };
	CHECK(reads(BYTES("\x02\x73\x81\x82\x00\x83\x01\x02\x82"), 0, FARGS_PT_SKZ84, &p));
}

static uint64_t ip_after(enum fargs_pt_ipc ipc, uint64_t value, uint64_t last)
{
	struct fargs_pt_packet p = { .kind = FARGS_PT_PACKET_TIP, .nr = ipc, .value = value };

	CHECK(fargs_pt_packet_ip(&p, &last) == (ipc != FARGS_PT_IPC_NONE));
	return last;
}

static void addresses(void)
{
	const uint64_t last = 0xffffffff81234567;

	CHECK(ip_after(FARGS_PT_IPC_NONE, 0, last) == last);
	CHECK(ip_after(FARGS_PT_IPC_UPDATE_16, 0x8765, last) == 0xffffffff81238765);
	CHECK(ip_after(FARGS_PT_IPC_UPDATE_32, 0x98765432, last) == 0xffffffff98765432);
	CHECK(ip_after(FARGS_PT_IPC_UPDATE_48, 0x123456789abc, last) == 0xffff123456789abc);
	CHECK(ip_after(FARGS_PT_IPC_SEXT_48, 0x923456789abc, 0) == 0xffff923456789abc);
	CHECK(ip_after(FARGS_PT_IPC_SEXT_48, 0x723456789abc, last) == 0x723456789abc);
	CHECK(ip_after(FARGS_PT_IPC_FULL, 0x1234567812345678, last) == 0x1234567812345678);
}

static const struct ktap_test tests[] = {
	{ "each kind of packet", each },
	{ "the bytes end at each byte of a packet", cut },
	{ "what is no packet", bad },
	{ "BBP, BIP and BEP", groups },
	{ "SKD007 and SKZ84", errata },
	{ "addresses are decompressed", addresses },
};

int main(void)
{
	return KTAP_RUN(tests);
}
