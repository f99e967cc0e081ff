// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests conditions, compiled and run on values of this program. The compiler computes the expected
 * results from the same values.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>

#include "select/codegen/failure.h"
#include "unit/expr_world.h"

static struct dentry top = { .name = "/" };
static struct dentry eth = { .name = "eth0", .parent = &top, .iname = "eth0" };
static int pointed = -7;
static struct file next_file = { .f_flags = 3 };
static struct file file = {
	.f_flags = O_RDWR | O_DIRECT, .f_err = -ENOENT, .in = { -3, 1l << 40 }, .both = 0x80ff,
	.dentry = &eth, .lo = 5, .hi = -9, .mid = 0xabcde, .arr = { 1, 2, 3, 65535 },
	.big = LLONG_MIN, .col = BAD, .mode = MODE_WRITE | MODE_EXEC, .ok = true, .comm = "cat",
	.wide = ULONG_MAX, .ptr = &pointed, .next = &next_file, .raw8 = { 1, 128, 255, 0 },
	.two = { { 1, 2 }, { 3, -4 } }, .letter = 'q',
};

static struct world w;
static const unsigned long count = 4096;
static const int fd = -100;
static const unsigned char small = 200;
static const signed char tiny = -2;
static const long seventh = -5;
static struct pair pair = { -70000, 40000, -7, 250, &eth };

/* Garbage in registers, above the bits of a narrower value. */
#define GARBAGE	0xdeadbeef00000000ull

static void set_up(void)
{
	world_init(&w);
	model_allow(&w.m, &file, sizeof(file), false);
	model_allow(&w.m, &next_file, sizeof(next_file), false);
	model_allow(&w.m, &eth, sizeof(eth), false);
	model_allow(&w.m, &top, sizeof(top), false);
	model_allow(&w.m, "eth0", 5, false);
	model_allow(&w.m, eth.name, 5, false);
	model_allow(&w.m, top.name, 2, false);
	model_allow(&w.m, &pointed, sizeof(pointed), false);
	w.m.args[0] = (uintptr_t)&file;
	w.m.args[1] = count;
	w.m.args[2] = GARBAGE | (unsigned int)fd;
	w.m.args[3] = GARBAGE | 0x11223300 | small;
	w.m.args[4] = (uintptr_t)eth.name;
	memcpy(w.m.slots, &pair, sizeof(pair));
	w.m.args[5] = GARBAGE | 0x7f00 | (unsigned char)tiny;
	w.m.slots[2] = seventh;
	w.m.ctx[FARGS_CTX_RETURN] = -ENOENT;
	w.m.ctx[FARGS_CTX_TGID] = 4711;
	w.m.ctx[FARGS_CTX_TID] = 4712;
	w.m.ctx[FARGS_CTX_CPU] = 3;
	w.m.ctx[FARGS_CTX_UID] = 1000;
	w.m.ctx[FARGS_CTX_CGROUP] = 5;
	w.m.ctx[FARGS_CTX_CALLER] = 0xffffffff81234567;
	w.m.ctx[FARGS_CTX_COMM] = (uintptr_t)file.comm;
}

/*
 * Checks that "f(@text)" accepts and "f(!(@text))" rejects the call, or the opposite if @want is
 * false.
 */
static void check(const char *text, bool want, int line)
{
	char selector[512];

	snprintf(selector, sizeof(selector), "f(%s)", text);
	if (world_accepts(&w, w.f, selector) != want)
		ktap_fail(__FILE__, line, "%s is not %d", text, want);
	snprintf(selector, sizeof(selector), "f(!(%s))", text);
	if (world_accepts(&w, w.f, selector) != !want)
		ktap_fail(__FILE__, line, "!(%s) is not %d", text, !want);
}

#define HOLDS(text, want)	check(text, want, __LINE__)
/* Checks that fargs and the compiler evaluate the same text to the same result. */
#define SAME(expr)		HOLDS(#expr, expr)

static void operators(void)
{
	set_up();
	SAME(count == 4096);
	SAME(count != 4096);
	SAME(count < 4096);
	SAME(count <= 4096);
	SAME(count > 4096);
	SAME(count >= 4096);
	SAME(count < 4097);
	SAME(count > 4095);
	SAME(4095 < count);
	SAME(4096 <= count);
	SAME(4097 > count);
	SAME(4096 == count);
	world_deinit(&w);
}

