// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares layouts with DWARF, in which the compiler describes the registers and stack slots of a
 * function's arguments at entry: for generated functions, compiled with the kernel's flags by this
 * machine's compiler and by that of the newest test kernel; for clones of functions; and for the
 * sample module built for each kernel. BTF is made by pahole, and DWARF is read by libdw.
 */
#include <stdlib.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "select/codegen/compile.h"
#include "select/resolve/select.h"
#include "unit/ktap.h"
#include "unit/oracle/clones.h"
#include "unit/oracle/compare.h"
#include "unit/oracle/dwarf.h"
#include "unit/oracle/signatures.h"
#include "unit/oracle/toolchain.h"

#define WRONG_MAX	10	/* maximum number of wrong functions to print */

typedef bool toolchain_fn(struct oracle_toolchain *tools, const char **why);

/* An object file and its BTF, in a separate directory. */
struct work {
	char dir[32];
	char object[64];
	struct btf *btf;
};

static bool work_init(struct work *work)
{
	*work = (struct work) { .dir = "/tmp/fargs-oracle-XXXXXX" };
	return mkdtemp(work->dir);
}

static void work_deinit(struct work *work)
{
	char command[64];

	btf__free(work->btf);
	if (getenv("FARGS_KEEP"))
		return;
	snprintf(command, sizeof(command), "rm -r %s", work->dir);
	CHECK(!system(command));
}

static FILE *work_source(const struct work *work)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/oracle.c", work->dir);
	return fopen(path, "w");
}

static struct btf *load_btf(const struct work *work, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", work->dir, name);
	return btf__parse(path, NULL);
}

static bool work_compile(struct work *work, const struct oracle_toolchain *tools)
{
	snprintf(work->object, sizeof(work->object), "%s/oracle.o", work->dir);
	if (oracle_toolchain_compile(tools, work->dir, "oracle"))
		work->btf = load_btf(work, "oracle.btf");
	return work->btf;
}

/* Counts of the functions in one object. */
struct tally {
	const struct btf *btf;
	struct fargs_layouts layouts;
	unsigned int nr;		/* functions that have arguments and are in BTF */
	unsigned int refused[FARGS_REFUSALS];
	unsigned int nr_whole;		/* functions with all arguments in the layout's places */
	unsigned int nr_struct;		/* functions among @nr_whole with a struct argument */
	unsigned int nr_128;
	unsigned int nr_stack;
	/* functions among @nr_whole counted by @nr_struct, @nr_128 or @nr_stack */
	unsigned int nr_special;
	unsigned int nr_args;
	unsigned int nr_unsaid;		/* functions with arguments that DWARF does not locate */
	unsigned int nr_wrong;
};

static void count(struct tally *tally, const struct oracle_comparison *cmp, const char *symbol)
{
	tally->nr_args += cmp->nr_same;
	if (cmp->nr_wrong) {
		if (tally->nr_wrong++ < WRONG_MAX)
			ktap_fail(__FILE__, __LINE__, "%s: %s", symbol, cmp->wrong);
	} else if (cmp->nr_unsaid) {
		tally->nr_unsaid++;
	} else {
		tally->nr_whole++;
		tally->nr_struct += cmp->has_struct;
		tally->nr_128 += cmp->has_128;
		tally->nr_stack += cmp->has_stack;
		tally->nr_special += cmp->has_struct || cmp->has_128 || cmp->has_stack;
	}
}

/* Compiles the layout of the only function with this name. Returns the reason if it is refused. */
static enum fargs_refusal compile(const struct btf *btf, const char *name,
				  struct fargs_layouts *layouts)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_FUNC);
	enum fargs_refusal why;

	if (id < 0)
		return FARGS_REFUSAL_NO_BTF;
	layouts->bytes = 0;
	if (fargs_layout_compile(layouts, btf, id, 1, &why))
		abort();
	return why;
}

static void compare_func(const struct oracle_func *func, void *arg)
{
	struct tally *tally = arg;
	struct oracle_comparison cmp;
	enum fargs_refusal why;

	if (!func->nr || strchr(func->symbol, '.'))
		return;
	tally->nr++;
	why = compile(tally->btf, func->symbol, &tally->layouts);
	tally->refused[why]++;
	if (why)
		return;
	oracle_compare(&cmp, tally->layouts.data, func);
	count(tally, &cmp, func->symbol);
}

static void tally_print(const struct tally *tally)
{
	unsigned int i;

	printf("# %u functions: %u with all arguments the same (%u arguments), %u of them with "
	       "a struct, %u with 128 bits, %u with a stack slot, %u with any of these; "
	       "%u not in DWARF as a whole, %u wrong; refused:", tally->nr, tally->nr_whole,
	       tally->nr_args, tally->nr_struct, tally->nr_128, tally->nr_stack,
	       tally->nr_special, tally->nr_unsaid, tally->nr_wrong);
	for (i = 1; i < FARGS_REFUSALS; i++)
		if (tally->refused[i])
			printf(" %s %u", fargs_refusal_word(i), tally->refused[i]);
	putchar('\n');
}

