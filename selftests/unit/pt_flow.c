// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoding where the trace, or the code, is not as it should be: traces and programs of a few
 * bytes, made by hand.
 */
#include <stdlib.h>
#include <unistd.h>

#include "pt/flow.h"
#include "pt/insn.h"
#include "unit/ktap.h"
#include "unit/perf_world.h"

#define CODE	0x1000		/* where it is in memory */

static struct world trace;
static struct fargs_pt_input in;
static struct fargs_pt_flow flow;
static struct fargs_error_text err;
static char path[32];

static void set_code(const void *code, size_t n)
{
	struct fargs_pt_code c = { .bytes = n, .addr = CODE, .pid = -1 };
	FILE *file = fopen(path, "we");

	if (!file || fwrite(code, 1, n, file) != n || fclose(file))
		ktap_fail(__FILE__, __LINE__, "cannot write %s", path);
	fargs_pt_input_init(&in);
	in.config.has_kernel = true;
	in.config.has_time = true;
	in.config.time_mult = 1;
	c.path = strdup(path);
	CHECK(!fargs_pt_input_add_code(&in, &c));
	trace.n = 0;
}

/* The trace, cut into segments of @bytes; all items in a row. */
static void decode_pieces(const struct fargs_pt_piece *pieces, size_t nr, uint64_t bytes)
{
	struct fargs_pt_stream s = { .tid = -1, .pieces = (void *)pieces, .nr_pieces = nr };
	struct fargs_pt_text *text = fargs_pt_text_create(&in, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, 0);
	struct fargs_pt_segments segs = { };
	struct fargs_pt_flow part = { };
	size_t i;

	fargs_pt_flow_deinit(&flow);
	CHECK(!fargs_pt_segments_init(&segs, &s, bytes));
	for (i = 0; i < segs.nr; i++) {
		CHECK(!fargs_pt_decoder_run(d, &segs.all[i], &part));
		flow.items = realloc(flow.items, (flow.nr + part.nr + 1) * sizeof(*flow.items));
		memcpy(flow.items + flow.nr, part.items, part.nr * sizeof(*part.items));
		flow.nr += part.nr;
		flow.nr_insns += part.nr_insns;
	}
	fargs_pt_flow_deinit(&part);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
}

static void decode(uint64_t bytes)
{
	const struct fargs_pt_piece piece = {
		.bytes = trace.bytes, .size = trace.n, .begins = true,
	};

	decode_pieces(&piece, 1, bytes);
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
	for (i = 0; i < flow.nr; i++)
		printf("# kind %u from %" PRIx64 " to %" PRIx64 " offset %" PRIu64 " insns %u\n",
		       flow.items[i].kind, flow.items[i].from, flow.items[i].to,
		       flow.items[i].offset, flow.items[i].nr_insns);
	return false;
}

/* A TNT of one branch, taken; the end of the trace by TIP.PGD without an address. */
static void put_taken(void)
{
	put_bytes(&trace, "\x06", 1);
}

static void put_end(void)
{
	put_bytes(&trace, "\x01", 1);
}

/*
 *	1000 jz 1010	1002 jz 1010	1010 nop	1011 ret
 */
static const uint8_t program[] = {
	0x74, 0x0e, 0x74, 0x0c, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
	0x90, 0x90, 0xc3,
};

/* Not taken, then taken: one bit each, the first one on the left behind the stop bit. */
static void follows_branches(void)
{
	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	put_bytes(&trace, "\x0a", 1);
	put_end();
	decode(1);
	CHECK_INT(flow.nr, 3);
	CHECK(is_item(0, FARGS_PT_BEGIN, 0, CODE));
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE + 2, CODE + 0x10));
	CHECK_INT(flow.items[1].insn, FARGS_PT_INSN_COND);
	CHECK_INT(flow.items[1].nr_insns, 2);
	CHECK_INT(flow.items[1].tsc, 500);
	CHECK(is_item(2, FARGS_PT_BRANCH, CODE + 0x11, 0));
	CHECK_INT(flow.items[2].flags, FARGS_PT_ENDS);
	CHECK_INT(flow.nr_insns, 4);
	end_test();
}

/* The trace may have ended right behind its last packet: a time, which says nothing of code. */
static void stops_at_the_end(void)
{
	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE + 4);
	put_bytes(&trace, "\x19\xff\x02\x00\x00\x00\x00\x00", 8);
	decode(1);
	CHECK_INT(flow.nr_insns, 0);
	end_test();
}

/* jmp to itself: no packet is ever used up. It is said, and the next PSB goes on. */
static void leaves_circles(void)
{
	static const uint8_t circle[] = { 0xeb, 0xfe, 0x90, 0xc3 };
	size_t second;

	set_code(circle, sizeof(circle));
	put_psb(&trace, 500, CODE);
	put_taken();
	second = trace.n;
	put_psb(&trace, 600, CODE + 2);
	put_end();
	decode(UINT64_MAX);
	CHECK_INT(flow.nr, 4);
	CHECK(is_item(1, FARGS_PT_ERROR, CODE, 0));
	CHECK_INT(flow.items[1].error, 0);
	CHECK(flow.items[1].offset < second);
	CHECK(is_item(2, FARGS_PT_BEGIN, 0, CODE + 2));
	CHECK(is_item(3, FARGS_PT_BRANCH, CODE + 3, 0));
	decode(1);
	CHECK_INT(flow.nr, 4);
	CHECK(is_item(1, FARGS_PT_ERROR, CODE, 0));
	end_test();
}

