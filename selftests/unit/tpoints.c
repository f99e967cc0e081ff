// SPDX-License-Identifier: GPL-2.0-only
/* Tests selecting tracepoints by -t, up to layouts with symbols, on a small simulated kernel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <bpf/btf.h>

#include "kernel/btf/proto.h"
#include "select/resolve/tpoints.h"
#include "uapi/fargs_layout.h"
#include "unit/ktap.h"

static const char kallsyms[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000010 T __traceiter_many\n"
	"ffffffff81000020 T __traceiter_none\n"
	"ffffffff81000030 T __traceiter_untyped\n"
	"ffffffff81000040 t __traceiter_many.cold\n"
	"ffffffff81000050 T many\n"
	"ffffffff81000060 D __tracepoint_many\n"
	"ffffffffc0000000 T __traceiter_late\t[mod]\n";

struct world {
	struct fargs_kernel kernel;
	struct fargs_rules rules;
	struct fargs_tpoints tpoints;
	struct fargs_error_text err;
};

/* Adds int __traceiter_NAME(void *__data, int a, long b, u8 c, int d, int e, long f, u8 g). */
static void add_traceiter(struct btf *b, const char *name, int data, const int *types, int nr)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g" };
	int i, proto = btf__add_func_proto(b, btf__add_int(b, "int", 4, BTF_INT_SIGNED));

	btf__add_func_param(b, "__data", data);
	for (i = 0; i < nr; i++)
		btf__add_func_param(b, names[i], types[i]);
	btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

static void world_init(struct world *w)
{
	struct btf *b = btf__new_empty(), *split;
	int s32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), u64 = btf__add_int(b, "long", 8, 0);
	int u8 = btf__add_int(b, "u8", 1, 0), ptr = btf__add_ptr(b, 0);
	const int many[] = { s32, u64, u8, s32, s32, u64, u8 };
	const void *raw;
	uint32_t size;

	memset(w, 0, sizeof(*w));
	add_traceiter(b, "__traceiter_many", ptr, many, 7);
	add_traceiter(b, "__traceiter_none", ptr, NULL, 0);
	w->kernel.ksyms = fargs_ksyms_parse(kallsyms, strlen(kallsyms), NULL);
	w->kernel.btfs = fargs_btfs_create();
	raw = btf__raw_data(b, &size);
	fargs_btfs_add(w->kernel.btfs, FARGS_BTF_VMLINUX, raw, size, NULL);
	split = btf__new_empty_split(fargs_btfs_get(w->kernel.btfs, FARGS_BTF_VMLINUX, NULL));
	add_traceiter(split, "__traceiter_late", ptr, &u64, 1);
	raw = btf__raw_data(split, &size);
	fargs_btfs_add(w->kernel.btfs, "mod", raw, size, NULL);
	btf__free(split);
	btf__free(b);
}

/* A directory with the files of tracefs; NULL: there is no tracefs. */
static const char *tracefs;

static int choose_some(struct world *w, const char *const *words, size_t nr, bool is_survey)
{
	const struct fargs_patterns patterns = {
		.wanted = words, .nr_wanted = nr, .is_tpoint = true, .tracefs = tracefs,
	};

	if (fargs_rules_init(&w->rules, &patterns, &w->err))
		return -EINVAL;
	return fargs_tpoints_init(&w->tpoints, &w->rules, &w->kernel, is_survey, &w->err);
}

static int choose(struct world *w, const char *text, bool is_survey)
{
	return choose_some(w, &text, 1, is_survey);
}

static void world_deinit(struct world *w)
{
	fargs_tpoints_deinit(&w->tpoints);
	fargs_rules_deinit(&w->rules);
	fargs_kernel_deinit(&w->kernel);
}

static void names(void)
{
	struct world w;

	world_init(&w);
	CHECK(!choose(&w, "*", true));
	CHECK_INT(fargs_ksyms_count(w.tpoints.ksyms), 4);
	CHECK_INT(w.tpoints.sel->nr_matches, 3);
	CHECK_INT(w.tpoints.sel->nr_refused, 1);
	CHECK_STR(w.tpoints.sel->refused[0].sym->name, "untyped");
	CHECK_INT(w.tpoints.sel->refused[0].why, FARGS_REFUSAL_NO_BTF);
	world_deinit(&w);
}