static void compare_all(struct tally *tally, const struct work *work)
{
	*tally = (struct tally) { .btf = work->btf };
	CHECK(!oracle_each_func(work->object, compare_func, tally));
	fargs_layouts_deinit(&tally->layouts);
	tally_print(tally);
}

static void put_signature(const struct oracle_signature *sig, void *arg)
{
	oracle_put_function(arg, sig);
}

static bool compile_functions(struct work *work, const struct oracle_toolchain *tools)
{
	FILE *out = work_source(work);

	if (!out)
		return false;
	oracle_put_types(out);
	oracle_each_signature(put_signature, out);
	return !fclose(out) && work_compile(work, tools);
}

static void check_functions(toolchain_fn *get)
{
	struct oracle_toolchain tools;
	struct tally tally;
	struct work work;
	const char *why;

	if (!get(&tools, &why)) {
		ktap_skip("%s", why);
		return;
	}
	REQUIRE(work_init(&work));
	CHECK(compile_functions(&work, &tools));
	if (work.btf) {
		compare_all(&tally, &work);
		CHECK(tally.nr_special >= 300);
		CHECK(tally.nr_struct >= 200);
		CHECK(tally.nr_128 >= 20);
		CHECK(tally.nr_stack >= 200);
	}
	work_deinit(&work);
}

static void functions(void)
{
	check_functions(oracle_toolchain_old);
}

static void functions_new(void)
{
	check_functions(oracle_toolchain_new);
}

/*
 * Counts of clones, which are compared with layouts compiled from the type of the original
 * function.
 */
struct clones {
	const struct work *work;
	struct btf *types;		/* BTF of all functions, except for clones */
	const struct fargs_select *sel;
	struct fargs_layouts layouts;
	unsigned int nr;
	/* clones with the original arguments, counted like @nr_special of struct tally */
	unsigned int nr_special;
	unsigned int nr_other;		/* clones with other arguments than the original function */
	unsigned int nr_encoded;	/* clones whose own name is in BTF */
	unsigned int nr_encoded_other;	/* clones in BTF with other arguments than BTF describes */
	unsigned int nr_matched;		/* clones that are not refused */
};

static const struct fargs_match *find_match(const struct fargs_select *sel, uint64_t addr)
{
	size_t i;

	for (i = 0; i < sel->nr_matches; i++)
		if (sel->matches[i].sym->addr == addr)
			return &sel->matches[i];
	return NULL;
}

/*
 * Compares @func with the layout compiled from the type of @name. Returns false if there is no
 * layout.
 */
static bool compare_with(struct clones *clones, const struct btf *btf, const char *name,
			 const struct oracle_func *func, struct oracle_comparison *cmp)
{
	if (compile(btf, name, &clones->layouts))
		return false;
	oracle_compare(cmp, clones->layouts.data, func);
	return true;
}

static void note_clone(struct clones *clones, const struct oracle_func *func)
{
	struct oracle_comparison cmp;
	char twin[16];

	clones->nr++;
	snprintf(twin, sizeof(twin), "t%s", func->name + 1);
	if (compare_with(clones, clones->types, twin, func, &cmp)) {
		if (cmp.nr_wrong)
			clones->nr_other++;
		else if (!cmp.nr_unsaid)
			clones->nr_special += cmp.has_struct || cmp.has_128 || cmp.has_stack;
	}
	if (btf__find_by_name_kind(clones->work->btf, func->name, BTF_KIND_FUNC) < 0)
		return;
	clones->nr_encoded++;
	if (compare_with(clones, clones->work->btf, func->name, func, &cmp) && cmp.nr_wrong &&
	    clones->nr_encoded_other++ < WRONG_MAX)
		printf("# BTF of %s is not what %s takes: %s\n", func->name, func->symbol,
		       cmp.wrong);
}

/* Checks that a function that is selected has the right layout, whether it is a clone or not. */
static void check_match(const struct oracle_func *func, void *arg)
{
	struct clones *clones = arg;
	const struct fargs_match *match = find_match(clones->sel, func->addr);
	bool is_clone = strchr(func->symbol, '.');
	struct oracle_comparison cmp;

	if (is_clone && func->name[0] == 'c')
		note_clone(clones, func);
	if (!match)
		return;
	clones->nr_matched += is_clone;
	oracle_compare(&cmp, clones->sel->layouts.data + match->offset, func);
	if (cmp.nr_wrong)
		ktap_fail(__FILE__, __LINE__, "%s is traced, but %s", func->symbol, cmp.wrong);
}

static void put_symbol(const char *name, uint64_t addr, void *arg)
{
	fprintf(arg, "%016" PRIx64 " t %s\n", addr, name);
}

/* Makes symbols in the format of /proc/kallsyms, as if the object were a kernel. */
static struct fargs_ksyms *make_ksyms(const char *object)
{
	struct fargs_ksyms *ksyms = NULL;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int ret;

	if (!out)
		return NULL;
	ret = oracle_each_symbol(object, put_symbol, out);
	if (!fclose(out) && !ret)
		ksyms = fargs_ksyms_parse(text, size, NULL);
	free(text);
	return ksyms;
}

