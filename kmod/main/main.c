// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#include "arch/mem.h"
#include "compat/retprobe.h"
#include "main/dev.h"
#include "main/modules.h"
#include "probe/several.h"
#include "probe/switches.h"
#include "probe/tasks.h"

static int __init fargs_init(void)
{
	int ret;

	fargs_arch_mem_init();
	ret = fargs_tasks_init() ?: fargs_switches_init();
	if (ret)
		return ret;
	ret = fargs_several_init();
	if (ret)
		return ret;
	ret = fargs_modules_init();
	if (ret)
		goto exit_several;
	ret = fargs_dev_init();
	if (ret)
		goto deinit_modules;
	return 0;

deinit_modules:
	fargs_modules_deinit();
exit_several:
	fargs_several_exit();
	return ret;
}

/* All sessions have been freed, since each session holds a reference to the module. */
static void __exit fargs_exit(void)
{
	fargs_dev_deinit();
	fargs_modules_deinit();
	fargs_retprobe_deinit();
	fargs_several_exit();
}

module_init(fargs_init);
module_exit(fargs_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The fargs project");
MODULE_DESCRIPTION("Kernel function tracing with arguments");
MODULE_VERSION(FARGS_VERSION);
