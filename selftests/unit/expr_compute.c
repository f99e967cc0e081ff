// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests values that are computed: arithmetic, casts, addresses, sizes and sets. This program's
 * compiler computes the expected values, and their types, from the same text.
 */
#include <errno.h>
#include <limits.h>

#include "unit/expr_world.h"

/* The kernel is compiled with -fno-strict-overflow. The precedence of operators is tested here. */
#pragma GCC optimize("wrapv")
#pragma GCC diagnostic ignored "-Wparentheses"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long s64;

#define container_of(ptr, type, member)	((type *)((char *)(ptr) - offsetof(type, member)))

static struct dentry top = { .name = "/" };
static struct dentry eth = { .name = "eth0", .parent = &top, .iname = "eth0" };
static int numbers[8] = { -7, 8, 9, 10, 11, 12, 13, 14 };
static struct file next_file = { .f_flags = 3, .arr = { 7, 8, 9, 10 } };
static struct file this_file = {
	.f_flags = 0xfffffff0, .f_err = -2, .in = { -3, 1l << 40 }, .both = 0x80ff,
	.dentry = &eth, .lo = 5, .hi = -9, .mid = 0xabcde, .arr = { 1, 2, 3, 65535 },
	.big = LLONG_MIN, .col = BAD, .mode = MODE_WRITE | MODE_EXEC, .ok = true, .comm = "cat",
	.wide = ULONG_MAX, .ptr = numbers, .raw = &next_file, .next = &next_file,
	.raw8 = { 1, 128, 255, 2 }, .two = { { 1, 2 }, { 3, -4 } }, .letter = 'q',
};

static struct world w;
static struct file *const file = &this_file;
static unsigned long count;
static int fd;
static unsigned char small;
static signed char tiny;
static long seventh;
static const struct pair pair = { -70000, 40000, -7, 250, &eth };
static const char *name = "eth0";

static void set_arguments(void)
{
	w.m.args[0] = (uintptr_t)file;
	w.m.args[1] = count;
	w.m.args[2] = 0xdeadbeef00000000 | (unsigned int)fd;
	w.m.args[3] = 0xdeadbeef11223300 | small;
	w.m.args[4] = (uintptr_t)name;
	memcpy(w.m.slots, &pair, sizeof(pair));
	w.m.args[5] = 0xdeadbeef00007f00 | (unsigned char)tiny;
	w.m.slots[2] = seventh;
	w.m.ctx[FARGS_CTX_RETURN] = -ENOENT;
	w.m.ctx[FARGS_CTX_TGID] = 4711;
	w.m.ctx[FARGS_CTX_CPU] = 3;
	w.m.ctx[FARGS_CTX_COMM] = (uintptr_t)file->comm;
}

static void set_up(void)
{
	world_init(&w);
	model_allow(&w.m, &this_file, sizeof(this_file), false);
	model_allow(&w.m, &next_file, sizeof(next_file), false);
	model_allow(&w.m, &eth, sizeof(eth), false);
	model_allow(&w.m, &top, sizeof(top), false);
	model_allow(&w.m, name, 5, false);
	model_allow(&w.m, numbers, sizeof(numbers), false);
	count = 4096;
	fd = -100;
	small = 200;
	tiny = -2;
	seventh = -5;
	set_arguments();
}

/* Returns the only value that "f((@text):x)" fetches; NULL: none or several. */
static const struct model_value *fetch(const char *text, int line)
{
	char selector[512];

	snprintf(selector, sizeof(selector), "f((%s):x)", text);
	if (world_bind(&w, w.f, selector)) {
		ktap_fail(__FILE__, line, "%s: %u: %s", text, w.diagnostic.column,
			  w.diagnostic.text);
		return NULL;
	}
	world_run(&w, FARGS_PROG_ENTRY_FETCH);
	if (w.m.nr_values == 1 && w.bound->nr_values == 1)
		return &w.m.values[0];
	ktap_fail(__FILE__, line, "%s gives %u values", text, w.m.nr_values);
	return NULL;
}

static int type_of_integer(size_t bytes, bool is_signed)
{
	return fargs_param_int_type(bytes, is_signed);
}

static void check_value(const char *text, uint64_t want, int type, int line)
{
	const struct model_value *got = fetch(text, line);

	if (!got)
		return;
	if (got->is_fault || got->v != want || w.bound->values[0].type != type)
		ktap_fail(__FILE__, line, "%s: %llx of type %d%s, not %llx of type %d", text,
			  (unsigned long long)got->v, w.bound->values[0].type,
			  got->is_fault ? ", a fault" : "", (unsigned long long)want, type);
}