static struct fargs_btfs *make_btfs(const struct btf *btf)
{
	struct fargs_btfs *btfs = fargs_btfs_create();
	const void *raw;
	uint32_t size;

	raw = btf__raw_data(btf, &size);
	if (btfs && fargs_btfs_add(btfs, FARGS_BTF_VMLINUX, raw, size, NULL)) {
		fargs_btfs_destroy(btfs);
		return NULL;
	}
	return btfs;
}

/* Checks all functions of the object that "fargs record -f '*'" would select. */
static void check_matches(const struct work *work)
{
	static const char *const all = "*";
	struct fargs_patterns patterns = { .wanted = &all, .nr_wanted = 1 };
	struct fargs_ksyms *ksyms = make_ksyms(work->object);
	struct fargs_btfs *btfs = make_btfs(work->btf);
	struct clones clones = { .work = work };
	struct fargs_select *sel = NULL;
	struct fargs_error_text err;

	if (ksyms && btfs)
		sel = fargs_select_survey(&patterns, ksyms, btfs, NULL, &err);
	CHECK(sel);
	clones.sel = sel;
	clones.types = load_btf(work, "types.btf");
	CHECK(clones.types);
	if (sel && clones.types)
		CHECK(!oracle_each_func(work->object, check_match, &clones));
	printf("# %u clones: %u with other arguments than their function; %u with the same, and "
	       "a struct, 128 bits or a stack slot among them; BTF describes %u, %u of them "
	       "wrongly; %u traced\n", clones.nr, clones.nr_other, clones.nr_special,
	       clones.nr_encoded, clones.nr_encoded_other, clones.nr_matched);
	CHECK(clones.nr_special >= 50);
	/*
	 * At least 50 clones have other arguments than their functions, so that refusing clones is
	 * tested.
	 */
	CHECK(clones.nr_other >= 50);
	fargs_layouts_deinit(&clones.layouts);
	btf__free(clones.types);
	fargs_select_destroy(sel);
	fargs_btfs_destroy(btfs);
	fargs_ksyms_destroy(ksyms);
}

static bool compile_clones(struct work *work, const struct oracle_toolchain *tools)
{
	FILE *out = work_source(work);

	if (!out)
		return false;
	oracle_put_clones(out);
	return !fclose(out) && work_compile(work, tools) &&
	       oracle_toolchain_encode(work->dir, "oracle.o", "types");
}

static void check_clones(toolchain_fn *get)
{
	struct oracle_toolchain tools;
	struct work work;
	const char *why;

	if (!get(&tools, &why)) {
		ktap_skip("%s", why);
		return;
	}
	REQUIRE(work_init(&work));
	CHECK(compile_clones(&work, &tools));
	if (work.btf)
		check_matches(&work);
	work_deinit(&work);
}

static void clones(void)
{
	check_clones(oracle_toolchain_old);
}

static void clones_new(void)
{
	check_clones(oracle_toolchain_new);
}

/* Builds the current sample module for @kernel, if that kernel is available. */
static bool build_module(struct work *work, const char *kernel)
{
	char command[256];

	snprintf(command, sizeof(command), "selftests/vm/build-module --kernel %s samples/target "
		 "%s", kernel, work->dir);
	snprintf(work->object, sizeof(work->object), "%s/fargs_target.ko", work->dir);
	if (!system(command) && oracle_toolchain_encode(work->dir, "fargs_target.ko", "oracle"))
		work->btf = load_btf(work, "oracle.btf");
	return work->btf;
}

static void check_module(const char *kernel)
{
	struct tally tally;
	char path[64];
	struct work work;

	snprintf(path, sizeof(path), "build/vm/%s/kernel", kernel);
	if (geteuid() || access(path, R_OK)) {
		ktap_skip("as root, \"selftests/vm/prefetch %s\" gets what is needed", kernel);
		return;
	}
	REQUIRE(work_init(&work));
	CHECK(build_module(&work, kernel));
	if (work.btf) {
		compare_all(&tally, &work);
		CHECK(tally.nr_whole >= 130);
		CHECK(tally.nr_special >= 50);
	}
	work_deinit(&work);
}

static void target_old(void)
{
	check_module("6.1");
}

static void target_middle(void)
{
	check_module("6.12");
}

static void target_new(void)
{
	check_module("7.2");
}

static const struct ktap_test tests[] = {
	{ "arguments are where DWARF says, with gcc of this machine", functions },
	{ "arguments are where DWARF says, with gcc of the newest test kernel", functions_new },
	{ "clones are refused or correct, with gcc and pahole of this machine", clones },
	{ "clones are refused or correct, with gcc and pahole of the newest test kernel",
	  clones_new },
	{ "arguments of the sample module are where DWARF says, on 6.1", target_old },
	{ "arguments of the sample module are where DWARF says, on 6.12", target_middle },
	{ "arguments of the sample module are where DWARF says, on 7.2", target_new },
};

int main(void)
{
	return KTAP_RUN(tests);
}
