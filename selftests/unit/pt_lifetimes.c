// SPDX-License-Identifier: GPL-2.0-only
/* Tests which code was at an address at a given time, according to the records of a recording. */
#include "unit/ktap.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/sym/ksyms.h"
#include "source/pt/decode/names.h"
#include "source/pt/input/lifetimes.h"

/* The trace starts at 1000 ns. */
#define FIRST	1000
#define PLACE	0xffffffffc0100000

static struct fargs_pt_input in;
static struct fargs_pt_copied copied[8];
static struct fargs_file_pt_module modules[8];
static size_t nr_copied, nr_modules;

static void begin(void)
{
	const struct fargs_pt_switch start = { .ns = FIRST, .from = 1, .to = 1 };

	fargs_pt_input_deinit(&in);
	in.config.has_time = true;
	fargs_pt_input_add_switch(&in, &start);
	nr_copied = 0;
	nr_modules = 0;
}

/*
 * Adds a copy. @at, its offset in the file, identifies the code; code that is split off has a
 * higher offset.
 */
static void copy(const char *name, uint64_t at, uint64_t addr, uint64_t bytes, uint64_t ns)
{
	const struct fargs_pt_code code = {
		.path = strdup("f"), .at = at, .addr = addr, .bytes = bytes, .pid = -1,
	};
	struct fargs_pt_copied *c = &copied[nr_copied++];

	*c = (struct fargs_pt_copied){ .code = in.nr_codes, .begin_ns = ns, .end_ns = ns + 10 };
	strcpy(c->name, name);
	fargs_pt_input_add_code(&in, &code);
}

static void module(const char *name, uint64_t ns, bool is_removed)
{
	struct fargs_file_pt_module *m = &modules[nr_modules++];

	*m = (struct fargs_file_pt_module){ .ns = ns, .is_removed = is_removed };
	strcpy(m->name, name);
}

static void symbol(uint64_t addr, uint32_t bytes, uint64_t ns, bool is_removed)
{
	const struct fargs_pt_symbol sym = {
		.ns = ns, .addr = addr, .bytes = bytes, .is_removed = is_removed,
		.name = strdup("s"),
	};

	fargs_pt_input_add_symbol(&in, &sym);
}

static void poke(uint64_t addr, uint64_t ns)
{
	const struct fargs_pt_poke p = { .ns = ns, .addr = addr, .old_bytes = 1, .new_bytes = 1,
					 .code = (const uint8_t *)"on" };

	fargs_pt_input_add_poke(&in, &p);
}

static void set(void)
{
	fargs_pt_input_sort(&in);
	CHECK_INT(fargs_pt_lifetimes_set(&in, copied, nr_copied, modules, nr_modules), 0);
}

/* Returns the offset in the file of the byte that is at @addr at time @ns; -1: none. */
static int64_t at(uint64_t addr, uint64_t ns)
{
	const struct fargs_pt_code *code;
	int64_t found = -1;
	size_t i;

	for (i = 0; i < in.nr_codes; i++) {
		code = &in.codes[i];
		if (addr - code->addr < code->bytes && code->from_ns <= ns &&
		    (!code->until_ns || ns < code->until_ns))
			found = (int64_t)(code->at + (addr - code->addr));
	}
	return found;
}

static void keeps_the_kernel(void)
{
	begin();
	copy("[kernel]", 100, 0xffffffff81000000, 0x1000, 500);
	symbol(PLACE, 64, 2000, false);
	set();
	CHECK_INT(at(0xffffffff81000000, 0), 100);
	CHECK_INT(at(0xffffffff81000000, 100000), 100);
}

static void tells_modules_at_one_place_apart(void)
{
	begin();
	copy("first", 1000, PLACE, 0x100, 500);
	copy("second", 3000, PLACE, 0x100, 3500);
	module("first", 2000, true);
	module("second", 3000, false);
	module("second", 4000, true);
	set();
	CHECK_INT(at(PLACE, 500), 1000);
	CHECK_INT(at(PLACE, 1999), 1000);
	CHECK_INT(at(PLACE, 2000), -1);
	CHECK_INT(at(PLACE, 2999), -1);
	CHECK_INT(at(PLACE, 3000), 3000);
	CHECK_INT(at(PLACE, 3999), 3000);
	CHECK_INT(at(PLACE, 4000), -1);
}

