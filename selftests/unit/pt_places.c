// SPDX-License-Identifier: GPL-2.0-only
/* The text of addresses, and the ranges of addresses that share a name. */
#include "cmd/report/pt_places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel/sym/ksyms.h"
#include "kernel/sym/module_list.h"
#include "unit/ktap.h"

#define KERNEL	UINT64_C(0xffffffff81000000)
#define MODULE	UINT64_C(0xffffffffc0000000)
/* Most bytes of a name, and so of the names in the first test. */
#define NAMES	300

static struct fargs_pt_input in;
static struct fargs_error_text err;

static void begin(const char *symbols)
{
	fargs_pt_input_init(&in);
	in.config = (struct fargs_pt_config){ .has_kernel = true, .has_time = true,
					      .time_mult = 1 };
	in.ksyms = fargs_ksyms_parse(symbols, strlen(symbols), &err);
	REQUIRE(in.ksyms);
}

static void add_symbol(uint64_t ns, uint64_t addr, const char *name, bool is_removed)
{
	const struct fargs_pt_symbol sym = {
		.ns = ns, .addr = addr, .bytes = 0x18, .is_removed = is_removed,
		.name = strdup(name), .module = "bpf",
	};

	REQUIRE(!fargs_pt_input_add_symbol(&in, &sym));
}

/* Checks the text of @addr twice: as it is formatted, and as it is copied. */
static void is_text(struct fargs_pt_places *places, uint64_t addr, uint64_t ns, const char *wanted)
{
	struct fargs_buf out = { };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		out.n = 0;
		fargs_pt_places_put(places, &out, addr, ns);
		CHECK(!out.is_short);
		fargs_buf_add_char(&out, '\0');
		CHECK_STR(out.text, wanted);
	}
	fargs_buf_deinit(&out);
}

/* Checks the text in the function at @addr, whose name is a letter, repeated @n times. */
static void check_name(struct fargs_pt_places *addrs, struct fargs_pt_places *names,
		       unsigned int n, uint64_t addr, const char *module)
{
	static const uint64_t offsets[] = { 0, 0x1f, 0xa, 0 };
	char name[NAMES + 1], wanted[3 * NAMES], suffix[NAMES];
	size_t i;

	memset(name, 'a' + n % 26, n);
	name[n] = '\0';
	snprintf(suffix, sizeof(suffix), *module ? " [%s]" : "%s", module);
	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		snprintf(wanted, sizeof(wanted), "%16" PRIx64 " %s+0x%" PRIx64 "%s",
			 addr + offsets[i], name, offsets[i], suffix);
		is_text(addrs, addr + offsets[i], 1, wanted);
		if (offsets[i])
			snprintf(wanted, sizeof(wanted), "%s+0x%" PRIx64 "%s", name, offsets[i],
				 suffix);
		else
			snprintf(wanted, sizeof(wanted), "%s%s", name, suffix);
		is_text(names, addr + offsets[i], 1, wanted);
	}
}

static void names_of_any_length(void)
{
	static const char *const modules[] = { "", "m", "a_module_with_a_name_of_some_length" };
	char *symbols = calloc(3 * NAMES, NAMES + 100), *to = symbols, name[NAMES + 1];
	struct fargs_pt_places *addrs, *by_name;
	struct fargs_pt_names *names;
	unsigned int n, m;

	REQUIRE(symbols);
	for (m = 0; m < 3; m++) {
		for (n = 1; n <= NAMES; n++) {
			memset(name, 'a' + n % 26, n);
			name[n] = '\0';
			to += sprintf(to, "%" PRIx64 " t %s", KERNEL + (m * NAMES + n) * 0x20,
				      name);
			to += sprintf(to, *modules[m] ? "\t[%s]\n" : "%s\n", modules[m]);
		}
	}
	begin(symbols);
	names = fargs_pt_names_create(&in);
	addrs = fargs_pt_places_create(names, FARGS_PT_PLACE_ADDR);
	by_name = fargs_pt_places_create(names, FARGS_PT_PLACE_NAME);
	REQUIRE(names && addrs && by_name);
	for (m = 0; m < 3; m++)
		for (n = 1; n <= NAMES; n++)
			check_name(addrs, by_name, n, KERNEL + (m * NAMES + n) * 0x20, modules[m]);
	fargs_pt_places_destroy(addrs);
	fargs_pt_places_destroy(by_name);
	fargs_pt_names_destroy(names);
	fargs_pt_input_deinit(&in);
	free(symbols);
}

