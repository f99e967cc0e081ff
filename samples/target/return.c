// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions with return values of all kinds; most return their first argument.
 */
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/types.h>

#include "target.h"

enum fargs_r_color {
	FARGS_R_RED = 1,
	FARGS_R_BLUE = -3,
};

struct fargs_r_pair {
	long a;
	int b;
};

void fargs_r_void(int a);
int fargs_r_int(int a);
s8 fargs_r_s8(int a);
u8 fargs_r_u8(int a);
u32 fargs_r_u32(u32 a);
long fargs_r_long(long a);
bool fargs_r_bool(int a);
void *fargs_r_ptr(void *a);
enum fargs_r_color fargs_r_enum(int a);
struct fargs_r_pair fargs_r_pair(long a, int b);
__int128 fargs_r_s128(long high, unsigned long low);
int fargs_r_out(int a, int *out);
int fargs_r_depth(int a);
int fargs_r_tail(int a);
int fargs_d_deep(int a);
int fargs_r_changes(int *p);

fargs_t_target void fargs_r_void(int a)
{
	fargs_t_use(a);
}

/* Returns its value in eax: the upper half of rax is undefined. */
fargs_t_target int fargs_r_int(int a)
{
	return a;
}

fargs_t_target s8 fargs_r_s8(int a)
{
	return a;
}

fargs_t_target u8 fargs_r_u8(int a)
{
	return a;
}

fargs_t_target u32 fargs_r_u32(u32 a)
{
	return a;
}

fargs_t_target long fargs_r_long(long a)
{
	return a;
}

fargs_t_target bool fargs_r_bool(int a)
{
	return a == 42;
}

fargs_t_target void *fargs_r_ptr(void *a)
{
	return a;
}

fargs_t_target enum fargs_r_color fargs_r_enum(int a)
{
	return a;
}

fargs_t_target struct fargs_r_pair fargs_r_pair(long a, int b)
{
	return (struct fargs_r_pair){ .a = a, .b = b };
}

fargs_t_target __int128 fargs_r_s128(long high, unsigned long low)
{
	return (__int128)high << 64 | low;
}

/* *out is 0 at the call, and twice @a at the return. */
fargs_t_target int fargs_r_out(int a, int *out)
{
	*out = 2 * a;
	return a;
}

/* Returns the sum of the numbers up to @a, recursively. */
fargs_t_target int fargs_r_depth(int a)
{
	int below = a ? fargs_r_depth(a - 1) : 0;

	/* Keeps the compiler from turning the recursion into a loop. */
	asm volatile("" : "+r" (below));
	return a + below;
}

/* Like fargs_r_depth(), for more nested calls than tracers or the kernel have room for. */
fargs_t_target int fargs_d_deep(int a)
{
	int below = a ? fargs_d_deep(a - 1) : 0;

	asm volatile("" : "+r" (below));
	return a + below;
}

/* Ends in a tail call: fargs_r_int() returns directly to the caller of fargs_r_tail(). */
fargs_t_target int fargs_r_tail(int a)
{
	return fargs_r_int(a + 1);
}

/* Overwrites *p: its value at the call can no longer be read at the return. */
fargs_t_target int fargs_r_changes(int *p)
{
	int was = *p;

	*p = -1;
	return was;
}

static void call_out(int a)
{
	int out = 0;

	fargs_r_out(a, &out);
}

static void call_changes(int value)
{
	fargs_r_changes(&value);
}

void target_walk_return(struct target_run *run)
{
	TARGET_QUIET_CALL(run, "fargs_r_void", fargs_r_void(1));
	TARGET_QUIET_CALL(run, "fargs_r_int", fargs_r_int(0));
	TARGET_QUIET_CALL(run, "fargs_r_int", fargs_r_int(-ENOENT));
	TARGET_QUIET_CALL(run, "fargs_r_int", fargs_r_int(-4096));
	TARGET_QUIET_CALL(run, "fargs_r_int", fargs_r_int(100000));
	TARGET_QUIET_CALL(run, "fargs_r_s8", fargs_r_s8(0x1ff));
	TARGET_QUIET_CALL(run, "fargs_r_s8", fargs_r_s8(0x17f));
	TARGET_QUIET_CALL(run, "fargs_r_u8", fargs_r_u8(0x1ff));
	TARGET_QUIET_CALL(run, "fargs_r_u32", fargs_r_u32(0xfffffffe));
	TARGET_QUIET_CALL(run, "fargs_r_long", fargs_r_long(-512));
	TARGET_QUIET_CALL(run, "fargs_r_long", fargs_r_long(1l << 40));
	TARGET_QUIET_CALL(run, "fargs_r_bool", fargs_r_bool(42));
	TARGET_QUIET_CALL(run, "fargs_r_bool", fargs_r_bool(43));
	TARGET_QUIET_CALL(run, "fargs_r_ptr", fargs_r_ptr(NULL));
	TARGET_QUIET_CALL(run, "fargs_r_ptr", fargs_r_ptr(ERR_PTR(-EACCES)));
	TARGET_QUIET_CALL(run, "fargs_r_ptr", fargs_r_ptr((void *)0x7ffc12345670ul));
	TARGET_QUIET_CALL(run, "fargs_r_enum", fargs_r_enum(FARGS_R_RED));
	TARGET_QUIET_CALL(run, "fargs_r_enum", fargs_r_enum(FARGS_R_BLUE));
	TARGET_QUIET_CALL(run, "fargs_r_enum", fargs_r_enum(-2));
	TARGET_QUIET_CALL(run, "fargs_r_pair", fargs_r_pair(-5, 6));
	TARGET_QUIET_CALL(run, "fargs_r_s128", fargs_r_s128(-1, 5));
	TARGET_QUIET_CALL(run, "fargs_r_out", call_out(21));
	TARGET_QUIET_CALL(run, "fargs_r_out", call_out(-1));
	TARGET_QUIET_CALL(run, "fargs_r_depth", fargs_r_depth(3));
	TARGET_QUIET_CALL(run, "fargs_r_tail", fargs_r_tail(4));
	TARGET_QUIET_CALL(run, "fargs_d_deep", fargs_d_deep(99));
	TARGET_QUIET_CALL(run, "fargs_r_changes", call_changes(77));
}