static void knows_a_module_that_comes_again(void)
{
	begin();
	copy("m", 1000, PLACE, 0x100, 2100);
	copy("m", 3000, PLACE, 0x100, 4100);
	module("m", 2000, false);
	module("m", 3000, true);
	module("m", 4000, false);
	set();
	CHECK_INT(at(PLACE, 1999), -1);
	CHECK_INT(at(PLACE, 2000), 1000);
	CHECK_INT(at(PLACE, 3500), -1);
	CHECK_INT(at(PLACE, 4000), 3000);
	CHECK_INT(at(PLACE, 1000000), 3000);
}

/* Tests code that was unloaded while it was copied, or before: its contents are unknown. */
static void takes_nothing_of_what_was_gone(void)
{
	begin();
	copy("went", 1000, PLACE, 0x100, 2995);
	copy("gone", 2000, PLACE + 0x1000, 0x100, 3500);
	copy("stranger", 3000, PLACE + 0x2000, 0x100, 3500);
	module("went", 2000, false);
	module("gone", 2000, false);
	module("gone", 3000, true);
	module("went", 3000, true);
	set();
	CHECK_INT(at(PLACE, 2500), -1);
	CHECK_INT(at(PLACE + 0x1000, 2500), -1);
	/*
	 * No record reports that the module was loaded, so it is valid from the time of the copy.
	 */
	CHECK_INT(at(PLACE + 0x2000, 3499), -1);
	CHECK_INT(at(PLACE + 0x2000, 3500), 3000);
}

/*
 * Tests two copies of the same code: changes are relative to the first copy, so the second one is
 * not used.
 */
static void leaves_it_to_the_first_copy(void)
{
	begin();
	copy("m", 1000, PLACE, 0x100, 500);
	copy("m", 5000, PLACE, 0x180, 3500);
	set();
	CHECK_INT(at(PLACE, 2000), 1000);
	CHECK_INT(at(PLACE + 0xff, 4000), 1000 + 0xff);
	CHECK_INT(at(PLACE + 0x100, 4000), 5000 + 0x100);
}

static void tells_programs_apart(void)
{
	begin();
	/*
	 * A page has two programs. One of them is unregistered, and a new one is registered at its
	 * address.
	 */
	copy("bpf", 1000, PLACE, 0x1000, 500);
	copy("bpf", 9000, PLACE + 0x40, 0x80, 3500);
	symbol(PLACE + 0x40, 0x60, 2000, true);
	symbol(PLACE + 0x40, 0x80, 3000, false);
	symbol(PLACE + 0x40, 0x80, 4000, true);
	set();
	CHECK_INT(at(PLACE + 0x50, 1999), 1000 + 0x50);
	CHECK_INT(at(PLACE + 0x50, 2000), -1);
	CHECK_INT(at(PLACE + 0x50, 3000), 9000 + 0x10);
	CHECK_INT(at(PLACE + 0x50, 4000), -1);
	/* Other code in the page stays valid, except for the part that the new program overlaps. */
	CHECK_INT(at(PLACE + 0x3f, 100000), 1000 + 0x3f);
	CHECK_INT(at(PLACE + 0xa0, 2500), 1000 + 0xa0);
	CHECK_INT(at(PLACE + 0xa0, 100000), -1);
	CHECK_INT(at(PLACE + 0xc0, 100000), 1000 + 0xc0);
}

static void takes_no_program_that_was_gone(void)
{
	begin();
	copy("bpf", 1000, PLACE, 0x80, 3500);
	copy("bpf", 2000, PLACE + 0x1000, 0x80, 3500);
	symbol(PLACE, 0x80, 2000, false);
	symbol(PLACE, 0x80, 3000, true);
	set();
	CHECK_INT(at(PLACE, 2500), -1);
	/* No record reports the program at PLACE + 0x1000. */
	CHECK_INT(at(PLACE + 0x1000, 2500), -1);
}

static void leaves_to_records_what_they_bring(void)
{
	begin();
	copy("__builtin__ftrace", 1000, PLACE, 0x1000, 500);
	copy("__builtin__ftrace", 5000, PLACE + 0x1000, 0x1000, 3500);
	set();
	CHECK_INT(at(PLACE, 100000), 1000);
	CHECK_INT(at(PLACE + 0x1000, 100000), -1);
}

