// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions with arguments of 128 bits: in two registers, or on the stack in a slot with an even
 * number. The values are powers of two or small, so that the expected text is easy to verify.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

/* Makes a value of 128 bits from its two halves. */
#define WIDE(high, low)	(((__uint128_t)(u64)(high) << 64) | (u64)(low))

struct fargs_t_holder {
	__int128 a;
};

struct fargs_t_large_holder {
	u8 a;
	__uint128_t b;
};

typedef const __int128 fargs_t_wide_t;

void fargs_t_s128(__int128 a);
void fargs_t_u128(__uint128_t a);
void fargs_t_typedef_128(fargs_t_wide_t a, int after);
void fargs_t_128_first(__int128 a, int b, int c);
void fargs_t_128_middle(int a, __int128 b, int c);
void fargs_t_128_last(int a, int b, __int128 c);
void fargs_t_128_thrice(__int128 a, __uint128_t b, __int128 c);
void fargs_t_128_fits(int a, int b, int c, int d, __int128 e);
void fargs_t_128_no_room(int a, int b, int c, int d, int e, __int128 f, int g, int h);
void fargs_t_128_stack(int a, int b, int c, int d, int e, int f, __uint128_t g);
void fargs_t_128_aligned(int a, int b, int c, int d, int e, int f, s8 g, __int128 h, s8 i);
void fargs_t_128_struct(int a, struct fargs_t_holder s, int b);
void fargs_t_128_struct_stack(int a, int b, int c, int d, int e, int f,
			      struct fargs_t_holder s, s8 h);
void fargs_t_128_struct_large(int a, struct fargs_t_large_holder s, int b);

fargs_t_target void fargs_t_s128(__int128 a)
{
	fargs_t_use_wide(a);
}

fargs_t_target void fargs_t_u128(__uint128_t a)
{
	fargs_t_use_wide(a);
}

fargs_t_target void fargs_t_typedef_128(fargs_t_wide_t a, int after)
{
	fargs_t_use_wide(a);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_128_first(__int128 a, int b, int c)
{
	fargs_t_use_wide(a);
	fargs_t_use(b);
	fargs_t_use(c);
}

fargs_t_target void fargs_t_128_middle(int a, __int128 b, int c)
{
	fargs_t_use(a);
	fargs_t_use_wide(b);
	fargs_t_use(c);
}

fargs_t_target void fargs_t_128_last(int a, int b, __int128 c)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use_wide(c);
}

fargs_t_target void fargs_t_128_thrice(__int128 a, __uint128_t b, __int128 c)
{
	fargs_t_use_wide(a);
	fargs_t_use_wide(b);
	fargs_t_use_wide(c);
}

fargs_t_target void fargs_t_128_fits(int a, int b, int c, int d, __int128 e)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use_wide(e);
}

fargs_t_target void fargs_t_128_no_room(int a, int b, int c, int d, int e, __int128 f, int g,
					int h)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use_wide(f);
	fargs_t_use(g);
	fargs_t_use(h);
}

fargs_t_target void fargs_t_128_stack(int a, int b, int c, int d, int e, int f, __uint128_t g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use_wide(g);
}

fargs_t_target void fargs_t_128_aligned(int a, int b, int c, int d, int e, int f, s8 g,
					__int128 h, s8 i)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use_wide(h);
	fargs_t_use(i);
}

fargs_t_target void fargs_t_128_struct(int a, struct fargs_t_holder s, int b)
{
	fargs_t_use(a);
	fargs_t_use_wide(s);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_128_struct_stack(int a, int b, int c, int d, int e, int f,
					     struct fargs_t_holder s, s8 h)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use_wide(s);
	fargs_t_use(h);
}

fargs_t_target void fargs_t_128_struct_large(int a, struct fargs_t_large_holder s, int b)
{
	fargs_t_use(a);
	fargs_t_use_wide(s);
	fargs_t_use(b);
}