/* Checks that fargs computes the same value of the same type as the compiler. */
#define VALUE(expr)								\
	check_value(#expr, (uint64_t)(int64_t)(expr),				\
		    type_of_integer(sizeof(expr), (__typeof__(expr))-1 < 1), __LINE__)
#define POINTER(expr)	check_value(#expr, (uintptr_t)(expr), FARGS_TYPE_PTR, __LINE__)

static void arithmetic(void)
{
	static const struct {
		unsigned long count;
		int fd;
		unsigned char small;
		signed char tiny;
		long seventh;
	} sets[] = {
		{ 4096, -100, 200, -2, -5 },
		{ 0, 0, 0, 0, 0 },
		{ ULONG_MAX, INT_MAX, UCHAR_MAX, SCHAR_MAX, LONG_MAX },
		{ 1ul << 63, INT_MIN, 128, SCHAR_MIN, LONG_MIN },
		{ 0x123456789abcdef0, 0x12345678, 1, 1, -0x123456789abcdef },
	};
	size_t i;

	set_up();
	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		count = sets[i].count;
		fd = sets[i].fd;
		small = sets[i].small;
		tiny = sets[i].tiny;
		seventh = sets[i].seventh;
		set_arguments();
		VALUE(count + 1);
		VALUE(1 + count);
		VALUE(count - 1);
		VALUE(1 - count);
		VALUE(count - small);
		VALUE(count * 8);
		VALUE(8 * count + fd);
		VALUE(count + fd);
		VALUE(count - seventh);
		VALUE(small + tiny);
		VALUE(small - 201);
		VALUE(tiny * -3);
		VALUE(small << 4);
		VALUE(count << 63);
		VALUE(count >> 3);
		VALUE(seventh >> 3);
		VALUE(fd >> 31);
		VALUE(tiny >> 1);
		VALUE(count & 0xff0);
		VALUE(count | 5);
		VALUE(fd | 5);
		VALUE(fd ^ 5);
		VALUE(fd ^ small);
		VALUE(count ^ seventh);
		VALUE(fd ^ count);
		VALUE(fd | small);
		VALUE(tiny & small);
		VALUE(seventh & fd);
		VALUE(seventh | count);
		VALUE(fd & count);
		VALUE(~fd);
		VALUE(~small);
		VALUE(~count);
		VALUE(-small);
		VALUE(-count);
		VALUE(-tiny);
		VALUE(-(tiny - 1) * 2 + (small & 7));
		VALUE(seventh + 4294967296);
		VALUE(tiny + 4294967296);
		VALUE(small + tiny - seventh + count);
		VALUE((count - 1) * 4 - (seventh ^ (small | 1)));
		VALUE(file->f_flags + 1);
		VALUE(file->f_flags + 16);
		VALUE(file->f_flags - file->f_err);
		VALUE(file->f_flags * 2);
		VALUE(file->f_flags ^ file->f_err);
		VALUE(~file->f_flags);
		VALUE(-file->f_flags);
		VALUE(file->f_flags << 8);
		VALUE(file->wide + 1);
		VALUE(file->arr[3] + 1);
		VALUE(file->lo - 6);
		VALUE(file->hi * 2);
		VALUE(file->mid << 8);
		VALUE(file->ok + 1);
		VALUE(pair.a - pair.b);
		VALUE(pair.c * 3);
	}
	world_deinit(&w);
}