static void names_that_change(void)
{
	struct fargs_pt_places *places;
	struct fargs_pt_names *names;

	begin("ffffffff81000000 T odd\x01name\nffffffff81000020 T next\n");
	add_symbol(1000, MODULE, "one", false);
	add_symbol(2000, MODULE, "one", true);
	add_symbol(3000, MODULE, "two", false);
	names = fargs_pt_names_create(&in);
	places = fargs_pt_places_create(names, FARGS_PT_PLACE_ADDR);
	REQUIRE(names && places);
	is_text(places, MODULE + 4, 1500, "ffffffffc0000004 one+0x4 [bpf]");
	is_text(places, MODULE + 4, 2500, "ffffffffc0000004 [unknown]");
	is_text(places, MODULE + 4, 3500, "ffffffffc0000004 two+0x4 [bpf]");
	is_text(places, MODULE + 4, 1000, "ffffffffc0000004 one+0x4 [bpf]");
	is_text(places, KERNEL, 1, "ffffffff81000000 odd\\^Aname+0x0");
	is_text(places, 0x400511, 1, "          400511 [unknown]");
	is_text(places, 0, 1, "               0 [unknown]");
	fargs_pt_places_destroy(places);
	places = fargs_pt_places_create(names, FARGS_PT_PLACE_NAME);
	REQUIRE(places);
	is_text(places, MODULE, 1500, "one [bpf]");
	is_text(places, MODULE, 2500, "0xffffffffc0000000");
	is_text(places, KERNEL + 0x20, 1, "next");
	fargs_pt_places_destroy(places);
	fargs_pt_names_destroy(names);
	fargs_pt_input_deinit(&in);
}

/* Checks that all addresses of the range of @addr have the name that @addr has. */
static void check_range(const struct fargs_pt_names *names, uint64_t addr, uint64_t ns)
{
	struct fargs_pt_name name, other, ranged;
	uint64_t from, to, at;

	fargs_pt_names_find(names, -1, addr, ns, &name);
	fargs_pt_names_find_range(names, -1, addr, ns, &ranged, &from, &to);
	CHECK(name.name == ranged.name && name.module == ranged.module &&
	      name.addr == ranged.addr && name.is_lasting == ranged.is_lasting &&
	      name.is_registered == ranged.is_registered);
	CHECK(from <= addr && addr < to);
	for (at = from; name.is_lasting && at < to; at++) {
		fargs_pt_names_find(names, -1, at, ns + 1, &other);
		if (other.name != name.name || other.addr != name.addr || !other.is_lasting)
			ktap_fail(__FILE__, __LINE__, "%" PRIx64 " is in the range of %" PRIx64,
				  at, addr);
	}
}

static void ranges_have_one_name(void)
{
	/* The second module is inside the first one; the third has a gap before it. */
	static const char modules[] = "first 512 0 - Live 0xffffffffc0000040\n"
				      "inner 32 0 - Live 0xffffffffc0000100\n"
				      "third 64 0 - Live 0xffffffffc0000280\n";
	struct fargs_pt_names *names;
	uint64_t addr;
	bool has_modules;

	for (has_modules = false;; has_modules = true) {
		begin("ffffffffc0000000 T before\nffffffffc0000030 T alias\n"
		      "ffffffffc0000030 t same\t[first]\nffffffffc0000048 t one\t[first]\n"
		      "ffffffffc0000090 t two\t[first]\nffffffffc0000100 t in\t[inner]\n"
		      "ffffffffc0000160 t after\t[first]\nffffffffc0000170 D object\n"
		      "ffffffffc0000200 t last\t[first]\nffffffffc0000290 t three\t[third]\n"
		      "ffffffffc0000400 T _etext\n");
		add_symbol(10, MODULE + 0x60, "added", false);
		add_symbol(20, MODULE + 0x60, "added", true);
		add_symbol(10, MODULE + 0x70, "overlaps", false);
		add_symbol(10, MODULE + 0xa0, "later", false);
		if (has_modules)
			REQUIRE(!fargs_ksyms_set_modules(in.ksyms, fargs_module_list_parse(
						modules, strlen(modules), &err)));
		names = fargs_pt_names_create(&in);
		REQUIRE(names);
		for (addr = MODULE - 16; addr < MODULE + 0x420; addr++) {
			check_range(names, addr, 0);
			check_range(names, addr, 15);
			check_range(names, addr, 25);
		}
		fargs_pt_names_destroy(names);
		fargs_pt_input_deinit(&in);
		if (has_modules)
			break;
	}
}

static const struct ktap_test tests[] = {
	{ "names of any length are written as they are", names_of_any_length },
	{ "names change with time", names_that_change },
	{ "all addresses of a range have one name", ranges_have_one_name },
};

int main(void)
{
	return KTAP_RUN(tests);
}
