// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/ksyms.h"
#include "unit/ktap.h"

static const char text[] =
	"0000000000001000 A fixed_percpu_data\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000000 T first_of_two\n"
	"ffffffff81000100 t helper\n"
	"ffffffff81000200 W weak\n"
	"ffffffff81000300 D data\n"
	"ffffffff81000400 t helper\n"
	"ffffffffc0000400 t late\t[mod_b]\n"
	"ffffffffc0000000 t helper\t[mod_a]\n";

static struct fargs_ksyms *parse(const char *from)
{
	struct fargs_error_text err = { };
	struct fargs_ksyms *ks = fargs_ksyms_parse(from, strlen(from), &err);

	if (!ks)
		ktap_fail(__FILE__, __LINE__, "%s", err.text);
	return ks;
}

static void text_symbols_by_address(void)
{
	struct fargs_ksyms *ks = parse(text);

	REQUIRE(ks);
	REQUIRE(fargs_ksyms_count(ks) == 7);
	CHECK_STR(fargs_ksyms_at(ks, 0)->name, "_text");
	CHECK_STR(fargs_ksyms_at(ks, 1)->name, "first_of_two");
	CHECK_STR(fargs_ksyms_at(ks, 3)->name, "weak");
	CHECK_INT(fargs_ksyms_at(ks, 3)->type, 'W');
	CHECK_STR(fargs_ksyms_at(ks, 5)->name, "helper");
	CHECK_STR(fargs_ksyms_at(ks, 5)->module, "mod_a");
	CHECK_STR(fargs_ksyms_at(ks, 6)->module, "mod_b");
	CHECK(!fargs_ksyms_at(ks, 7));
	fargs_ksyms_destroy(ks);
}

static void objects_by_address(void)
{
	static const char with_data[] =
		"ffffffff81000000 T func\n"
		"ffffffff82000000 D __start_rodata\n"
		"ffffffff82000000 d one\n"
		"ffffffff82000000 b __key.3\n"
		"ffffffff82000040 R two\n"
		"ffffffff82000048 d alias_a\n"
		"ffffffff82000048 d alias_b\n"
		"ffffffff82000050 b __key.4\n"
		"ffffffff82000080 B _end\n"
		"0000000000001000 A per_cpu\n"
		"ffffffffc0000000 t func\t[mod]\n"
		"ffffffffc0000400 b three\t[mod]\n";
	struct fargs_ksyms *ks = parse(with_data), *again;
	size_t size;
	char *out;

	REQUIRE(ks);
	/* What is written and read again has the same symbols. */
	out = fargs_ksyms_text(ks, &size);
	REQUIRE(out);
	fargs_ksyms_destroy(ks);
	again = parse(out);
	REQUIRE(again);
	CHECK_STR(fargs_ksyms_find_data(again, 0xffffffff82000000)->name, "one");
	CHECK_STR(fargs_ksyms_find_data(again, 0xffffffff82000040)->name, "two");
	CHECK_STR(fargs_ksyms_find_data(again, 0xffffffffc0000400)->module, "mod");
	/* Which object it is cannot be known. */
	CHECK(!fargs_ksyms_find_data(again, 0xffffffff82000048));
	CHECK(!fargs_ksyms_find_data(again, 0xffffffff82000050));
	CHECK(!fargs_ksyms_find_data(again, 0xffffffff82000001));
	CHECK(!fargs_ksyms_find_data(again, 0xffffffff82000080));
	CHECK(!fargs_ksyms_find_data(again, 0xffffffff81000000));
	CHECK(!fargs_ksyms_find_data(again, 0x1000));
	CHECK(!fargs_ksyms_find_data(again, 0));
	fargs_ksyms_destroy(again);
	free(out);
}