/* A branch to where no code is was taken all the same. */
static void tells_missing_code(void)
{
	size_t at;

	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE + 0x10);
	put_bytes(&trace, "\x2d\x00\x80", 3);	/* TIP 8000H */
	put_taken();
	at = trace.n;
	put_psb(&trace, 600, CODE);
	put_taken();
	put_end();
	decode(UINT64_MAX);
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE + 0x11, 0x8000));
	CHECK(is_item(2, FARGS_PT_ERROR, 0x8000, 0));
	CHECK_INT(flow.items[2].error, pte_nomap);
	CHECK(flow.items[2].offset <= at);
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE));
	CHECK_INT(flow.items[3].flags, FARGS_PT_WAS_ON);
	CHECK(is_item(4, FARGS_PT_BRANCH, CODE, CODE + 0x10));
	end_test();
}

/* Where the last branch in front of it went the trace does not tell any more. */
static void tells_overflow(void)
{
	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	put_taken();
	put_bytes(&trace, "\x02\xf3", 2);
	put_bytes(&trace, "\x7d\x02\x10\x00\x00\x00\x00", 7);	/* FUP 1002H */
	put_taken();
	put_end();
	decode(1);
	CHECK(is_item(1, FARGS_PT_OVERFLOW, 0, CODE + 2));
	CHECK_INT(flow.items[1].nr_insns, 1);
	CHECK(is_item(2, FARGS_PT_BRANCH, CODE + 2, CODE + 0x10));
	end_test();
}

/* What is lost between pieces is told, and so are bytes in front of the first PSB. */
static void tells_gaps(void)
{
	struct fargs_pt_piece pieces[2] = { };

	set_code(program, sizeof(program));
	put_psb(&trace, 500, CODE);
	put_taken();
	pieces[0] = (struct fargs_pt_piece){ .bytes = trace.bytes, .begins = true };
	pieces[0].size = trace.n;
	pieces[1] = (struct fargs_pt_piece){ .bytes = trace.bytes + trace.n, .offset = 1000,
					     .begins = true, .is_after_loss = true };
	put_bytes(&trace, "\x06\x0a\x06", 3);
	put_psb(&trace, 600, CODE + 2);
	put_taken();
	put_end();
	pieces[1].size = trace.bytes + trace.n - pieces[1].bytes;
	decode_pieces(pieces, 2, UINT64_MAX);
	CHECK(is_item(1, FARGS_PT_BRANCH, CODE, CODE + 0x10));
	CHECK(is_item(2, FARGS_PT_LOST, 0, 3));
	CHECK_INT(flow.items[2].offset, 1000);
	CHECK_INT(flow.items[2].tsc, 600);
	CHECK(is_item(3, FARGS_PT_BEGIN, 0, CODE + 2));
	CHECK(is_item(4, FARGS_PT_BRANCH, CODE + 2, CODE + 0x10));
	end_test();
}

/* Cut into pieces of any length, in the middle of PSBs and packets, it stays what it is. */
static void joins_pieces(void)
{
	struct fargs_pt_piece pieces[256] = { };
	struct fargs_pt_item whole[16];
	size_t bytes, nr, i;

	set_code(program, sizeof(program));
	for (i = 0; i < 4; i++) {
		/* Bytes that look like those of the PSB behind them. */
		put_psb(&trace, 0x82028202828202 + i, CODE);
		put_taken();
		put_bytes(&trace, "\x2d\x02\x10", 3);	/* ret to 1002H */
		put_taken();
		put_bytes(&trace, "\x2d\x00\x10", 3);
	}
	put_end();
	decode(UINT64_MAX);
	nr = flow.nr;
	REQUIRE(nr == 1 + 4 * 4 + 1 && nr <= 18);
	nr = nr < 16 ? nr : 16;
	memcpy(whole, flow.items, nr * sizeof(*whole));
	for (bytes = 1; bytes < 60; bytes++) {
		for (i = 0; i * bytes < trace.n && i < 256; i++)
			pieces[i] = (struct fargs_pt_piece){
				.bytes = trace.bytes + i * bytes, .offset = i * bytes,
				.begins = !i, .size = (i + 1) * bytes < trace.n ? bytes :
							trace.n - i * bytes,
			};
		if (i == 256)
			continue;
		decode_pieces(pieces, i, UINT64_MAX);
		CHECK_INT(flow.nr, 18);
		CHECK(!memcmp(flow.items, whole, nr * sizeof(*whole)));
	}
	end_test();
}

static void add_poke(uint64_t ns, uint64_t addr, const char *codes, uint16_t bytes)
{
	const struct fargs_pt_poke poke = {
		.ns = ns, .addr = addr, .old_bytes = bytes, .new_bytes = bytes,
		.code = (const uint8_t *)codes,
	};

	CHECK(!fargs_pt_input_add_poke(&in, &poke));
}

