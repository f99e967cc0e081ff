// SPDX-License-Identifier: GPL-2.0-only
/* Tests which code is in memory at an address and a time. */
#include <stdlib.h>

#include "source/pt/code/memory.h"
#include "source/pt/input/spaces.h"
#include "unit/pt_program.h"

#define BYTES_MAX	256

/* The file: byte N is N. */
static uint8_t file_bytes[BYTES_MAX];
static struct fargs_pt_memory *memory;
static struct fargs_pt_view view;

static void begin_test(void)
{
	size_t i;

	for (i = 0; i < BYTES_MAX; i++)
		file_bytes[i] = i;
	temp_write(file_bytes, sizeof(file_bytes));
	fargs_pt_input_init(&in);
}

static void end_test(void)
{
	fargs_pt_view_deinit(&view);
	fargs_pt_memory_destroy(memory);
	fargs_pt_input_deinit(&in);
}

static void look(int32_t space)
{
	memory = fargs_pt_memory_create(&in, &err);
	CHECK(memory);
	CHECK(!fargs_pt_view_init(&view, memory, space));
}

/* Adds code of the kernel: bytes of the file that begin with byte @at. */
static void add_code(uint64_t addr, uint64_t bytes, uint64_t at, uint64_t from_ns,
		     uint64_t until_ns)
{
	const struct fargs_pt_code code = {
		.path = strdup(temp_path), .at = at, .bytes = bytes, .addr = addr, .pid = -1,
		.from_ns = from_ns, .until_ns = until_ns,
	};

	CHECK(!fargs_pt_input_add_code(&in, &code));
}

static void add_poke(uint64_t ns, uint64_t addr, const char *codes, uint16_t old_bytes,
		     uint16_t new_bytes)
{
	const struct fargs_pt_poke poke = {
		.ns = ns, .addr = addr, .old_bytes = old_bytes, .new_bytes = new_bytes,
		.code = (const uint8_t *)codes,
	};

	CHECK(!fargs_pt_input_add_poke(&in, &poke));
}

/* Returns whether up to 16 bytes at @addr are those of @want, of which there are @nr. */
static bool is_code(uint64_t addr, const char *want, size_t nr)
{
	uint8_t got[FARGS_PT_VIEW_READ_MAX];
	size_t nr_got = fargs_pt_view_read(&view, addr, got, sizeof(got)), i;

	if (nr_got == nr && !memcmp(got, want, nr))
		return true;
	printf("# %zu bytes:", nr_got);
	for (i = 0; i < nr_got; i++)
		printf(" %02x", got[i]);
	printf("\n");
	return false;
}

static void move(uint64_t ns)
{
	fargs_pt_view_move(&view, ns, NULL, NULL);
}

/* Tests code over code: the one that was added last has precedence, and reads cross the borders. */
static void last_code_has_precedence(void)
{
	begin_test();
	add_code(0x1000, 12, 0x10, 0, 0);
	add_code(0x1004, 4, 0x80, 0, 0);
	add_code(0x1006, 1, 0xf0, 0, 0);
	add_code(0x100c, 2, 0x40, 0, 0);
	look(-1);
	CHECK(is_code(0x1000, "\x10\x11\x12\x13\x80\x81\xf0\x83\x18\x19\x1a\x1b\x40\x41", 14));
	CHECK(is_code(0x1006, "\xf0\x83\x18\x19\x1a\x1b\x40\x41", 8));
	CHECK(is_code(0x100d, "\x41", 1));
	CHECK(is_code(0x100e, "", 0));
	CHECK(is_code(0xfff, "", 0));
	end_test();
}

/* Tests code without a file, and code of which the file has only a part. */
static void code_may_be_missing(void)
{
	begin_test();
	add_code(0x1000, 8, BYTES_MAX - 3, 0, 0);
	add_code(0x2000, 8, BYTES_MAX, 0, 0);
	add_code(0x3000, 8, 0, 0, 0);
	strcpy(in.codes[2].path, "/");
	look(-1);
	CHECK(is_code(0x1000, "\xfd\xfe\xff", 3));
	CHECK(is_code(0x1003, "", 0));
	CHECK(is_code(0x2000, "", 0));
	CHECK(is_code(0x3000, "", 0));
	end_test();
}

