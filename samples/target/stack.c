// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions with more arguments than registers. From the seventh on, arguments are on the stack, in
 * slots of 8 bytes; a narrow argument defines only the lowest bytes of its slot.
 */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

#define DIRTY_8(value)	(0xdeadbeefcafebe00ul | (u8)(value))
#define DIRTY_16(value)	(0xdeadbeefcafe0000ul | (u16)(value))
#define DIRTY_32(value)	(0xdeadbeef00000000ul | (u32)(value))

enum fargs_t_pitch {
	FARGS_T_DEEP = -1,
	FARGS_T_SHRILL = 1,
};

/* Three bytes; the other five bytes of the register or slot are undefined. */
struct fargs_t_bytes_3 {
	u8 a;
	s8 b;
	u8 c;
};

/* 12 bytes; the last four bytes of the two registers or slots are undefined. */
struct fargs_t_bytes_12 {
	int a;
	int b;
	int c;
};

void wide_dirty_7(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		  unsigned long e, unsigned long f, unsigned long g)
	fargs_t_same_as(fargs_t_dirty_7);
void wide_dirty_8(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		  unsigned long e, unsigned long f, unsigned long g, unsigned long h)
	fargs_t_same_as(fargs_t_dirty_8);
void wide_dirty_10(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		   unsigned long e, unsigned long f, unsigned long g, unsigned long h,
		   unsigned long i, unsigned long j)
	fargs_t_same_as(fargs_t_dirty_10);
void wide_dirty_12(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		   unsigned long e, unsigned long f, unsigned long g, unsigned long h,
		   unsigned long i, unsigned long j, unsigned long k,
		   unsigned long l)
	fargs_t_same_as(fargs_t_dirty_12);
void wide_dirty_bytes_3(unsigned long a, unsigned long b)
	fargs_t_same_as(fargs_t_dirty_bytes_3);
void wide_dirty_slot_3(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		       unsigned long e, unsigned long f, unsigned long g, unsigned long h)
	fargs_t_same_as(fargs_t_dirty_slot_3);
void wide_dirty_bytes_12(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
	fargs_t_same_as(fargs_t_dirty_bytes_12);
void wide_dirty_slots_12(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			 unsigned long e, unsigned long f, unsigned long g, unsigned long h,
			 unsigned long i)
	fargs_t_same_as(fargs_t_dirty_slots_12);

void fargs_t_7(int a, int b, int c, int d, int e, int f, int g);
void fargs_t_8(long a, long b, long c, long d, long e, long f, void *g, const char *h);
void fargs_t_9(s8 a, u8 b, s16 c, u16 d, s32 e, u32 f, s8 g, s16 h, s32 i);
void fargs_t_10(u64 a, u32 b, u16 c, u8 d, s64 e, s32 f, s16 g, s8 h, u64 i, u8 j);
void fargs_t_11(int a, int b, int c, int d, int e, int f, bool g, char h, enum fargs_t_pitch i,
		s64 j, u16 k);
void fargs_t_12(s64 a, s64 b, s64 c, s64 d, s64 e, s64 f, s64 g, u64 h, s32 i, u32 j, s8 k,
		u8 l);
void fargs_t_dirty_7(int a, int b, int c, int d, int e, int f, s8 g);
void fargs_t_dirty_8(s8 a, u8 b, s16 c, u16 d, int e, unsigned int f, s16 g, u16 h);
void fargs_t_dirty_10(s8 a, s8 b, s8 c, s8 d, s8 e, s8 f, s8 g, u8 h, bool i, char j);
void fargs_t_dirty_12(u8 a, s16 b, u32 c, s64 d, bool e, char f, s8 g, u16 h, int i,
		      unsigned int j, bool k, enum fargs_t_pitch l);
void fargs_t_dirty_bytes_3(struct fargs_t_bytes_3 s, s8 after);
void fargs_t_dirty_slot_3(int a, int b, int c, int d, int e, int f, struct fargs_t_bytes_3 s,
			  s8 after);
void fargs_t_dirty_bytes_12(s8 before, struct fargs_t_bytes_12 s, s8 after);
void fargs_t_dirty_slots_12(int a, int b, int c, int d, int e, struct fargs_t_bytes_12 s, s16 f,
			    s16 g);

fargs_t_target void fargs_t_7(int a, int b, int c, int d, int e, int f, int g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_8(long a, long b, long c, long d, long e, long f, void *g,
			      const char *h)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use(h);
}

fargs_t_target void fargs_t_9(s8 a, u8 b, s16 c, u16 d, s32 e, u32 f, s8 g, s16 h, s32 i)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use(h);
	fargs_t_use(i);
}

