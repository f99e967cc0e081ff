// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions whose arguments point to memory, to test values that a tracer fetches through
 * pointers, and conditions on such values. The contents of the memory are defined below;
 * selftests/select.txt has selectors, and the text that a tracer must show for each of them.
 */
#include <linux/compiler.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "target.h"

enum fargs_m_color {
	FARGS_M_RED = 1,
	FARGS_M_GREEN = 2,
	FARGS_M_BLUE = -3,
};

struct fargs_m_inner {
	int n;
	const char *text;
};

struct fargs_m_node {
	u32 flags;
	s16 small;
	u8 tiny;
	bool ok;
	char name[12];
	enum fargs_m_color color;
	struct fargs_m_inner in;
	struct fargs_m_inner *out;
	struct fargs_m_node *link;
	union {
		u64 whole;
		struct {
			u32 low;
			u32 high;
		};
	};
	u32 a : 3;
	u32 b : 7;
	s32 c : 5;
	int values[4];
	int (*fn)(int event, void *data);
	s64 big;
};

/* selftests/select.txt expects these offsets in the addresses of unreadable members. */
static_assert(offsetof(struct fargs_m_node, name) == 8);
static_assert(offsetof(struct fargs_m_node, color) == 20);
static_assert(offsetof(struct fargs_m_node, in.text) == 32);
static_assert(offsetof(struct fargs_m_node, out) == 40);
static_assert(offsetof(struct fargs_m_node, link) == 48);
static_assert(offsetof(struct fargs_m_node, values) == 68);
static_assert(offsetof(struct fargs_m_node, big) == 96);

void fargs_m_node(struct fargs_m_node *node, int count);
void fargs_m_seventh(int a, int b, int c, int d, int e, int f, struct fargs_m_node *node, int h);
void fargs_m_by_value(struct fargs_m_inner in, int count);
void fargs_m_text(const char *text, int count);
void fargs_m_user(const char __user *text, int count);
void fargs_m_array(const int *p, int n);
void fargs_m_numbers(s8 a, u16 b, s32 c, u64 d, bool e, enum fargs_m_color f);
int fargs_m_event(int event, void *data);

int fargs_m_event(int event, void *data)
{
	return event;
}

fargs_t_target void fargs_m_node(struct fargs_m_node *node, int count)
{
	fargs_t_use(node);
	fargs_t_use(count);
}

fargs_t_target void fargs_m_seventh(int a, int b, int c, int d, int e, int f,
				    struct fargs_m_node *node, int h)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(node);
	fargs_t_use(h);
}

fargs_t_target void fargs_m_by_value(struct fargs_m_inner in, int count)
{
	fargs_t_use_wide(in);
	fargs_t_use(count);
}

fargs_t_target void fargs_m_text(const char *text, int count)
{
	fargs_t_use(text);
	fargs_t_use(count);
}

fargs_t_target void fargs_m_user(const char __user *text, int count)
{
	fargs_t_use(text);
	fargs_t_use(count);
}

fargs_t_target void fargs_m_array(const int *p, int n)
{
	fargs_t_use(p);
	fargs_t_use(n);
}

fargs_t_target void fargs_m_numbers(s8 a, u16 b, s32 c, u64 d, bool e, enum fargs_m_color f)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
}

static struct fargs_m_inner outer = { .n = -8, .text = "outer" };

static struct fargs_m_node second = {
	.flags = 2,
	.small = 300,
	.name = "second",
	.color = FARGS_M_BLUE,
	.values = { 10, 20, 30, 40 },
	.big = 9000000000,
};

static struct fargs_m_node first = {
	.flags = 0x80000001,
	.small = -5,
	.tiny = 200,
	.ok = true,
	.name = "first",
	.color = FARGS_M_GREEN,
	.in = { .n = 7, .text = "inner text" },
	.out = &outer,
	.link = &second,
	.whole = 0x1122334455667788,
	.a = 5,
	.b = 100,
	.c = -3,
	.values = { 1, -2, 3, -4 },
	.fn = fargs_m_event,
	.big = -1234567890123,
};

static const int numbers[6] = { 11, -12, 13, -14, 15, -16 };

/* 30 characters: the alphabet and four digits. long_text consists of ten pieces. */
#define PIECE "abcdefghijklmnopqrstuvwxyz0123"
static const char long_text[] =
	PIECE PIECE PIECE PIECE PIECE PIECE PIECE PIECE PIECE PIECE;