void target_walk_int128(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_s128(a=0)", fargs_t_s128(0));
	TARGET_CALL(run, "fargs_t_s128(a=-1)", fargs_t_s128(-1));
	TARGET_CALL(run, "fargs_t_s128(a=18446744073709551616)", fargs_t_s128(WIDE(1, 0)));
	TARGET_CALL(run, "fargs_t_s128(a=-18446744073709551616)", fargs_t_s128(-WIDE(1, 0)));
	TARGET_CALL(run, "fargs_t_s128(a=170141183460469231731687303715884105727)",
		    fargs_t_s128(WIDE(0x7fffffffffffffff, -1)));
	TARGET_CALL(run, "fargs_t_s128(a=-170141183460469231731687303715884105728)",
		    fargs_t_s128(WIDE(0x8000000000000000, 0)));
	TARGET_CALL(run, "fargs_t_u128(a=340282366920938463463374607431768211455)",
		    fargs_t_u128(WIDE(-1, -1)));
	TARGET_CALL(run, "fargs_t_u128(a=1267650600228229401496703205376)",
		    fargs_t_u128(WIDE(1ull << 36, 0)));
	TARGET_CALL(run, "fargs_t_typedef_128(a=-2, after=3)", fargs_t_typedef_128(-2, 3));
	TARGET_CALL(run, "fargs_t_128_first(a=-18446744073709551617, b=-1, c=-2)",
		    fargs_t_128_first(WIDE(-2, -1), -1, -2));
	TARGET_CALL(run, "fargs_t_128_middle(a=-1, b=18446744073709551617, c=-2)",
		    fargs_t_128_middle(-1, WIDE(1, 1), -2));
	TARGET_CALL(run, "fargs_t_128_last(a=-1, b=-2, c=18446744073709551617)",
		    fargs_t_128_last(-1, -2, WIDE(1, 1)));
	TARGET_CALL(run, "fargs_t_128_thrice(a=-1, b=2, c=-3)", fargs_t_128_thrice(-1, 2, -3));
	TARGET_CALL(run, "fargs_t_128_fits(a=1, b=2, c=3, d=4, e=-5)",
		    fargs_t_128_fits(1, 2, 3, 4, -5));
	TARGET_CALL(run,
		    "fargs_t_128_no_room(a=1, b=2, c=3, d=4, e=5, f=-18446744073709551616, g=7, h=8)",
		    fargs_t_128_no_room(1, 2, 3, 4, 5, WIDE(-1, 0), 7, 8));
	TARGET_CALL(run,
		    "fargs_t_128_stack(a=1, b=2, c=3, d=4, e=5, f=6, g=36893488147419103235)",
		    fargs_t_128_stack(1, 2, 3, 4, 5, 6, WIDE(2, 3)));
	TARGET_CALL(run,
		    "fargs_t_128_aligned(a=1, b=2, c=3, d=4, e=5, f=6, g=-7, h=-18446744073709551616, i=-9)",
		    fargs_t_128_aligned(1, 2, 3, 4, 5, 6, -7, WIDE(-1, 0), -9));
	TARGET_CALL(run, "fargs_t_128_struct(a=-1, s={.a=18446744073709551616}, b=-2)",
		    fargs_t_128_struct(-1, (struct fargs_t_holder){ WIDE(1, 0) }, -2));
	TARGET_CALL(run,
		    "fargs_t_128_struct_stack(a=1, b=2, c=3, d=4, e=5, f=6, s={.a=-8}, h=-9)",
		    fargs_t_128_struct_stack(1, 2, 3, 4, 5, 6, (struct fargs_t_holder){ -8 },
					     -9));
	TARGET_CALL(run,
		    "fargs_t_128_struct_large(a=-1, s={.a=255, .b=18446744073709551616}, b=-2)",
		    fargs_t_128_struct_large(-1, (struct fargs_t_large_holder){ 255, WIDE(1, 0) },
					     -2));
}