static void joined(void)
{
	static const char *const marks[] = { "&&", "||" };
	char text[128];
	int i, a, b, c;

	set_up();
	for (i = 0; i < 32; i++) {
		a = i & 1;
		b = i >> 1 & 1;
		c = i >> 2 & 1;
		snprintf(text, sizeof(text), "fd %s -100 %s count %s 4096 %s small %s 200",
			 a ? "==" : "!=", marks[i >> 3 & 1], b ? "==" : "!=", marks[i >> 4 & 1],
			 c ? "==" : "!=");
		if (i < 8)
			HOLDS(text, a && b && c);
		else if (i < 16)
			HOLDS(text, a || (b && c));
		else if (i < 24)
			HOLDS(text, (a && b) || c);
		else
			HOLDS(text, a || b || c);
	}
	HOLDS("(fd == 1 || fd == -100) && !(count == 1)", true);
	HOLDS("!fd == -100", false);
	HOLDS("!!(fd == -100)", true);
	HOLDS("!(fd == -100 && !(count < 1 || small == 1))", false);
	world_deinit(&w);
}

static void signs_and_widths(void)
{
	set_up();
	SAME(fd < 0);
	SAME(fd == -100);
	SAME(fd > -101);
	SAME(fd >= -99);
	SAME(tiny == -2);
	SAME(tiny < -1);
	SAME(small == 200);
	SAME(small > 199);
	SAME(small < 201);
	SAME(seventh < -4);
	HOLDS("file->f_err == -ENOENT", true);
	HOLDS("file->f_err < 0", true);
	HOLDS("file->f_flags > 0x7fffffff", false);
	HOLDS("file->in.x == -3", true);
	HOLDS("file->in.y == 1099511627776", true);
	HOLDS("file->big == -9223372036854775808", true);
	HOLDS("file->big < -9223372036854775807", true);
	HOLDS("file->wide == 18446744073709551615", true);
	HOLDS("file->wide > 9223372036854775808", true);
	HOLDS("file->wide == 0xffffffffffffffff", true);
	HOLDS("file->b == 255", true);
	HOLDS("file->c == -128", true);
	HOLDS("file->arr[3] == 65535", true);
	HOLDS("file->raw8[1] > 127", true);
	world_deinit(&w);
}

static void bitfields(void)
{
	set_up();
	HOLDS("file->lo == 5", true);
	HOLDS("file->hi == -9", true);
	HOLDS("file->hi < -8", true);
	HOLDS("file->mid == 0xabcde", true);
	HOLDS("file->mid > file->lo", true);
	HOLDS("file->hi > file->lo", false);
	world_deinit(&w);
}

/*
 * Tests comparisons of two values: the result must be mathematically right, even where the result
 * in C is different.
 */
static void two_values(void)
{
	static const struct {
		long s;
		unsigned long u;
	} values[] = {
		{ -1, ULONG_MAX }, { -1, 0 }, { 0, 0 }, { 5, 4 }, { 4, 5 }, { LONG_MAX, LONG_MAX },
		{ LONG_MIN, 1ul << 63 }, { LONG_MAX, 1ul << 63 }, { -1, 1 }, { 7, 7 },
	};
	size_t i;

	set_up();
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		__int128 s = values[i].s, u = values[i].u;

		w.m.args[1] = values[i].u;
		w.m.slots[2] = values[i].s;
		HOLDS("seventh == count", s == u);
		HOLDS("seventh != count", s != u);
		HOLDS("seventh < count", s < u);
		HOLDS("seventh <= count", s <= u);
		HOLDS("seventh > count", s > u);
		HOLDS("seventh >= count", s >= u);
		HOLDS("count == seventh", u == s);
		HOLDS("count != seventh", u != s);
		HOLDS("count < seventh", u < s);
		HOLDS("count <= seventh", u <= s);
		HOLDS("count > seventh", u > s);
		HOLDS("count >= seventh", u >= s);
	}
	/* Compare narrow values, signed with unsigned. */
	HOLDS("fd < small", true);
	HOLDS("small > tiny", true);
	HOLDS("file->f_err < file->f_flags", true);
	HOLDS("fd < tiny", true);
	HOLDS("count == file->wide", false);
	world_deinit(&w);
}