static unsigned int nr_ranges;
static uint64_t last_addr, last_bytes;

static void note_range(void *arg, uint64_t addr, uint64_t bytes)
{
	CHECK(arg == &nr_ranges);
	nr_ranges++;
	last_addr = addr;
	last_bytes = bytes;
}

/* Tests code that is there from 100 until 200, over other code. */
static void code_has_a_lifetime(void)
{
	begin_test();
	add_code(0x1000, 2, 0x10, 0, 0);
	add_code(0x1001, 2, 0x80, 100, 200);
	look(-1);
	CHECK(is_code(0x1000, "\x10\x11", 2));
	CHECK_INT(fargs_pt_view_until(&view), 100);
	CHECK_INT(fargs_pt_view_move(&view, 99, note_range, &nr_ranges), 0);
	CHECK(is_code(0x1000, "\x10\x11", 2));
	CHECK_INT(fargs_pt_view_move(&view, 100, note_range, &nr_ranges), 1);
	CHECK_INT(nr_ranges, 1);
	CHECK_INT(last_addr, 0x1001);
	CHECK_INT(last_bytes, 2);
	CHECK(is_code(0x1000, "\x10\x80\x81", 3));
	CHECK_INT(fargs_pt_view_until(&view), 200);
	move(200);
	CHECK(is_code(0x1000, "\x10\x11", 2));
	CHECK(fargs_pt_view_until(&view) == UINT64_MAX);
	CHECK_INT(fargs_pt_view_move(&view, 199, note_range, &nr_ranges), 1);
	CHECK(is_code(0x1000, "\x10\x80\x81", 3));
	CHECK_INT(fargs_pt_view_move(&view, 0, note_range, &nr_ranges), 1);
	CHECK(is_code(0x1000, "\x10\x11", 2));
	CHECK_INT(nr_ranges, 3);
	end_test();
}

/* Tests pokes that overlap, at different addresses and times. */
static void pokes_override(void)
{
	begin_test();
	add_code(0x1000, 6, 0, 0, 0);
	add_poke(100, 0x1001, "\xa1\xa2\xb1\xb2", 2, 2);
	add_poke(200, 0x1002, "\xb2\xa3\xc2\xc3\xc4", 2, 3);
	add_poke(300, 0x1000, "\xa0\xd0\xd1\xd2", 1, 3);
	look(-1);
	CHECK(is_code(0x1000, "\xa0\xa1\xa2\xa3\x04\x05", 6));
	CHECK(is_code(0x1002, "\xa2\xa3\x04\x05", 4));
	move(100);
	CHECK(is_code(0x1000, "\xa0\xb1\xb2\xa3\x04\x05", 6));
	move(299);
	CHECK(is_code(0x1000, "\xa0\xb1\xc2\xc3\xc4\x05", 6));
	move(300);
	CHECK(is_code(0x1000, "\xd0\xd1\xd2\xc3\xc4\x05", 6));
	CHECK(is_code(0x1003, "\xc3\xc4\x05", 3));
	move(250);
	CHECK(is_code(0x1000, "\xa0\xb1\xc2\xc3\xc4\x05", 6));
	move(0);
	CHECK(is_code(0x1000, "\xa0\xa1\xa2\xa3\x04\x05", 6));
	end_test();
}

/*
 * Tests code that no file has, like a trampoline of ftrace: pokes create it, beside code that a
 * file has, and remove it.
 */
