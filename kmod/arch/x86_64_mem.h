/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which addresses may be read, on x86-64. The map is in the kernel's
 * Documentation/arch/x86/x86_64/mm.rst.
 */
#ifndef FARGS_ARCH_X86_64_MEM_H
#define FARGS_ARCH_X86_64_MEM_H

#include <linux/build_bug.h>
#include <linux/mm_types.h>
#include <linux/pgtable.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>
#include <asm/page.h>
#include <asm/special_insns.h>

#include "uapi/fargs_prog.h"

/* Below it are user space, the page that guards it, and what is not canonical. */
static __always_inline unsigned long fargs_arch_kernel_start(void)
{
	return ~__VIRTUAL_MASK;
}

/*
 * Is @addr, with FARGS_MEM_MAX bytes behind it, where the kernel has all memory in a
 * row, or where it has itself and its modules? What is mapped there is memory.
 */
static __always_inline bool fargs_arch_is_linear(unsigned long addr)
{
	/* By two comparisons: one, of a difference, takes longer to make ready. */
	return (addr >= PAGE_OFFSET && addr < VMALLOC_START - PAGE_SIZE) ||
	       addr - __START_KERNEL_map < MODULES_END - __START_KERNEL_map - PAGE_SIZE;
}

static_assert(FARGS_MEM_MAX + 8 <= PAGE_SIZE);

/*
 * Is what is mapped at @addr, between VMALLOC_START and VMALLOC_END, memory? Drivers
 * map their devices there, too, uncached, and to read a device's register may do
 * things.
 *
 * Page tables may be freed while this looks at them, since it takes no lock (they
 * seldom are, here): each entry is read as if it were not there, and what comes of it
 * only decides whether to try. Xen's PV guests have other addresses in their tables;
 * they are taken at their word.
 */
static __always_inline bool fargs_arch_is_mapped_memory(unsigned long addr)
{
	unsigned long table = (unsigned long)__va(__read_cr3() & __PHYSICAL_MASK & PAGE_MASK);
	int shift = pgtable_l5_enabled() ? 48 : 39;
	unsigned long entry;

	if (cpu_feature_enabled(X86_FEATURE_XENPV))
		return true;
	for (;; shift -= 9) {
		unsigned long *at = (unsigned long *)table + (addr >> shift) % PTRS_PER_PTE;

		__get_kernel_nofault(&entry, at, unsigned long, fault);
		if (!(entry & _PAGE_PRESENT))
			return false;
		if (shift == PAGE_SHIFT)
			return !(entry & (_PAGE_PWT | _PAGE_PCD | _PAGE_PAT));
		if (shift <= 30 && (entry & _PAGE_PSE))
			return !(entry & (_PAGE_PWT | _PAGE_PCD | _PAGE_PAT_LARGE));
		table = (unsigned long)__va(entry & __PHYSICAL_MASK & PAGE_MASK);
	}
fault:
	return false;
}

/*
 * Is the user space that this CPU has in its page tables that of the task? Not in an
 * interrupt that came in the middle of switching to another, and not while the
 * kernel has borrowed tables of its own (to patch its text, to call EFI).
 */
static __always_inline bool fargs_arch_has_user(void)
{
	const struct mm_struct *mm = READ_ONCE(current->mm);

	return mm && __pa(mm->pgd) == (__read_cr3() & __PHYSICAL_MASK & PAGE_MASK);
}

#endif
