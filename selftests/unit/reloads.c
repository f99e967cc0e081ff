// SPDX-License-Identifier: GPL-2.0-only
/* Tests symbols of modules that were loaded again at other addresses. */
#include "unit/ktap.h"

#include "model/reloads.h"

#define SYMBOLS	"ffffffff81000000 T vfs_read\n"			\
		"ffffffffc0100000 t a_one\t[a]\n"		\
		"ffffffffc0100040 t a_two\t[a]\n"		\
		"ffffffffc0100080 t a_three\t[a]\n"		\
		"ffffffffc0200000 t b_one\t[b]\n"		\
		"ffffffffc0200040 t b_two\t[b]\n"		\
		"ffffffffc0201000 t b_init\t[b]\n"		\
		"ffffffffc0300000 t c_one\t[c]\n"

#define FUNC(ADDR, MODULE, NAME, TSC)	\
	{ .ip = (ADDR) + 4, .addr = (ADDR), .module = (char *)(MODULE),	\
	  .name = (char *)(NAME), .from_tsc = (TSC) }

static const char a[] = "a", b[] = "b", late[] = "late";
static const char a_one[] = "a_one", a_two[] = "a_two", b_one[] = "b_one", late_one[] = "late_one";
static const char vfs_read[] = "vfs_read", tick[] = "tick";

static struct fargs_ksyms *ksyms;

/* Returns the symbol of @addr at time @tsc as "NAME+OFFSET"; "": none. */
static const char *name_at(struct fargs_reloads *r, uint64_t addr, uint64_t tsc)
{
	static char text[64];
	const struct fargs_ksym *sym;
	struct fargs_ksym moved;

	fargs_reloads_select(r, tsc);
	sym = fargs_reloads_find_addr(r, ksyms, addr, &moved);
	if (!sym)
		return "";
	snprintf(text, sizeof(text), "%s+%d", sym->name, (int)(addr - sym->addr));
	return text;
}

/*
 * The modules a and b change places at times 100 (b) and 101 (a). At time 200, a is loaded
 * elsewhere.
 */
static void names_code_that_has_moved(void)
{
	const struct fargs_func funcs[] = {
		FUNC(0xffffffff81000000, NULL, vfs_read, 0),
		FUNC(0xffffffffc0100000, a, a_one, 0),
		FUNC(0xffffffffc0100000, b, b_one, 100),
		FUNC(0xffffffffc0100040, a, a_two, 0),
		FUNC(0xffffffffc0200000, b, b_one, 0),
		FUNC(0xffffffffc0200000, a, a_one, 101),
		FUNC(0xffffffffc0200040, a, a_two, 101),
		FUNC(0xffffffffc0400010, a, a_one, 200),
		FUNC(0xffffffffc0500000, late, late_one, 150),
		{ .ip = 16, .module = (char *)a, .name = (char *)tick },
	};
	struct fargs_reloads r;

	REQUIRE(!fargs_reloads_init(&r, funcs, sizeof(funcs) / sizeof(funcs[0])));
	CHECK_STR(name_at(&r, 0xffffffffc0100084, 99), "a_three+4");
	CHECK_STR(name_at(&r, 0xffffffffc0200044, 99), "b_two+4");
	/* b is at a's old address, and a has not been loaded again yet. */
	CHECK_STR(name_at(&r, 0xffffffffc0100044, 100), "b_two+4");
	CHECK_STR(name_at(&r, 0xffffffffc0100044, 101), "b_two+4");
	CHECK_STR(name_at(&r, 0xffffffffc0200084, 101), "a_three+4");
	CHECK_STR(name_at(&r, 0xffffffffc0400098, 199), "");
	CHECK_STR(name_at(&r, 0xffffffffc0400098, 200), "a_three+8");
	/* Neither module is at this address. */
	CHECK_STR(name_at(&r, 0xffffffffc0200004, 200), "");
	CHECK_STR(name_at(&r, 0xffffffffc0300004, 200), "c_one+4");
	CHECK_STR(name_at(&r, 0xffffffff81000004, 200), "vfs_read+4");
	/* Times need not increase from one lookup to the next. */
	CHECK_STR(name_at(&r, 0xffffffffc0100084, 99), "a_three+4");
	fargs_reloads_deinit(&r);
}

/*
 * Init functions are in memory of their own, which does not move with the module: the page after
 * b, where b_init was at first, is that of a now.
 */
static void names_no_init_functions(void)
{
	const struct fargs_func funcs[] = {
		FUNC(0xffffffffc0100000, a, a_one, 0),
		FUNC(0xffffffffc0200000, b, b_one, 0),
		FUNC(0xffffffffc0500000, b, b_one, 100),
		FUNC(0xffffffffc0501000, a, a_one, 101),
	};
	struct fargs_reloads r;

	REQUIRE(!fargs_reloads_init(&r, funcs, sizeof(funcs) / sizeof(funcs[0])));
	CHECK_STR(name_at(&r, 0xffffffffc0201044, 99), "b_init+68");
	CHECK_STR(name_at(&r, 0xffffffffc0500044, 102), "b_two+4");
	CHECK_STR(name_at(&r, 0xffffffffc0501044, 102), "a_two+4");
	fargs_reloads_deinit(&r);
}

static void names_nothing_of_uncertain_modules(void)
{
	const struct fargs_func funcs[] = {
		FUNC(0xffffffffc0100000, a, a_one, 0),
		FUNC(0xffffffffc0100040, a, a_two, 0),
		FUNC(0xffffffffc0200000, a, a_one, 100),
		FUNC(0xffffffffc0200080, a, a_two, 100),
	};
	struct fargs_reloads r;

	REQUIRE(!fargs_reloads_init(&r, funcs, sizeof(funcs) / sizeof(funcs[0])));
	CHECK_STR(name_at(&r, 0xffffffffc0100004, 99), "a_one+4");
	CHECK_STR(name_at(&r, 0xffffffffc0100004, 100), "");
	fargs_reloads_deinit(&r);
}

static void says_when_lives_change(void)
{
	const struct fargs_func funcs[] = {
		FUNC(0xffffffffc0100000, a, a_one, 0),
		FUNC(0xffffffffc0200000, a, a_one, 100),
	};
	struct fargs_reloads r;

	REQUIRE(!fargs_reloads_init(&r, funcs, 2));
	CHECK(!fargs_reloads_select(&r, 99));
	CHECK(fargs_reloads_select(&r, 100));
	CHECK(!fargs_reloads_select(&r, UINT64_MAX - 1));
	CHECK(fargs_reloads_select(&r, 50));
	fargs_reloads_deinit(&r);
	/* Without reloads there is nothing to select. */
	REQUIRE(!fargs_reloads_init(&r, funcs, 1));
	CHECK_INT(r.nr, 0);
	CHECK(!fargs_reloads_select(&r, 100));
	fargs_reloads_deinit(&r);
}

static const struct ktap_test tests[] = {
	{ "code of a module that has moved keeps its names", names_code_that_has_moved },
	{ "init functions do not move with their module", names_no_init_functions },
	{ "functions that moved apart have no names", names_nothing_of_uncertain_modules },
	{ "a change of addresses is reported once", says_when_lives_change },
};

int main(void)
{
	int status;

	ksyms = fargs_ksyms_parse(SYMBOLS, strlen(SYMBOLS), NULL);
	if (!ksyms)
		return 1;
	status = KTAP_RUN(tests);
	fargs_ksyms_destroy(ksyms);
	return status;
}
