// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the selection of functions and tracepoints for a request, with a small simulated kernel and
 * without a module.
 */
#include "capture/selection.h"

#include <errno.h>
#include <stdlib.h>

#include <bpf/btf.h>

#include "session/device.h"
#include "uapi/fargs_layout.h"
#include "unit/capture_world.h"

static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000010 T vfs_read\n"
	"ffffffff81000020 T vfs_write\n"
	"ffffffff81000030 T ksys_read\n"
	"ffffffff81000040 T __traceiter_first\n"
	"ffffffff81000050 T __traceiter_second\n";

static struct fargs_error_text err;
static struct fargs_selection selection;

/* Number of selectors that were parsed. */
static unsigned int nr_parsed;

int __real_fargs_selector_init(struct fargs_selector *sel, const char *text,
			       struct fargs_diagnostic *m);
int __wrap_fargs_selector_init(struct fargs_selector *sel, const char *text,
			       struct fargs_diagnostic *m);

int __wrap_fargs_selector_init(struct fargs_selector *sel, const char *text,
			       struct fargs_diagnostic *m)
{
	nr_parsed++;
	return __real_fargs_selector_init(sel, text, m);
}

/* Neither the module nor tracefs exists. */
int __wrap_fargs_device_open(struct fargs_error_text *why);
struct fargs_avail *__wrap_fargs_avail_load(struct fargs_error_text *why);

int __wrap_fargs_device_open(struct fargs_error_text *why)
{
	return -ENOENT;
}

struct fargs_avail *__wrap_fargs_avail_load(struct fargs_error_text *why)
{
	return NULL;
}

/* Maximum number of return probes of the simulated kernel; 0: unlimited. */
static uint32_t returns_max;

/* The simulated module refuses tracepoints. */
static bool refuses_tpoints;

int __wrap_fargs_session_add(struct fargs_session *s, struct fargs_kernel *kernel,
			     struct fargs_select *sel, struct fargs_deferred *deferred,
			     struct fargs_error_text *why);
int __wrap_fargs_session_add_tpoints(struct fargs_session *s, struct fargs_tpoints *tpoints,
				     struct fargs_error_text *why);

int __wrap_fargs_session_add(struct fargs_session *s, struct fargs_kernel *kernel,
			     struct fargs_select *sel, struct fargs_deferred *deferred,
			     struct fargs_error_text *why)
{
	s->meta.nr_funcs = sel ? sel->nr_matches : 0;
	return 0;
}

int __wrap_fargs_session_add_tpoints(struct fargs_session *s, struct fargs_tpoints *tpoints,
				     struct fargs_error_text *why)
{
	size_t i;

	for (i = 0; refuses_tpoints && i < tpoints->sel->nr_matches; i++)
		tpoints->sel->matches[i].why = FARGS_REFUSAL_NOT_TRACEABLE;
	return 0;
}

/*
 * Adds a function. Its parameters are named by the letters of @params; @first is the type of the
 * first one, @type that of the others and of the result.
 */
static void add_func(struct btf *b, const char *name, const char *params, int first, int type)
{
	int proto = btf__add_func_proto(b, type);
	char param[2] = { };

	for (; *params; params++, first = type) {
		*param = *params;
		btf__add_func_param(b, param, first);
	}
	btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

static void load_kernel(struct fargs_kernel *kernel)
{
	struct btf *b = btf__new_empty();
	int s32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), ptr = btf__add_ptr(b, 0);
	const void *raw;
	uint32_t size;

	add_func(b, "vfs_read", "fc", s32, s32);
	add_func(b, "vfs_write", "fc", s32, s32);
	add_func(b, "ksys_read", "f", s32, s32);
	add_func(b, "__traceiter_first", "_a", ptr, s32);
	add_func(b, "__traceiter_second", "_a", ptr, s32);
	kernel->ksyms = fargs_ksyms_parse(kallsyms, strlen(kallsyms), NULL);
	kernel->btfs = fargs_btfs_create();
	raw = btf__raw_data(b, &size);
	fargs_btfs_add(kernel->btfs, FARGS_BTF_VMLINUX, raw, size, NULL);
	btf__free(b);
}

