// SPDX-License-Identifier: GPL-2.0-only
/* In user space the direct map is where the kernel's headers of the tests have it. */
#include <linux/compiler.h>
#include <linux/types.h>

#include "../../kmod/arch/mem.h"

unsigned long fargs_arch_direct_first = PAGE_OFFSET + FARGS_ARCH_ISA_END;
unsigned long fargs_arch_direct_bytes =
	VMALLOC_START - PAGE_SIZE - (PAGE_OFFSET + FARGS_ARCH_ISA_END);
