// SPDX-License-Identifier: GPL-2.0-only
/* A module for selftests/vm/selftest: triggers a warning, or counts the cycles of a fixed loop. */
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/timex.h>

static bool warn;
module_param(warn, bool, 0);
MODULE_PARM_DESC(warn, "trigger a WARN");

/* A type that only this module defines, so that the module has BTF. */
struct vm_probe {
	cycles_t cycles;
};

static struct vm_probe vm_probe;

static int __init vm_probe_init(void)
{
	unsigned long flags;
	cycles_t start;
	int i;

	WARN(warn, "vm_probe: asked to warn\n");

	local_irq_save(flags);
	start = get_cycles();
	for (i = 0; i < 1000; i++)
		barrier();
	vm_probe.cycles = get_cycles() - start;
	local_irq_restore(flags);
	pr_info("vm_probe: loop took %llu\n", (unsigned long long)vm_probe.cycles);
	return 0;
}

static void __exit vm_probe_exit(void)
{
}

module_init(vm_probe_init);
module_exit(vm_probe_exit);
MODULE_DESCRIPTION("fargs VM selftest");
MODULE_LICENSE("GPL");
