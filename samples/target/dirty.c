// SPDX-License-Identifier: GPL-2.0-only
/*
 * Narrow arguments with garbage in the upper bits of their registers.
 *
 * The ABI leaves these bits undefined, and compilers do leave other values there, so a tracer must
 * show only as many bits as the type has.
 */
#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/asm.h>

#include "target.h"

#define DIRTY_8(value)	(0xdeadbeefcafebe00ul | (u8)(value))
#define DIRTY_16(value)	(0xdeadbeefcafe0000ul | (u16)(value))
#define DIRTY_32(value)	(0xdeadbeef00000000ul | (u32)(value))
#define UNUSED		0x5ca1ab1e0ddba11ul

enum fargs_t_tone {
	FARGS_T_FLAT = -1,
	FARGS_T_SHARP = 1,
};

void fargs_t_dirty_s8(s8 a);
void fargs_t_dirty_u8(u8 a);
void fargs_t_dirty_s16(s16 a);
void fargs_t_dirty_u16(u16 a);
void fargs_t_dirty_int(int a);
void fargs_t_dirty_uint(unsigned int a);
void fargs_t_dirty_bool(bool a);
void fargs_t_dirty_char(char a);
void fargs_t_dirty_enum(enum fargs_t_tone a);
void fargs_t_dirty_6(s8 a, u16 b, int c, unsigned int d, bool e, enum fargs_t_tone f);

fargs_t_target void fargs_t_dirty_s8(s8 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_u8(u8 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_s16(s16 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_u16(u16 a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_int(int a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_uint(unsigned int a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_bool(bool a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_char(char a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_enum(enum fargs_t_tone a)
{
	fargs_t_use(a);
}

fargs_t_target void fargs_t_dirty_6(s8 a, u16 b, int c, unsigned int d, bool e,
				    enum fargs_t_tone f)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
}

#define call_1(fn, value) \
	fargs_t_call_raw(fn, value, UNUSED, UNUSED, UNUSED, UNUSED, UNUSED)

void target_walk_dirty(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_dirty_s8(a=-100)", call_1(fargs_t_dirty_s8, DIRTY_8(-100)));
	TARGET_CALL(run, "fargs_t_dirty_s8(a=100)", call_1(fargs_t_dirty_s8, DIRTY_8(100)));
	TARGET_CALL(run, "fargs_t_dirty_u8(a=0)", call_1(fargs_t_dirty_u8, DIRTY_8(0)));
	TARGET_CALL(run, "fargs_t_dirty_u8(a=200)", call_1(fargs_t_dirty_u8, DIRTY_8(200)));
	TARGET_CALL(run, "fargs_t_dirty_s16(a=-100)",
		    call_1(fargs_t_dirty_s16, DIRTY_16(-100)));
	TARGET_CALL(run, "fargs_t_dirty_u16(a=40000)",
		    call_1(fargs_t_dirty_u16, DIRTY_16(40000)));
	TARGET_CALL(run, "fargs_t_dirty_int(a=-100)",
		    call_1(fargs_t_dirty_int, DIRTY_32(-100)));
	TARGET_CALL(run, "fargs_t_dirty_int(a=100)",
		    call_1(fargs_t_dirty_int, DIRTY_32(100)));
	TARGET_CALL(run, "fargs_t_dirty_uint(a=4000000000)",
		    call_1(fargs_t_dirty_uint, DIRTY_32(4000000000u)));
	TARGET_CALL(run, "fargs_t_dirty_bool(a=false)",
		    call_1(fargs_t_dirty_bool, DIRTY_8(0)));
	TARGET_CALL(run, "fargs_t_dirty_bool(a=true)",
		    call_1(fargs_t_dirty_bool, DIRTY_8(1)));
	TARGET_CALL(run, "fargs_t_dirty_char(a='z')",
		    call_1(fargs_t_dirty_char, DIRTY_8('z')));
	TARGET_CALL(run, "fargs_t_dirty_enum(a=FARGS_T_FLAT)",
		    call_1(fargs_t_dirty_enum, DIRTY_32(-1)));
	TARGET_CALL(run, "fargs_t_dirty_enum(a=-2)",
		    call_1(fargs_t_dirty_enum, DIRTY_32(-2)));
	TARGET_CALL(run, "fargs_t_dirty_6(a=-8, b=16, c=-32, d=32, e=true, f=FARGS_T_SHARP)",
		    fargs_t_call_raw(fargs_t_dirty_6, DIRTY_8(-8), DIRTY_16(16),
				     DIRTY_32(-32), DIRTY_32(32), DIRTY_8(1), DIRTY_32(1)));
}