/* Parses the selectors of @r, and finds their matches in the simulated kernel. */
static int find(const struct fargs_capture_request *r)
{
	const struct fargs_info info = { .tsc_khz = 2000000, .returns_max = returns_max };
	int ret;

	world_reset();
	nr_parsed = 0;
	err.text[0] = '\0';
	selection = (struct fargs_selection){ };
	ret = fargs_selection_read(&selection, r, &err);
	if (ret)
		return ret;
	load_kernel(&selection.kernel);
	ret = fargs_selection_find(&selection, &info, &world_hooks, &err);
	if (ret)
		printf("# %s\n", err.text);
	return ret;
}

static const char *names_of(const struct fargs_select *sel)
{
	static char text[256];
	size_t i, used = 0;

	text[0] = '\0';
	for (i = 0; sel && i < sel->nr_matches; i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%s%s", i ? " " : "",
				 sel->matches[i].sym->name, sel->matches[i].is_silent ? "-" : "");
	return text;
}

static uint32_t flags_of(const struct fargs_select *sel, const struct fargs_layouts *layouts)
{
	struct fargs_layout head;

	memcpy(&head, layouts->data + sel->matches[0].offset, sizeof(head));
	return head.flags;
}

#define WORDS(...)	{ (const char *[]){ __VA_ARGS__ }, \
			  sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *) }

static void functions_and_tracepoints(void)
{
	const struct fargs_capture_request r = {
		.wanted = WORDS("vfs_*"), .tpoints = WORDS("first", "second"),
	};

	REQUIRE(!find(&r));
	CHECK_STR(names_of(selection.sel), "vfs_read vfs_write");
	CHECK_STR(names_of(selection.tpoints.sel), "first second");
	fargs_selection_deinit(&selection);
}

static void either_alone(void)
{
	const struct fargs_capture_request functions = { .wanted = WORDS("ksys_read") };
	const struct fargs_capture_request tpoints = { .tpoints = WORDS("first") };

	REQUIRE(!find(&functions));
	CHECK_STR(names_of(selection.sel), "ksys_read");
	CHECK(!selection.tpoints.sel);
	fargs_selection_deinit(&selection);
	REQUIRE(!find(&tpoints));
	CHECK(!selection.sel);
	CHECK_STR(names_of(selection.tpoints.sel), "first");
	fargs_selection_deinit(&selection);
}

static void unwanted_of_both(void)
{
	const struct fargs_capture_request r = {
		.wanted = WORDS("vfs_*"), .tpoints = WORDS("*"),
		.unwanted = WORDS("*write", "sec*"),
	};

	REQUIRE(!find(&r));
	CHECK_STR(names_of(selection.sel), "vfs_read");
	CHECK_STR(names_of(selection.tpoints.sel), "first");
	fargs_selection_deinit(&selection);
}

/* Tests a scope whose function is not recorded itself, and a trigger, which is recorded. */
static void scopes_and_triggers(void)
{
	const struct fargs_capture_request r = {
		.wanted = WORDS("vfs_read"), .under = WORDS("ksys_read"),
		.trigger = WORDS("vfs_write(c > 5)"), .trigger_tpoints = WORDS("second"),
	};

	REQUIRE(!find(&r));
	CHECK_STR(names_of(selection.sel), "vfs_read vfs_write ksys_read-");
	CHECK_STR(names_of(selection.tpoints.sel), "second");
	fargs_selection_deinit(&selection);
}

static void graphs_are_of_functions(void)
{
	const struct fargs_capture_request r = {
		.wanted = WORDS("vfs_read"), .tpoints = WORDS("first"),
		.bind = { .is_graph = true, .str_cap = 64, .mem_cap = 64 },
	};

	REQUIRE(!find(&r));
	CHECK(flags_of(selection.sel, &selection.sel->layouts) & FARGS_LAYOUT_GRAPH);
	CHECK(!(flags_of(selection.tpoints.sel,
			 &selection.tpoints.sel->layouts) & FARGS_LAYOUT_GRAPH));
	CHECK_INT(selection.bind.tsc_khz, 2000000);
	CHECK_INT(selection.tpoint_bind.tsc_khz, 2000000);
	fargs_selection_deinit(&selection);
}

