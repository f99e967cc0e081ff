// SPDX-License-Identifier: GPL-2.0-only
/* Functions with one argument: of each integer type, bool, char, or an enum. */
#include <linux/compiler.h>
#include <linux/types.h>

#include "target.h"

enum fargs_t_color {
	FARGS_T_RED,
	FARGS_T_GREEN = 5,
	FARGS_T_BLUE = 16,
};

enum fargs_t_level {
	FARGS_T_COLD = -40,
	FARGS_T_MILD = 0,
	FARGS_T_WARM = 20,
};

enum fargs_t_mask {
	FARGS_T_LOW = 1,
	FARGS_T_HIGH = 0x80000000u,
};

void fargs_t_none(void);
void fargs_t_s8(s8 a);
void fargs_t_u8(u8 a);
void fargs_t_s16(s16 a);
void fargs_t_u16(u16 a);
void fargs_t_s32(s32 a);
void fargs_t_u32(u32 a);
void fargs_t_s64(s64 a);
void fargs_t_u64(u64 a);
void fargs_t_short(short a);
void fargs_t_int(int a);
void fargs_t_uint(unsigned int a);
void fargs_t_long(long a);
void fargs_t_ulong(unsigned long a);
void fargs_t_llong(long long a);
void fargs_t_ullong(unsigned long long a);
void fargs_t_schar(signed char a);
void fargs_t_uchar(unsigned char a);
void fargs_t_bool(bool a);
void fargs_t_char(char a);
void fargs_t_color(enum fargs_t_color a);
void fargs_t_level(enum fargs_t_level a);
void fargs_t_mask(enum fargs_t_mask a);

fargs_t_target void fargs_t_none(void)
{
	asm volatile("" : : : "memory");
}

fargs_t_target void fargs_t_s8(s8 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_u8(u8 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_s16(s16 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_u16(u16 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_s32(s32 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_u32(u32 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_s64(s64 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_u64(u64 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_short(short a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_int(int a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_uint(unsigned int a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_long(long a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_ulong(unsigned long a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_llong(long long a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_ullong(unsigned long long a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_schar(signed char a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_uchar(unsigned char a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_bool(bool a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_char(char a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_color(enum fargs_t_color a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_level(enum fargs_t_level a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_mask(enum fargs_t_mask a)
{
	fargs_t_use(a);
}

void target_walk_scalar(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_none()", fargs_t_none());

	TARGET_CALL(run, "fargs_t_s8(a=0)", fargs_t_s8(0));
	TARGET_CALL(run, "fargs_t_s8(a=127)", fargs_t_s8(127));
	TARGET_CALL(run, "fargs_t_s8(a=-1)", fargs_t_s8(-1));
	TARGET_CALL(run, "fargs_t_s8(a=-128)", fargs_t_s8(-128));
	TARGET_CALL(run, "fargs_t_u8(a=0)", fargs_t_u8(0));
	TARGET_CALL(run, "fargs_t_u8(a=128)", fargs_t_u8(128));
	TARGET_CALL(run, "fargs_t_u8(a=255)", fargs_t_u8(255));
	TARGET_CALL(run, "fargs_t_s16(a=32767)", fargs_t_s16(32767));
	TARGET_CALL(run, "fargs_t_s16(a=-1)", fargs_t_s16(-1));
	TARGET_CALL(run, "fargs_t_s16(a=-32768)", fargs_t_s16(-32768));
	TARGET_CALL(run, "fargs_t_u16(a=32768)", fargs_t_u16(32768));
	TARGET_CALL(run, "fargs_t_u16(a=65535)", fargs_t_u16(65535));
	TARGET_CALL(run, "fargs_t_s32(a=2147483647)", fargs_t_s32(2147483647));
	TARGET_CALL(run, "fargs_t_s32(a=-1)", fargs_t_s32(-1));
	TARGET_CALL(run, "fargs_t_s32(a=-2147483648)", fargs_t_s32(-2147483647 - 1));
	TARGET_CALL(run, "fargs_t_u32(a=2147483648)", fargs_t_u32(2147483648u));
	TARGET_CALL(run, "fargs_t_u32(a=4294967295)", fargs_t_u32(4294967295u));
	TARGET_CALL(run, "fargs_t_s64(a=9223372036854775807)",
		    fargs_t_s64(9223372036854775807ll));
	TARGET_CALL(run, "fargs_t_s64(a=-1)", fargs_t_s64(-1));
	TARGET_CALL(run, "fargs_t_s64(a=-9223372036854775808)",
		    fargs_t_s64(-9223372036854775807ll - 1));
	TARGET_CALL(run, "fargs_t_u64(a=9223372036854775808)",
		    fargs_t_u64(9223372036854775808ull));
	TARGET_CALL(run, "fargs_t_u64(a=18446744073709551615)",
		    fargs_t_u64(18446744073709551615ull));

	TARGET_CALL(run, "fargs_t_short(a=-300)", fargs_t_short(-300));
	TARGET_CALL(run, "fargs_t_int(a=-100)", fargs_t_int(-100));
	TARGET_CALL(run, "fargs_t_int(a=100)", fargs_t_int(100));
	TARGET_CALL(run, "fargs_t_uint(a=4294967196)", fargs_t_uint(4294967196u));
	TARGET_CALL(run, "fargs_t_long(a=-100)", fargs_t_long(-100));
	TARGET_CALL(run, "fargs_t_ulong(a=18446744073709551516)",
		    fargs_t_ulong(18446744073709551516ul));
	TARGET_CALL(run, "fargs_t_llong(a=-5000000000)", fargs_t_llong(-5000000000ll));
	TARGET_CALL(run, "fargs_t_ullong(a=5000000000)", fargs_t_ullong(5000000000ull));
	TARGET_CALL(run, "fargs_t_schar(a=-7)", fargs_t_schar(-7));
	TARGET_CALL(run, "fargs_t_uchar(a=249)", fargs_t_uchar(249));

	TARGET_CALL(run, "fargs_t_bool(a=false)", fargs_t_bool(false));
	TARGET_CALL(run, "fargs_t_bool(a=true)", fargs_t_bool(true));
	TARGET_CALL(run, "fargs_t_char(a='A')", fargs_t_char('A'));
	TARGET_CALL(run, "fargs_t_char(a='~')", fargs_t_char('~'));

	TARGET_CALL(run, "fargs_t_color(a=FARGS_T_RED)", fargs_t_color(FARGS_T_RED));
	TARGET_CALL(run, "fargs_t_color(a=FARGS_T_BLUE)", fargs_t_color(FARGS_T_BLUE));
	TARGET_CALL(run, "fargs_t_color(a=77)", fargs_t_color((enum fargs_t_color)77));
	TARGET_CALL(run, "fargs_t_level(a=FARGS_T_COLD)", fargs_t_level(FARGS_T_COLD));
	TARGET_CALL(run, "fargs_t_level(a=FARGS_T_MILD)", fargs_t_level(FARGS_T_MILD));
	TARGET_CALL(run, "fargs_t_level(a=-41)", fargs_t_level((enum fargs_t_level)-41));
	TARGET_CALL(run, "fargs_t_mask(a=FARGS_T_LOW)", fargs_t_mask(FARGS_T_LOW));
	TARGET_CALL(run, "fargs_t_mask(a=FARGS_T_HIGH)", fargs_t_mask(FARGS_T_HIGH));
}
