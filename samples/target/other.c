// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arguments not covered by the other files: variable arguments, flag enums, 64-bit enums, pointers
 * to functions of this module, array parameters, and structures returned in memory, whose address
 * is passed in the first argument register.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

enum fargs_t_flag_bits {
	FARGS_T_READ = 1,
	FARGS_T_WRITE = 2,
	FARGS_T_SYNC = 4,
	FARGS_T_NOWAIT = 0x40000000,
};

enum fargs_t_enum_64 {
	FARGS_T_NARROW = 1,
	FARGS_T_WIDE = 0x100000003ull,
	FARGS_T_WIDEST = 0xfffffffffffffffeull,
};

enum fargs_t_enum_s64 {
	FARGS_T_LOWEST = -0x7fffffffffffffffll - 1,
	FARGS_T_MINUS = -1,
	FARGS_T_PLUS = 0x100000003ll,
};

struct fargs_t_result_16 {
	long a;
	long b;
};

struct fargs_t_result_24 {
	long a;
	long b;
	long c;
};

typedef int (*fargs_t_action_t)(int event, void *data);
typedef fargs_t_action_t fargs_t_action_alias_t;
typedef int fargs_t_row_t[4];

void fargs_t_varargs(int nr, ...);
void fargs_t_varargs_6(int a, int b, int c, int d, int e, s8 f, ...);
void fargs_t_varargs_7(int a, int b, int c, int d, int e, int f, s8 g, ...);
void fargs_t_flags(enum fargs_t_flag_bits a);
void fargs_t_wide_enum(enum fargs_t_enum_64 a);
void fargs_t_wide_signed(enum fargs_t_enum_s64 a);
int fargs_t_event(int event, void *data);
void fargs_t_action(int (*a)(int event, void *data));
void fargs_t_action_alias(const fargs_t_action_alias_t a);
void fargs_t_action_slot(int a, int b, int c, int d, int e, int f, fargs_t_action_t g);
void fargs_t_array_unsized(const u8 a[], int len);
void fargs_t_array_typedef(fargs_t_row_t a, int len);
void fargs_t_array_2d(int a[2][3], int len);
struct fargs_t_result_16 fargs_t_return_16(int a, int b);
struct fargs_t_result_24 fargs_t_return_24(int a, int b);
struct fargs_t_result_24 fargs_t_return_24_of_6(int a, int b, int c, int d, int e, s8 f);
struct fargs_t_result_24 fargs_t_return_24_of_16(int a, int b, int c, int d,
						 struct fargs_t_result_16 s, int e);
__int128 fargs_t_return_128(int a, int b);

fargs_t_target void fargs_t_varargs(int nr, ...)
{
	fargs_t_use(nr);
}

fargs_t_target void fargs_t_varargs_6(int a, int b, int c, int d, int e, s8 f, ...)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
}