/*
 * Tests that a change applies to the code that is valid at its time. A change of a new module is
 * recorded before its load event.
 */
static void binds_pokes(void)
{
	begin();
	copy("first", 1000, PLACE, 0x100, 500);
	copy("second", 3000, PLACE, 0x100, 3500);
	module("first", 2000, true);
	module("second", 3000, false);
	poke(PLACE + 8, 1500);
	poke(PLACE + 8, 2900);
	poke(PLACE + 8, 3200);
	symbol(PLACE + 0x2000, 64, 1400, false);
	symbol(PLACE + 0x2000, 64, 5000, true);
	poke(PLACE + 0x2000, 1600);
	set();
	REQUIRE(in.nr_pokes == 4);
	CHECK_INT(in.pokes[0].from_ns, 0);
	CHECK_INT(in.pokes[0].until_ns, 2000);
	CHECK_INT(in.pokes[1].from_ns, 1400);
	CHECK_INT(in.pokes[1].until_ns, 5000);
	CHECK_INT(in.pokes[2].from_ns, 3000);
	CHECK_INT(in.pokes[2].until_ns, 0);
	CHECK_INT(in.pokes[3].from_ns, 3000);
	CHECK_INT(in.pokes[3].until_ns, 0);
}

static const char *name_at(const struct fargs_pt_names *names, uint64_t addr, uint64_t ns)
{
	struct fargs_pt_name name;

	fargs_pt_names_find(names, -1, addr, ns, &name);
	return name.name ? name.name : "none";
}

#define CHECK_NAME(addr, ns, is)	CHECK(!strcmp(name_at(names, addr, ns), is))

/*
 * Tests names of two modules at the same address, of which one has a function where the other has
 * two.
 */
static void names_what_was_there(void)
{
	static const char text[] =
		"ffffffff81000000 T kernel\n"
		"ffffffffc0100000 t one\t[first]\n"
		"ffffffffc0100000 t two\t[second]\n"
		"ffffffffc0100040 t three\t[second]\n"
		"ffffffffc0100080 t four\t[first]\n";
	struct fargs_pt_names *names;

	begin();
	in.ksyms = fargs_ksyms_parse(text, sizeof(text) - 1, NULL);
	REQUIRE(in.ksyms);
	copy("first", 1000, PLACE, 0x100, 500);
	copy("second", 3000, PLACE, 0x100, 3500);
	module("first", 2000, true);
	module("second", 3000, false);
	set();
	names = fargs_pt_names_create(&in);
	REQUIRE(names);
	CHECK_NAME(PLACE, 1500, "one");
	CHECK_NAME(PLACE + 0x60, 1500, "one");
	CHECK_NAME(PLACE + 0x90, 1500, "four");
	CHECK_NAME(PLACE, 3500, "two");
	CHECK_NAME(PLACE + 0x60, 3500, "three");
	CHECK_NAME(PLACE + 0x90, 3500, "three");
	CHECK_NAME(0xffffffff81000000, 3500, "kernel");
	fargs_pt_names_destroy(names);
}

/* Tests a recording whose TSCs cannot be converted to times. */
static void does_without_times(void)
{
	begin();
	in.config.has_time = false;
	copy("first", 1000, PLACE, 0x100, 0);
	copy("second", 3000, PLACE, 0x100, 0);
	set();
	CHECK_INT(at(PLACE, 0), 3000);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "keeps the kernel's code at all times", keeps_the_kernel },
		{ "distinguishes modules at one address", tells_modules_at_one_place_apart },
		{ "handles a module that is loaded again", knows_a_module_that_comes_again },
		{ "uses no code of an unloaded module", takes_nothing_of_what_was_gone },
		{ "uses the first copy for earlier times", leaves_it_to_the_first_copy },
		{ "distinguishes BPF programs at one address", tells_programs_apart },
		{ "uses no code of an unloaded BPF program", takes_no_program_that_was_gone },
		{ "uses code of records only from their time on",
		  leaves_to_records_what_they_bring },
		{ "assigns text pokes to the code that was there", binds_pokes },
		{ "names the code that was there", names_what_was_there },
		{ "works without times", does_without_times },
	};

	return KTAP_RUN(tests);
}