/* A constant has the type that it has in C: it can make a result unsigned, or wider. */
static void types_of_constants(void)
{
	static const int ints[] = { -1, 0, 1, 0x12345678, INT_MAX, INT_MIN };
	size_t i;

	set_up();
	for (i = 0; i < sizeof(ints) / sizeof(ints[0]); i++) {
		fd = ints[i];
		tiny = ints[i];
		this_file.f_flags = i ? (unsigned int)ints[i] : 2000000000;
		set_arguments();
		VALUE(file->f_flags * (u64)4);
		VALUE((u64)4 * file->f_flags);
		VALUE(file->f_flags * sizeof(struct file));
		VALUE(file->f_flags - sizeof(struct file) * 2);
		VALUE(file->f_flags + 0x90000000);
		VALUE(file->f_flags + 2415919104);
		VALUE(file->f_flags * (s64)-1);
		VALUE(file->f_flags * (u8)255);
		VALUE(fd * (u64)1);
		VALUE(fd + (u32)0);
		VALUE(fd ^ 0x80000000);
		VALUE(fd ^ 0x7fffffff);
		VALUE(fd ^ 020000000000);
		VALUE(fd & ~0x80000000);
		VALUE(fd & -0x80000000);
		VALUE(fd + (0x80000000 + 0x80000000));
		VALUE(fd + ((0x80000000 + 0x80000000) >> 1));
		VALUE(fd + (u64)~0x80000000);
		VALUE(fd + (1 - (u32)2));
		VALUE(fd + (1 - (u16)2));
		VALUE(fd + 0xffffffffffffffff);
		VALUE(fd + (s8)0xff);
		VALUE(fd * sizeof(int));
		VALUE(tiny - sizeof(file->in));
		VALUE(tiny - (u32)1);
		VALUE((u32)7 - tiny);
		VALUE(tiny << (u64)3);
		VALUE(fd >> sizeof(int));
	}
	this_file.f_flags = 0xfffffff0;
	world_deinit(&w);
}

static void precedence(void)
{
	set_up();
	VALUE(count + 2 * 3);
	VALUE((count + 2) * 3);
	VALUE(count - 3 - 2);
	VALUE(count - (3 - 2));
	VALUE(count + 1 << 2);
	VALUE(count << 1 + 2);
	VALUE(count >> 2 & 7);
	VALUE(count & 7 << 10);
	VALUE(count | 6 & 3);
	VALUE(count ^ 6 & 3);
	VALUE(count | 6 ^ 3);
	VALUE(-fd + 1);
	VALUE(~fd & 15);
	VALUE(-file->ptr[2] + *file->ptr * 2);
	VALUE((u8)fd + 1);
	VALUE((u8)(fd + 1));
	VALUE((s64)file->two[1].x << 33);
	world_deinit(&w);
}

static void casts(void)
{
	set_up();
	VALUE((u8)fd);
	VALUE((s8)small);
	VALUE((u16)fd);
	VALUE((s16)count);
	VALUE((u32)fd);
	VALUE((u32)seventh);
	VALUE((s32)file->f_flags);
	VALUE((u64)fd);
	VALUE((s64)file->wide);
	VALUE((unsigned long)tiny);
	VALUE((unsigned int)tiny);
	VALUE((unsigned short int)tiny);
	VALUE((long long)small);
	VALUE((const int)count);
	VALUE((u64)file + 8);
	VALUE((u32)file->hi);
	VALUE((u64)-1 - count);
	VALUE((s8)(u8)fd);
	VALUE((int)file->col + 1);
	check_value("(bool)fd", 1, FARGS_TYPE_BOOL, __LINE__);
	check_value("(bool)(fd + 100)", 0, FARGS_TYPE_BOOL, __LINE__);
	check_value("(char)fd", (int64_t)(char)fd, FARGS_TYPE_CHAR, __LINE__);
	check_value("(enum colour)(fd + 102)", 2, FARGS_TYPE_S32, __LINE__);
	VALUE(((struct file *)file->raw)->f_flags);
	VALUE(((struct file *)file->raw)->arr[2]);
	VALUE(((const struct file *)(u64)file->raw)->arr[1] + 1);
	VALUE(*(int *)file->ptr);
	VALUE(*(u16 *)&file->arr[3]);
	VALUE(((u8 *)file->ptr)[4]);
	VALUE((*(struct inner *)&file->two[1]).y);
	VALUE(**(int **)&file->ptr);
	VALUE(((struct dentry **)&file->dentry)[0]->pad[0] + 0);
	POINTER((struct file *)file->raw);
	POINTER((void *)count);
	world_deinit(&w);
}

