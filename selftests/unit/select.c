// SPDX-License-Identifier: GPL-2.0-only
/*
 * From patterns to functions, on a small kernel made up here.
 */
#include <stdlib.h>

#include <bpf/btf.h>

#include "expr/selector.h"
#include "layout/select.h"
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
	/* Two places, two types that give one layout; two that do not; one type only. */
	add_func(b, "alike", "x", s32);
	add_func(b, "alike", "x", btf__add_typedef(b, "s32", s32));
	add_func(b, "unlike", "x", s32);
	add_func(b, "unlike", "x", u64);
	add_func(b, "hidden", "x", s32);
	/* One place, two types. */
	add_func(b, "twice", "x", s32);
	add_func(b, "twice", "y", s32);
	add_func(b, "cloned", "x", s32);
	add_func(b, "both", "x", s32);
	add_func(b, "bothered", "x", s32);
	add_func(b, "alias_one", "x", s32);
	add_func(b, "alias_two", "x", s32);
	/* As pahole's true_signature has it; and a name with a dot that is no function. */
	add_func(b, "known.constprop.0", "x", s32);
	add_func(b, "piece.part.0", "x", s32);
	/* Two names of one address: one takes an int, the other a long; x and y. */
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

/* The names that @pattern picks on @m, without those of @unwanted, or the error. */
static const char *picked_on(struct machine *m, const char *pattern, const char *unwanted)
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
	for (i = 0; i < sel->nr_picks; i++) {
		const struct fargs_ksym *sym = sel->picks[i].sym;

		used += snprintf(text + used, sizeof(text) - used, "%s%s%s%s", i ? " " : "",
				 sym->module ? sym->module : "", sym->module ? ":" : "", sym->name);
	}
	if (sel->layouts.nr != sel->nr_picks)
		ktap_fail(__FILE__, __LINE__, "%zu layouts", sel->layouts.nr);
	fargs_select_destroy(sel);
	return text;
}

static const char *picked(const char *pattern)
{
	const char *text;
	struct machine m;

	machine_init(&m, false);
	text = picked_on(&m, pattern, NULL);
	machine_deinit(&m);
	return text;
}

static void exact_name(void)
{
	CHECK_STR(picked("vfs_write"), "vfs_write");
}

static void name_everywhere(void)
{
	CHECK_STR(picked("vfs_read"), "vfs_read mod_a:vfs_read");
	CHECK_STR(picked("vfs_*"), "vfs_read vfs_write mod_a:vfs_read");
}

static void name_in_a_module(void)
{
	CHECK_STR(picked("mod_a:*"), "mod_a:helper mod_a:vfs_read");
	CHECK_STR(picked("mod_?:helper"), "mod_a:helper mod_b:helper");
	CHECK_STR(picked("vmlinux:vfs_read"), "vfs_read");
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
	REQUIRE(sel->nr_picks == 2);
	CHECK_STR((char *)sel->layouts.data + sel->picks[0].offset + 72, "a");
	CHECK_STR((char *)sel->layouts.data + sel->picks[1].offset + 72, "b");
	fargs_select_destroy(sel);
	machine_deinit(&m);
}

static void excludes(void)
{
	struct machine m;

	machine_init(&m, false);
	CHECK_STR(picked_on(&m, "vfs_*", "*write"), "vfs_read mod_a:vfs_read");
	CHECK_STR(picked_on(&m, "vfs_*", "mod_a:*"), "vfs_read vfs_write");
	CHECK_STR(picked_on(&m, "vfs_write", "vfs_*"),
		  "error: all that 'vfs_write' matches is left out by -n");
	machine_deinit(&m);
}

static void unknown_name_offers_near_ones(void)
{
	CHECK_STR(picked("vfs_raed"),
		  "error: there is no function 'vfs_raed': did you mean vfs_read?");
}

static void unknown_glob_and_module(void)
{
	CHECK_STR(picked("zz*"), "error: no function matches 'zz*'");
	CHECK_STR(picked("nosuch:vfs_read"),
		  "error: 'nosuch:vfs_read': no module 'nosuch' is loaded");
}