/* As 7.2 lists its data section. */
static void data_that_is_listed_as_code(void)
{
	static const char executable[] =
		"ffffffff81000000 T func\n"
		"ffffffff81000100 T _etext\n"
		"ffffffff83200000 T first\n"
		"ffffffff83200000 T _sdata\n"
		"ffffffff83200040 T second\n"
		"ffffffff83201000 T _edata\n"
		"ffffffff83300000 T _sinittext\n"
		"ffffffff83300040 D third\n"
		"ffffffffc0000000 t func\t[mod]\n";
	struct fargs_ksyms *ks = parse(executable), *again;
	const struct fargs_ksym *const *named;
	struct fargs_ksym sym;
	const char *module = NULL;
	size_t size;
	char *out;

	REQUIRE(ks);
	out = fargs_ksyms_text(ks, &size);
	REQUIRE(out);
	fargs_ksyms_destroy(ks);
	again = parse(out);
	REQUIRE(again);
	CHECK_STR(fargs_ksyms_find_data(again, 0xffffffff83200000)->name, "first");
	CHECK_STR(fargs_ksyms_find_data(again, 0xffffffff83200040)->name, "second");
	CHECK(!fargs_ksyms_find_addr(again, 0xffffffff83200008));
	CHECK(!fargs_ksyms_find_addr(again, 0xffffffff83200048));
	CHECK_INT(fargs_ksyms_find_name(again, "second", &named), 0);
	CHECK_INT(fargs_ksyms_find_objects(again, "second", &module, &sym), 1);
	CHECK(sym.addr == 0xffffffff83200040 && !module);
	CHECK_INT(fargs_ksyms_find_objects(again, "func", &module, &sym), 0);
	CHECK_STR(fargs_ksyms_find_addr(again, 0xffffffff83300010)->name, "_sinittext");
	fargs_ksyms_destroy(again);
	free(out);
}

static void same_names_together(void)
{
	struct fargs_ksyms *ks = parse(text);
	const struct fargs_ksym *const *found;

	REQUIRE(ks);
	REQUIRE(fargs_ksyms_find_name(ks, "helper", &found) == 3);
	CHECK_INT(found[0]->addr, 0xffffffff81000100);
	CHECK(!found[0]->module);
	CHECK_INT(found[1]->addr, 0xffffffff81000400);
	CHECK_INT(found[2]->addr, 0xffffffffc0000000);
	CHECK_INT(fargs_ksyms_find_name(ks, "data", &found), 0);
	CHECK_INT(fargs_ksyms_find_name(ks, "", &found), 0);
	fargs_ksyms_destroy(ks);
}

static void address_to_symbol(void)
{
	struct fargs_ksyms *ks = parse(text);

	REQUIRE(ks);
	CHECK(!fargs_ksyms_find_addr(ks, 0));
	CHECK(!fargs_ksyms_find_addr(ks, 0xffffffff80ffffff));
	CHECK_STR(fargs_ksyms_find_addr(ks, 0xffffffff81000100)->name, "helper");
	CHECK_STR(fargs_ksyms_find_addr(ks, 0xffffffff810001ff)->name, "helper");
	CHECK_STR(fargs_ksyms_find_addr(ks, 0xffffffff810002ff)->name, "weak");
	CHECK(!fargs_ksyms_find_addr(ks, 0xffffffff81000300));
	fargs_ksyms_destroy(ks);
}

static void first_name_of_an_address(void)
{
	struct fargs_ksyms *ks = parse(text);

	REQUIRE(ks);
	CHECK_STR(fargs_ksyms_find_addr(ks, 0xffffffff81000010)->name, "_text");
	fargs_ksyms_destroy(ks);
}

static void far_addresses_have_no_symbol(void)
{
	struct fargs_ksyms *ks = parse(text);

	REQUIRE(ks);
	CHECK(!fargs_ksyms_find_addr(ks, 0xffffffff90000000));
	CHECK(!fargs_ksyms_find_addr(ks, UINT64_MAX));
	fargs_ksyms_destroy(ks);
}

/*
 * Tests that addresses between and after two modules, where other modules may be, have no symbol.
 */
static void other_modules_have_no_symbol(void)
{
	static const char modules[] =
		"ffffffff81000000 T _text\n"
		"ffffffffc0000010 t first\t[mod_a]\n"
		"ffffffffc0003010 t last\t[mod_a]\n"
		"ffffffffc0008010 t only\t[mod_b]\n";
	struct fargs_ksyms *ks = parse(modules);

	REQUIRE(ks);
	CHECK_STR(fargs_ksyms_find_addr(ks, 0xffffffffc000300f)->name, "first");
	CHECK_STR(fargs_ksyms_find_addr(ks, 0xffffffffc0003fff)->name, "last");
	CHECK(!fargs_ksyms_find_addr(ks, 0xffffffffc0004000));
	CHECK(!fargs_ksyms_find_addr(ks, 0xffffffffc0007fff));
	CHECK_STR(fargs_ksyms_find_addr(ks, 0xffffffffc0008fff)->name, "only");
	CHECK(!fargs_ksyms_find_addr(ks, 0xffffffffc0009000));
	fargs_ksyms_destroy(ks);
}