static void bits(void)
{
	set_up();
	HOLDS("file->f_flags & O_DIRECT", true);
	HOLDS("file->f_flags & O_APPEND", false);
	HOLDS("O_DIRECT & file->f_flags", true);
	HOLDS("file->f_flags & O_ACCMODE == O_RDWR", true);
	HOLDS("(file->f_flags & O_ACCMODE) == O_RDONLY", false);
	HOLDS("file->f_flags & (O_APPEND|O_DIRECT)", true);
	HOLDS("file->f_flags & (O_APPEND|O_DIRECT) == O_DIRECT", true);
	HOLDS("file->f_flags & ~(O_RDWR|O_DIRECT)", false);
	HOLDS("file->f_flags & 1 << 1", true);
	HOLDS("file->mode & MODE_READ", false);
	HOLDS("file->mode & (MODE_READ|MODE_EXEC)", true);
	HOLDS("fd & 0xff == 156", true);
	HOLDS("fd & ~3 == -100", true);
	HOLDS("fd & ~7 < -100", true);
	HOLDS("seventh & count", true);
	HOLDS("seventh & count & fd == 4096", true);
	HOLDS("count & 4k", true);
	world_deinit(&w);
}

static void constants(void)
{
	set_up();
	HOLDS("count == 010000", true);
	HOLDS("count == 0x1000", true);
	HOLDS("count == 4k", true);
	HOLDS("count < 1M", true);
	HOLDS("count < 1G", true);
	HOLDS("count == 1 << 12", true);
	HOLDS("file->letter == 'q'", true);
	HOLDS("file->letter == '\\n'", false);
	HOLDS("fd == AT_FDCWD", true);
	HOLDS("file->col == BAD", true);
	HOLDS("file->col == GREEN", false);
	HOLDS("count == ELSEWHERE", false);
	HOLDS("count > ELSEWHERE", true);
	HOLDS("file->ptr != NULL", true);
	HOLDS("file->raw == NULL", true);
	HOLDS("file->f_err == -2", true);
	HOLDS("small == SIGKILL", false);
	HOLDS("count == PROT_READ", false);
	HOLDS("count & MAP_EXECUTABLE", true);
	HOLDS("count & S_IFIFO", true);
	world_deinit(&w);
}

static void own_enum_first(void)
{
	set_up();
	file.col = GREEN;
	/* GREEN is 2 in the enum of the member col, and 9 in another enum. */
	HOLDS("file->col == GREEN", true);
	file.col = BAD;
	world_deinit(&w);
}

static void truth(void)
{
	set_up();
	HOLDS("file->ok == true", true);
	HOLDS("file->ok == false", false);
	HOLDS("file->ok != true", false);
	HOLDS("!file->ok", false);
	HOLDS("!file->raw", true);
	HOLDS("!file->ptr || !count", false);
	HOLDS("file->ok && file->ptr", true);
	/* Any bool that is not 0 is true, even if it is not 1. */
	*(unsigned char *)&file.ok = 2;
	HOLDS("file->ok == true", true);
	HOLDS("file->ok", true);
	*(unsigned char *)&file.ok = 1;
	world_deinit(&w);
}

static void chains(void)
{
	set_up();
	HOLDS("*file->ptr == -7", true);
	HOLDS("file->ptr[0] == -7", true);
	HOLDS("(*file).f_err == -2", true);
	HOLDS("file->next->f_flags == 3", true);
	HOLDS("(*file->next).f_flags == 3", true);
	HOLDS("file->two[1].x == 3", true);
	HOLDS("file->two[1].y == -4", true);
	HOLDS("file->dentry->parent->parent == NULL", true);
	HOLDS("*file->arr == 1", true);
	HOLDS("pair.a == -70000", true);
	HOLDS("pair.b == 40000", true);
	HOLDS("pair.c == -7", true);
	HOLDS("pair.d == 250", true);
	HOLDS("pair.to->parent->parent == NULL", true);
	world_deinit(&w);
}