fargs_t_target void fargs_t_10(u64 a, u32 b, u16 c, u8 d, s64 e, s32 f, s16 g, s8 h, u64 i, u8 j)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use(h);
	fargs_t_use(i);
	fargs_t_use(j);
}

fargs_t_target void fargs_t_11(int a, int b, int c, int d, int e, int f, bool g, char h,
			       enum fargs_t_pitch i, s64 j, u16 k)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use(h);
	fargs_t_use(i);
	fargs_t_use(j);
	fargs_t_use(k);
}

fargs_t_target void fargs_t_12(s64 a, s64 b, s64 c, s64 d, s64 e, s64 f, s64 g, u64 h, s32 i,
			       u32 j, s8 k, u8 l)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use(h);
	fargs_t_use(i);
	fargs_t_use(j);
	fargs_t_use(k);
	fargs_t_use(l);
}

fargs_t_target void fargs_t_dirty_7(int a, int b, int c, int d, int e, int f, s8 g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
}

fargs_t_target void fargs_t_dirty_8(s8 a, u8 b, s16 c, u16 d, int e, unsigned int f, s16 g,
				    u16 h)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use(h);
}

fargs_t_target void fargs_t_dirty_10(s8 a, s8 b, s8 c, s8 d, s8 e, s8 f, s8 g, u8 h, bool i,
				     char j)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use(h);
	fargs_t_use(i);
	fargs_t_use(j);
}

fargs_t_target void fargs_t_dirty_12(u8 a, s16 b, u32 c, s64 d, bool e, char f, s8 g, u16 h,
				     int i, unsigned int j, bool k, enum fargs_t_pitch l)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use(g);
	fargs_t_use(h);
	fargs_t_use(i);
	fargs_t_use(j);
	fargs_t_use(k);
	fargs_t_use(l);
}

fargs_t_target void fargs_t_dirty_bytes_3(struct fargs_t_bytes_3 s, s8 after)
{
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_dirty_slot_3(int a, int b, int c, int d, int e, int f,
					 struct fargs_t_bytes_3 s, s8 after)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_dirty_bytes_12(s8 before, struct fargs_t_bytes_12 s, s8 after)
{
	fargs_t_use(before);
	fargs_t_use_wide(s);
	fargs_t_use(after);
}

fargs_t_target void fargs_t_dirty_slots_12(int a, int b, int c, int d, int e,
					   struct fargs_t_bytes_12 s, s16 f, s16 g)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use_wide(s);
	fargs_t_use(f);
	fargs_t_use(g);
}

void target_walk_stack(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_7(a=1, b=2, c=3, d=4, e=5, f=6, g=-7)",
		    fargs_t_7(1, 2, 3, 4, 5, 6, -7));
	TARGET_CALL(run, "fargs_t_7(a=-1, b=-2, c=-3, d=-4, e=-5, f=-6, g=7)",
		    fargs_t_7(-1, -2, -3, -4, -5, -6, 7));
	TARGET_CALL(run,
		    "fargs_t_8(a=1, b=-2, c=3, d=-4, e=5, f=-6, g=0xffff888012345678, h=0x0)",
		    fargs_t_8(1, -2, 3, -4, 5, -6, (void *)0xffff888012345678ul, NULL));
	TARGET_CALL(run,
		    "fargs_t_9(a=-1, b=255, c=-1, d=65535, e=-1, f=4294967295, g=-128, h=-32768, i=-2147483648)",
		    fargs_t_9(-1, 255, -1, 65535, -1, 4294967295u, -128, -32768,
			      -2147483647 - 1));
	TARGET_CALL(run,
		    "fargs_t_10(a=1, b=2, c=3, d=4, e=-5, f=-6, g=-7, h=-8, i=18446744073709551615, j=200)",
		    fargs_t_10(1, 2, 3, 4, -5, -6, -7, -8, ~0ull, 200));
	TARGET_CALL(run,
		    "fargs_t_11(a=1, b=2, c=3, d=4, e=5, f=6, g=true, h='h', i=FARGS_T_DEEP, j=-10, k=40000)",
		    fargs_t_11(1, 2, 3, 4, 5, 6, true, 'h', FARGS_T_DEEP, -10, 40000));
	TARGET_CALL(run,
		    "fargs_t_12(a=-1, b=-2, c=-3, d=-4, e=-5, f=-6, g=-7, h=9223372036854775808, i=-9, j=3000000000, k=-11, l=212)",
		    fargs_t_12(-1, -2, -3, -4, -5, -6, -7, 9223372036854775808ull, -9,
			       3000000000u, -11, 212));
}

