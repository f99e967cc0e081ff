// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests which function is at an address of user space: it depends on the process, on the time, on
 * forks and execs. Each mapping is one function, as from a JIT compiler.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/report/pt_places.h"
#include "source/pt/decode/names.h"
#include "source/pt/input/spaces.h"
#include "unit/ktap.h"

#define CODE	0x401000
#define BYTES	0x100

static struct fargs_pt_input in;
static struct fargs_pt_names *names;

static void begin(void)
{
	fargs_pt_input_init(&in);
	/* A tick of the TSC is 1 ns, and MTCs are 2^3 * 84 / 2 ticks apart: 336 ns. */
	in.config = (struct fargs_pt_config){
		.has_user = true, .has_time = true, .time_mult = 1, .has_tsc = true,
		.has_mtc = true, .mtc_freq = 3, .cpuid_0x15_eax = 2, .cpuid_0x15_ebx = 84,
	};
}

static void add(uint8_t kind, int32_t pid, int32_t parent, uint64_t ns)
{
	const struct fargs_pt_mapping m = { .kind = kind, .pid = pid, .parent = parent, .ns = ns };

	REQUIRE(!fargs_pt_input_add_mapping(&in, &m));
}

static void add_function(int32_t pid, uint64_t addr, const char *name, uint64_t ns)
{
	const struct fargs_pt_mapping m = {
		.kind = FARGS_PT_MAP, .pid = pid, .ns = ns, .addr = addr, .bytes = BYTES,
		.at = addr, .path = strdup(name), .name = strdup(name),
	};

	REQUIRE(!fargs_pt_input_add_mapping(&in, &m));
}

static void build(void)
{
	REQUIRE(!fargs_pt_input_sort(&in));
	REQUIRE(!fargs_pt_spaces_build(&in));
	names = fargs_pt_names_create(&in);
	REQUIRE(names);
	fargs_pt_names_note_begins(names);
}

static void end(void)
{
	fargs_pt_names_destroy(names);
	fargs_pt_input_deinit(&in);
}

static const char *name_at(int32_t pid, uint64_t addr, uint64_t ns)
{
	struct fargs_pt_name name;

	fargs_pt_names_find(names, fargs_pt_spaces_at(&in, pid, ns), addr, ns, &name);
	CHECK(name.is_user);
	CHECK(!name.name || addr - name.addr < BYTES);
	return name.name ? name.name : "";
}

static bool is_lasting(int32_t pid, uint64_t addr, uint64_t ns)
{
	struct fargs_pt_name name;

	fargs_pt_names_find(names, fargs_pt_spaces_at(&in, pid, ns), addr, ns, &name);
	return name.is_lasting;
}

static void by_process(void)
{
	struct fargs_pt_name name;

	begin();
	add_function(1, CODE, "one", 0);
	add_function(2, CODE, "two", 0);
	add_function(2, CODE + BYTES, "other", 0);
	add_function(4, CODE, "", 0);
	build();
	CHECK_STR(name_at(1, CODE, 5), "one");
	CHECK_STR(name_at(2, CODE + BYTES - 1, 5), "two");
	CHECK_STR(name_at(2, CODE + BYTES, 5), "other");
	/* After the end of the mapping, and before its beginning. */
	CHECK_STR(name_at(1, CODE + BYTES, 5), "");
	CHECK_STR(name_at(1, CODE - 1, 5), "");
	CHECK_STR(name_at(2, CODE + 2 * BYTES, 5), "");
	CHECK_STR(name_at(3, CODE, 5), "");
	fargs_pt_names_find(names, fargs_pt_spaces_at(&in, 4, 5), CODE, 5, &name);
	CHECK(!name.name);
	CHECK(is_lasting(1, CODE, 5) && is_lasting(1, CODE + BYTES, 5));
	CHECK(fargs_pt_names_may_begin(names, CODE + BYTES));
	CHECK(fargs_pt_names_begins(names, CODE) && fargs_pt_names_begins(names, CODE + BYTES));
	CHECK(!fargs_pt_names_begins(names, CODE + 1));
	CHECK(!fargs_pt_names_begins(names, CODE + 2 * BYTES));
	end();
}

static void by_time(void)
{
	begin();
	add_function(1, CODE, "first", 1000);
	add_function(1, CODE + BYTES, "alone", 1500);
	add_function(1, CODE + 0x80, "second", 2000);
	build();
	/* The first one is valid from the beginning, as is code that nothing replaces. */
	CHECK_STR(name_at(1, CODE + 0x80, 5), "first");
	CHECK_STR(name_at(1, CODE + 0x80, 1999), "first");
	CHECK_STR(name_at(1, CODE + 0x80, 2000), "second");
	CHECK_STR(name_at(1, CODE + 0x7f, 2000), "first");
	CHECK_STR(name_at(1, CODE + BYTES, 1999), "alone");
	CHECK_STR(name_at(1, CODE + BYTES, 2000), "second");
	CHECK_STR(name_at(1, CODE + 0x180, 2000), "alone");
	CHECK(is_lasting(1, CODE, 5) && !is_lasting(1, CODE + 0x80, 5));
	CHECK(!is_lasting(1, CODE + BYTES, 3000));
	end();
}