fargs_t_target void fargs_t_varargs_7(int a, int b, int c, int d, int e, int f, s8 g, ...)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_flags(enum fargs_t_flag_bits a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_wide_enum(enum fargs_t_enum_64 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_wide_signed(enum fargs_t_enum_s64 a)
{
	fargs_t_use(a);
}

fargs_t_target int fargs_t_event(int event, void *data)
{
	fargs_t_use(event);
	fargs_t_use(data);
	return 0;
}

fargs_t_target void fargs_t_action(int (*a)(int event, void *data))
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_action_alias(const fargs_t_action_alias_t a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_action_slot(int a, int b, int c, int d, int e, int f,
					fargs_t_action_t g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_array_unsized(const u8 a[], int len)
{
	fargs_t_use(a);
	fargs_t_use(len);
}

fargs_t_target void fargs_t_array_typedef(fargs_t_row_t a, int len)
{
	fargs_t_use(a);
	fargs_t_use(len);
}

fargs_t_target void fargs_t_array_2d(int a[2][3], int len)
{
	fargs_t_use(a);
	fargs_t_use(len);
}

fargs_t_target struct fargs_t_result_16 fargs_t_return_16(int a, int b)
{
	fargs_t_use(a);
	fargs_t_use(b);
	return (struct fargs_t_result_16){ a, b };
}

fargs_t_target struct fargs_t_result_24 fargs_t_return_24(int a, int b)
{
	fargs_t_use(a);
	fargs_t_use(b);
	return (struct fargs_t_result_24){ a, b, 0 };
}

fargs_t_target struct fargs_t_result_24 fargs_t_return_24_of_6(int a, int b, int c, int d,
							       int e, s8 f)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	return (struct fargs_t_result_24){ a, b, c };
}

/*
 * The result's address and @a to @d use five of the six registers. @s needs two registers, so it is
 * passed on the stack.
 */
fargs_t_target struct fargs_t_result_24
fargs_t_return_24_of_16(int a, int b, int c, int d, struct fargs_t_result_16 s, int e)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use_wide(s);
	fargs_t_use(e);
	return (struct fargs_t_result_24){ a, b, c };
}

fargs_t_target __int128 fargs_t_return_128(int a, int b)
{
	fargs_t_use(a);
	fargs_t_use(b);
	return a;
}

void target_walk_other(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_varargs(nr=2, ...)", fargs_t_varargs(2, 3, 4));
	TARGET_CALL(run, "fargs_t_varargs(nr=-1, ...)", fargs_t_varargs(-1));
	TARGET_CALL(run, "fargs_t_varargs_6(a=1, b=2, c=3, d=4, e=5, f=-6, ...)",
		    fargs_t_varargs_6(1, 2, 3, 4, 5, -6, 7));
	TARGET_CALL(run, "fargs_t_varargs_7(a=1, b=2, c=3, d=4, e=5, f=6, g=-7, ...)",
		    fargs_t_varargs_7(1, 2, 3, 4, 5, 6, -7, 8));

	TARGET_CALL(run, "fargs_t_flags(a=FARGS_T_READ)", fargs_t_flags(FARGS_T_READ));
	TARGET_CALL(run, "fargs_t_flags(a=FARGS_T_READ|FARGS_T_SYNC)",
		    fargs_t_flags(FARGS_T_READ | FARGS_T_SYNC));
	TARGET_CALL(run, "fargs_t_flags(a=FARGS_T_WRITE|FARGS_T_SYNC|FARGS_T_NOWAIT)",
		    fargs_t_flags(FARGS_T_WRITE | FARGS_T_SYNC | FARGS_T_NOWAIT));
	TARGET_CALL(run, "fargs_t_flags(a=0)", fargs_t_flags(0));

	TARGET_CALL(run, "fargs_t_wide_enum(a=FARGS_T_NARROW)",
		    fargs_t_wide_enum(FARGS_T_NARROW));
	TARGET_CALL(run, "fargs_t_wide_enum(a=FARGS_T_WIDE)", fargs_t_wide_enum(FARGS_T_WIDE));
	TARGET_CALL(run, "fargs_t_wide_enum(a=FARGS_T_WIDEST)",
		    fargs_t_wide_enum(FARGS_T_WIDEST));
	TARGET_CALL(run, "fargs_t_wide_enum(a=18446744073709551615)",
		    fargs_t_wide_enum((enum fargs_t_enum_64)~0ull));
	TARGET_CALL(run, "fargs_t_wide_signed(a=FARGS_T_LOWEST)",
		    fargs_t_wide_signed(FARGS_T_LOWEST));
	TARGET_CALL(run, "fargs_t_wide_signed(a=FARGS_T_MINUS)",
		    fargs_t_wide_signed(FARGS_T_MINUS));
	TARGET_CALL(run, "fargs_t_wide_signed(a=FARGS_T_PLUS)",
		    fargs_t_wide_signed(FARGS_T_PLUS));
	TARGET_CALL(run, "fargs_t_wide_signed(a=-4294967296)",
		    fargs_t_wide_signed((enum fargs_t_enum_s64)-4294967296ll));

	TARGET_CALL(run, "fargs_t_event(event=-1, data=0x0)", fargs_t_event(-1, NULL));
	TARGET_CALL(run, "fargs_t_action(a=fargs_t_event [fargs_target])",
		    fargs_t_action(fargs_t_event));
	TARGET_CALL(run, "fargs_t_action(a=fargs_t_event+0x1 [fargs_target])",
		    fargs_t_action((fargs_t_action_t)((unsigned long)fargs_t_event + 1)));
	TARGET_CALL(run, "fargs_t_action_alias(a=fargs_t_event [fargs_target])",
		    fargs_t_action_alias(fargs_t_event));
	TARGET_CALL(run,
		    "fargs_t_action_slot(a=1, b=2, c=3, d=4, e=5, f=6, g=fargs_t_event [fargs_target])",
		    fargs_t_action_slot(1, 2, 3, 4, 5, 6, fargs_t_event));

	TARGET_CALL(run, "fargs_t_array_unsized(a=0xffff888012345678, len=3)",
		    fargs_t_array_unsized((const u8 *)0xffff888012345678ul, 3));
	TARGET_CALL(run, "fargs_t_array_typedef(a=0xffff888012345678, len=4)",
		    fargs_t_array_typedef((int *)0xffff888012345678ul, 4));
	TARGET_CALL(run, "fargs_t_array_2d(a=0xffff888012345678, len=6)",
		    fargs_t_array_2d((int (*)[3])0xffff888012345678ul, 6));

	TARGET_CALL(run, "fargs_t_return_16(a=-1, b=2)", fargs_t_return_16(-1, 2));
	TARGET_CALL(run, "fargs_t_return_24(a=-1, b=2)", fargs_t_return_24(-1, 2));
	TARGET_CALL(run, "fargs_t_return_24_of_6(a=1, b=2, c=3, d=4, e=5, f=-6)",
		    fargs_t_return_24_of_6(1, 2, 3, 4, 5, -6));
	TARGET_CALL(run,
		    "fargs_t_return_24_of_16(a=1, b=2, c=3, d=4, s={.a=5, .b=-6}, e=7)",
		    fargs_t_return_24_of_16(1, 2, 3, 4,
					    (struct fargs_t_result_16){ 5, -6 }, 7));
	TARGET_CALL(run, "fargs_t_return_128(a=-1, b=2)", fargs_t_return_128(-1, 2));
}