void target_walk_dirty_stack(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_dirty_7(a=1, b=2, c=3, d=4, e=5, f=6, g=-100)",
		    wide_dirty_7(DIRTY_32(1), DIRTY_32(2), DIRTY_32(3), DIRTY_32(4), DIRTY_32(5),
				 DIRTY_32(6), DIRTY_8(-100)));
	TARGET_CALL(run, "fargs_t_dirty_7(a=-1, b=-2, c=-3, d=-4, e=-5, f=-6, g=100)",
		    wide_dirty_7(DIRTY_32(-1), DIRTY_32(-2), DIRTY_32(-3), DIRTY_32(-4),
				 DIRTY_32(-5), DIRTY_32(-6), DIRTY_8(100)));
	TARGET_CALL(run, "fargs_t_dirty_8(a=-1, b=2, c=-3, d=4, e=-5, f=6, g=-7, h=60000)",
		    wide_dirty_8(DIRTY_8(-1), DIRTY_8(2), DIRTY_16(-3), DIRTY_16(4), DIRTY_32(-5),
				 DIRTY_32(6), DIRTY_16(-7), DIRTY_16(60000)));
	TARGET_CALL(run,
		    "fargs_t_dirty_10(a=0, b=1, c=-2, d=3, e=-4, f=5, g=-6, h=0, i=false, j='z')",
		    wide_dirty_10(DIRTY_8(0), DIRTY_8(1), DIRTY_8(-2), DIRTY_8(3), DIRTY_8(-4),
				  DIRTY_8(5), DIRTY_8(-6), DIRTY_8(0), DIRTY_8(0), DIRTY_8('z')));
	TARGET_CALL(run,
		    "fargs_t_dirty_12(a=1, b=-2, c=3, d=-4, e=true, f='f', g=-7, h=8, i=-9, j=10, k=true, l=FARGS_T_DEEP)",
		    wide_dirty_12(DIRTY_8(1), DIRTY_16(-2), DIRTY_32(3), -4, DIRTY_8(1),
				  DIRTY_8('f'), DIRTY_8(-7), DIRTY_16(8), DIRTY_32(-9),
				  DIRTY_32(10), DIRTY_8(1), DIRTY_32(-1)));
	TARGET_CALL(run, "fargs_t_dirty_bytes_3(s={.a=1, .b=-1, .c=254}, after=-2)",
		    wide_dirty_bytes_3(0xdeadbeefcafeff01ul, DIRTY_8(-2)));
	TARGET_CALL(run,
		    "fargs_t_dirty_slot_3(a=1, b=2, c=3, d=4, e=5, f=6, s={.a=1, .b=-1, .c=254}, after=8)",
		    wide_dirty_slot_3(1, 2, 3, 4, 5, 6, 0xdeadbeefcafeff01ul, DIRTY_8(8)));
	TARGET_CALL(run, "fargs_t_dirty_bytes_12(before=-1, s={.a=2, .b=-3, .c=-4}, after=5)",
		    wide_dirty_bytes_12(DIRTY_8(-1), 0xfffffffd00000002ul, DIRTY_32(-4),
					DIRTY_8(5)));
	TARGET_CALL(run,
		    "fargs_t_dirty_slots_12(a=1, b=2, c=3, d=4, e=5, s={.a=6, .b=-7, .c=-8}, f=-9, g=-10)",
		    wide_dirty_slots_12(1, 2, 3, 4, 5, DIRTY_16(-9), 0xfffffff900000006ul,
					DIRTY_32(-8), DIRTY_16(-10)));
}