static void after_fork_and_exec(void)
{
	begin();
	add_function(1, CODE, "parent", 0);
	add(FARGS_PT_FORK, 2, 1, 10000);
	add_function(1, CODE, "later", 15000);
	add_function(2, CODE + 0x80, "child", 20000);
	add(FARGS_PT_EXEC, 2, 0, 30000);
	add_function(2, CODE, "program", 30001);
	add_function(2, CODE + 2 * BYTES, "start", 30002);
	build();
	CHECK_STR(name_at(1, CODE, 12000), "parent");
	CHECK_STR(name_at(1, CODE, 15000), "later");
	CHECK_STR(name_at(2, CODE + 0x80, 12000), "parent");
	CHECK_STR(name_at(2, CODE, 19999), "parent");
	CHECK_STR(name_at(2, CODE + 0x80, 20000), "child");
	CHECK_STR(name_at(2, CODE, 20000), "parent");
	CHECK_STR(name_at(2, CODE, 30000), "program");
	CHECK(!is_lasting(2, CODE + 0x80, 12000));
	/*
	 * The time of an instruction is that of the last MTC before it, so the program may have
	 * begun up to about 336 ns after it; but not if the address is in the code before.
	 */
	CHECK_STR(name_at(2, CODE + 2 * BYTES, 29999), "start");
	CHECK(!is_lasting(2, CODE + 2 * BYTES, 29999));
	CHECK_STR(name_at(2, CODE + 2 * BYTES, 25000), "");
	CHECK_STR(name_at(2, CODE, 29999), "parent");
	end();
}

/* Many functions of the same size, in any order of addresses and times. */
static void among_many(void)
{
	enum { NR = 500 };
	unsigned int seed = 1, i, k;
	uint64_t addrs[NR];
	char name[16];

	begin();
	for (i = 0; i < NR; i++) {
		addrs[i] = CODE + (uint64_t)(rand_r(&seed) % 64) * 0x40;
		snprintf(name, sizeof(name), "%u", i);
		add_function(1, addrs[i], name, 1000 * (i + 1));
	}
	build();
	for (k = 0; k < 2000; k++) {
		uint64_t addr = CODE + (uint64_t)(rand_r(&seed) % 0x1200);
		unsigned int last = rand_r(&seed) % NR;

		/* The latest function at the address, or else the first one of its cluster. */
		for (i = last + 1; i && addr - addrs[i - 1] >= BYTES; i--)
			;
		if (!i)
			continue;
		snprintf(name, sizeof(name), "%u", i - 1);
		CHECK_STR(name_at(1, addr, 1000 * (last + 1)), name);
	}
	end();
}

static void is_text(struct fargs_pt_places *places, int32_t space, uint64_t ns, const char *wanted)
{
	struct fargs_buf out = { };

	fargs_pt_places_enter(places, space);
	fargs_pt_places_put(places, &out, CODE + 4, ns);
	fargs_buf_add_char(&out, '\0');
	CHECK_STR(out.text, wanted);
	fargs_buf_deinit(&out);
}

/* Names and texts that are kept are those of the space and the time. */
static void kept(void)
{
	struct fargs_pt_names_cache *cache = calloc(1, sizeof(*cache));
	struct fargs_pt_places *places;
	unsigned int i;

	begin();
	add_function(1, CODE, "one", 0);
	add_function(2, CODE, "first", 1000);
	add_function(2, CODE, "second", 2000);
	build();
	places = fargs_pt_places_create(names, FARGS_PT_PLACE_NAME);
	REQUIRE(places && cache);
	for (i = 0; i < 3; i++) {
		is_text(places, fargs_pt_spaces_at(&in, 1, 5), 5, "one+0x4");
		is_text(places, fargs_pt_spaces_at(&in, 1, 5), 6, "one+0x4");
		is_text(places, fargs_pt_spaces_at(&in, 2, 5), 6, "first+0x4");
		is_text(places, fargs_pt_spaces_at(&in, 2, 5), 2000, "second+0x4");
		is_text(places, -1, 2000, "0x401004");
		CHECK_STR(fargs_pt_names_get(names, cache, 0, CODE, 5)->name, "one");
		CHECK_STR(fargs_pt_names_get(names, cache, 1, CODE, 5)->name, "first");
		CHECK_STR(fargs_pt_names_get(names, cache, 1, CODE, 2000)->name, "second");
		CHECK(!fargs_pt_names_get(names, cache, -1, CODE, 2000)->name);
	}
	fargs_pt_places_destroy(places);
	free(cache);
	end();
}

/* Bounds of mappings that a damaged file may contain. */
static void at_the_ends(void)
{
	const struct fargs_pt_mapping empty = {
		.kind = FARGS_PT_MAP, .pid = 1, .addr = CODE, .path = strdup("e"),
		.name = strdup("e"),
	};
	const struct fargs_pt_mapping all = {
		.kind = FARGS_PT_MAP, .pid = 2, .bytes = UINT64_MAX, .path = strdup("all"),
		.name = strdup("all"),
	};

	begin();
	REQUIRE(!fargs_pt_input_add_mapping(&in, &empty) && !fargs_pt_input_add_mapping(&in, &all));
	build();
	CHECK_STR(name_at(1, CODE, 5), "");
	CHECK_STR(name_at(1, 0, 5), "");
	fargs_pt_names_destroy(names);
	names = fargs_pt_names_create(&in);
	REQUIRE(names);
	CHECK(fargs_pt_names_begins(names, 0));
	end();
}

static const struct ktap_test tests[] = {
	{ "a name depends on the process, and ends with its mapping", by_process },
	{ "a name depends on the time", by_time },
	{ "a child has the names of its parent until it executes a program", after_fork_and_exec },
	{ "of many functions, the latest one is found", among_many },
	{ "kept names are those of the space and the time", kept },
	{ "mappings without bytes, and of all addresses", at_the_ends },
};

int main(void)
{
	return KTAP_RUN(tests);
}