static const struct fargs_layout *layout_at(const struct fargs_select *sel, size_t i)
{
	return (const void *)(sel->layouts.data + sel->matches[i].offset);
}

/*
 * Returns the names of the matches. Those of which only the entry is recorded are in parentheses.
 */
static const char *returns_of(const struct fargs_select *sel)
{
	static char text[256];
	size_t i, used = 0;

	text[0] = '\0';
	for (i = 0; sel && i < sel->nr_matches; i++) {
		const struct fargs_match *match = &sel->matches[i];
		bool has_return = layout_at(sel, i)->flags & FARGS_LAYOUT_RETURN;

		CHECK_INT(match->has_return, has_return);
		used += snprintf(text + used, sizeof(text) - used, "%s%s%s%s", i ? " " : "",
				 match->is_entry_only ? "(" : "", match->sym->name,
				 match->is_entry_only ? ")" : "");
		CHECK(!match->is_entry_only || !has_return);
	}
	return text;
}

#define GRAPH	.bind = { .is_graph = true, .str_cap = 64, .mem_cap = 64 }

static void too_many_returns(void)
{
	const struct fargs_capture_request graph = { .wanted = WORDS("*read", "vfs_*"), GRAPH };
	const struct fargs_capture_request some = {
		.wanted = WORDS("vfs_* -> ret", "ksys_read"),
	};
	const struct fargs_capture_request none = { .wanted = WORDS("*") };

	returns_max = 2;
	CHECK_INT(find(&graph), -E2BIG);
	CHECK_STR(err.text, "the returns of 3 functions are to be recorded, but this kernel has "
		  "return probes for at most 2: select fewer functions; or leave out '-g' and "
		  "'->', which need the return; or record the returns of 2 functions and only the "
		  "entries of the rest with '--returns 2'; or use a kernel with fprobe (Linux 6.6 "
		  "or later)");
	fargs_selection_deinit(&selection);
	CHECK(!find(&some));
	fargs_selection_deinit(&selection);
	CHECK(!find(&none));
	CHECK_STR(names_of(selection.sel),
		  "vfs_read vfs_write ksys_read __traceiter_first __traceiter_second");
	fargs_selection_deinit(&selection);
	returns_max = 3;
	CHECK(!find(&graph));
	fargs_selection_deinit(&selection);
	returns_max = 0;
}