/*
 * Unreadable addresses: a non-canonical one, one in user space that is never mapped, and one in the
 * unused range at the end of the kernel's address space.
 */
#define NOT_CANONICAL	0xdead000000000100ul
#define USER_HOLE	0x1000ul
#define KERNEL_HOLE	0xffffffffffe00000ul

static void walk_node(struct target_run *run)
{
	static const char name[] = "fargs_m_node";

	TARGET_QUIET_CALL(run, name, fargs_m_node(&first, 1));
	TARGET_QUIET_CALL(run, name, fargs_m_node(&second, 2));
	TARGET_QUIET_CALL(run, name, fargs_m_node(NULL, 3));
	TARGET_QUIET_CALL(run, name, fargs_m_node((void *)NOT_CANONICAL, 4));
	TARGET_QUIET_CALL(run, name, fargs_m_node((void *)USER_HOLE, 5));
	TARGET_QUIET_CALL(run, name, fargs_m_node((void *)KERNEL_HOLE, 6));
	TARGET_QUIET_CALL(run, "fargs_m_seventh",
			  fargs_m_seventh(1, 2, 3, 4, 5, 6, &first, 8));
	TARGET_QUIET_CALL(run, "fargs_m_seventh",
			  fargs_m_seventh(1, 2, 3, 4, 5, 6, NULL, -8));
	TARGET_QUIET_CALL(run, "fargs_m_by_value", fargs_m_by_value(outer, 1));
	TARGET_QUIET_CALL(run, "fargs_m_by_value", fargs_m_by_value(first.in, 2));
}

static void walk_text(struct target_run *run)
{
	static const char name[] = "fargs_m_text";

	TARGET_QUIET_CALL(run, name, fargs_m_text("eth0", 1));
	TARGET_QUIET_CALL(run, name, fargs_m_text("", 2));
	TARGET_QUIET_CALL(run, name, fargs_m_text("a \"b\"\n\tc", 3));
	TARGET_QUIET_CALL(run, name, fargs_m_text(long_text, 4));
	TARGET_QUIET_CALL(run, name, fargs_m_text(NULL, 5));
	TARGET_QUIET_CALL(run, name, fargs_m_text((void *)KERNEL_HOLE, 6));
}

static void walk_user(struct target_run *run)
{
	static const char name[] = "fargs_m_user";

	/* arg_start is the address of argv[0] of the program that writes the command. */
	if (in_task() && current->mm)
		TARGET_QUIET_CALL(run, name, fargs_m_user((char __user *)current->mm->arg_start,
							  1));
	TARGET_QUIET_CALL(run, name, fargs_m_user((char __user __force *)"kernel", 2));
	TARGET_QUIET_CALL(run, name, fargs_m_user((char __user *)USER_HOLE, 3));
}

static void walk_array(struct target_run *run)
{
	static const char name[] = "fargs_m_array";

	TARGET_QUIET_CALL(run, name, fargs_m_array(numbers, 6));
	TARGET_QUIET_CALL(run, name, fargs_m_array(numbers, 1));
	TARGET_QUIET_CALL(run, name, fargs_m_array(numbers, 0));
	TARGET_QUIET_CALL(run, name, fargs_m_array(numbers, -1));
	TARGET_QUIET_CALL(run, name, fargs_m_array(NULL, 2));
}

static void walk_numbers(struct target_run *run)
{
	static const char name[] = "fargs_m_numbers";

	TARGET_QUIET_CALL(run, name, fargs_m_numbers(-128, 0, S32_MIN, 0, false, FARGS_M_RED));
	TARGET_QUIET_CALL(run, name, fargs_m_numbers(-1, 1, -1, 1, true, FARGS_M_GREEN));
	TARGET_QUIET_CALL(run, name, fargs_m_numbers(0, 32768, 0, S64_MAX, false, FARGS_M_BLUE));
	TARGET_QUIET_CALL(run, name, fargs_m_numbers(127, 65535, S32_MAX, U64_MAX, true, 9));
}

void target_walk_memory(struct target_run *run)
{
	walk_node(run);
	walk_text(run);
	walk_user(run);
	walk_array(run);
	walk_numbers(run);
}