static void refused_name_tells_why(void)
{
	CHECK(strstr(picked("vfs_by_value"), "'vfs_by_value' cannot be traced: it takes a struct"));
	CHECK(strstr(picked("notrace_one"), "ftrace has no entry"));
	CHECK(strstr(picked("unknown_asm"), "BTF does not describe it"));
	CHECK(strstr(picked("no_btf:helper"), "its module has no BTF"));
}

static void clones_need_btf_of_their_own(void)
{
	struct machine m;

	CHECK(strstr(picked("cloned"), "exists only as cloned.isra.0, a clone"));
	CHECK(strstr(picked("cloned.isra.0"), "'cloned.isra.0' cannot be traced: a clone"));
	CHECK_STR(picked("known.constprop.0"), "known.constprop.0");
	CHECK_STR(picked("known*"), "known.constprop.0");
	CHECK(strstr(picked("known"), "ask for 'known.constprop.0'"));
	CHECK(strstr(picked("piece"), "exists only as piece.part.0, a part"));
	CHECK(strstr(picked("piece.part.0"), "a part that the compiler split off"));
	/* Is the type that was kept that of the function, or of the clone's? */
	CHECK(strstr(picked("both"), "several functions have this name"));
	CHECK_STR(picked("bothered"), "bothered");
	/* BTF whose encoder compared all functions says no more of clones. */
	machine_init(&m, true);
	CHECK_STR(picked_on(&m, "both", NULL), "both");
	CHECK(strstr(picked_on(&m, "cloned.isra.0", NULL), "a clone"));
	machine_deinit(&m);
}

static void aliases_must_be_passed_alike(void)
{
	struct machine m;

	CHECK(strstr(picked("same_code"), "another function at its address has other arguments"));
	/* tracefs names an address once; the other name is known without it. */
	machine_init(&m, false);
	fargs_avail_destroy(m.avail);
	m.avail = NULL;
	CHECK(strstr(picked_on(&m, "unlike_code", NULL), "another function at its address"));
	CHECK(strstr(picked_on(&m, "*_code", NULL), "none of the 2 functions"));
	machine_deinit(&m);
	CHECK_STR(picked("named_x"), "named_x");
	CHECK_STR(picked("named_y"), "named_y");
	CHECK_STR(picked("named_*"), "named_x");
}

static void glob_of_refused_only(void)
{
	CHECK(strstr(picked("*by_val*"), "error: none of the 1 functions that match"));
}

static void ambiguity_without_proof(void)
{
	CHECK_STR(picked("alike"), "alike alike");
	CHECK(strstr(picked("unlike"), "several functions have this name"));
	/* One type for two places: the other one's may have been dropped. */
	CHECK(strstr(picked("hidden"), "several functions have this name"));
	CHECK(strstr(picked("twice"), "several functions have this name"));
}

static void ambiguity_with_consistent_btf(void)
{
	struct machine m;

	machine_init(&m, true);
	CHECK_STR(picked_on(&m, "hidden", NULL), "hidden hidden");
	CHECK_STR(picked_on(&m, "alike", NULL), "alike alike");
	CHECK(strstr(picked_on(&m, "unlike", NULL), "several functions have this name"));
	machine_deinit(&m);
}

static void aliases_give_one_probe(void)
{
	struct machine m;

	machine_init(&m, false);
	fargs_avail_destroy(m.avail);
	m.avail = NULL;
	CHECK_STR(picked_on(&m, "alias_*", NULL), "alias_one");
	CHECK_STR(picked_on(&m, "alias_two", NULL), "alias_two");
	machine_deinit(&m);
}

static void without_tracefs_the_module_decides(void)
{
	struct machine m;

	machine_init(&m, false);
	fargs_avail_destroy(m.avail);
	m.avail = NULL;
	CHECK_STR(picked_on(&m, "notrace_one", NULL), "notrace_one");
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
	/* vfs_read.cold is known neither to ftrace nor to BTF. */
	REQUIRE(sel->nr_refused == 1);
	CHECK_STR(sel->refused[0].sym->name, "vfs_by_value");
	CHECK_INT(sel->refused[0].why, FARGS_REFUSAL_AGGREGATE);
	fargs_select_destroy(sel);
	machine_deinit(&m);
}

static void bad_patterns(void)
{
	CHECK(strstr(picked(""), "error: '', column 1: the name of a function is missing"));
	CHECK(strstr(picked("mod:"), "error: 'mod:' names no function"));
	CHECK(strstr(picked(":x"), "error: ':x' names no function"));
	CHECK(strstr(picked("a b"), "error: 'a b', column 3: '(', '->' or the end should be here"));
}