/* One time round: from 1000H to the return, and back. */
static void put_round(uint64_t tsc)
{
	put_psb(&trace, tsc, CODE);
	put_bytes(&trace, "\x2d\x00\x10", 3);
}

/*
 * The code is as the pokes say, whenever the file was copied: jmp 1010 until 550, jmp 1008
 * until 650, then nops. In the file it is none of them.
 */
static void changes_code(void)
{
	static const uint8_t code[] = {
		0xcc, 0xcc, 0x90, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0x90, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc,
		0xcc, 0xcc, 0x90, 0xc3,
	};
	static const uint64_t ends[] = { CODE + 0x11, CODE + 0x11, CODE + 9, CODE + 9, CODE + 3 };
	static const uint64_t sizes[] = { 1, UINT64_MAX };
	size_t i, k, n;

	for (k = 0; k < 2; k++) {
		set_code(code, sizeof(code));
		add_poke(550, CODE, "\xeb\x0e\xeb\x06", 2);
		add_poke(650, CODE, "\xeb\x06\x66\x90", 2);
		put_round(500);
		put_round(540);
		put_round(560);
		put_round(640);
		put_round(660);
		put_end();
		decode(sizes[k]);
		for (i = 0, n = 0; i < flow.nr; i++) {
			if (flow.items[i].kind == FARGS_PT_BRANCH && flow.items[i].to == CODE) {
				CHECK_INT(flow.items[i].from, ends[n]);
				n++;
			}
			CHECK(flow.items[i].kind != FARGS_PT_ERROR);
		}
		CHECK_INT(n, 5);
		end_test();
	}
}

/* By the manual's opcode maps. */
static void classifies(void)
{
	static const struct {
		const char *code;
		size_t bytes;
		enum fargs_pt_insn insn;
		unsigned int size;
	} cases[] = {
		{ "\x74\x10", 2, FARGS_PT_INSN_COND, 2 },
		{ "\x2e\x74\x10", 3, FARGS_PT_INSN_COND, 3 },
		{ "\x0f\x84\x10\x00\x00\x00", 6, FARGS_PT_INSN_COND, 6 },
		{ "\x3e\x0f\x8f\x10\x00\x00\x00", 7, FARGS_PT_INSN_COND, 7 },
		{ "\xe2\xfe", 2, FARGS_PT_INSN_COND, 2 },
		{ "\xe8\x00\x00\x00\x00", 5, FARGS_PT_INSN_CALL, 0 },
		{ "\xff\xd0", 2, FARGS_PT_INSN_CALL, 0 },
		{ "\x41\xff\xd3", 3, FARGS_PT_INSN_CALL, 0 },
		{ "\xff\xe0", 2, FARGS_PT_INSN_JUMP, 0 },
		{ "\x3e\xff\xe1", 3, FARGS_PT_INSN_JUMP, 0 },
		{ "\xff\x28", 2, FARGS_PT_INSN_FAR, 0 },
		{ "\xff\x30", 2, FARGS_PT_INSN_OTHER, 0 },
		{ "\xeb\x00", 2, FARGS_PT_INSN_JUMP, 0 },
		{ "\xf3\xc3", 2, FARGS_PT_INSN_RETURN, 0 },
		{ "\xc2\x08\x00", 3, FARGS_PT_INSN_RETURN, 0 },
		{ "\x0f\x05", 2, FARGS_PT_INSN_SYSCALL, 0 },
		{ "\x48\x0f\x07", 3, FARGS_PT_INSN_SYSRET, 0 },
		{ "\x48\xcf", 2, FARGS_PT_INSN_IRET, 0 },
		{ "\xcc", 1, FARGS_PT_INSN_INT, 0 },
		{ "\x90", 1, FARGS_PT_INSN_OTHER, 0 },
		{ "\x0f", 1, FARGS_PT_INSN_OTHER, 0 },
		{ "\x66\x66", 2, FARGS_PT_INSN_OTHER, 0 },
		{ "", 0, FARGS_PT_INSN_OTHER, 0 },
	};
	unsigned int size;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_INT(fargs_pt_insn_classify((const uint8_t *)cases[i].code, cases[i].bytes,
						 &size), cases[i].insn);
		CHECK_INT(size, cases[i].size);
	}
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "branches are taken or not as TNT says", follows_branches },
		{ "nothing was executed behind the last packet", stops_at_the_end },
		{ "a circle without an end is left at the next PSB", leaves_circles },
		{ "code that is missing is told, behind the branch to it", tells_missing_code },
		{ "so are overflows", tells_overflow },
		{ "and what was lost, or has no PSB in front", tells_gaps },
		{ "pieces may be cut anywhere", joins_pieces },
		{ "code changes when its records say", changes_code },
		{ "instructions are known by their bytes", classifies },
	};
	int status, fd;

	strcpy(path, "/tmp/fargs-code-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	status = KTAP_RUN(tests);
	unlink(path);
	return status;
}