static void strings(void)
{
	set_up();
	HOLDS("name == \"eth0\"", true);
	HOLDS("name == \"eth*\"", true);
	HOLDS("name == \"eth?\"", true);
	HOLDS("name == \"eth\"", false);
	HOLDS("name != \"eth*\"", false);
	HOLDS("name != \"lo\"", true);
	HOLDS("\"e[a-z]h[!1-9]\" == name", true);
	HOLDS("name == \"eth\\*\"", false);
	HOLDS("name == \"e\\th0\"", true);
	HOLDS("name == \"\"", false);
	HOLDS("name:str == \"eth0\"", true);
	HOLDS("name:ustr == \"eth0\" || count", true);
	HOLDS("file->dentry->name == \"eth0\"", true);
	HOLDS("file->dentry->iname == \"eth*\"", true);
	HOLDS("file->comm == \"cat\"", true);
	HOLDS("$comm == \"ca?\"", true);
	HOLDS("$comm != \"cat\"", false);
	world_deinit(&w);
}

static void quotes_in_patterns(void)
{
	static const char odd[] = "a\"b\\";

	set_up();
	model_allow(&w.m, odd, sizeof(odd), false);
	w.m.args[4] = (uintptr_t)odd;
	HOLDS("name == \"a\\\"b\\\\\"", true);
	HOLDS("name == \"a\\\"b\"", false);
	world_deinit(&w);
}

static void context(void)
{
	set_up();
	HOLDS("$pid == 4711", true);
	HOLDS("$tid == 4711", false);
	HOLDS("$tid > $pid", true);
	HOLDS("$cpu == 3", true);
	HOLDS("$uid >= 1000", true);
	HOLDS("$cgroup == 5", true);
	HOLDS("$caller == 0xffffffff81234567", true);
	world_deinit(&w);
}

/* Checks that neither the condition nor its negation is true. */
static void check_unreadable(const char *text, int line)
{
	char selector[256];

	snprintf(selector, sizeof(selector), "f(%s)", text);
	if (world_accepts(&w, w.f, selector) || !w.m.has_unreadable)
		ktap_fail(__FILE__, line, "%s is accepted", text);
	snprintf(selector, sizeof(selector), "f(!(%s))", text);
	if (world_accepts(&w, w.f, selector) || !w.m.has_unreadable)
		ktap_fail(__FILE__, line, "!(%s) is accepted", text);
}

#define UNREADABLE(text)	check_unreadable(text, __LINE__)

