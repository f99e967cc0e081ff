// SPDX-License-Identifier: GPL-2.0-only
/* Tests the selection of functions by patterns, on a small simulated kernel. */
#include <errno.h>
#include <stdlib.h>

#include <bpf/btf.h>

#include "select/resolve/select.h"
#include "select/syntax/selector.h"
#include "uapi/fargs_layout.h"
#include "unit/ktap.h"

static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000010 T vfs_read\n"
	"ffffffff81000020 T vfs_write\n"
	"ffffffff81000030 T vfs_by_value\n"
	"ffffffff81000040 t unknown_asm\n"
	"ffffffff81000050 t notrace_one\n"
	"ffffffff81000060 t alike\n"
	"ffffffff81000070 t alike\n"
	"ffffffff81000080 t unlike\n"
	"ffffffff81000090 t unlike\n"
	"ffffffff810000a0 t hidden\n"
	"ffffffff810000b0 t hidden\n"
	"ffffffff810000c0 t twice\n"
	"ffffffff810000d0 t cloned.isra.0\n"
	"ffffffff810000e0 t vfs_read.cold\n"
	"ffffffff810000f0 T alias_one\n"
	"ffffffff810000f0 T alias_two\n"
	"ffffffff81000100 t known.constprop.0\n"
	"ffffffff81000110 t known.constprop.0.cold\n"
	"ffffffff81000120 t piece.part.0\n"
	"ffffffff81000130 T same_code\n"
	"ffffffff81000130 T unlike_code\n"
	"ffffffff81000140 T named_x\n"
	"ffffffff81000140 T named_y\n"
	"ffffffff81000140 T no_type\n"
	"ffffffff81000150 t both\n"
	"ffffffff81000160 t both.constprop.0\n"
	"ffffffff81000170 t bothered\n"
	"ffffffffc0000000 t helper\t[mod_a]\n"
	"ffffffffc0000010 t vfs_read\t[mod_a]\n"
	"ffffffffc0001000 t helper\t[mod_b]\n"
	"ffffffffc0002000 t helper\t[no_btf]\n";

static const char traceable[] =
	"vfs_read\nvfs_write\nvfs_by_value\nunknown_asm\nalike\nunlike\nhidden\ntwice\ncloned.isra.0\n"
	"known.constprop.0\npiece.part.0\nsame_code\nnamed_x\nnamed_y\n"
	"both\nbothered\n"
	"alias_one\nhelper [mod_a]\nvfs_read [mod_a]\nhelper [mod_b]\nhelper [no_btf]\n";

struct machine {
	struct fargs_ksyms *ksyms;
	struct fargs_btfs *btfs;
	struct fargs_avail *avail;
};

