// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module to test tracing from the moment of loading: its init function calls functions in the
 * module's init memory and core memory, with known arguments.
 *
 *	insmod fargs_late.ko		calls fargs_late_setup, fargs_late_static, fargs_late_twin
 *					(two functions), fargs_late_work, fargs_late_notrace
 *	insmod fargs_late.ko fail=1	makes the same calls; then init fails with EBUSY
 *	echo N >…/parameters/call	calls fargs_late_work N times, with 0 .. N - 1
 *	rmmod fargs_late		calls fargs_late_bye
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "late.h"

static int fail;
module_param(fail, int, 0444);

/*
 * These functions are not static, and have the attribute noipa, so that the compiler keeps each
 * call and its arguments as written.
 */
int __init __noipa fargs_late_setup(int number, const char *name, u64 flags, s8 small);
s64 __noipa fargs_late_work(s64 number, u32 flags);
void __noipa fargs_late_bye(u16 code);
notrace void __noipa fargs_late_notrace(int number);

int __init __noipa fargs_late_setup(int number, const char *name, u64 flags, s8 small)
{
	return number < 0 ? -ENOENT : strlen(name) + small;
}

static noinline int __init __noipa fargs_late_static(u32 a, u32 b, u32 c)
{
	return a + b + c;
}

s64 __noipa fargs_late_work(s64 number, u32 flags)
{
	return number * 2;
}

void __noipa fargs_late_bye(u16 code)
{
}

notrace void __noipa fargs_late_notrace(int number)
{
}

static noinline int __noipa fargs_late_twin(int first)
{
	return first + 1;
}

static int call(const char *text, const struct kernel_param *param)
{
	s64 i, nr;
	int ret = kstrtos64(text, 0, &nr);

	if (ret)
		return ret;
	for (i = 0; i < nr && i < 100000; i++)
		fargs_late_work(i, 7);
	return 0;
}

static const struct kernel_param_ops call_ops = {
	.set = call,
};
module_param_cb(call, &call_ops, NULL, 0200);

static int __init late_init(void)
{
	fargs_late_setup(-2, "late", 0x123456789abcdefull, -3);
	fargs_late_static(1, 20, 300);
	fargs_late_twin(41);
	fargs_late_call_twin();
	fargs_late_work(-1000000000000ll, 0xdeadbeef);
	fargs_late_notrace(1);
	return fail ? -EBUSY : 0;
}

static void __exit late_exit(void)
{
	fargs_late_bye(0xfffe);
}

module_init(late_init);
module_exit(late_exit);
MODULE_DESCRIPTION("fargs: functions that are called while the module is loaded");
MODULE_LICENSE("GPL");
