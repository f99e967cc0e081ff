/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which addresses may be read, on x86-64. The map is in the kernel's
 * Documentation/arch/x86/x86_64/mm.rst.
 */
#ifndef FARGS_KMOD_ARCH_X86_MEM_H
#define FARGS_KMOD_ARCH_X86_MEM_H

#include <linux/build_bug.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
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
 * May @addr to @last, from where the kernel begins on, be memory? What is above the modules is
 * none: the fixmap has devices, the vsyscall page faults in ways of its own, and the last page is
 * for error pointers.
 */
static __always_inline bool fargs_arch_is_kernel(unsigned long addr, unsigned long last)
{
	return addr >= fargs_arch_kernel_start() && last >= addr && last < MODULES_END;
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
 * Where the direct map, which ends at @end, has the page table that @entry of the level above,
 * or CR3, leads to. 0: @entry is none, since there is no memory there. Without this a freed page
 * that is something else by now could lead anywhere, around the end of all addresses into user
 * space, too, whose faults no exception table catches.
 */
static __always_inline unsigned long fargs_arch_table_of(unsigned long entry, unsigned long end)
{
	unsigned long physical = entry & __PHYSICAL_MASK & PAGE_MASK;

	return physical < end - PAGE_OFFSET ? PAGE_OFFSET + physical : 0;
}

/*
 * Is what is mapped at @addr, between VMALLOC_START and VMALLOC_END, memory? Drivers
 * map their devices there, too, uncached, and to read a device's register may do
 * things. What comes of it only decides whether to try.
 *
 * This takes no lock, and page tables may be freed while it looks at them. Interrupts are disabled
 * until it is done: where the kernel clears an entry, flushes TLBs by an interrupt to all CPUs,
 * waits for them, and frees the table after that, the table stays until the walk has ended. So
 * vmalloc frees those that a huge mapping replaces (pud_free_pmd_page(), pmd_free_pte_page()).
 * The top-level table is the one in CR3, which this CPU is using. Not excluded are flushes
 * without an interrupt (AMD's INVLPGB, since 6.15), and memory hot-remove, which flushes last;
 * that frees tables of the direct map and of vmemmap, where nothing is walked.
 *
 * So each table must lie in the direct map, too, and is read as if it were not there: a page
 * that is a table no more gives a wrong answer, and nothing worse. Xen's PV guests have other
 * addresses in their tables; they are taken at their word.
 *
 * raw_, since on kernels with the irqsoff tracer or lockdep local_irq_save() fires a tracepoint:
 * RCU may not be watching here, and a session may be tracing that. If a read faults in here,
 * lockdep takes interrupts for disabled until they are next.
 */
static __always_inline bool fargs_arch_is_mapped_memory(unsigned long addr)
{
	int shift = pgtable_l5_enabled() ? 48 : 39;
	unsigned long entry, table, end, flags;
	bool is_memory = false;

	if (cpu_feature_enabled(X86_FEATURE_XENPV))
		return true;
	end = (unsigned long)READ_ONCE(high_memory);
	raw_local_irq_save(flags);
	for (entry = __read_cr3();; shift -= 9) {
		table = fargs_arch_table_of(entry, end);
		if (!table)
			break;
		__get_kernel_nofault(&entry, (unsigned long *)table +
				     (addr >> shift) % PTRS_PER_PTE, unsigned long, fault);
		if (!(entry & _PAGE_PRESENT))
			break;
		if (shift == PAGE_SHIFT) {
			is_memory = !(entry & (_PAGE_PWT | _PAGE_PCD | _PAGE_PAT));
			break;
		}
		if (shift <= 30 && (entry & _PAGE_PSE)) {
			is_memory = !(entry & (_PAGE_PWT | _PAGE_PCD | _PAGE_PAT_LARGE));
			break;
		}
	}
fault:
	raw_local_irq_restore(flags);
	return is_memory;
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