static void pokes_create_code(void)
{
	begin_test();
	add_code(0x1004, 2, 0x10, 0, 0);
	add_poke(100, 0x1000, "\xa0\xa1\xa2\xa3", 0, 4);
	add_poke(200, 0x1001, "\xa1\xb1", 1, 1);
	add_poke(300, 0x1000, "\xa0\xb1\xa2\xa3", 4, 0);
	look(-1);
	move(99);
	CHECK(is_code(0x1000, "", 0));
	CHECK(is_code(0x1004, "\x10\x11", 2));
	move(100);
	CHECK(is_code(0x1000, "\xa0\xa1\xa2\xa3\x10\x11", 6));
	CHECK(is_code(0x1002, "\xa2\xa3\x10\x11", 4));
	move(200);
	CHECK(is_code(0x1000, "\xa0\xb1\xa2\xa3\x10\x11", 6));
	move(300);
	CHECK(is_code(0x1000, "", 0));
	CHECK(is_code(0x1003, "", 0));
	end_test();
}

/* Tests a poke of code that disappears at 200: other code appears there. */
static void pokes_have_a_lifetime(void)
{
	begin_test();
	add_code(0x1000, 2, 0x10, 0, 200);
	add_code(0x1000, 2, 0x80, 200, 0);
	add_poke(100, 0x1000, "\xa0\xb0", 1, 1);
	in.pokes[0].until_ns = 200;
	look(-1);
	CHECK(is_code(0x1000, "\xa0\x11", 2));
	move(100);
	CHECK(is_code(0x1000, "\xb0\x11", 2));
	move(200);
	CHECK(is_code(0x1000, "\x80\x81", 2));
	move(150);
	CHECK(is_code(0x1000, "\xb0\x11", 2));
	end_test();
}

/* Tests code up to the last address, and code whose size is too large for the address space. */
static void memory_has_an_end(void)
{
	begin_test();
	add_code(0, 2, 0x40, 0, 0);
	add_code(UINT64_MAX - 3, 4, 0x10, 0, 0);
	add_code(UINT64_MAX - 1, 8, 0x80, 50, 0);
	add_poke(100, UINT64_MAX, "\x13\xb0", 1, 1);
	look(-1);
	CHECK(is_code(UINT64_MAX - 3, "\x10\x11\x12\x13", 4));
	move(50);
	CHECK(is_code(UINT64_MAX - 3, "\x10\x11\x80\x13", 4));
	move(100);
	CHECK(is_code(UINT64_MAX - 3, "\x10\x11\x80\xb0", 4));
	CHECK(is_code(UINT64_MAX, "\xb0", 1));
	CHECK(is_code(0, "\x40\x41", 2));
	end_test();
}

static void add_mapping(uint64_t ns, uint64_t addr, uint64_t bytes, uint64_t at)
{
	const struct fargs_pt_mapping map = {
		.ns = ns, .pid = 7, .kind = FARGS_PT_MAP, .path = strdup(temp_path), .at = at,
		.bytes = bytes, .addr = addr,
	};

	CHECK(!fargs_pt_input_add_mapping(&in, &map));
}

/* Tests a program that maps code over its code: pokes are those of the kernel only. */
static void programs_map_code(void)
{
	begin_test();
	in.config.has_time = true;
	in.config.time_mult = 1;
	add_code(0x1000, 4, 0x40, 0, 0);
	add_poke(1, 0x1000, "\xa0\xb0", 1, 1);
	add_mapping(10, 0x1000, 4, 0x10);
	add_mapping(100, 0x1002, 4, 0x80);
	CHECK(!fargs_pt_spaces_build(&in));
	look(0);
	CHECK(is_code(0x1000, "\x10\x11\x12\x13", 4));
	CHECK_INT(fargs_pt_view_until(&view), 100);
	move(100);
	CHECK(is_code(0x1000, "\x10\x11\x80\x81\x82\x83", 6));
	move(99);
	CHECK(is_code(0x1000, "\x10\x11\x12\x13", 4));
	end_test();
}

static uint64_t state = 1;

static uint64_t below(uint64_t n)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (state >> 33) % n;
}

