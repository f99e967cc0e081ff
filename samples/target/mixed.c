// SPDX-License-Identifier: GPL-2.0-only
/* Functions with several arguments; some types are typedefs of typedefs, or kernel typedefs. */
#include <linux/compiler.h>
#include <linux/ktime.h>
#include <linux/types.h>

#include "target.h"

enum fargs_t_mode {
	FARGS_T_OFF,
	FARGS_T_ON,
	FARGS_T_AUTO = 100,
};

typedef short fargs_t_inner_t;
typedef fargs_t_inner_t fargs_t_middle_t;
typedef const volatile fargs_t_middle_t fargs_t_outer_t;
typedef enum fargs_t_mode fargs_t_mode_t;

void fargs_t_2(int first, int second);
void fargs_t_3(s64 first, u8 second, s16 third);
void fargs_t_4(void *obj, const char *name, unsigned long flags, int mode);
void fargs_t_5(bool a, bool b, bool c, bool d, bool e);
void fargs_t_6(s8 a, s16 b, s32 c, s64 d, u8 e, u16 f);
void fargs_t_6_signed(int a, int b, int c, int d, int e, int f);
void fargs_t_6_wide(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f);
void fargs_t_chain(fargs_t_outer_t a, const fargs_t_mode_t b);
void fargs_t_sizes(size_t size, ssize_t ssize, loff_t off, off_t old_off);
void fargs_t_kernel(pid_t pid, umode_t mode, sector_t sector, ktime_t time);
void fargs_t_io(int fd, void *buf, size_t count, loff_t *pos);
void fargs_t_names(int int_, int _, int a_rather_long_name_of_an_argument_for_once,
		   int x1);

fargs_t_target void fargs_t_2(int first, int second)
{
	fargs_t_use(first);
	fargs_t_use(second);
}

fargs_t_target void fargs_t_3(s64 first, u8 second, s16 third)
{
	fargs_t_use(first);
	fargs_t_use(second);
	fargs_t_use(third);
}

fargs_t_target void fargs_t_4(void *obj, const char *name, unsigned long flags,
			      int mode)
{
	fargs_t_use(obj);
	fargs_t_use(name);
	fargs_t_use(flags);
	fargs_t_use(mode);
}

fargs_t_target void fargs_t_5(bool a, bool b, bool c, bool d, bool e)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
}

fargs_t_target void fargs_t_6(s8 a, s16 b, s32 c, s64 d, u8 e, u16 f)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
}

fargs_t_target void fargs_t_6_signed(int a, int b, int c, int d, int e, int f)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
}

fargs_t_target void fargs_t_6_wide(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	fargs_t_use(a);
	fargs_t_use(b);
	fargs_t_use(c);
	fargs_t_use(d);
	fargs_t_use(e);
	fargs_t_use(f);
}

fargs_t_target void fargs_t_chain(fargs_t_outer_t a, const fargs_t_mode_t b)
{
	fargs_t_use(a);
	fargs_t_use(b);
}

fargs_t_target void fargs_t_sizes(size_t size, ssize_t ssize, loff_t off, off_t old_off)
{
	fargs_t_use(size);
	fargs_t_use(ssize);
	fargs_t_use(off);
	fargs_t_use(old_off);
}

fargs_t_target void fargs_t_kernel(pid_t pid, umode_t mode, sector_t sector, ktime_t time)
{
	fargs_t_use(pid);
	fargs_t_use(mode);
	fargs_t_use(sector);
	fargs_t_use(time);
}

fargs_t_target void fargs_t_io(int fd, void *buf, size_t count, loff_t *pos)
{
	fargs_t_use(fd);
	fargs_t_use(buf);
	fargs_t_use(count);
	fargs_t_use(pos);
}

fargs_t_target void fargs_t_names(int int_, int _,
				  int a_rather_long_name_of_an_argument_for_once, int x1)
{
	fargs_t_use(int_);
	fargs_t_use(_);
	fargs_t_use(a_rather_long_name_of_an_argument_for_once);
	fargs_t_use(x1);
}

void target_walk_mixed(struct target_run *run)
{
	TARGET_CALL(run, "fargs_t_2(first=1, second=-1)", fargs_t_2(1, -1));
	TARGET_CALL(run, "fargs_t_3(first=-4294967296, second=200, third=-200)",
		    fargs_t_3(-4294967296ll, 200, -200));
	TARGET_CALL(run, "fargs_t_4(obj=0xffff888012345678, name=0x0, flags=4096, mode=-2)",
		    fargs_t_4((void *)0xffff888012345678ul, NULL, 4096, -2));
	TARGET_CALL(run, "fargs_t_5(a=true, b=false, c=true, d=true, e=false)",
		    fargs_t_5(true, false, true, true, false));
	TARGET_CALL(run, "fargs_t_6(a=-1, b=-2, c=-3, d=-4, e=5, f=6)",
		    fargs_t_6(-1, -2, -3, -4, 5, 6));
	TARGET_CALL(run, "fargs_t_6_signed(a=-1, b=2, c=-3, d=4, e=-5, f=6)",
		    fargs_t_6_signed(-1, 2, -3, 4, -5, 6));
	TARGET_CALL(run,
		    "fargs_t_6_wide(a=1, b=0, c=18446744073709551615, d=4294967296, e=4294967295, f=6)",
		    fargs_t_6_wide(1, 0, ~0ull, 1ull << 32, 0xffffffffull, 6));
	TARGET_CALL(run, "fargs_t_chain(a=-12345, b=FARGS_T_AUTO)",
		    fargs_t_chain(-12345, FARGS_T_AUTO));
	TARGET_CALL(run,
		    "fargs_t_sizes(size=18446744073709551615, ssize=-1, off=-9, old_off=1099511627776)",
		    fargs_t_sizes(~0ul, -1, -9, 1l << 40));
	TARGET_CALL(run,
		    "fargs_t_kernel(pid=-1, mode=S_IFREG|0644, sector=8589934592, time=-1000000000)",
		    fargs_t_kernel(-1, 0100644, 1ull << 33, -1000000000ll));
	TARGET_CALL(run,
		    "fargs_t_io(fd=3, buf=0x7ffc12345670, count=131072, pos=0xffffc90000123f08)",
		    fargs_t_io(3, (void *)0x7ffc12345670ul, 131072,
			       (loff_t *)0xffffc90000123f08ul));
	TARGET_CALL(run,
		    "fargs_t_names(int_=1, _=2, a_rather_long_name_of_an_argument_for_once=3, x1=4)",
		    fargs_t_names(1, 2, 3, 4));
}