/* Tests the places of arguments: __data takes a register, and is not shown. */
static void places(void)
{
	struct fargs_layout head;
	struct fargs_store store;
	struct fargs_symbol symbol;
	const unsigned char *at;
	struct world w;
	int i;

	world_init(&w);
	REQUIRE(!choose(&w, "many", false));
	at = w.tpoints.layouts.data;
	memcpy(&head, at, sizeof(head));
	CHECK_INT(head.size, w.tpoints.layouts.bytes);
	CHECK_INT(head.flags, FARGS_LAYOUT_TPOINT);
	CHECK_INT(head.addr, 0);
	CHECK_INT(head.nr_stores, 7);
	for (i = 0; i < 7; i++) {
		memcpy(&store, at + sizeof(head) + i * sizeof(store), sizeof(store));
		CHECK_INT(store.source, i < 5 ? FARGS_SOURCE_REG : FARGS_SOURCE_STACK);
		CHECK_INT(store.index, i < 5 ? i + 1 : i - 5);
	}
	CHECK_STR((const char *)at + sizeof(head) + 7 * sizeof(store), "a");
	at += head.size - head.symbol_len;
	memcpy(&symbol, at, sizeof(symbol));
	CHECK_INT(symbol.index, 0);
	CHECK_STR((const char *)at + sizeof(symbol), "vmlinux");
	CHECK_STR((const char *)at + sizeof(symbol) + sizeof("vmlinux"), "many");
	world_deinit(&w);
}

static void modules(void)
{
	const unsigned char *at;
	struct fargs_layout head;
	struct world w;

	world_init(&w);
	REQUIRE(!choose(&w, "mod:*", false));
	CHECK_INT(w.tpoints.sel->nr_matches, 1);
	memcpy(&head, w.tpoints.layouts.data, sizeof(head));
	at = w.tpoints.layouts.data + head.size - head.symbol_len + sizeof(struct fargs_symbol);
	CHECK_STR((const char *)at, "mod");
	CHECK_STR((const char *)at + sizeof("mod"), "late");
	world_deinit(&w);
}

static void conditions(void)
{
	struct fargs_layout head;
	struct world w;

	world_init(&w);
	REQUIRE(!choose(&w, "many(g == 3 && b > 5)", false));
	memcpy(&head, w.tpoints.layouts.data, sizeof(head));
	CHECK(head.nr_insns[0] > 0);
	CHECK_INT(head.return_body_len, 0);
	world_deinit(&w);
}

static void check_diagnostic(const char *text, const char *wanted)
{
	struct world w;

	world_init(&w);
	CHECK(choose(&w, text, false) < 0);
	if (!strstr(w.err.text, wanted))
		ktap_fail(__FILE__, __LINE__, "'%s': %s", text, w.err.text);
	world_deinit(&w);
}

static void check_no_hint(const char *text)
{
	struct world w;

	world_init(&w);
	CHECK(choose(&w, text, false) < 0);
	if (strstr(w.err.text, "-e"))
		ktap_fail(__FILE__, __LINE__, "'%s': %s", text, w.err.text);
	world_deinit(&w);
}

static void diagnostics(void)
{
	check_diagnostic("mani", "there is no tracepoint 'mani': did you mean many?");
	check_diagnostic("untyped", "'untyped' cannot be traced");
	check_diagnostic("x*", "no tracepoint matches 'x*'");
	check_diagnostic("many -> ret < 0",
			 "a tracepoint has neither a return value nor a duration");
	check_diagnostic("many($duration > 1ms)", "$duration");
	check_diagnostic("many(__data)", "__data");
	check_diagnostic("_text", "there is no tracepoint '_text'");
}

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	REQUIRE(file);
	fputs(text, file);
	fclose(file);
}

/*
 * Tests hints for names of fields, with a format as in tracefs. The fields have similar names; one
 * is named like the argument a.
 */