static void pointers(void)
{
	set_up();
	POINTER(&file->in);
	POINTER(&file->dentry->iname);
	POINTER(&file->ptr[3]);
	POINTER(&*file->ptr);
	POINTER(&file->arr[1]);
	POINTER(file->ptr + 2);
	POINTER(2 + file->ptr);
	POINTER(file->ptr - 1);
	POINTER(file->ptr + tiny);
	POINTER(file + 1);
	POINTER(file->raw + 3);
	POINTER(&file->two[small & 1]);
	POINTER(&file->ptr[fd + 101]);
	VALUE(&file->ptr[5] - file->ptr);
	VALUE(file->ptr - &file->ptr[5]);
	VALUE((u64)file & 7);
	VALUE((&file->in)->y);
	VALUE(*(file->ptr + 3));
	VALUE((file->ptr + 3)[1]);
	VALUE(*(&file->in.x));
	POINTER(container_of(&file->in, struct file, in));
	VALUE(container_of(&file->in, struct file, in)->f_flags);
	VALUE(container_of(&file->in.y, struct inner, y)->x);
	VALUE(container_of(&file->two[1].y, struct file, two[1].y)->f_err);
	VALUE(container_of((void *)&file->letter, struct file, letter)->in.x);
	world_deinit(&w);
}

static void indices(void)
{
	set_up();
	fd = 2;
	tiny = -1;
	small = 1;
	set_arguments();
	VALUE(file->ptr[fd]);
	VALUE(file->ptr[fd + 1]);
	VALUE(file->ptr[fd - 2]);
	VALUE((&file->ptr[3])[tiny]);
	VALUE(file->arr[fd]);
	VALUE(file->arr[small]);
	VALUE(file->arr[fd] + file->arr[small]);
	VALUE(file->two[small].y);
	VALUE(file->next->arr[small + fd]);
	VALUE(file->ptr[file->arr[fd]]);
	VALUE(file->raw8[file->raw8[0]]);
	world_deinit(&w);
}

/* An index outside of an array is a fault, not what follows the array in memory. */
static void indices_outside(void)
{
	static const char *const texts[] = {
		"file->arr[small]", "file->arr[fd]", "file->arr[tiny + 6]", "file->two[count].y",
		"file->raw8[seventh]",
	};
	const struct model_value *got;
	size_t i;

	set_up();
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		got = fetch(texts[i], __LINE__);
		if (got && !got->is_fault)
			ktap_fail(__FILE__, __LINE__, "%s is %llx", texts[i],
				  (unsigned long long)got->v);
	}
	VALUE(file->arr[tiny + 5]);
	world_deinit(&w);
}

static void sizes(void)
{
	set_up();
	VALUE(count + (int)sizeof(struct file));
	VALUE(count + (int)sizeof(*file));
	VALUE(count + (int)sizeof(file));
	VALUE(count + (int)sizeof(file->arr));
	VALUE(count + (int)sizeof(file->arr[fd]));
	VALUE(count + (int)sizeof(u16));
	VALUE(count + (int)sizeof(unsigned long));
	VALUE(count + (int)sizeof(struct dentry *));
	VALUE(count + (int)sizeof(enum colour));
	VALUE(count + (int)sizeof(small + 1));
	VALUE(count + (int)sizeof((u8)fd));
	VALUE(count + (int)sizeof(pair));
	VALUE(count + (int)sizeof(seventh));
	world_deinit(&w);
}

static void unreadable(void)
{
	static const char *const texts[] = {
		"*file->next->ptr + 1", "1 - *file->next->ptr", "fd ^ *file->next->ptr",
		"*file->next->ptr ^ fd", "-*file->next->ptr", "(u8)*file->next->ptr",
		"(bool)*file->next->ptr", "file->ptr[*file->next->ptr]",
		"file->arr[*file->next->ptr]", "*(file->next->ptr + 1)",
		"((struct file *)file->next->raw)->arr[fd & 1]",
		"container_of(file->next->next, struct file, next)->f_flags",
	};
	const struct model_value *got;
	size_t i;

	set_up();
	next_file.ptr = (void *)24;
	next_file.raw = (void *)16;
	next_file.next = (void *)4096;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]) - 1; i++) {
		got = fetch(texts[i], __LINE__);
		if (got && !got->is_fault)
			ktap_fail(__FILE__, __LINE__, "%s is %llx", texts[i],
				  (unsigned long long)got->v);
	}
	next_file.ptr = NULL;
	next_file.raw = NULL;
	next_file.next = NULL;
	world_deinit(&w);
}

/* Checks a condition and its negation. */
static void check_condition(const char *text, bool want, int line)
{
	char selector[512];

	snprintf(selector, sizeof(selector), "f(%s)", text);
	if (world_accepts(&w, w.f, selector) != want)
		ktap_fail(__FILE__, line, "%s is not %d", text, want);
	snprintf(selector, sizeof(selector), "f(!(%s))", text);
	if (world_accepts(&w, w.f, selector) != !want)
		ktap_fail(__FILE__, line, "!(%s) is not %d", text, !want);
}

