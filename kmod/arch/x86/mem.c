// SPDX-License-Identifier: GPL-2.0-only
#include "arch/x86/mem.h"

#include <linux/cache.h>
#include <linux/init.h>

unsigned long fargs_arch_direct_first __ro_after_init;
unsigned long fargs_arch_direct_bytes __ro_after_init;

void __init fargs_arch_mem_init(void)
{
	fargs_arch_direct_first = PAGE_OFFSET + FARGS_ARCH_ISA_END;
	fargs_arch_direct_bytes = VMALLOC_START - PAGE_SIZE - fargs_arch_direct_first;
}