static int add_func(struct btf *b, const char *name, const char *param, int type)
{
	int proto = btf__add_func_proto(b, 0);

	btf__add_func_param(b, param, type);
	return btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

static void machine_init(struct machine *m, bool is_consistent)
{
	static const char *const modules[] = { "mod_a", "mod_b" };
	struct btf *b = btf__new_empty(), *split;
	int s32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int u64 = btf__add_int(b, "long", 8, 0);
	int st = btf__add_struct(b, "s", 8), func;
	const void *raw;
	uint32_t size;
	size_t i;

	add_func(b, "vfs_read", "count", u64);
	func = add_func(b, "vfs_write", "count", u64);
	add_func(b, "vfs_by_value", "s", st);
	add_func(b, "notrace_one", "x", s32);
	/*
	 * Names of two functions each: "alike" has two types with the same layout; "unlike" has two
	 * types with different layouts; "hidden" has only one type.
	 */
	add_func(b, "alike", "x", s32);
	add_func(b, "alike", "x", btf__add_typedef(b, "s32", s32));
	add_func(b, "unlike", "x", s32);
	add_func(b, "unlike", "x", u64);
	add_func(b, "hidden", "x", s32);
	/* "twice" is one function with two types. */
	add_func(b, "twice", "x", s32);
	add_func(b, "twice", "y", s32);
	add_func(b, "cloned", "x", s32);
	add_func(b, "both", "x", s32);
	add_func(b, "bothered", "x", s32);
	add_func(b, "alias_one", "x", s32);
	add_func(b, "alias_two", "x", s32);
	/*
	 * A name as encoded with pahole's true_signature, and a name with a dot that is a fragment.
	 */
	add_func(b, "known.constprop.0", "x", s32);
	add_func(b, "piece.part.0", "x", s32);
	/*
	 * Pairs of functions at the same address: one pair has an int and a long argument, the
	 * other pair has arguments named x and y.
	 */
	add_func(b, "same_code", "x", s32);
	add_func(b, "unlike_code", "x", u64);
	add_func(b, "named_x", "x", s32);
	add_func(b, "named_y", "y", s32);
	if (is_consistent)
		btf__add_decl_tag(b, "bpf_kfunc", func, -1);

	m->ksyms = fargs_ksyms_parse(kallsyms, strlen(kallsyms), NULL);
	m->avail = fargs_avail_parse(traceable, strlen(traceable), NULL);
	m->btfs = fargs_btfs_create();
	raw = btf__raw_data(b, &size);
	fargs_btfs_add(m->btfs, "vmlinux", raw, size, NULL);
	for (i = 0; i < 2; i++) {
		split = btf__new_empty_split(b);
		add_func(split, "helper", i ? "b" : "a", i ? s32 : u64);
		if (!i)
			add_func(split, "vfs_read", "of_module", s32);
		raw = btf__raw_data(split, &size);
		if (fargs_btfs_add(m->btfs, modules[i], raw, size, NULL))
			ktap_fail(__FILE__, __LINE__, "no BTF of a module");
		btf__free(split);
	}
	btf__free(b);
}

static void machine_deinit(struct machine *m)
{
	fargs_ksyms_destroy(m->ksyms);
	fargs_avail_destroy(m->avail);
	fargs_btfs_destroy(m->btfs);
}

/*
 * Returns the names that @pattern selects on @m, except those that @unwanted excludes; or the
 * error.
 */
static const char *matched_on(struct machine *m, const char *pattern, const char *unwanted)
{
	static char text[1024];
	struct fargs_patterns patterns = {
		.wanted = &pattern, .nr_wanted = 1,
		.unwanted = &unwanted, .nr_unwanted = unwanted ? 1 : 0,
	};
	struct fargs_error_text err = { };
	struct fargs_select *sel = fargs_select_create(&patterns, m->ksyms, m->btfs, m->avail,
						       &err);
	size_t i, used = 0;

	text[0] = '\0';
	if (!sel) {
		snprintf(text, sizeof(text), "error: %.1000s", err.text);
		return text;
	}
	for (i = 0; i < sel->nr_matches; i++) {
		const struct fargs_ksym *sym = sel->matches[i].sym;

		used += snprintf(text + used, sizeof(text) - used, "%s%s%s%s", i ? " " : "",
				 sym->module ? sym->module : "", sym->module ? ":" : "", sym->name);
	}
	if (sel->layouts.nr != sel->nr_matches)
		ktap_fail(__FILE__, __LINE__, "%zu layouts", sel->layouts.nr);
	fargs_select_destroy(sel);
	return text;
}

static const char *matched(const char *pattern)
{
	const char *text;
	struct machine m;

	machine_init(&m, false);
	text = matched_on(&m, pattern, NULL);
	machine_deinit(&m);
	return text;
}

/* Returns the number of candidate addresses, if there are at most @max; else -errno. */
static long nr_candidates(const char *pattern, const char *scope, size_t max)
{
	struct fargs_patterns patterns = {
		.wanted = &pattern, .nr_wanted = 1,
		.scopes = &scope, .nr_scopes = scope ? 1 : 0,
	};
	struct fargs_rules rules;
	uint64_t *addrs;
	struct machine m;
	size_t nr, i;
	int ret;

	machine_init(&m, false);
	if (fargs_rules_init(&rules, &patterns, NULL))
		ktap_fail(__FILE__, __LINE__, "cannot read %s", pattern);
	ret = fargs_select_candidates(&rules, m.ksyms, max, &addrs, &nr, NULL);
	fargs_rules_deinit(&rules);
	for (i = 1; !ret && i < nr; i++)
		CHECK(addrs[i - 1] < addrs[i]);
	free(addrs);
	machine_deinit(&m);
	return ret ? ret : (long)nr;
}

static void candidates(void)
{
	CHECK_INT(nr_candidates("vfs_write", NULL, 10), 1);
	CHECK_INT(nr_candidates("vfs_*", NULL, 10), 5);
	CHECK_INT(nr_candidates("vfs_*", NULL, 5), 5);
	CHECK_INT(nr_candidates("vfs_*", NULL, 4), -E2BIG);
	CHECK_INT(nr_candidates("vfs_write", "vfs_read", 10), 3);
	CHECK_INT(nr_candidates("alias_*", NULL, 10), 1);
	CHECK_INT(nr_candidates("no_such", NULL, 10), 0);
}

static void exact_name(void)
{
	CHECK_STR(matched("vfs_write"), "vfs_write");
}

static void name_everywhere(void)
{
	CHECK_STR(matched("vfs_read"), "vfs_read mod_a:vfs_read");
	CHECK_STR(matched("vfs_*"), "vfs_read vfs_write mod_a:vfs_read");
}

static void name_in_a_module(void)
{
	CHECK_STR(matched("mod_a:*"), "mod_a:helper mod_a:vfs_read");
	CHECK_STR(matched("mod_?:helper"), "mod_a:helper mod_b:helper");
	CHECK_STR(matched("vmlinux:vfs_read"), "vfs_read");
}

static void each_module_has_its_type(void)
{
	const char *pattern = "helper";
	const struct fargs_patterns patterns = { .wanted = &pattern, .nr_wanted = 1 };
	struct fargs_select *sel;
	struct machine m;

	machine_init(&m, false);
	sel = fargs_select_create(&patterns, m.ksyms, m.btfs, m.avail, NULL);
	REQUIRE(sel);
	REQUIRE(sel->nr_matches == 2);
	CHECK_STR((char *)sel->layouts.data + sel->matches[0].offset + 72, "a");
	CHECK_STR((char *)sel->layouts.data + sel->matches[1].offset + 72, "b");
	fargs_select_destroy(sel);
	machine_deinit(&m);
}

static void test_exclusion(void)
{
	struct machine m;

	machine_init(&m, false);
	CHECK_STR(matched_on(&m, "vfs_*", "*write"), "vfs_read mod_a:vfs_read");
	CHECK_STR(matched_on(&m, "vfs_*", "mod_a:*"), "vfs_read vfs_write");
	CHECK_STR(matched_on(&m, "vfs_write", "vfs_*"),
		  "error: '-n' excludes everything that 'vfs_write' matches");
	machine_deinit(&m);
}

static void unknown_name_offers_near_ones(void)
{
	CHECK_STR(matched("vfs_raed"),
		  "error: there is no function 'vfs_raed': did you mean vfs_read?");
}

static void unknown_glob_and_module(void)
{
	CHECK_STR(matched("zz*"), "error: no function matches 'zz*'");
	CHECK_STR(matched("nosuch:vfs_read"),
		  "error: 'nosuch:vfs_read': no module 'nosuch' is loaded");
}

static void refused_name_tells_why(void)
{
	CHECK(strstr(matched("vfs_by_value"),
		     "'vfs_by_value' cannot be traced: it takes a struct"));
	CHECK(strstr(matched("notrace_one"), "ftrace cannot attach to it"));
	CHECK(strstr(matched("unknown_asm"), "BTF does not describe it"));
	CHECK(strstr(matched("no_btf:helper"), "its module has no BTF"));
}

static void clones_need_btf_of_their_own(void)
{
	struct machine m;

	CHECK(strstr(matched("cloned"), "exists only as 'cloned.isra.0': a clone"));
	CHECK(strstr(matched("cloned.isra.0"), "'cloned.isra.0' cannot be traced: a clone"));
	CHECK_STR(matched("known.constprop.0"), "known.constprop.0");
	CHECK_STR(matched("known*"), "known.constprop.0");
	CHECK(strstr(matched("known"), "write 'known.constprop.0'"));
	CHECK(strstr(matched("piece"), "exists only as 'piece.part.0': a fragment"));
	CHECK(strstr(matched("piece.part.0"), "a fragment that the compiler split off"));
	/* It is unknown whether the type in BTF is that of the function or of its clone. */
	CHECK(strstr(matched("both"), "several functions have this name"));
	CHECK_STR(matched("bothered"), "bothered");
	/* BTF whose encoder compared the types of all functions still does not describe clones. */
	machine_init(&m, true);
	CHECK_STR(matched_on(&m, "both", NULL), "both");
	CHECK(strstr(matched_on(&m, "cloned.isra.0", NULL), "a clone"));
	machine_deinit(&m);
}

static void aliases_must_be_passed_alike(void)
{
	struct machine m;

	CHECK(strstr(matched("same_code"),
		     "another function at its address has different arguments"));
	/* tracefs lists an address with only one of its names; the check must not depend on it. */
	machine_init(&m, false);
	fargs_avail_destroy(m.avail);
	m.avail = NULL;
	CHECK(strstr(matched_on(&m, "unlike_code", NULL), "another function at its address"));
	CHECK(strstr(matched_on(&m, "*_code", NULL), "no function that matches"));
	machine_deinit(&m);
	CHECK_STR(matched("named_x"), "named_x");
	CHECK_STR(matched("named_y"), "named_y");
	CHECK_STR(matched("named_*"), "named_x");
}

static void glob_of_refused_only(void)
{
	CHECK(strstr(matched("*by_val*"), "error: no function that matches"));
}

static void ambiguity_without_proof(void)
{
	CHECK_STR(matched("alike"), "alike alike");
	CHECK(strstr(matched("unlike"), "several functions have this name"));
	/*
	 * There is one type for two functions: the encoder may have dropped the type of the other.
	 */
	CHECK(strstr(matched("hidden"), "several functions have this name"));
	CHECK(strstr(matched("twice"), "several functions have this name"));
}

static void ambiguity_with_consistent_btf(void)
{
	struct machine m;

	machine_init(&m, true);
	CHECK_STR(matched_on(&m, "hidden", NULL), "hidden hidden");
	CHECK_STR(matched_on(&m, "alike", NULL), "alike alike");
	CHECK(strstr(matched_on(&m, "unlike", NULL), "several functions have this name"));
	machine_deinit(&m);
}

static void aliases_give_one_probe(void)
{
	struct machine m;

	machine_init(&m, false);
	fargs_avail_destroy(m.avail);
	m.avail = NULL;
	CHECK_STR(matched_on(&m, "alias_*", NULL), "alias_one");
	CHECK_STR(matched_on(&m, "alias_two", NULL), "alias_two");
	machine_deinit(&m);
}

static void without_tracefs_the_module_decides(void)
{
	struct machine m;

	machine_init(&m, false);
	fargs_avail_destroy(m.avail);
	m.avail = NULL;
	CHECK_STR(matched_on(&m, "notrace_one", NULL), "notrace_one");
	machine_deinit(&m);
}

static void refused_are_listed(void)
{
	const char *pattern = "vfs_*";
	const struct fargs_patterns patterns = { .wanted = &pattern, .nr_wanted = 1 };
	struct fargs_select *sel;
	struct machine m;

	machine_init(&m, false);
	sel = fargs_select_survey(&patterns, m.ksyms, m.btfs, m.avail, NULL);
	REQUIRE(sel);
	/* vfs_read.cold is ignored, because neither ftrace nor BTF has it. */
	REQUIRE(sel->nr_refused == 1);
	CHECK_STR(sel->refused[0].sym->name, "vfs_by_value");
	CHECK_INT(sel->refused[0].why, FARGS_REFUSAL_AGGREGATE);
	fargs_select_destroy(sel);
	machine_deinit(&m);
}

static void bad_patterns(void)
{
	CHECK(strstr(matched(""), "error: '', column 1: the name of a function is missing"));
	CHECK(strstr(matched("mod:"), "error: 'mod:' does not name a function"));
	CHECK(strstr(matched(":x"), "error: ':x' does not name a function"));
	CHECK(strstr(matched("a b"),
		     "error: 'a b', column 3: expected '(', '->' or the end"));
}

/*
 * Returns the layout of the only function that @patterns select on the usual machine; NULL with the
 * error.
 */
static const struct fargs_layout *only_layout(const struct fargs_patterns *patterns,
					      struct fargs_error_text *err)
{
	static struct fargs_layout layout;
	struct fargs_select *sel;
	struct machine m;

	machine_init(&m, false);
	sel = fargs_select_create(patterns, m.ksyms, m.btfs, m.avail, err);
	machine_deinit(&m);
	if (!sel)
		return NULL;
	CHECK_INT(sel->nr_matches, 1);
	memcpy(&layout, sel->layouts.data, sizeof(layout));
	CHECK_INT(layout.size, sel->layouts.bytes);
	fargs_select_destroy(sel);
	return &layout;
}

static void selectors(void)
{
	CHECK_STR(matched("vmlinux:vfs_read(count > 1)"), "vfs_read");
	CHECK_STR(matched("vfs_*(count:x)"), "vfs_read vfs_write");
	CHECK_STR(matched("vfs_*(of_module < 0)"), "mod_a:vfs_read");
	CHECK_STR(matched("vfs_write()"), "vfs_write");
}

static void selectors_that_make_no_sense(void)
{
	CHECK(strstr(matched("vfs_write(cuont)"), "error: 'vfs_write(cuont)', column 11: vfs_write "
		     "has no argument 'cuont'; did you mean 'count'?"));
	CHECK(strstr(matched("vfs_*(nothing == 1)"), "column 7: 'nothing' is neither an argument"));
	CHECK(strstr(matched("vfs_write(count"), "column 16: an operator, ',' or ')' is missing"));
	/*
	 * The error with the largest column is reported: in mod_a, vfs_read has no argument count.
	 */
	CHECK(strstr(matched("vfs_*(count == 1 && count > \"\")"),
		     "column 29: a string can only be compared using"));
}

/*
 * Tests a selector on a name with two types: even if arguments are passed alike, they may point to
 * different structs.
 */
static void selectors_need_certain_types(void)
{
	CHECK(strstr(matched("alike(x > 1)"), "several functions are called 'alike'"));
	CHECK_STR(matched("alike()"), "alike alike");
}

static void exact_selectors_come_first(void)
{
	static const char *const wanted[] = { "vmlinux:vfs_re*(count > 1) -> count > 2",
					      "vmlinux:vfs_read(count:x)" };
	struct fargs_patterns patterns = { .wanted = wanted, .nr_wanted = 2 };
	const struct fargs_layout *layout = only_layout(&patterns, NULL);

	REQUIRE(layout);
	CHECK_INT(layout->flags, 0);
	CHECK_INT(layout->nr_insns[0], 0);
	CHECK_INT(layout->nr_insns[1], 2);
	patterns.nr_wanted = 1;
	layout = only_layout(&patterns, NULL);
	REQUIRE(layout);
	CHECK_INT(layout->flags, FARGS_LAYOUT_RETURN);
	/* ARG, JIF, REJECT, ACCEPT, REJECT */
	CHECK_INT(layout->nr_insns[0], 5);
	CHECK_INT(layout->nr_insns[1], 0);
}

/*
 * Returns the error or the overlaps of the selectors @a and @b, each of which is valid by itself.
 */
static const char *told_of_both(const char *a, const char *b)
{
	const char *const wanted[] = { a, b };
	const struct fargs_patterns patterns = { .wanted = wanted, .nr_wanted = 2 };
	struct fargs_error_text err = { };
	struct fargs_select *sel;
	static char text[1024];
	struct machine m;

	machine_init(&m, false);
	sel = fargs_select_create(&patterns, m.ksyms, m.btfs, m.avail, &err);
	text[0] = '\0';
	if (!sel)
		snprintf(text, sizeof(text), "error: %.1000s", err.text);
	else if (sel->nr_overlaps == 1)
		snprintf(text, sizeof(text), "%zu of %.400s by %.400s", sel->overlaps[0].nr,
			 sel->overlaps[0].text, sel->overlaps[0].by);
	else if (sel->nr_overlaps)
		strcpy(text, "more");
	fargs_select_destroy(sel);
	machine_deinit(&m);
	return text;
}

static void two_selectors_for_one_function(void)
{
	CHECK_STR(told_of_both("vfs_write(count > 1)", "vfs_write(count > 2)"),
		  "error: 'vfs_write(count > 1)' and 'vfs_write(count > 2)' name the same "
		  "function: combine them into one selector, and join their conditions with '||'");
	CHECK(strstr(told_of_both("vfs_write", "vfs_write -> ret"), "name the same function"));
	CHECK(strstr(told_of_both("vfs_write(count:x)", "vfs_write"), "name the same function"));
	/* Selectors that differ only in their spelling are the same. */
	CHECK_STR(told_of_both("vfs_write(count > 4k)", "vfs_write( (count>0x1000) )"), "");
	CHECK_STR(told_of_both("vfs_write", "vfs_write()"), "");
	/* A more specific selector takes precedence, which is not reported. */
	CHECK_STR(told_of_both("vfs_w*(count > 1)", "vfs_write(count > 2)"), "");
	CHECK_STR(told_of_both("vfs_write(count > 1)", "vmlinux:vfs_write(count > 2)"), "");
	/*
	 * Both selectors are valid on the two functions of vmlinux with an argument count, and on
	 * none of mod_a.
	 */
	CHECK_STR(told_of_both("vfs_*(count > 1)", "*_r*(count > 2)"),
		  "1 of *_r*(count > 2) by vfs_*(count > 1)");
	CHECK_STR(told_of_both("vfs_*(count > 1)", "vfs_*(count > 2)"),
		  "2 of vfs_*(count > 2) by vfs_*(count > 1)");
	CHECK_STR(told_of_both("vfs_*(count > 1)", "v*(count > 1)"), "");
	/* Where the first selector is invalid, the second applies without an overlap. */
	CHECK_STR(told_of_both("vfs_*(of_module == 1)", "vfs_*(count > 2)"), "");
}

static void a_module_comes_before_none(void)
{
	static const char *const wanted[] = { "vfs_write(count > 1)", "vmlinux:vfs_write" };
	struct fargs_patterns patterns = { .wanted = wanted, .nr_wanted = 2 };
	const struct fargs_layout *layout = only_layout(&patterns, NULL);

	REQUIRE(layout);
	CHECK_INT(layout->nr_insns[0], 0);
}

static void filters_are_in_each_layout(void)
{
	const char *plain = "vfs_write";
	struct fargs_selector filter;
	struct fargs_diagnostic diagnostic = { };
	struct fargs_bind_options options = {
		.str_cap = 256, .mem_cap = 256, .filters = &filter, .nr_filters = 1,
	};
	struct fargs_patterns patterns = {
		.wanted = &plain, .nr_wanted = 1, .options = &options,
	};
	const struct fargs_layout *layout;

	REQUIRE(!fargs_selector_init_filter(&filter, "$cpu == 1", &diagnostic));
	layout = only_layout(&patterns, NULL);
	fargs_selector_deinit(&filter);
	REQUIRE(layout);
	/* CTX, AND, JIF, REJECT, ACCEPT, REJECT */
	CHECK_INT(layout->nr_insns[0], 6);
}

/*
 * Returns the number of scope conditions of a layout, each of which ends in ACCEPT; -1: the layout
 * is not a scope.
 */
static int count_conditions(const struct fargs_select *sel, const struct fargs_match *match)
{
	const unsigned char *at = sel->layouts.data + match->offset;
	struct fargs_layout layout;
	struct fargs_insn insn;
	int i, nr = 0;

	memcpy(&layout, at, sizeof(layout));
	if (!(layout.flags & FARGS_LAYOUT_SCOPE))
		return -1;
	at += sizeof(layout) + layout.nr_stores * sizeof(struct fargs_store);
	for (i = 0; i < FARGS_PROG_SCOPE; i++)
		at += layout.nr_insns[i] * sizeof(insn);
	for (i = 0; i < layout.nr_insns[FARGS_PROG_SCOPE]; i++, at += sizeof(insn)) {
		memcpy(&insn, at, sizeof(insn));
		nr += insn.op == FARGS_OP_ACCEPT;
	}
	CHECK_INT(!!(layout.flags & FARGS_LAYOUT_SILENT), match->is_silent);
	return nr;
}

/* Writes a description of @match to @text. */
typedef void (*show_fn)(const struct fargs_select *sel, const struct fargs_match *match, char *text,
			size_t size);

/* Returns what @patterns select, each match as written by @tell; or the error. */
static const char *show_matches(const struct fargs_patterns *patterns, show_fn tell)
{
	static char text[1024];
	struct fargs_error_text err = { };
	struct fargs_select *sel;
	size_t i, used = 0;
	struct machine m;

	machine_init(&m, false);
	sel = fargs_select_create(patterns, m.ksyms, m.btfs, m.avail, &err);
	text[0] = '\0';
	if (!sel)
		snprintf(text, sizeof(text), "error: %.1000s", err.text);
	for (i = 0; sel && i < sel->nr_matches; i++) {
		used += snprintf(text + used, sizeof(text) - used, "%s", i ? " " : "");
		tell(sel, &sel->matches[i], text + used, sizeof(text) - used);
		used += strlen(text + used);
	}
	if (sel && sel->layouts.nr != sel->nr_matches)
		ktap_fail(__FILE__, __LINE__, "%zu layouts", sel->layouts.nr);
	fargs_select_destroy(sel);
	machine_deinit(&m);
	return text;
}

/*
 * Writes the name and the number of scope conditions, in parentheses if the function is not
 * recorded.
 */
static void show_scope(const struct fargs_select *sel, const struct fargs_match *match, char *text,
		       size_t size)
{
	int nr = count_conditions(sel, match);
	char conditions[16] = "";

	if (nr >= 0)
		snprintf(conditions, sizeof(conditions), "/%d", nr);
	snprintf(text, size, match->is_silent ? "(%s%s)" : "%s%s", match->sym->name, conditions);
}

/* Returns what -f @wanted -n @unwanted --under @a --under @b select. */
static const char *matched_under(const char *wanted, const char *unwanted, const char *a,
				 const char *b)
{
	const char *const scopes[2] = { a, b };
	const struct fargs_patterns patterns = {
		.wanted = &wanted, .nr_wanted = 1,
		.unwanted = &unwanted, .nr_unwanted = unwanted ? 1 : 0,
		.scopes = scopes, .nr_scopes = b ? 2 : 1,
	};

	return show_matches(&patterns, show_scope);
}

static void scopes(void)
{
	CHECK_STR(matched_under("vfs_write", NULL, "bothered", NULL), "vfs_write (bothered/0)");
	CHECK_STR(matched_under("vfs_write", NULL, "bothered(x == 1)", NULL),
		  "vfs_write (bothered/1)");
	CHECK_STR(matched_under("vmlinux:vfs_*", NULL, "vfs_write", NULL), "vfs_read vfs_write/0");
	CHECK_STR(matched_under("vfs_write(count > 1) -> $duration > 1ms", NULL,
				"vfs_write(count == 9)", NULL), "vfs_write/1");
	CHECK_STR(matched_under("vmlinux:vfs_*", "vfs_read", "vmlinux:vfs_read", NULL),
		  "(vfs_read/0) vfs_write");
}

/*
 * Tests a function that is both recorded and a scope: its record has the condition of the selector
 * that takes precedence.
 */
static void scopes_beside_selectors(void)
{
	static const char *const wanted[] = { "vfs_w*(count > 1)", "vfs_wr*(count:x)" };
	static const char *const scope[] = { "vfs_write(count == 9)" };
	const struct fargs_patterns patterns = {
		.wanted = wanted, .nr_wanted = 2, .scopes = scope, .nr_scopes = 1,
	};
	struct fargs_error_text err = { };
	const struct fargs_layout *layout = only_layout(&patterns, &err);

	REQUIRE(layout);
	CHECK_INT(layout->flags, FARGS_LAYOUT_SCOPE);
	CHECK_INT(layout->nr_insns[FARGS_PROG_ENTRY_PREDICATE], 5);
	CHECK_INT(layout->nr_insns[FARGS_PROG_ENTRY_FETCH], 0);
	CHECK(layout->nr_insns[FARGS_PROG_SCOPE] > 0);
}

static void scopes_of_one_function(void)
{
	CHECK_STR(matched_under("vfs_write", NULL, "bother*(x == 1)", "bothered(x == 2)"),
		  "vfs_write (bothered/2)");
	CHECK_STR(matched_under("vfs_write", NULL, "bother*(x == 1)", "bothered"),
		  "vfs_write (bothered/0)");
	CHECK_STR(matched_under("vfs_write", NULL, "bothered", "bother*(x == 1)"),
		  "vfs_write (bothered/0)");
	/* A glob is a scope only for functions on which its condition is valid. */
	CHECK_STR(matched_under("vfs_write", NULL, "vmlinux:*(count == 1)", NULL),
		  "(vfs_read/1) vfs_write/1");
}

/* Tests a scope without a condition: the types of the function need not be known. */
static void scopes_without_types(void)
{
	CHECK_STR(matched_under("vfs_write", NULL, "unknown_asm", NULL),
		  "vfs_write (unknown_asm/0)");
	CHECK_STR(matched_under("vfs_write", NULL, "unlike", NULL),
		  "vfs_write (unlike/0) (unlike/0)");
	CHECK_STR(matched_under("vfs_write", NULL, "vfs_by_value", NULL),
		  "vfs_write (vfs_by_value/0)");
	CHECK(strstr(matched_under("vfs_write", NULL, "unlike(x == 1)", NULL),
		     "error: 'unlike' cannot be traced: "));
	CHECK(strstr(matched_under("vfs_write", NULL, "alike(x == 1)", NULL),
		     "several functions are called 'alike'"));
}

static void scopes_by_another_name(void)
{
	CHECK_STR(matched_under("vfs_write", NULL, "alias_two", NULL), "vfs_write (alias_one/0)");
	CHECK_STR(matched_under("alias_one", NULL, "alias_two", NULL), "alias_one/0");
	CHECK_STR(matched_under("named_y", NULL, "named_x(x == 1)", NULL),
		  "error: 'named_x(x == 1)', column 9: 'x' is neither an argument of named_y "
		  "nor a constant; did you mean 'y'?\n    named_x(x == 1)\n            ^");
}

/*
 * Writes the name with marks: "!": triggers; "-": other calls are not recorded; "=": has a return
 * probe.
 */
static void show_trigger(const struct fargs_select *sel, const struct fargs_match *match,
			 char *text, size_t size)
{
	struct fargs_layout layout;

	memcpy(&layout, sel->layouts.data + match->offset, sizeof(layout));
	CHECK(!match->is_silent);
	snprintf(text, size, "%s%s%s%s", match->sym->name,
		 layout.flags & FARGS_LAYOUT_TRIGGER ? "!" : "",
		 layout.nr_insns[FARGS_PROG_ENTRY_PREDICATE] == 1 ? "-" : "",
		 layout.flags & FARGS_LAYOUT_RETURN ? "=" : "");
}

/* Returns what -f @wanted -n @unwanted --trigger @a --trigger @b select. */
static const char *matched_triggers(const char *wanted, const char *unwanted, const char *a,
				    const char *b)
{
	const char *const triggers[2] = { a, b };
	const struct fargs_patterns patterns = {
		.wanted = &wanted, .nr_wanted = 1,
		.unwanted = &unwanted, .nr_unwanted = unwanted ? 1 : 0,
		.triggers = triggers, .nr_triggers = b ? 2 : 1,
	};

	return show_matches(&patterns, show_trigger);
}

static void triggers(void)
{
	CHECK_STR(matched_triggers("vfs_write", NULL, "bothered", NULL), "vfs_write bothered!-");
	CHECK_STR(matched_triggers("vfs_write", NULL, "bothered(x == 1) -> ret", NULL),
		  "vfs_write bothered!-=");
	CHECK_STR(matched_triggers("vmlinux:vfs_*", NULL, "vfs_write(count == 9)", NULL),
		  "vfs_read vfs_write!");
	CHECK_STR(matched_triggers("vmlinux:vfs_*", "vfs_write", "vfs_write(count == 9)", NULL),
		  "vfs_read vfs_write!-");
	CHECK_STR(matched_triggers("vmlinux:vfs_read", NULL, "vmlinux:vfs_*(count == 9)", NULL),
		  "vfs_read! vfs_write!-");
	CHECK_STR(matched_triggers("vmlinux:vfs_read", NULL, "vfs_write(count == 9)",
				   "vfs_w*(count == 1)"),
		  "vfs_read vfs_write!-");
	CHECK_STR(matched_triggers("vfs_write", NULL, "alias_two", NULL), "vfs_write alias_one!-");
	CHECK_STR(matched_triggers("alias_one", NULL, "alias_two", NULL), "alias_one!");
	/* A function can be a trigger even if the selector of -f is invalid on it. */
	CHECK_STR(matched_triggers("vmlinux:*(count == 1)", NULL, "bothered(x == 1)", NULL),
		  "vfs_read vfs_write bothered!-");
}

static void triggers_that_make_no_sense(void)
{
	CHECK(strstr(matched_triggers("vfs_write", NULL, "bothered(y == 1)", NULL),
		     "column 10: 'y' is neither an argument of bothered"));
	CHECK(strstr(matched_triggers("vfs_write", NULL, "unknown_asm", NULL),
		     "error: 'unknown_asm' cannot be traced: "));
	CHECK(strstr(matched_triggers("vfs_write", NULL, "alike(x == 1)", NULL),
		     "several functions are called 'alike'"));
	CHECK(strstr(matched_triggers("vfs_write", NULL, "nothing_is", NULL),
		     "error: there is no function 'nothing_is'"));
	CHECK(strstr(matched_triggers("vfs_write", NULL, "bothered(x == ", NULL), "error: "));
	CHECK(strstr(matched_triggers("vfs_write", NULL, "bothered(x == 1)",
				      "bothered -> $duration > 1s"),
		     "one of which needs its return"));
}

static void scopes_that_make_no_sense(void)
{
	CHECK(strstr(matched_under("vfs_write", NULL, "bothered(x)", NULL),
		     "error: 'bothered(x)', column 10: calls of this function are not recorded"));
	CHECK(strstr(matched_under("vfs_write", NULL, "bothered -> ret == 1", NULL),
		     "column 17: the condition is evaluated at the call"));
	CHECK(strstr(matched_under("vfs_write", NULL, "bothered -> ret", NULL),
		     "column 13: the condition is evaluated at the call"));
	CHECK(strstr(matched_under("vfs_write", NULL, "bothered($duration > 1s)", NULL),
		     "the condition is evaluated at the call"));
	CHECK(strstr(matched_under("vfs_write", NULL, "bothered(y == 1)", NULL),
		     "column 10: 'y' is neither an argument of bothered"));
	CHECK(strstr(matched_under("vfs_write", NULL, "notrace_one", NULL),
		     "error: 'notrace_one' cannot be traced: ftrace cannot attach to it"));
	CHECK(strstr(matched_under("vfs_write", NULL, "bothred", NULL),
		     "error: there is no function 'bothred': did you mean "));
	CHECK(strstr(matched_under("vfs_write", NULL, "piece.part.0", NULL),
		     "error: 'piece.part.0' cannot be traced: "));
}

/* Returns the error for @pattern with @options; "": the function can be traced. */
static const char *told_with(const char *pattern, const struct fargs_bind_options *options)
{
	const struct fargs_patterns patterns = {
		.wanted = &pattern, .nr_wanted = 1, .options = options,
	};
	static struct fargs_error_text err;
	struct fargs_select *sel;
	struct machine m;

	machine_init(&m, false);
	err.text[0] = '\0';
	sel = fargs_select_create(&patterns, m.ksyms, m.btfs, m.avail, &err);
	fargs_select_destroy(sel);
	machine_deinit(&m);
	return err.text;
}

static void records_have_a_cap(void)
{
	struct fargs_bind_options options = { .str_cap = 256, .mem_cap = 256, .record_cap = 64 };

	/*
	 * The header has 48 bytes; "count" with its NUL, type and data 15; the end 2; rounded up to
	 * a multiple of 8.
	 */
	options.record_cap = 71;
	CHECK(strstr(told_with("vfs_write", &options), "would be longer than 71 bytes"));
	options.record_cap = 72;
	CHECK_STR(told_with("vfs_write", &options), "");
}

static void what_returns_no_error(void)
{
	const struct fargs_bind_options options = {
		.str_cap = 256, .mem_cap = 256, .is_only_errors = true,
	};

	/* None of the functions that are selected here returns a value. */
	CHECK(strstr(told_with("vfs_write", &options), "'vfs_write' cannot be traced: "));
	CHECK(strstr(told_with("vfs_write", &options), "--only-errors"));
	CHECK(strstr(told_with("vmlinux:vfs_*e", &options),
		     "no function that matches 'vmlinux:vfs_*e' can be traced (matches: 2); "
		     "reason for the first: "));
}

/*
 * Returns what @pattern selects on @m with --any; "?": without its arguments. Checks that each
 * match has its layout, in order.
 */
static const char *matched_any(struct machine *m, const char *pattern)
{
	static char text[1024];
	const struct fargs_patterns patterns = {
		.wanted = &pattern, .nr_wanted = 1, .is_any = true,
	};
	struct fargs_error_text err = { };
	struct fargs_select *sel = fargs_select_create(&patterns, m->ksyms, m->btfs, m->avail,
						       &err);
	size_t i, used = 0, at = 0;
	struct fargs_layout head;

	snprintf(text, sizeof(text), "error: %.1000s", err.text);
	for (i = 0; sel && i < sel->nr_matches; i++, at += head.size) {
		const struct fargs_match *match = &sel->matches[i];

		memcpy(&head, sel->layouts.data + at, sizeof(head));
		CHECK_INT(match->offset, at);
		CHECK_INT(head.addr, match->sym->addr);
		CHECK_INT(!head.nr_stores, match->is_unproven);
		CHECK_INT(!match->func_id, match->is_unproven);
		used += snprintf(text + used, sizeof(text) - used, "%s%s%s", i ? " " : "",
				 match->sym->name, match->is_unproven ? "?" : "");
	}
	if (sel) {
		CHECK_INT(sel->layouts.nr, sel->nr_matches);
		CHECK_INT(sel->layouts.bytes, at);
	}
	fargs_select_destroy(sel);
	return text;
}

static void unproven(void)
{
	struct machine m;

	machine_init(&m, false);
	CHECK_STR(matched_any(&m, "*"),
		  "vfs_read vfs_write vfs_by_value? unknown_asm? alike "
		  "alike unlike? unlike? hidden? "
		  "hidden? twice? cloned.isra.0? alias_one known.constprop.0 "
		  "piece.part.0? same_code? named_x both? bothered helper vfs_read helper "
		  "helper?");
	CHECK_STR(matched_any(&m, "hidden"), "hidden? hidden?");
	CHECK_STR(matched_any(&m, "cloned.isra.0"), "cloned.isra.0?");
	/* A condition on arguments needs types. */
	CHECK_STR(matched_any(&m, "*(x > 1)"), "alias_one known.constprop.0 named_x bothered");
	CHECK(strstr(matched_any(&m, "hidden(x)"), "error: 'hidden' cannot be traced: several "
		     "functions have this name"));
	CHECK(strstr(matched_any(&m, "notrace_one"), "error: 'notrace_one' cannot be traced: "
		     "ftrace cannot attach to it"));
	machine_deinit(&m);
}

/* Tests names of the same address, of which only one has types: it applies. */
static void unproven_names(void)
{
	static const char symbols[] =
		"ffffffff81000000 T vfs_read\n"
		"ffffffff81000010 T entry_asm\n"
		"ffffffff81000010 T bothered\n"
		"ffffffff81000020 T vfs_write\n"
		"ffffffff81000020 T exit_asm\n"
		"ffffffff81000030 T some_asm\n"
		"ffffffff81000030 T more_asm\n";
	static const char names[] =
		"vfs_read\nentry_asm\nbothered\nvfs_write\nexit_asm\nsome_asm\nmore_asm\n";
	struct machine m;

	machine_init(&m, false);
	fargs_ksyms_destroy(m.ksyms);
	fargs_avail_destroy(m.avail);
	m.ksyms = fargs_ksyms_parse(symbols, strlen(symbols), NULL);
	m.avail = fargs_avail_parse(names, strlen(names), NULL);
	CHECK_STR(matched_any(&m, "*"), "vfs_read bothered vfs_write some_asm?");
	CHECK_STR(matched_any(&m, "*_asm"), "entry_asm? exit_asm? some_asm?");
	machine_deinit(&m);
}

static const struct ktap_test tests[] = {
	{ "a record does not exceed its maximum length", records_have_a_cap },
	{ "functions that cannot return an error are refused", what_returns_no_error },
	{ "selected functions are counted by address, up to a limit", candidates },
	{ "a name gives its function", exact_name },
	{ "a name without a module is searched everywhere", name_everywhere },
	{ "a name with a module is searched in the module", name_in_a_module },
	{ "functions of modules use the types of their modules", each_module_has_its_type },
	{ "excluded functions are left out", test_exclusion },
	{ "an unknown name is reported with similar ones", unknown_name_offers_near_ones },
	{ "an unknown glob or module is reported", unknown_glob_and_module },
	{ "a name that cannot be traced is reported with the reason", refused_name_tells_why },
	{ "a glob without traceable functions is an error", glob_of_refused_only },
	{ "a name of several functions needs a type for each", ambiguity_without_proof },
	{ "a name of several functions is accepted if BTF's encoder compared them",
	  ambiguity_with_consistent_btf },
	{ "two names of an address give one probe", aliases_give_one_probe },
	{ "two names of an address get the same arguments", aliases_must_be_passed_alike },
	{ "clones are traced if BTF describes the clones", clones_need_btf_of_their_own },
	{ "without tracefs the module decides", without_tracefs_the_module_decides },
	{ "functions that match but are refused are listed", refused_are_listed },
	{ "invalid patterns are reported", bad_patterns },
	{ "selectors match the functions for which they are valid", selectors },
	{ "selectors that are valid for no function are reported", selectors_that_make_no_sense },
	{ "selectors need unambiguous types", selectors_need_certain_types },
	{ "a selector with a name has precedence over a glob", exact_selectors_come_first },
	{ "a selector with a module has precedence over one without", a_module_comes_before_none },
	{ "selectors that conflict are reported", two_selectors_for_one_function },
	{ "filters are in the layouts of all functions", filters_are_in_each_layout },
	{ "functions of --under are selected, too", scopes },
	{ "functions of --under keep their own selectors", scopes_beside_selectors },
	{ "all conditions on a function of --under are used", scopes_of_one_function },
	{ "types of functions of --under are needed for conditions only", scopes_without_types },
	{ "either name of an address can be used with --under", scopes_by_another_name },
	{ "invalid selectors of --under are reported", scopes_that_make_no_sense },
	{ "functions of --trigger are selected, too", triggers },
	{ "invalid triggers are reported", triggers_that_make_no_sense },
	{ "--any selects functions whose arguments are not proven", unproven },
	{ "a name of the same address with proven arguments applies", unproven_names },
};

int main(void)
{
	return KTAP_RUN(tests);
}