#define HOLDS(text, want)	check_condition(text, want, __LINE__)

static void compared(void)
{
	set_up();
	HOLDS("count + 1 == 4097", true);
	HOLDS("count - 4097 > 0", true);
	HOLDS("(s64)(count - 4097) < 0", true);
	HOLDS("fd + 1 < small - 1", true);
	HOLDS("count * 2 > small * 40", true);
	HOLDS("count * 2 > small << 6", false);
	HOLDS("fd + 100 || small == 1", false);
	HOLDS("(file->mode | MODE_READ) == 7", true);
	HOLDS("(file->mode ^ MODE_WRITE) == MODE_EXEC", true);
	HOLDS("(u32)fd == 4294967196", true);
	HOLDS("(u8)fd == 156 && (s8)small == -56", true);
	HOLDS("((struct file *)file->raw)->f_flags == 3", true);
	HOLDS("count > sizeof(struct file)", true);
	HOLDS("&file->in == file", false);
	HOLDS("&file->f_flags == file", true);
	HOLDS("file->raw == file->next", true);
	HOLDS("container_of(&file->in, struct file, in) == file", true);
	HOLDS("file->ptr[file->lo] == 12", true);
	HOLDS("(char *)name == \"eth*\"", true);
	HOLDS("(char *)(count + (u64)name - 4096) == \"eth*\"", true);
	HOLDS("(const char *)(name + 1) == \"th0\"", true);
	HOLDS("4k - 1 < count", true);
	HOLDS("count == (1 << 4 | 3) * 256 - 3 * 256", true);
	HOLDS("file->ok + file->ok == 2", true);
	HOLDS("(bool)small", true);
	HOLDS("(bool)fd == true", true);
	world_deinit(&w);
}

static void sets(void)
{
	set_up();
	HOLDS("fd in {-100}", true);
	HOLDS("fd in {1, -100, 3}", true);
	HOLDS("fd in {1, 2, 3}", false);
	HOLDS("fd in {-200...-100}", true);
	HOLDS("fd in {-100...-1}", true);
	HOLDS("fd in {-99...-1, 1...5}", false);
	HOLDS("small in {0...199}", false);
	HOLDS("small in {0...199, 201...255}", false);
	HOLDS("small in {1, 200...200}", true);
	HOLDS("count in {4k, 8k}", true);
	HOLDS("count in {0xffffffffffffffff, 0...4095}", false);
	HOLDS("count in {1...0xffffffffffffffff}", true);
	HOLDS("seventh in {-0x7fffffffffffffff...-5}", true);
	HOLDS("file->col in {RED, GREEN, BAD}", true);
	HOLDS("file->col in {RED, GREEN}", false);
	HOLDS("file->mode & 6 in {MODE_READ, MODE_WRITE|MODE_EXEC}", true);
	HOLDS("fd in {small, tiny, seventh - 95}", true);
	HOLDS("fd in {small, tiny, seventh}", false);
	HOLDS("count in {seventh, file->wide}", false);
	HOLDS("seventh in {count, -5}", true);
	HOLDS("file->ok in {true}", true);
	HOLDS("file->ok in {false}", false);
	HOLDS("file->next in {NULL, -ENOENT}", false);
	HOLDS("file->next->next in {NULL, -4095...-1}", true);
	HOLDS("name in {\"lo\", \"eth*\"}", true);
	HOLDS("name in {\"lo\", \"wlan*\"}", false);
	HOLDS("$comm in {\"c?t\"} && $cpu in {0...3}", true);
	HOLDS("count + 1 in {4097}", true);
	*(unsigned char *)&this_file.ok = 2;
	HOLDS("file->ok in {true}", true);
	*(unsigned char *)&this_file.ok = 1;
	world_deinit(&w);
}