/* Checks that @addr has the name @name ("": none), and that the function ends at @end. */
static void finds(const struct fargs_ksyms *ks, uint64_t addr, const char *name, uint64_t end)
{
	const struct fargs_ksym *sym = fargs_ksyms_find_addr(ks, addr);

	CHECK_STR(sym ? sym->name : "", name);
	CHECK_INT(sym ? fargs_ksyms_end(ks, sym) : 0, end);
}

/*
 * Symbols of Debian's 6.12, where data of .init.data follow .init.text, and .smp_locks follows
 * .exit.text.
 */
static const char sections[] =
	"0000000000000000 A fixed_percpu_data\n"
	"000000000002b000 A cpu_tss_rw\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000010 T __sched_text_end\n"
	"ffffffff81000020 t last\n"
	"ffffffff81000080 T _etext\n"
	"ffffffff81001000 D __start_rodata\n"
	"ffffffff81001040 d a_table\n"
	"ffffffff81003000 T _sinittext\n"
	"ffffffff81003000 t first_init\n"
	"ffffffff81003040 T _einittext\n"
	"ffffffff81004000 D early_top_pgt\n"
	"ffffffff81005000 A init_per_cpu__gdt_page\n"
	"ffffffff81005000 R __apicdrivers_end\n"
	"ffffffff81005000 t an_exit\n"
	"ffffffff81005010 A nothing\n"
	"ffffffff81005100 R __smp_locks\n"
	"ffffffff82000000 B _end\n";

static void sections_end_functions(void)
{
	struct fargs_ksyms *ks = parse(sections);

	REQUIRE(ks);
	finds(ks, 0xffffffff8100000f, "_stext", 0xffffffff81000010);
	finds(ks, 0xffffffff8100001f, "__sched_text_end", 0xffffffff81000020);
	finds(ks, 0xffffffff8100007f, "last", 0xffffffff81000080);
	finds(ks, 0xffffffff81000080, "", 0);
	finds(ks, 0xffffffff81000fff, "", 0);
	finds(ks, 0xffffffff8100303f, "_sinittext", 0xffffffff81003040);
	finds(ks, 0xffffffff81003040, "", 0);
	finds(ks, 0xffffffff81003fff, "", 0);
	fargs_ksyms_destroy(ks);
}

static void data_has_no_name_and_ends_functions(void)
{
	struct fargs_ksyms *ks = parse(sections);

	REQUIRE(ks);
	finds(ks, 0xffffffff81001000, "", 0);
	finds(ks, 0xffffffff81001041, "", 0);
	finds(ks, 0xffffffff81004001, "", 0);
	/*
	 * A symbol at the same address does not end a function, and neither does an absolute
	 * symbol.
	 */
	finds(ks, 0xffffffff81005000, "an_exit", 0xffffffff81005100);
	finds(ks, 0xffffffff81005020, "an_exit", 0xffffffff81005100);
	finds(ks, 0xffffffff81005100, "", 0);
	finds(ks, 0xffffffff810fffff, "", 0);
	finds(ks, 0x2b001, "", 0);
	fargs_ksyms_destroy(ks);
}

/* Tests modules in the order of kallsyms, which is not that of addresses. */
static void data_of_modules_ends_functions(void)
{
	static const char modules[] =
		"ffffffff81000000 T _text\n"
		"ffffffffc0000900 d state\t[mod]\n"
		"ffffffffc0000010 t first\t[mod]\n"
		"ffffffffc0000400 r table\t[mod]\n"
		"ffffffffc0000040 t last\t[mod]\n";
	struct fargs_ksyms *ks = parse(modules);

	REQUIRE(ks);
	finds(ks, 0xffffffffc000003f, "first", 0xffffffffc0000040);
	finds(ks, 0xffffffffc00003ff, "last", 0xffffffffc0000400);
	finds(ks, 0xffffffffc0000400, "", 0);
	finds(ks, 0xffffffffc0000fff, "", 0);
	fargs_ksyms_destroy(ks);
}

static void ends_can_be_read_again(void)
{
	struct fargs_ksyms *ks = parse(sections), *again;
	uint64_t addr;
	size_t size;
	char *out;

	REQUIRE(ks);
	out = fargs_ksyms_text(ks, &size);
	REQUIRE(out);
	CHECK(strstr(out, " D __start_rodata\n") && strstr(out, "a_table"));
	again = parse(out);
	REQUIRE(again);
	for (addr = 0xffffffff80fffff0; addr < 0xffffffff81006000; addr += 16) {
		const struct fargs_ksym *sym = fargs_ksyms_find_addr(ks, addr);

		finds(again, addr, sym ? sym->name : "", sym ? fargs_ksyms_end(ks, sym) : 0);
	}
	fargs_ksyms_destroy(again);
	free(out);
	fargs_ksyms_destroy(ks);
}

