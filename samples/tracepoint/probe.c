// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with callbacks on the tracepoints of another module, which it finds by name. The two
 * modules can be loaded and unloaded in any order. See Documentation/tracepoints.md.
 *
 * Context of the callbacks: that of the code that fires the tracepoint; they may not sleep. Kernels
 * up to 6.12 disable preemption around them, later kernels do not; the callbacks work with both.
 */
#include <linux/atomic.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "points.h"

static atomic_long_t nr_ticks = ATOMIC_LONG_INIT(0);

/* @data is the pointer that was passed to tracepoint_probe_register(). */
static void probe_open(void *data, struct inode *inode, struct file *file)
{
	pr_info_ratelimited("fargs_tp_probe: %s opened %pD, inode %llu\n", current->comm, file,
			    (u64)inode->i_ino);
}

static void probe_tick(void *data, u64 nr)
{
	atomic_long_inc(data);
}

static struct {
	const char *name;
	void *probe;
	void *data;
	struct tracepoint *tp;	/* NULL: our probe is not registered */
} points[] = {
	{ "fargs_tp_open", probe_open, NULL },
	{ "fargs_tp_tick", probe_tick, &nr_ticks },
};

static void register_point(struct tracepoint *tp)
{
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(points); i++) {
		if (points[i].tp || strcmp(tp->name, points[i].name))
			continue;
		ret = tracepoint_probe_register(tp, points[i].probe, points[i].data);
		if (ret)
			pr_warn("fargs_tp_probe: no probe on %s: %d\n", tp->name, ret);
		else
			points[i].tp = tp;
	}
}

static void unregister_point(struct tracepoint *tp)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(points); i++) {
		if (points[i].tp != tp)
			continue;
		tracepoint_probe_unregister(tp, points[i].probe, points[i].data);
		points[i].tp = NULL;
	}
}

/*
 * Called when a module with tracepoints is loaded, before any of the module's code runs, and when
 * it is unloaded, after all of its code has run. Registering the notifier calls it for all modules
 * that are already loaded, unregistering it calls it for all modules that are still loaded. The
 * kernel calls it with a mutex held, which protects points[].
 */
static int notify(struct notifier_block *nb, unsigned long event, void *arg)
{
	const struct tp_module *tp_mod = arg;
	const struct module *mod = tp_mod->mod;
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		if (event == MODULE_STATE_COMING)
			register_point(tp);
		else if (event == MODULE_STATE_GOING)
			unregister_point(tp);
	}
	return NOTIFY_OK;
}

static struct notifier_block nb = {
	.notifier_call = notify,
};

static int get_ticks(char *to, const struct kernel_param *param)
{
	return sysfs_emit(to, "%ld\n", atomic_long_read(&nr_ticks));
}

static const struct kernel_param_ops ticks_ops = {
	.get = get_ticks,
};
module_param_cb(ticks, &ticks_ops, NULL, 0400);
MODULE_PARM_DESC(ticks, "how often fargs_tp_tick has fired");

static int __init probe_init(void)
{
	/*
	 * The next two calls generate no code, and do not compile if a callback has the wrong
	 * prototype.
	 */
	check_trace_callback_type_fargs_tp_open(probe_open);
	check_trace_callback_type_fargs_tp_tick(probe_tick);
	return register_tracepoint_module_notifier(&nb);
}

static void __exit probe_exit(void)
{
	unregister_tracepoint_module_notifier(&nb);
	/* Callbacks may still be running; their data and code are freed after this function. */
	tracepoint_synchronize_unregister();
}

module_init(probe_init);
module_exit(probe_exit);
MODULE_DESCRIPTION("fargs: callbacks on the tracepoints of fargs_tp_event");
MODULE_LICENSE("GPL");