static void sets_of_unreadable_values(void)
{
	static const char *const texts[] = {
		"*file->next->ptr in {1, 2...3}", "!(*file->next->ptr in {1, 2...3})",
		"fd in {*file->next->ptr}", "!(fd in {*file->next->ptr, 5})",
		"file->next->dentry->name in {\"x\"}", "!(file->next->dentry->name in {\"x\"})",
	};
	char selector[128];
	size_t i;

	set_up();
	next_file.ptr = (void *)24;
	next_file.dentry = (void *)16;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(selector, sizeof(selector), "f(%s)", texts[i]);
		if (world_accepts(&w, w.f, selector) || !w.m.has_unreadable)
			ktap_fail(__FILE__, __LINE__, "%s is accepted", texts[i]);
	}
	/* An element that can be read suffices. */
	CHECK_INT(world_accepts(&w, w.f, "f(fd in {*file->next->ptr, -100})"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f(!(fd in {*file->next->ptr, -100}))"), 0);
	next_file.ptr = NULL;
	next_file.dentry = NULL;
	world_deinit(&w);
}

static void returned(void)
{
	set_up();
	CHECK_INT(world_accepts(&w, w.f, "f -> ret + 2 == 0"), 1);
	CHECK_INT(world_accepts(&w, w.f, "f(ret + fd == -102)"), 1);
	CHECK_INT(w.bound->has_return, 1);
	CHECK_INT(world_accepts(&w, w.f, "f(fd in {1, ret})"), 0);
	CHECK_INT(w.bound->has_return, 1);
	CHECK_INT(world_accepts(&w, w.f, "f(count > sizeof(ret))"), 1);
	CHECK_INT(w.bound->has_return, 0);
	CHECK_STR(world_diagnostic(&w, w.f, "f((u32)ret)"),
		  "8: the return value is known only at the return: write it after '->'");
	world_deinit(&w);
}

/* Binds @text to the tracepoint sys_enter. Returns the diagnostic, as world_diagnostic() does. */
static const char *bind_sys_enter(const char *text)
{
	static char buf[400];
	struct fargs_signature func;
	int data = btf__add_ptr(w.btf, 0), number = btf__find_by_name(w.btf, "long");
	int id = world_func(w.btf, "__traceiter_sys_enter", 0, "__data", data, "regs", data, "id",
			    number, NULL);

	buf[0] = '\0';
	fargs_selector_deinit(&w.sel);
	w.diagnostic = (struct fargs_diagnostic){ };
	if (fargs_signature_init_tpoint(&func, w.btf, id))
		return "no signature";
	if (fargs_selector_init(&w.sel, text, &w.diagnostic) ||
	    fargs_bind(w.bound, &w.sel, &func, &w.options, &w.constants, &w.diagnostic))
		snprintf(buf, sizeof(buf), "%u: %s", w.diagnostic.column, w.diagnostic.text);
	return buf;
}

/* The numbers are those of the ABI: x86-64 has read 0, write 1, openat 257, clone3 435. */
static void system_calls(void)
{
	static const struct {
		const char *text;
		uint64_t id;
		int want;
	} cases[] = {
		{ "sys_enter(id == openat)", 257, 1 }, { "sys_enter(id == openat)", 256, 0 },
		{ "sys_enter(id == read)", 0, 1 }, { "sys_enter(id != write)", 1, 0 },
		{ "sys_enter(id in {read, write, clone3})", 435, 1 },
		{ "sys_enter(id in {read, write, clone3})", 434, 0 },
		{ "sys_enter(id in {read...write})", 1, 1 },
	};
	size_t i;

	set_up();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_STR(bind_sys_enter(cases[i].text), "");
		w.m.args[2] = cases[i].id;
		CHECK_INT(world_run(&w, FARGS_PROG_ENTRY_PREDICATE), cases[i].want);
	}
	CHECK_STR(bind_sys_enter("sys_enter(id == opennat)"),
		  "17: 'opennat' is neither an argument of sys_enter nor a constant; did you mean "
		  "'openat' or 'openat2'?");
	/* Elsewhere, such a name is none of a constant. */
	CHECK_STR(world_diagnostic(&w, w.f, "f(count == openat)"),
		  "12: 'openat' is neither an argument of f nor a constant");
	world_deinit(&w);
}