static void the_last_function_ends(void)
{
	static const char top[] =
		"ffffffff81000000 T _text\n"
		"fffffffffffff000 t last\n";
	struct fargs_ksyms *ks = parse(top);

	REQUIRE(ks);
	finds(ks, 0xffffffff81000001, "_text", 0xffffffff81100000);
	finds(ks, 0xfffffffffffff800, "last", UINT64_MAX);
	fargs_ksyms_destroy(ks);
}

/*
 * Tests names of freed init functions. The symbols are like those that Linux 7.2 lists while an
 * fprobe is registered: jbd2 was loaded first, and then mbcache, at the address of jbd2's init
 * functions.
 */
static void freed_init_functions_name_no_other_module(void)
{
	static const char live[] =
		"ffffffff81000000 T _stext\n"
		"ffffffffc0481010 t num_clusters_in_group\t[ext4]\n"
		"ffffffffc0467070 T mb_cache_entry_wait_unused\t[mbcache]\n"
		"ffffffffc0467140 T mb_cache_create\t[mbcache]\n"
		"ffffffffc0457010 t __jbd2_log_wait_for_space\t[jbd2]\n"
		"ffffffffc0300000 t fargs_init\t[fargs]\n"
		"ffffffffc04670c0 T jbd2_init_caches\t[jbd2]\n"
		"ffffffffc0467220 T journal_init\t[jbd2]\n"
		"ffffffffc0468100 T jbd2_elsewhere\t[jbd2]\n"
		"ffffffffc0490000 T ext4_init_fs\t[ext4]\n"
		"ffffffffc0468000 t bpf_prog_1\t[bpf]\n";
	struct fargs_error_text err = { };
	struct fargs_ksyms *ks = fargs_ksyms_parse_live(live, strlen(live), &err);

	REQUIRE(ks);
	finds(ks, 0xffffffffc04670c0, "mb_cache_entry_wait_unused", 0xffffffffc0467140);
	finds(ks, 0xffffffffc0467220, "mb_cache_create", 0xffffffffc0468000);
	/* Freed functions keep their names where no other module was loaded, as in the kernel. */
	finds(ks, 0xffffffffc0468100, "jbd2_elsewhere", 0xffffffffc0469000);
	finds(ks, 0xffffffffc0490008, "ext4_init_fs", 0xffffffffc0491000);
	finds(ks, 0xffffffffc0468004, "bpf_prog_1", 0xffffffffc0468100);
	fargs_ksyms_destroy(ks);
}

static void hidden_addresses_are_told(void)
{
	static const char hidden[] = "0000000000000000 T _text\n0000000000000000 t helper\n";
	struct fargs_error_text err = { };

	CHECK(!fargs_ksyms_parse(hidden, strlen(hidden), &err));
	CHECK(strstr(err.text, "kptr_restrict"));
}

static void malformed_lines_are_told(void)
{
	static const char *const bad[] = {
		"ffffffff81000000\n", "ffffffff81000000 T\n", "ffffffff81000000 T \t[m]\n",
		"nonsense\n", "ffffffff81000000T name\n", "ffffffff810000001 T x\n",
		"ffffffff81000000 T name [mod\n", "ffffffff81000000 T name mod]\n",
		"ffffffff81000000 T name []\n", "ffffffff81000000 T name\tmod\n",
	};
	struct fargs_error_text err;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fargs_ksyms *ks;

		err.text[0] = '\0';
		ks = fargs_ksyms_parse(bad[i], strlen(bad[i]), &err);
		if (ks)
			ktap_fail(__FILE__, __LINE__, "taken: %s", bad[i]);
		CHECK(strstr(err.text, "line 1 "));
		fargs_ksyms_destroy(ks);
	}
}

/*
 * Lines as the kernel writes them are parsed eight bytes at a time. Returns the number of symbols
 * of a text whose only unusual part is @line; 0: it was rejected.
 */
static size_t count_with(const char *line)
{
	struct fargs_error_text err = { };
	struct fargs_ksyms *ks;
	char lines[2048];
	size_t nr;

	snprintf(lines, sizeof(lines), "ffffffff81000000 T first\n%s\n"
		 "ffffffffffffffff T last_of_all_symbols\n", line);
	ks = fargs_ksyms_parse(lines, strlen(lines), &err);
	if (!ks) {
		CHECK(strstr(err.text, "line 2 "));
		return 0;
	}
	nr = fargs_ksyms_count(ks);
	CHECK_STR(fargs_ksyms_at(ks, nr - 1)->name, "last_of_all_symbols");
	fargs_ksyms_destroy(ks);
	return nr;
}

