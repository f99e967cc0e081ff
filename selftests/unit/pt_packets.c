// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests Intel PT packets as fargs dump --pt prints them. The bytes follow the tables in the SDM
 * (volume 3, Intel PT, packet definitions); the expected output is written by hand.
 */
#include "source/pt/trace/packets.h"

#include <intel-pt.h>
#include <string.h>

#include "source/pt/decode/flow.h"
#include "unit/add_text.h"
#include "unit/ktap.h"

#define PSB	"\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82"
#define PSBEND	"\x02\x23"

/*
 * Returns whether the packets @bytes, after PSB and PSBEND, are printed as @lines, with runs of
 * blanks replaced by one, and as many errors are counted.
 */
static bool says(const char *bytes, size_t size, uint64_t wanted_errors, const char *lines)
{
	static const char head[] = PSB PSBEND;
	static const char wanted_head[] = "psb\npsbend\n";
	char trace[256], text[1024] = "";
	struct fargs_pt_piece piece = { .bytes = (uint8_t *)trace, .begins = true };
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_pt_config config = { };
	struct fargs_buf out = { };
	uint64_t nr_errors = 0;
	char *line, *word, *save, *in_line;
	bool is_good;

	memcpy(trace, head, sizeof(head) - 1);
	memcpy(trace + sizeof(head) - 1, bytes, size);
	piece.size = sizeof(head) - 1 + size;
	is_good = !fargs_pt_packets_dump(&config, &s, add_text, &out, &nr_errors) &&
		  nr_errors == wanted_errors;
	fargs_buf_add_char(&out, '\0');
	for (line = strtok_r(out.text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		/* Skip the offset. */
		strtok_r(line, " ", &in_line);
		while ((word = strtok_r(NULL, " ", &in_line))) {
			strcat(text, word);
			strcat(text, in_line && *in_line ? " " : "");
		}
		while (*text && text[strlen(text) - 1] == ' ')
			text[strlen(text) - 1] = '\0';
		strcat(text, "\n");
	}
	fargs_buf_deinit(&out);
	if (!strncmp(text, wanted_head, strlen(wanted_head)))
		is_good &= !strcmp(text + strlen(wanted_head), lines);
	else
		is_good = false;
	if (!is_good)
		printf("# %s# is to be\n# %s", text, lines);
	return is_good;
}

#define SAYS(bytes, lines) CHECK(says(bytes, sizeof(bytes) - 1, 0, lines))

static void has_branches_that_were_taken(void)
{
	printf("# row C11\n");
	/*
	 * Bit 0 is 0, and the highest set bit is the stop bit. The bits between them are branches,
	 * the oldest in the highest bit.
	 */
	SAYS("\x04", "tnt.8 .\n");		/* 0000_0100: one branch, not taken */
	SAYS("\x06", "tnt.8 !\n");		/* 0000_0110: one branch, taken */
	SAYS("\x36", "tnt.8 !.!!\n");		/* 0011_0110: branches 1 0 1 1 */
	SAYS("\x80", "tnt.8 ......\n");		/* 1000_0000: six branches, none taken */
	SAYS("\xa2", "tnt.8 .!...!\n");		/* 1010_0010: branches 0 1 0 0 0 1 */
	/* A long TNT: 02 a3 and 48 bits, little-endian, with the same stop bit. */
	SAYS("\x02\xa3\x16\x00\x00\x00\x00\x00", "tnt.64 .!!.\n");	/* stop bit and 0 1 1 0 */
	/* A long TNT with the stop bit, 46 bits that are 0, and one bit that is 1. */
	SAYS("\x02\xa3\x01\x00\x00\x00\x00\x80",
	     "tnt.64 ..............................................!\n");
}

static void has_addresses(void)
{
	/*
	 * TIP with 16, 32 and 48 bits of the address, TIP.PGD without an address, FUP with all 64
	 * bits.
	 */
	SAYS("\x2d\x34\x12", "tip 1: ????????????1234\n");
	SAYS("\x4d\x78\x56\x34\x12", "tip 2: ????????12345678\n");
	SAYS("\x6d\x00\x10\x00\x81\xff\xff", "tip 3: ffffffff81001000\n");
	SAYS("\x01", "tip.pgd 0: ????????????????\n");
	SAYS("\xdd\xef\xcd\xab\x89\x67\x45\x23\x01", "fup 6: 0123456789abcdef\n");
}

static void has_types_and_vectors_of_events(void)
{
	/*
	 * CFE: 02 13, a byte with the type in bits 4:0 and IP in bit 7, and the vector. Interrupts
	 * have number 14 for a page fault, 206 for one that is not an exception.
	 */
	SAYS("\x02\x13\x81\x0e", "cfe 1: 14, ip\n");		/* INTR */
	SAYS("\x02\x13\x09\xce", "cfe 9: 206\n");		/* VMEXIT_INTR */
	SAYS("\x02\x13\x05\xce", "cfe 5: ce\n");		/* SIPI: starts at 0xce000 */
	SAYS("\x02\x13\x8a\x00", "cfe 10, ip\n");		/* SHUTDOWN */
	SAYS("\x02\x13\x0c\x04", "cfe 12: 4\n");		/* UINTR */
	SAYS("\x02\x13\x8d\x00", "cfe 13, ip\n");		/* UIRET */
	/* EVD: 02 53, a byte with the type in bits 5:0, and eight bytes. 31 is not defined. */
	SAYS("\x02\x53\x00\xaa\x0b\xf0\x00\x00\x00\x00\x00", "evd 0: f00baa\n");
	SAYS("\x02\x53\x1f\x00\x00\x00\x00\x00\x00\x00\x00", "evd 31: 0\n");
}

static void says_who_requested_a_c_state(void)
{
	/*
	 * PWRE: 02 22, a byte with HW in bit 7, and a byte with the C-state in bits 7:4 and the
	 * sub-state in bits 3:0, each less one. libipt looks for HW in bit 3.
	 */
	SAYS("\x02\x22\x80\x00", "pwre c1.1, hw\n");
	SAYS("\x02\x22\x00\x5f", "pwre c6.0\n");
	SAYS("\x02\x22\x08\x00", "pwre c1.1\n");
}

static void has_items_of_pebs_records(void)
{
	/*
	 * BBP: 02 63, a byte with the type of the group in bits 4:0, and in bit 7 whether items
	 * have 4 bytes instead of 8. BIP: a byte with the number in bits 7:3, and 100; the item.
	 * BEP: 02 33 or, with a FUP, 02 b3. After it, bytes with 100 are TNTs again.
	 */
	SAYS("\x02\x63\x04\x0c\x01\x10\x40\0\0\0\0\0\x02\xb3\x0c",
	     "bbp 4: 8\nbip 1: 401001\nbep ip\ntnt.8 !.\n");
	SAYS("\x02\x63\x81\x04\x78\x56\x34\x12\x94\0\0\0\0\x02\x33",
	     "bbp 1: 4\nbip 0: 12345678\nbip 18: 0\nbep\n");
}

static void has_triggers(void)
{
	/*
	 * TRIG: d9; a byte with IP in bit 7, in bit 6 whether two bytes with a number of
	 * instructions follow, and in bit 5 whether there were several triggers; their mask.
	 */
	SAYS("\xd9\x80\x01", "trig 1, ip\n");
	SAYS("\xd9\x60\x81\x34\x12", "trig 81: 1234, mult\n");
}

static void reads_on_at_a_psb(void)
{
	/*
	 * Three of the six bytes of a TIP are missing: the first three of the PSB are read in their
	 * place, the next one is a TNT, and the rest is too short for a PSB.
	 */
	static const char cut[] = "\x6d\x01\x02\x03" PSB PSBEND "\x06";

	printf("# row C12\n");
	CHECK(says(cut, sizeof(cut) - 1, 1, "tip 3: 0000028202030201\ntnt.8 .....!\n"
		   "error decoding packet: unknown packet]\npsb\npsbend\ntnt.8 !\n"));
}

static const struct ktap_test tests[] = {
	{ "prints which branches were taken", has_branches_that_were_taken },
	{ "prints full and partial addresses", has_addresses },
	{ "prints types and vectors of control flow events", has_types_and_vectors_of_events },
	{ "prints who requested a C-state", says_who_requested_a_c_state },
	{ "prints the items of PEBS records", has_items_of_pebs_records },
	{ "prints triggers", has_triggers },
	{ "reads on at a PSB after a packet that was cut", reads_on_at_a_psb },
};

int main(void)
{
	return KTAP_RUN(tests);
}