/* Ranges whose ends are values. */
static void ranges(void)
{
	static const struct {
		int fd, tiny;
		int from, nr;
	} forms[] = { { 1, 4, 1, 3 }, { 0, 0, 0, 0 }, { 3, 1, 0, 0 }, { 2, 8, 2, 6 } };
	size_t i;

	set_up();
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		fd = forms[i].fd;
		tiny = forms[i].tiny;
		set_arguments();
		REQUIRE(!world_bind(&w, w.f, "f(file->ptr[fd..tiny])"));
		world_run(&w, FARGS_PROG_ENTRY_FETCH);
		REQUIRE(w.m.nr_values == 1);
		CHECK_INT(w.m.values[0].bytes, forms[i].nr * sizeof(int));
		CHECK(!memcmp(w.m.values[0].data, numbers + forms[i].from,
			      forms[i].nr * sizeof(int)));
	}
	REQUIRE(!world_bind(&w, w.f, "f(file->ptr[fd..8])"));
	world_run(&w, FARGS_PROG_ENTRY_FETCH);
	CHECK_INT(w.m.values[0].bytes, 6 * sizeof(int));
	REQUIRE(!world_bind(&w, w.f, "f(file->ptr[0..tiny - 6])"));
	world_run(&w, FARGS_PROG_ENTRY_FETCH);
	CHECK_INT(w.m.values[0].bytes, 2 * sizeof(int));
	world_deinit(&w);
}

/* Tests that all spellings of an expression have one name, which means the same again. */
static void names(void)
{
	static const struct {
		const char *text, *name;
	} forms[] = {
		{ "count  +1", "count+1" }, { "(count+(1))", "count+1" },
		{ "(count + 1) * 2", "(count+1)*2" }, { "count + (fd * 2)", "count+fd*2" },
		{ "count - (fd - 1)", "count-(fd-1)" }, { "(count - fd) - 1", "count-fd-1" },
		{ "(count | fd)", "(count|fd)" }, { "count ^ fd", "count^fd" },
		{ "count>>2", "count>>2" }, { "(u32)(count & fd)", "(u32)(count & fd)" },
		{ "( u32 ) count", "(u32)count" }, { "(unsigned)fd", "(unsigned int)fd" },
		{ "(long unsigned int)fd", "(unsigned long)fd" },
		{ "(struct file*)file", "(struct file *)file" },
		{ "((const struct file *)file)->in.x", "((struct file *)file)->in.x" },
		{ "*(struct inner *)&file->in", "*(struct inner *)(&file->in)" },
		{ "(*(struct inner *)&file->in).x", "((struct inner *)(&file->in))->x" },
		{ "(u64)-fd", "(u64)(-fd)" }, { "(u64)*file->ptr", "(u64)(*file->ptr)" },
		{ "& file -> in", "&file->in" }, { "(&file->in)->x", "(&file->in)->x" },
		{ "container_of( &file->in,struct file,in )->f_err",
		  "container_of(&file->in, struct file, in)->f_err" },
		{ "file->ptr[ fd+1 ]", "file->ptr[fd+1]" }, { "- - fd", "--fd" },
		{ "count + sizeof( struct file )", "count+sizeof(struct file)" },
		{ "~ fd", "~fd" }, { "(name + 1):str", "(name+1):str" },
	};
	char selector[256];
	int i, again;

	set_up();
	for (i = 0; i < (int)(sizeof(forms) / sizeof(forms[0])); i++) {
		for (again = 0; again < 2; again++) {
			char got[256] = "";

			snprintf(selector, sizeof(selector), "f(%s)",
				 again ? forms[i].name : forms[i].text);
			if (world_bind(&w, w.f, selector))
				ktap_fail(__FILE__, __LINE__, "%s: %u: %s", selector,
					  w.diagnostic.column, w.diagnostic.text);
			else
				fargs_node_text(w.sel.entry.fetches, got, sizeof(got));
			CHECK_STR(got, forms[i].name);
		}
	}
	world_deinit(&w);
}

static const struct ktap_test tests[] = {
	{ "arithmetic has the types and results of C", arithmetic },
	{ "constants have the types of C", types_of_constants },
	{ "operators have the precedence of C", precedence },
	{ "casts convert numbers and pointers as in C", casts },
	{ "addresses and pointer arithmetic are those of C", pointers },
	{ "an index can be a value", indices },
	{ "an index outside of an array is a fault", indices_outside },
	{ "sizeof() is that of C", sizes },
	{ "what is computed from an unreadable value is unreadable", unreadable },
	{ "computed values can be compared", compared },
	{ "sets hold numbers, ranges, values and patterns", sets },
	{ "an unreadable value is neither in a set nor not in it", sets_of_unreadable_values },
	{ "computed values of the return are evaluated there", returned },
	{ "both ends of a range can be values", ranges },
	{ "system calls have names", system_calls },
	{ "all spellings of a computed value have one name", names },
};

int main(void)
{
	return KTAP_RUN(tests);
}
