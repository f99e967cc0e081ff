// SPDX-License-Identifier: GPL-2.0-only
/*
 * A livepatch of fargs_t_4() in samples/target, to test tracing of a patched function:
 *
 *	modprobe fargs_patch			calls of fargs_t_4 run patched_4 instead
 *	cat …/parameters/calls			prints the number of calls of patched_4
 *	echo 0 >/sys/kernel/livepatch/fargs_patch/enabled
 *	rmmod fargs_patch			possible once that directory has disappeared
 */
#include <linux/atomic.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static atomic_long_t nr = ATOMIC_LONG_INIT(0);

static int get_calls(char *buf, const struct kernel_param *param)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&nr));
}

static const struct kernel_param_ops calls_ops = { .get = get_calls };

module_param_cb(calls, &calls_ops, NULL, 0444);

/* Replaces fargs_t_4(), which itself does nothing. Their parameters must be the same. */
static noinline void patched_4(void *obj, const char *name, unsigned long flags, int mode)
{
	atomic_long_inc(&nr);
}

static struct klp_func funcs[] = {
	{ .old_name = "fargs_t_4", .new_func = patched_4 },
	{ }
};

static struct klp_object objs[] = {
	{ .name = "fargs_target", .funcs = funcs },
	{ }
};

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objs };

static int __init fargs_patch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit fargs_patch_exit(void)
{
}

module_init(fargs_patch_init);
module_exit(fargs_patch_exit);
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("A livepatch of a function that fargs traces");
