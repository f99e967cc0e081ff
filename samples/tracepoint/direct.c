// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with a callback on a tracepoint that another module exports. It depends on that module:
 * modprobe loads fargs_tp_event first, and fargs_tp_event cannot be unloaded before this module.
 * See Documentation/tracepoints.md.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "points.h"

static atomic_long_t nr_ticks = ATOMIC_LONG_INIT(0);

/* @data is the pointer that was passed to register_trace_fargs_tp_tick(). */
static void direct_tick(void *data, u64 nr)
{
	atomic_long_inc(data);
}

static int get_ticks(char *to, const struct kernel_param *param)
{
	return sysfs_emit(to, "%ld\n", atomic_long_read(&nr_ticks));
}

static const struct kernel_param_ops ticks_ops = {
	.get = get_ticks,
};
module_param_cb(ticks, &ticks_ops, NULL, 0400);
MODULE_PARM_DESC(ticks, "how often fargs_tp_tick has fired");

/* Does not compile if the callback has the wrong prototype. */
static int __init direct_init(void)
{
	return register_trace_fargs_tp_tick(direct_tick, &nr_ticks);
}

static void __exit direct_exit(void)
{
	unregister_trace_fargs_tp_tick(direct_tick, &nr_ticks);
	/* The callback may still be running; its code and data are freed after this function. */
	tracepoint_synchronize_unregister();
}

module_init(direct_init);
module_exit(direct_exit);
MODULE_DESCRIPTION("fargs: a callback on a tracepoint that fargs_tp_event exports");
MODULE_LICENSE("GPL");