static void event_hints(void)
{
	static const char format[] =
		"name: many\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:__data_loc char[] path;\toffset:24;\tsize:4;\tsigned:0;\n"
		"\tfield:int a;\toffset:28;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"%d\", REC->prev\n";
	char dir[] = "/tmp/fargs-tpoints.XXXXXX", path[128];
	static const char *const parts[] = { "/events", "/events/old", "/events/old/many",
					     "/events/sys", "/events/sys/many" };
	size_t i;

	REQUIRE(mkdtemp(dir));
	for (i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "%s%s", dir, parts[i]);
		REQUIRE(!mkdir(path, 0700));
	}
	write_file(dir, "events/old/many/id", "6\n");
	write_file(dir, "events/old/many/format", "\tfield:int other;\toffset:8;\n");
	write_file(dir, "events/sys/many/id", "7\n");
	write_file(dir, "events/sys/many/format", format);
	tracefs = dir;
	check_diagnostic("many(a, prev_comm)", "column 9: many has no argument 'prev_comm', but "
			 "its formatted event has a field of this name: use '-e sys:many'");
	check_diagnostic("many(path == \"x\")", "use '-e sys:many'");
	check_diagnostic("many(other)", "use '-e old:many'");
	/* There is no hint for a part of a name, or for a name that is not that of a field. */
	check_no_hint("many(prev)");
	check_no_hint("many(comm)");
	check_no_hint("many(REC)");
	/* The tracepoint has this argument, so the name is not the error. */
	check_no_hint("many(a->x)");
	tracefs = NULL;
	check_no_hint("many(prev_comm)");
	snprintf(path, sizeof(path), "rm -r %s", dir);
	CHECK_INT(system(path), 0);
}

/* Tests several selectors, to which the same rules apply as for functions (unit/select.c). */
static void several_selectors(void)
{
	static const char *const overlapping[] = { "m*(a == 1)", "*(b == 2)", "mod:*" };
	static const char *const general_first[] = { "*", "many(g == 3)" };
	static const char *const same[] = { "many(a == 1)", "many( (a==1) )" };
	static const char *const differing[] = { "many(a == 1)", "many(a == 2)" };
	const struct fargs_match *match;
	struct fargs_layout head;
	struct world w;

	world_init(&w);
	REQUIRE(!choose_some(&w, overlapping, 3, false));
	/*
	 * The first two selectors apply to many. Only the third applies to late, which has no
	 * argument b.
	 */
	CHECK_INT(w.tpoints.sel->nr_matches, 2);
	CHECK_INT(w.tpoints.sel->nr_overlaps, 1);
	CHECK_STR(w.tpoints.sel->overlaps[0].text, "*(b == 2)");
	CHECK_STR(w.tpoints.sel->overlaps[0].by, "m*(a == 1)");
	CHECK_INT(w.tpoints.sel->overlaps[0].nr, 1);
	world_deinit(&w);

	world_init(&w);
	REQUIRE(!choose_some(&w, general_first, 2, false));
	CHECK_INT(w.tpoints.sel->nr_matches, 3);
	CHECK_INT(w.tpoints.sel->nr_overlaps, 0);
	for (match = w.tpoints.sel->matches; match < w.tpoints.sel->matches + 3; match++) {
		memcpy(&head, w.tpoints.sel->layouts.data + match->offset, sizeof(head));
		CHECK_INT(head.nr_insns[0] > 0, !strcmp(match->sym->name, "many"));
	}
	world_deinit(&w);

	world_init(&w);
	CHECK(!choose_some(&w, same, 2, false));
	world_deinit(&w);

	world_init(&w);
	CHECK(choose_some(&w, differing, 2, false) < 0);
	CHECK_STR(w.err.text, "'many(a == 1)' and 'many(a == 2)' name the same tracepoint: "
		  "combine them into one selector, and join their conditions with '||'");
	world_deinit(&w);
}

static void prototypes(void)
{
	const struct fargs_match *match;
	struct fargs_proto *proto;
	struct world w;

	world_init(&w);
	REQUIRE(!choose(&w, "[mn]*", false));
	match = &w.tpoints.sel->matches[0];
	proto = fargs_proto_create(match->btf);
	CHECK_STR(fargs_proto_tpoint_text(proto, match->func_id, "many"),
		  "many(int a, long b, u8 c, int d, int e, long f, u8 g)");
	CHECK_STR(fargs_proto_tpoint_text(proto, match[1].func_id, "none"), "none(void)");
	CHECK_STR(fargs_proto_text(proto, match[1].func_id, NULL),
		  "int __traceiter_none(void *__data)");
	fargs_proto_destroy(proto);
	world_deinit(&w);
}

static const struct ktap_test tests[] = {
	{ "tracepoints are found by the kernel's functions", names },
	{ "arguments follow the data pointer, in registers and on the stack", places },
	{ "a module's tracepoint has the module's name", modules },
	{ "a condition becomes a program", conditions },
	{ "errors are reported", diagnostics },
	{ "a field of the formatted event is recognised", event_hints },
	{ "several selectors are combined as those of functions", several_selectors },
	{ "prototypes are those of the tracepoint", prototypes },
};

int main(void)
{
	return KTAP_RUN(tests);
}