static void every_digit_counts(void)
{
	char line[] = "ffffffff81234567 t name";
	struct fargs_ksyms *ks;
	unsigned int at, c;

	for (at = 0; at < 16; at++) {
		for (c = 1; c < 256; c++) {
			char digit[2] = { c };

			if (c == '\n')
				continue;
			memcpy(line, "ffffffff81234567", 16);
			line[at] = c;
			/* 16 digits of any case are a number. */
			CHECK_INT(count_with(line),
				  strspn(digit, "0123456789abcdefABCDEF") ? 3 : 0);
		}
	}
	ks = parse("fedcba9876543210 t down\n0123456789abcdef t up\nFFFFFFFF8123ABCD t large\n");
	REQUIRE(ks);
	CHECK(fargs_ksyms_at(ks, 0)->addr == 0x0123456789abcdef);
	CHECK(fargs_ksyms_at(ks, 1)->addr == 0xfedcba9876543210);
	CHECK(fargs_ksyms_at(ks, 2)->addr == 0xffffffff8123abcd);
	fargs_ksyms_destroy(ks);
}

static void unusual_lines(void)
{
	char line[1024], name[FARGS_KSYM_NAME_LEN + 1];
	struct fargs_ksyms *ks;
	size_t n;

	for (n = 1; n <= FARGS_KSYM_NAME_LEN; n++) {
		memset(name, 'n', n);
		name[n] = '\0';
		snprintf(line, sizeof(line), "ffffffff81000100 t %s", name);
		CHECK_INT(count_with(line), n < FARGS_KSYM_NAME_LEN ? 3 : 0);
		snprintf(line, sizeof(line), "ffffffff81000100 t %s\t[m]", name);
		CHECK_INT(count_with(line), n < FARGS_KSYM_NAME_LEN ? 3 : 0);
		snprintf(line, sizeof(line), "ffffffff81000100 t %s m", name);
		CHECK_INT(count_with(line), 0);
	}
	CHECK_INT(count_with("ffffffff81000100 t "), 0);
	CHECK_INT(count_with("ffffffff81000100 \x0a"), 0);
	CHECK_INT(count_with("ffffffff81000100t name"), 0);
	CHECK_INT(count_with("ffffffff81000100 tname"), 0);
	CHECK_INT(count_with("81000100 t short"), 3);
	CHECK_INT(count_with("ffffffff81000100 t \x01\xc3\xa4\xff"), 3);
	CHECK_INT(count_with(""), 2);
	ks = parse("ffffffff81000100 t a\x01\xc3\xa4\xff\nffffffff81000200 t \xc3\xa4long_name\n");
	REQUIRE(ks);
	CHECK_STR(fargs_ksyms_at(ks, 0)->name, "a\x01\xc3\xa4\xff");
	CHECK_STR(fargs_ksyms_at(ks, 1)->name, "\xc3\xa4long_name");
	fargs_ksyms_destroy(ks);
}

static void symbols_after_those_of_vmlinux_are_merged(void)
{
	static const char *const names[] = { "low", "a", "a_alias", "late_alias", "b", "mod_1",
					     "mod_2" };
	struct fargs_ksyms *ks = parse("ffffffff81000000 T a\nffffffff81000000 T a_alias\n"
				       "ffffffff81000200 T b\nffffffffc0000200 t mod_2\t[m]\n"
				       "ffffffffc0000100 t mod_1\t[m]\n"
				       "ffffffff81000000 t late_alias\t[bpf]\n"
				       "ffffffff80000000 t low\t[bpf]\n");
	size_t i;

	REQUIRE(ks);
	REQUIRE(fargs_ksyms_count(ks) == 7);
	for (i = 0; i < 7; i++)
		CHECK_STR(fargs_ksyms_at(ks, i)->name, names[i]);
	fargs_ksyms_destroy(ks);
}