static void unreadable(void)
{
	set_up();
	w.m.args[4] = 8;
	next_file.dentry = (void *)16;
	next_file.ptr = (void *)24;
	UNREADABLE("file->next->dentry->parent == NULL");
	UNREADABLE("file->next->dentry->parent != NULL");
	UNREADABLE("file->next->dentry->parent || fd == 1");
	UNREADABLE("*file->next->ptr < 5");
	UNREADABLE("*file->next->ptr >= -5");
	UNREADABLE("*file->next->ptr & 1");
	UNREADABLE("*file->next->ptr & 1 == 0");
	UNREADABLE("name == \"x\"");
	UNREADABLE("name != \"x\"");
	UNREADABLE("file->next->dentry->name != \"x\"");
	UNREADABLE("*file->next->ptr == fd");
	UNREADABLE("fd != *file->next->ptr");
	UNREADABLE("*file->next->ptr < count");
	UNREADABLE("count > *file->next->ptr");
	UNREADABLE("count <= *file->next->ptr");
	/*
	 * Comparisons with an unreadable number are false, even if the result would be the same for
	 * any number.
	 */
	CHECK_INT(world_accepts(&w, w.f, "f(seventh < file->next->next->wide)"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f(seventh >= file->next->next->wide)"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f(file->next->next->wide != seventh)"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f(file->next->next->wide == seventh)"), 0);
	/* A readable alternative determines the result. */
	HOLDS("fd == -100 || name == \"x\"", true);
	world_deinit(&w);
}

static void strings_of_users(void)
{
	set_up();
	w.m.nr_regions = 0;
	model_allow(&w.m, eth.name, 5, true);
	HOLDS("name:ustr == \"eth0\"", true);
	HOLDS("name == \"eth0\"", true);
	w.m.regions[0].is_user = false;
	UNREADABLE("name:ustr == \"eth0\"");
	world_deinit(&w);
}

static void returns(void)
{
	set_up();
	CHECK_INT(world_accepts(&w, w.f, "f -> ret < 0"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f -> ret == -ENOENT"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f -> $ret >= 0"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f(count == 4096) -> ret == -ENOENT, fd < 0"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f(ret < 0 && count == 4096)"), 1);
	CHECK_INT(w.bound->has_return, 1);
	CHECK_INT(world_accepts(&w, w.f, "f(count == 4096)"), 1);
	CHECK_INT(w.bound->has_return, 0);
	world_deinit(&w);
}

static void each_condition_has_its_time(void)
{
	set_up();
	REQUIRE(!world_bind(&w, w.f, "f(ret < 0 && count == 1, fd == 1)"));
	CHECK_INT(world_run(&w, FARGS_PROG_ENTRY_PREDICATE), 0);
	CHECK_INT(world_run(&w, FARGS_PROG_RETURN_PREDICATE), 1);
	REQUIRE(!world_bind(&w, w.f, "f(count == 4096) -> count == 1"));
	CHECK_INT(world_run(&w, FARGS_PROG_ENTRY_PREDICATE), 1);
	CHECK_INT(world_run(&w, FARGS_PROG_RETURN_PREDICATE), 0);
	/* A condition on the return makes the whole alternative a condition at the return. */
	REQUIRE(!world_bind(&w, w.f, "f(ret == 0 || count == 1)"));
	CHECK_INT(w.bound->programs[FARGS_PROG_ENTRY_PREDICATE].nr, 0);
	CHECK_INT(world_run(&w, FARGS_PROG_RETURN_PREDICATE), 0);
	world_deinit(&w);
}

static void returned_values(void)
{
	static struct large large = { .v = { 1, -2, 3 }, .to = &eth };

	set_up();
	model_allow(&w.m, &large, sizeof(large), false);
	w.m.ctx[FARGS_CTX_RETURN] = (uintptr_t)&file;
	CHECK_INT(world_accepts(&w, w.mk, "mk -> ret->in.x == -3"), 1);
	w.m.ctx[FARGS_CTX_RETURN] = -ENOMEM;
	CHECK_INT(world_accepts(&w, w.mk, "mk -> ret == -ENOMEM"), 1);
	CHECK_INT(world_accepts(&w, w.mk, "mk -> ret >= -4095"), 1);
	CHECK_INT(world_accepts(&w, w.mk, "mk -> ret->in.x == -3"), 0);
	memcpy(&w.m.ctx[FARGS_CTX_RETURN], &pair, 8);
	memcpy(&w.m.ctx[FARGS_CTX_RETURN_HIGH], (char *)&pair + 8, 8);
	CHECK_INT(world_accepts(&w, w.rp, "rp -> ret.a == -70000, ret.to->parent->parent == NULL"),
		  1);
	w.m.ctx[FARGS_CTX_RETURN] = (uintptr_t)&large;
	CHECK_INT(world_accepts(&w, w.rl, "rl -> ret.v[1] == -2, ret.to->name == \"eth0\""), 1);
	/* In a function with an argument named ret, "ret" is that argument, not the result. */
	w.m.args[0] = 7;
	CHECK_INT(world_accepts(&w, w.v, "v(ret == 7)"), 1);
	CHECK_INT(w.bound->has_return, 0);
	world_deinit(&w);
}

static void durations(void)
{
	set_up();
	/* At 2 GHz, 2000 ticks are 1 us. */
	w.m.ctx[FARGS_CTX_DURATION] = 2000;
	CHECK_INT(world_accepts(&w, w.f, "f -> $duration >= 1us"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f -> $duration > 1us"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f -> $duration <= 1000ns"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f($duration < 0.001ms)"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f($duration < 1.5us)"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f($duration < 1s)"), 1);
	/* At 1.5 GHz, 1.5 ticks are 1 ns. */
	w.options.tsc_khz = 1500000;
	w.m.ctx[FARGS_CTX_DURATION] = 1;
	CHECK_INT(world_accepts(&w, w.f, "f($duration < 1ns)"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f($duration >= 1ns)"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f($duration <= 1ns)"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f($duration > 1ns)"), 0);
	w.m.ctx[FARGS_CTX_DURATION] = 2;
	CHECK_INT(world_accepts(&w, w.f, "f($duration < 1ns)"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f($duration >= 1ns)"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f($duration <= 1ns)"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f($duration > 1ns)"), 1);
	world_deinit(&w);
}

static void structs_in_registers(void)
{
	set_up();
	memcpy(w.m.args, &pair, sizeof(pair));
	w.m.args[2] = GARBAGE | 0x80000000;
	w.m.args[3] = (uintptr_t)&pointed;
	CHECK_INT(world_accepts(&w, w.g, "g(pair.a == -70000, pair.b == 40000)"), 1);
	CHECK_INT(world_accepts(&w, w.g, "g(pair.c == -7, pair.d == 250)"), 1);
	CHECK_INT(world_accepts(&w, w.g, "g(pair.to->parent->parent == NULL)"), 1);
	CHECK_INT(world_accepts(&w, w.g, "g(flags == 0x80000000)"), 1);
	CHECK_INT(world_accepts(&w, w.g, "g -> *out == -7, pair.a < 0"), 1);
	world_deinit(&w);
}

static void filters(void)
{
	set_up();
	REQUIRE(!fargs_selector_init_filter(&w.filter, "$comm == \"cat\" && $cpu == 3",
					    &w.diagnostic));
	w.options.filters = &w.filter;
	w.options.nr_filters = 1;
	CHECK_INT(world_accepts(&w, w.f, "f"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f(count == 4096)"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f(count == 1)"), 0);
	w.m.ctx[FARGS_CTX_CPU] = 2;
	CHECK_INT(world_accepts(&w, w.f, "f"), 0);
	CHECK_INT(world_accepts(&w, w.f, "f(count == 4096)"), 0);
	world_deinit(&w);
}

static int fails(int func, uint64_t value)
{
	w.m.ctx[FARGS_CTX_RETURN] = value;
	return world_accepts(&w, func, "*");
}

static void errors_by_type(void)
{
	struct fargs_signature func;

	set_up();
	w.options.is_only_errors = true;
	/* a function that returns long */
	CHECK_INT(fails(w.f, -1), 1);
	CHECK_INT(fails(w.f, -4095), 1);
	CHECK_INT(fails(w.f, -4096), 0);
	CHECK_INT(fails(w.f, 0), 0);
	CHECK_INT(fails(w.f, 0xffffffff), 0);
	/* a function that returns int, with garbage in the upper half of rax */
	CHECK_INT(fails(w.g, GARBAGE | 0xffffffff), 1);
	CHECK_INT(fails(w.g, GARBAGE | 0xfffff001), 1);
	CHECK_INT(fails(w.g, GARBAGE | 0xfffff000), 0);
	CHECK_INT(fails(w.g, 0xffffffff00000000), 0);
	CHECK_INT(fails(w.g, 0xffffffff00000001), 0);
	/* a function that returns a pointer */
	CHECK_INT(fails(w.mk, -12), 1);
	CHECK_INT(fails(w.mk, -4096), 0);
	CHECK_INT(fails(w.mk, 0), 0);
	CHECK_INT(fails(w.mk, (uintptr_t)&file), 0);
	CHECK_INT(w.bound->has_return, 1);

	fargs_signature_init(&func, w.btf, w.v);
	CHECK(!fargs_failure_is_possible(&func));
	fargs_signature_init(&func, w.btf, w.rp);
	CHECK(!fargs_failure_is_possible(&func));
	fargs_signature_init(&func, w.btf, w.rl);
	CHECK(!fargs_failure_is_possible(&func));
	world_deinit(&w);
}

static const struct ktap_test tests[] = {
	{ "errors are detected by the return type", errors_by_type },
	{ "unsigned numbers are compared", operators },
	{ "&&, || and ! can be combined with parentheses", joined },
	{ "numbers have the sign and width of their type", signs_and_widths },
	{ "bitfields have the sign and width of their type", bitfields },
	{ "two values of any sign compare as numbers", two_values },
	{ "bits are tested with &", bits },
	{ "constants have all their names", constants },
	{ "an enumerator of the value's own enum has precedence", own_enum_first },
	{ "bool, pointers and numbers are truth values", truth },
	{ "pointers, arrays and structs by value can be used", chains },
	{ "strings are matched with patterns", strings },
	{ "quotes and backslashes are allowed in patterns", quotes_in_patterns },
	{ "variables of the call, like $comm, can be used", context },
	{ "an unreadable value is neither true nor false", unreadable },
	{ ":ustr reads user space only", strings_of_users },
	{ "return values can be compared", returns },
	{ "conditions are evaluated as early as possible", each_condition_has_its_time },
	{ "returned pointers, errors and structs can be compared", returned_values },
	{ "durations are not rounded", durations },
	{ "structs in registers can be used", structs_in_registers },
	{ "filters are combined with each condition by &&", filters },
};

int main(void)
{
	return KTAP_RUN(tests);
}