/* The layout of the only pick of @patterns on the usual machine, or NULL with the error. */
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
	CHECK_INT(sel->nr_picks, 1);
	memcpy(&layout, sel->layouts.data, sizeof(layout));
	CHECK_INT(layout.size, sel->layouts.bytes);
	fargs_select_destroy(sel);
	return &layout;
}

static void selectors(void)
{
	CHECK_STR(picked("vmlinux:vfs_read(count > 1)"), "vfs_read");
	CHECK_STR(picked("vfs_*(count:x)"), "vfs_read vfs_write");
	CHECK_STR(picked("vfs_*(of_module < 0)"), "mod_a:vfs_read");
	CHECK_STR(picked("vfs_write()"), "vfs_write");
}

static void selectors_that_make_no_sense(void)
{
	CHECK(strstr(picked("vfs_write(cuont)"), "error: 'vfs_write(cuont)', column 11: vfs_write "
		     "has no argument 'cuont'; did you mean 'count'?"));
	CHECK(strstr(picked("vfs_*(nothing == 1)"), "column 7: 'nothing' is neither an argument"));
	CHECK(strstr(picked("vfs_write(count"), "column 16: an operator, ',' or ')' is missing"));
	/* What got furthest: vfs_read of mod_a has no count. */
	CHECK(strstr(picked("vfs_*(count == 1 && count > \"\")"),
		     "column 29: a string is compared with == and"));
}

/* Two types that pass alike may be of different structs. */
static void selectors_need_certain_types(void)
{
	CHECK(strstr(picked("alike(x > 1)"), "several functions are called alike"));
	CHECK_STR(picked("alike()"), "alike alike");
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

static void filters_are_in_each_layout(void)
{
	const char *plain = "vfs_write";
	struct fargs_selector filter;
	struct fargs_mistake mistake = { };
	struct fargs_bind_options options = {
		.str_cap = 256, .mem_cap = 256, .filters = &filter, .nr_filters = 1,
	};
	struct fargs_patterns patterns = {
		.wanted = &plain, .nr_wanted = 1, .options = &options,
	};
	const struct fargs_layout *layout;

	REQUIRE(!fargs_selector_init_filter(&filter, "$cpu == 1", &mistake));
	layout = only_layout(&patterns, NULL);
	fargs_selector_deinit(&filter);
	REQUIRE(layout);
	/* CTX, AND, JIF, REJECT, ACCEPT, REJECT */
	CHECK_INT(layout->nr_insns[0], 6);
}

static const struct ktap_test tests[] = {
	{ "a name gives its function", exact_name },
	{ "a name without a module is looked for everywhere", name_everywhere },
	{ "a name in a module is looked for there", name_in_a_module },
	{ "functions of modules have the types of their modules", each_module_has_its_type },
	{ "excludes leave out", excludes },
	{ "an unknown name offers near ones", unknown_name_offers_near_ones },
	{ "an unknown glob or module is told", unknown_glob_and_module },
	{ "a name that cannot be traced tells why", refused_name_tells_why },
	{ "a glob that gives nothing traceable is an error", glob_of_refused_only },
	{ "names of several functions need a type for each", ambiguity_without_proof },
	{ "or BTF whose encoder compared them", ambiguity_with_consistent_btf },
	{ "two names of an address give one probe", aliases_give_one_probe },
	{ "which get the same arguments under either name", aliases_must_be_passed_alike },
	{ "clones are traced if BTF describes them themselves", clones_need_btf_of_their_own },
	{ "without tracefs the module decides", without_tracefs_the_module_decides },
	{ "functions that match and are refused are listed", refused_are_listed },
	{ "patterns that make no sense are told", bad_patterns },
	{ "selectors pick the functions that they make sense on", selectors },
	{ "selectors that make no sense anywhere are told", selectors_that_make_no_sense },
	{ "selectors need to know the types for certain", selectors_need_certain_types },
	{ "of several selectors a name comes before a glob", exact_selectors_come_first },
	{ "filters are in the layouts of all functions", filters_are_in_each_layout },
};

int main(void)
{
	return KTAP_RUN(tests);
}