static void the_only_symbol_of_a_name(void)
{
	struct fargs_ksyms *ks = parse(text);

	REQUIRE(ks);
	CHECK_STR(fargs_ksyms_find_only(ks, "late")->module, "mod_b");
	CHECK(fargs_ksyms_find_only(ks, "_text") == fargs_ksyms_at(ks, 0));
	/* Three functions have this name. */
	CHECK(!fargs_ksyms_find_only(ks, "helper"));
	CHECK(!fargs_ksyms_find_only(ks, "hel"));
	CHECK(!fargs_ksyms_find_only(ks, "data"));
	CHECK(!fargs_ksyms_find_only(ks, "_"));
	CHECK(!fargs_ksyms_find_only(ks, ""));
	fargs_ksyms_destroy(ks);
}

static void empty_is_an_error(void)
{
	struct fargs_error_text err = { };

	CHECK(!fargs_ksyms_parse("", 0, &err));
	CHECK(err.text[0]);
}

static void last_line_without_newline(void)
{
	struct fargs_ksyms *ks = parse("ffffffff81000000 T a\nffffffffc0000000 t b\t[m]");

	REQUIRE(ks);
	CHECK_INT(fargs_ksyms_count(ks), 2);
	CHECK_STR(fargs_ksyms_at(ks, 1)->module, "m");
	fargs_ksyms_destroy(ks);
}

static void lines_may_end_with_carriage_returns(void)
{
	struct fargs_ksyms *ks = parse("ffffffff81000000 T a\r\n\r\nffffffffc0000000 t b\t[m]\r\n"
				       "ffffffffc0000010 t last\t[m]\r");

	REQUIRE(ks);
	REQUIRE(fargs_ksyms_count(ks) == 3);
	CHECK_STR(fargs_ksyms_at(ks, 0)->name, "a");
	CHECK_STR(fargs_ksyms_at(ks, 1)->name, "b");
	CHECK_STR(fargs_ksyms_at(ks, 1)->module, "m");
	CHECK_STR(fargs_ksyms_at(ks, 2)->module, "m");
	fargs_ksyms_destroy(ks);
}

static void text_can_be_read_again(void)
{
	struct fargs_ksyms *ks = parse(text), *again;
	size_t size, i;
	char *out;

	REQUIRE(ks);
	out = fargs_ksyms_text(ks, &size);
	REQUIRE(out);
	CHECK_INT(strlen(out), size);
	again = parse(out);
	REQUIRE(again);
	REQUIRE(fargs_ksyms_count(again) == fargs_ksyms_count(ks));
	for (i = 0; i < fargs_ksyms_count(ks); i++) {
		CHECK_INT(fargs_ksyms_at(again, i)->addr, fargs_ksyms_at(ks, i)->addr);
		CHECK_STR(fargs_ksyms_at(again, i)->name, fargs_ksyms_at(ks, i)->name);
		CHECK_STR(fargs_ksyms_at(again, i)->module, fargs_ksyms_at(ks, i)->module);
	}
	fargs_ksyms_destroy(again);
	free(out);
	fargs_ksyms_destroy(ks);
}

static const struct ktap_test tests[] = {
	{ "text symbols are sorted by address", text_symbols_by_address },
	{ "finds objects by their address", objects_by_address },
	{ "data is not code, whatever its type", data_that_is_listed_as_code },
	{ "symbols of one name are found together", same_names_together },
	{ "an address belongs to the symbol before it", address_to_symbol },
	{ "of two names of an address the first one is used", first_name_of_an_address },
	{ "an address far from any symbol has none", far_addresses_have_no_symbol },
	{ "other modules have no symbol", other_modules_have_no_symbol },
	{ "ends of sections end functions", sections_end_functions },
	{ "data has no symbol, and ends functions", data_has_no_name_and_ends_functions },
	{ "data of modules ends functions, in any order", data_of_modules_ends_functions },
	{ "ends survive writing and reading", ends_can_be_read_again },
	{ "the last function has an end", the_last_function_ends },
	{ "freed init functions are not shown for another module's code",
	  freed_init_functions_name_no_other_module },
	{ "hidden addresses are reported as an error", hidden_addresses_are_told },
	{ "malformed lines are an error with their number", malformed_lines_are_told },
	{ "every digit of an address counts", every_digit_counts },
	{ "unusual lines are parsed like any other", unusual_lines },
	{ "symbols after those of vmlinux are merged with them",
	  symbols_after_those_of_vmlinux_are_merged },
	{ "finds the only symbol of a name", the_only_symbol_of_a_name },
	{ "a file without symbols is an error", empty_is_an_error },
	{ "the last line needs no newline", last_line_without_newline },
	{ "lines may end with carriage returns", lines_may_end_with_carriage_returns },
	{ "symbols survive writing and reading", text_can_be_read_again },
};

int main(void)
{
	return KTAP_RUN(tests);
}