/* Returns the byte that is to be at @addr, found the slow way; -1: none. */
static int byte_at(uint64_t addr, uint64_t ns)
{
	const struct fargs_pt_code *c;
	const struct fargs_pt_poke *p;
	int byte = -1;

	/* Without code, the last poke must have written the byte, or else the next one found it. */
	for (p = in.pokes + in.nr_pokes; p > in.pokes; p--)
		if (p[-1].ns <= ns && (addr - p[-1].addr < p[-1].new_bytes ||
				       addr - p[-1].addr < p[-1].old_bytes))
			break;
	if (p > in.pokes && addr - p[-1].addr < p[-1].new_bytes)
		byte = p[-1].code[p[-1].old_bytes + (addr - p[-1].addr)];
	if (p == in.pokes) {
		for (p = in.pokes; p < in.pokes + in.nr_pokes; p++)
			if (p->ns > ns && (addr - p->addr < p->old_bytes ||
					   addr - p->addr < p->new_bytes))
				break;
		if (p < in.pokes + in.nr_pokes && addr - p->addr < p->old_bytes)
			byte = p->code[addr - p->addr];
	}
	for (c = in.codes; c < in.codes + in.nr_codes; c++)
		if (addr >= c->addr && addr - c->addr < c->bytes && c->from_ns <= ns &&
		    (!c->until_ns || ns < c->until_ns))
			break;
	if (c == in.codes + in.nr_codes)
		return byte;
	for (; c < in.codes + in.nr_codes; c++)
		if (addr >= c->addr && addr - c->addr < c->bytes && c->from_ns <= ns &&
		    (!c->until_ns || ns < c->until_ns))
			byte = file_bytes[c->at + (addr - c->addr)];
	for (p = in.pokes + in.nr_pokes; p > in.pokes; p--)
		if (p[-1].ns <= ns && addr - p[-1].addr < p[-1].new_bytes)
			return p[-1].code[p[-1].old_bytes + (addr - p[-1].addr)];
	for (p = in.pokes; p < in.pokes + in.nr_pokes; p++)
		if (p->ns > ns && addr - p->addr < p->old_bytes)
			return p->code[addr - p->addr];
	return byte;
}

static void check_read(uint64_t addr, uint64_t ns)
{
	uint8_t got[FARGS_PT_VIEW_READ_MAX];
	size_t bytes = 1 + below(sizeof(got)), nr, i;

	move(ns);
	nr = fargs_pt_view_read(&view, addr, got, bytes);
	CHECK(nr == bytes || (nr < bytes && byte_at(addr + nr, ns) < 0));
	for (i = 0; i < nr; i++)
		CHECK_INT(got[i], byte_at(addr + i, ns));
}

/* Tests random code and pokes: each byte as its definition says. */
static void random_code(void)
{
	unsigned int k, i;
	uint64_t ns;

	for (k = 0; k < 300; k++) {
		begin_test();
		for (i = 0; i < 1 + k % 6; i++) {
			ns = below(2) ? 0 : 1 + below(100);
			add_code(0x1000 + below(40), 1 + below(40), below(200), ns,
				 below(2) ? 0 : ns + 1 + below(50));
		}
		for (i = 0, ns = 0; i < k % 5; i++) {
			ns += below(40);
			add_poke(ns, 0x1000 + below(60), "abcdefghijklmnopqrst" + below(10),
				 below(6), below(6));
		}
		look(-1);
		for (i = 0; i < 100; i++)
			check_read(0xff8 + below(80), below(160));
		end_test();
	}
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "code that was added last has precedence", last_code_has_precedence },
		{ "code may be missing", code_may_be_missing },
		{ "code appears and disappears", code_has_a_lifetime },
		{ "pokes override code, and each other", pokes_override },
		{ "pokes create code", pokes_create_code },
		{ "pokes disappear with their code", pokes_have_a_lifetime },
		{ "memory ends at the last address", memory_has_an_end },
		{ "programs map code over code", programs_map_code },
		{ "random code is as defined, byte by byte", random_code },
	};

	return TEMP_RUN(tests);
}