/* A name is preferred to globs, an earlier glob to a later one, then a lower address. */
static void which_returns_are_kept(void)
{
	static const struct {
		const char *first, *second, *kept;
		uint32_t returns;
	} cases[] = {
		{ "vfs_*", "ksys_read", "(vfs_read) (vfs_write) ksys_read", 1 },
		{ "vfs_*", "ksys_read", "vfs_read (vfs_write) ksys_read", 2 },
		{ "*write", "*read", "(vfs_read) vfs_write (ksys_read)", 1 },
		{ "*write", "*read", "vfs_read vfs_write (ksys_read)", 2 },
		{ "*write", "*read", "vfs_read vfs_write ksys_read", 3 },
		{ "*write", "*read", "vfs_read vfs_write ksys_read", 4 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fargs_capture_request r = {
			.wanted = WORDS(cases[i].first, cases[i].second), GRAPH,
			.returns = cases[i].returns,
		};

		REQUIRE(!find(&r));
		if (cases[i].returns < 3) {
			CHECK_STR(returns_of(selection.sel), cases[i].kept);
			CHECK_INT(selection.sel->nr_entry_only, 3 - cases[i].returns);
		} else {
			CHECK_INT(selection.sel->nr_entry_only, 0);
		}
		fargs_selection_deinit(&selection);
	}
}

/*
 * Tests that a function whose return is not traced has the layout that it would have if no return
 * had been requested.
 */
static void entries_of_the_rest(void)
{
	const struct fargs_capture_request limited = {
		.wanted = WORDS("vfs_write(f, c > 5) -> ret, $duration", "ksys_read -> ret"),
		.returns = 1, .bind = { .nr_stack = 2, .str_cap = 64, .mem_cap = 64 },
	};
	const struct fargs_capture_request plain = {
		.wanted = WORDS("vfs_write(f, c > 5)", "ksys_read"),
		.bind = { .nr_stack = 2, .str_cap = 64, .mem_cap = 64 },
	};
	struct fargs_selection got;

	REQUIRE(!find(&limited));
	CHECK_STR(returns_of(selection.sel), "vfs_write (ksys_read)");
	got = selection;
	REQUIRE(!find(&plain));
	REQUIRE(got.sel->nr_matches == 2 && selection.sel->nr_matches == 2);
	CHECK_INT(layout_at(got.sel, 1)->size, layout_at(selection.sel, 1)->size);
	CHECK(!memcmp(layout_at(got.sel, 1), layout_at(selection.sel, 1),
		      layout_at(selection.sel, 1)->size));
	CHECK_INT(got.sel->layouts.bytes,
		  layout_at(got.sel, 0)->size + layout_at(got.sel, 1)->size);
	fargs_selection_deinit(&selection);
	fargs_selection_deinit(&got);
}

/* Tests that returns are kept if conditions at the return, scopes or triggers need them. */
static void returns_that_are_needed(void)
{
	const struct fargs_capture_request condition = {
		.wanted = WORDS("vfs_* -> ret", "*read -> ret < 0"), .returns = 1,
	};
	const struct fargs_capture_request conditions = {
		.wanted = WORDS("vfs_* -> ret < 0"), .returns = 1,
	};
	const struct fargs_capture_request extras = {
		.wanted = WORDS("vfs_read"), .under = WORDS("ksys_read"),
		.trigger = WORDS("vfs_write"), .returns = 1, GRAPH,
	};
	const struct fargs_capture_request kernel = { .wanted = WORDS("vfs_*"), .returns = 9 };

	REQUIRE(!find(&condition));
	CHECK_STR(returns_of(selection.sel), "(vfs_read) (vfs_write) ksys_read");
	fargs_selection_deinit(&selection);
	CHECK_INT(find(&conditions), -E2BIG);
	CHECK_STR(err.text, "'--returns': the returns of 2 functions decide which calls are "
		  "recorded, so they cannot be left out");
	fargs_selection_deinit(&selection);
	CHECK_INT(find(&extras), -E2BIG);
	fargs_selection_deinit(&selection);
	returns_max = 8;
	CHECK_INT(find(&kernel), -E2BIG);
	CHECK_STR(err.text, "'--returns': this kernel has return probes for at most 8 functions");
	fargs_selection_deinit(&selection);
	returns_max = 0;
}

#define CHECK_READ(text_, ...)							\
	do {									\
		const struct fargs_capture_request r_ = { __VA_ARGS__ };	\
										\
		selection = (struct fargs_selection){ };				\
		CHECK_INT(fargs_selection_read(&selection, &r_, &err), -EINVAL);	\
		/* Lines after the first show the position in the selector. */			\
		err.text[strcspn(err.text, "\n")] = '\0';			\
		CHECK_STR(err.text, text_);					\
		CHECK(!selection.kernel.ksyms);					\
		fargs_selection_deinit(&selection);					\
	} while (0)

/* Tests that errors in each list of selectors are found before any data of the kernel is loaded. */
static void diagnostics_are_found_first(void)
{
	CHECK_READ("'a(', column 3: a value is missing at the end", .wanted = WORDS("b", "a("));
	CHECK_READ("'a(b', column 4: an operator, ',' or ')' is missing at the end",
		   .wanted = WORDS("b"), .under = WORDS("a(b"));
	CHECK_READ("'a b', column 3: expected '(', '->' or the end, not 'b'",
		   .wanted = WORDS("b"), .trigger = WORDS("a b"));
	CHECK_READ("'a:' does not name a function: write NAME or MODULE:NAME", .wanted = WORDS("b"),
		   .unwanted = WORDS("a:"));
	CHECK_READ("'a -> ret', column 6: a tracepoint has neither a return value nor a duration",
		   .tpoints = WORDS("a -> ret"));
	CHECK_READ("'a -> ret', column 6: a tracepoint has neither a return value nor a duration",
		   .wanted = WORDS("b"), .trigger_tpoints = WORDS("a -> ret"));
	CHECK_READ("'a(b)', column 3: calls of this function are not recorded: only a condition is "
		   "allowed, so compare the value with something", .wanted = WORDS("b"),
		   .under = WORDS("a(b)"));
}

static void what_is_not_there(void)
{
	const struct fargs_capture_request function = { .wanted = WORDS("vfs_raed") };
	const struct fargs_capture_request member = { .wanted = WORDS("vfs_read(count)") };
	const struct fargs_capture_request tpoint = { .tpoints = WORDS("firts") };

	CHECK_INT(find(&function), -EINVAL);
	CHECK(strstr(err.text, "there is no function 'vfs_raed'"));
	fargs_selection_deinit(&selection);
	CHECK_INT(find(&member), -EINVAL);
	CHECK(strstr(err.text, "count"));
	fargs_selection_deinit(&selection);
	CHECK(find(&tpoint) < 0);
	CHECK(strstr(err.text, "there is no tracepoint 'firts'"));
	fargs_selection_deinit(&selection);
}

/*
 * Tests that each selector is parsed only once, although it is checked, searched for in modules,
 * and used to find candidates and matches.
 */
static void each_selector_is_parsed_once(void)
{
	const struct fargs_capture_request one = { .wanted = WORDS("vfs_read(c > 5) -> ret") };
	const struct fargs_capture_request many = {
		.wanted = WORDS("vfs_read", "vmlinux:vfs_w*"), .under = WORDS("ksys_read"),
		.trigger = WORDS("vfs_write"), .tpoints = WORDS("first"),
		.trigger_tpoints = WORDS("second"),
	};

	REQUIRE(!find(&one));
	CHECK_INT(nr_parsed, 1);
	fargs_selection_deinit(&selection);
	REQUIRE(!find(&many));
	CHECK_INT(nr_parsed, 6);
	fargs_selection_deinit(&selection);
}

static void what_was_chosen_is_said(void)
{
	const struct fargs_capture_request r = {
		.wanted = WORDS("vfs_*"), .tpoints = WORDS("*"),
	};
	struct fargs_session session = { .fd = -1 };

	REQUIRE(!find(&r));
	refuses_tpoints = false;
	CHECK(!fargs_selection_add(&selection, &session, &world_hooks, &err));
	CHECK_STR(world_log,
		  "functions=2/2 tpoints=2 deferred-functions=0 deferred-tpoints=0 ");
	fargs_selection_deinit(&selection);
}

static void no_tracepoint_is_left(void)
{
	const struct fargs_capture_request r = { .tpoints = WORDS("*") };
	struct fargs_session session = { .fd = -1 };

	REQUIRE(!find(&r));
	refuses_tpoints = true;
	CHECK_INT(fargs_selection_add(&selection, &session, &world_hooks, &err), -ENOENT);
	CHECK(strstr(err.text, "no matching tracepoint can be traced (matches: 2); "
			       "reason for the first: "));
	CHECK_STR(world_log, "tpoints=2 ");
	fargs_selection_deinit(&selection);
}

/* Returns the selectors that were skipped. */
static const char *skipped(void)
{
	static char text[512];
	char *names = fargs_missing_text(&selection.missing);

	snprintf(text, sizeof(text), "%s", names ? names : "no memory");
	free(names);
	return text;
}

static void missing_are_skipped(void)
{
	const struct fargs_capture_request r = {
		.wanted = WORDS("vfs_raed", "vfs_read", "vfs_raed", "nope_*", "none:vfs_read"),
		.tpoints = WORDS("third", "first"), .under = WORDS("ksys_raed", "ksys_read"),
		.trigger = WORDS("vfs_wriet", "vfs_write"), .is_missing_ok = true,
	};

	REQUIRE(!find(&r));
	CHECK_STR(names_of(selection.sel), "vfs_read vfs_write ksys_read-");
	CHECK_STR(names_of(selection.tpoints.sel), "first");
	CHECK_STR(skipped(), "'none:vfs_read', 'third', 'vfs_raed', 'nope_*', 'ksys_raed', "
		  "'vfs_wriet'");
	CHECK(fargs_selection_is_any(&selection));
	CHECK(!selection.missing.has_failed);
	fargs_selection_deinit(&selection);
}

static void all_may_be_missing(void)
{
	const struct fargs_capture_request r = {
		.wanted = WORDS("vfs_raed"), .tpoints = WORDS("third"), .is_missing_ok = true,
	};
	const struct fargs_capture_request only_scope = {
		.wanted = WORDS("vfs_raed"), .under = WORDS("ksys_read"), .is_missing_ok = true,
	};

	REQUIRE(!find(&r));
	CHECK(!selection.sel);
	CHECK(!fargs_selection_is_any(&selection));
	CHECK_STR(skipped(), "'third', 'vfs_raed'");
	fargs_selection_deinit(&selection);
	REQUIRE(!find(&only_scope));
	CHECK_STR(names_of(selection.sel), "ksys_read-");
	CHECK(!fargs_selection_is_any(&selection));
	fargs_selection_deinit(&selection);
}

/* Tests that the selection of @r fails with @text, and whether --missing-ok can help. */
static void fails(const struct fargs_capture_request *r, const char *text, bool is_missing)
{
	CHECK(find(r));
	if (!strstr(err.text, text))
		ktap_fail(__FILE__, __LINE__, "'%s' is not in '%s'", text, err.text);
	CHECK_INT(selection.missing.has_failed, is_missing);
	fargs_selection_deinit(&selection);
}

static void mistakes_are_not_skipped(void)
{
	struct fargs_capture_request r = { .wanted = WORDS("vfs_raed"), .is_missing_ok = true };

	r.wanted.words = (const char *[]){ "vfs_read(z)" };
	fails(&r, "no argument 'z'", false);
	r.wanted.words = (const char *[]){ "vfs_read" };
	r.under = (struct fargs_list)WORDS("ksys_raed");
	fails(&r, "no function 'ksys_raed'", false);
	r.under.nr = 0;
	r.trigger = (struct fargs_list)WORDS("vfs_wriet");
	fails(&r, "no function 'vfs_wriet'", false);
	r.trigger.nr = 0;
	r.unwanted = (struct fargs_list)WORDS("vfs_read");
	fails(&r, "'-n' excludes", false);
}

static void missing_are_an_error(void)
{
	struct fargs_capture_request r = { .wanted = WORDS("vfs_raed", "vfs_read") };

	fails(&r, "no function 'vfs_raed'", true);
	r.wanted.words = (const char *[]){ "none:vfs_read", "vfs_read" };
	fails(&r, "no module 'none'", true);
	r.wanted.words = (const char *[]){ "vfs_read", "vfs_write" };
	r.tpoints = (struct fargs_list)WORDS("third");
	fails(&r, "no tracepoint 'third'", true);
}

static const struct ktap_test tests[] = {
	{ "functions and tracepoints have separate lists", functions_and_tracepoints },
	{ "either is selected without the other", either_alone },
	{ "excluded ones are in neither list", unwanted_of_both },
	{ "functions of --under and --trigger are added", scopes_and_triggers },
	{ "a graph has functions only", graphs_are_of_functions },
	{ "too many returns are refused, with the number and what to do", too_many_returns },
	{ "names, then earlier globs, then lower addresses keep their return",
	which_returns_are_kept },
	{ "the rest has layouts as if no return was requested", entries_of_the_rest },
	{ "returns on which something depends are kept", returns_that_are_needed },
	{ "errors in selectors are found before anything is loaded",
	diagnostics_are_found_first },
	{ "an unknown function, member or tracepoint is an error", what_is_not_there },
	{ "each selector is parsed once", each_selector_is_parsed_once },
	{ "hooks are called with the selection", what_was_chosen_is_said },
	{ "a selection without traceable tracepoint is an error", no_tracepoint_is_left },
	{ "what this kernel lacks can be skipped", missing_are_skipped },
	{ "a selection may have nothing left", all_may_be_missing },
	{ "mistakes in selectors are not skipped", mistakes_are_not_skipped },
	{ "without the option, what is missing is an error", missing_are_an_error },
};

int main(void)
{
	return KTAP_RUN(tests);
}
