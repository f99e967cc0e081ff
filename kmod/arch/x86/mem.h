/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks which addresses may be read on x86-64. The memory map is described in the kernel's
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

/* User space, its guard page and the non-canonical addresses are below this address. */
static __always_inline unsigned long fargs_arch_kernel_start(void)
{
	return ~__VIRTUAL_MASK;
}

/*
 * Can @addr to @last be kernel memory? Addresses above the modules cannot: the fixmap maps devices,
 * the kernel handles faults in the vsyscall page specially, and error pointers point to the last
 * page.
 */
static __always_inline bool fargs_arch_is_kernel(unsigned long addr, unsigned long last)
{
	return addr >= fargs_arch_kernel_start() && last >= addr && last < MODULES_END;
}

/*
 * The direct map also maps the ISA hole, which has devices instead of memory: the VGA frame buffer
 * and option ROMs. Reading VGA memory changes the state of the adapter.
 */
#define FARGS_ARCH_ISA_HOLE	0xa0000ul
#define FARGS_ARCH_ISA_END	0x100000ul

/*
 * The direct map from the end of the ISA hole to the page before vmalloc's addresses: its first
 * address, and its size in bytes. With KASLR both are known only at run time.
 */
extern unsigned long fargs_arch_direct_first, fargs_arch_direct_bytes;

/**
 * fargs_arch_mem_init() - find the direct map
 *
 * Context: Process context, when the module is loaded.
 */
void fargs_arch_mem_init(void);

/* Are any of the bytes from @addr to @last, which are kernel memory, in the ISA hole? */
static __always_inline bool fargs_arch_is_isa_hole(unsigned long addr, unsigned long last)
{
	return addr < PAGE_OFFSET + FARGS_ARCH_ISA_END && last >= PAGE_OFFSET + FARGS_ARCH_ISA_HOLE;
}

/*
 * Do @addr and the FARGS_MEM_MAX bytes after it lie in the direct map after the ISA hole, or in
 * the mapping of the kernel and its modules? Everything mapped there is memory. In a confidential
 * guest (TDX, SEV-SNP) it may be memory that the guest has not accepted yet; reads by BPF programs
 * have the same problem (Documentation/decisions/which-limits-are-shared-with-ftrace-and-bpf.md).
 */
static __always_inline bool fargs_arch_is_linear(unsigned long addr)
{
	return likely(addr - fargs_arch_direct_first < fargs_arch_direct_bytes) ||
	       addr - __START_KERNEL_map < MODULES_END - __START_KERNEL_map - PAGE_SIZE;
}

static_assert(FARGS_MEM_MAX + 8 <= PAGE_SIZE);

/*
 * Returns the address, in the direct map, of the page table to which @entry points; @entry is CR3
 * or an entry of the level above. Returns 0 if the page table is not below @end, the end of the
 * direct map. Without this check, an entry of a page table that was freed and reused could lead to
 * any address. If the addition to PAGE_OFFSET wraps around, the address is in user space, where a
 * fault would not be fixed up.
 */
static __always_inline unsigned long fargs_arch_table_of(unsigned long entry, unsigned long end)
{
	unsigned long physical = entry & __PHYSICAL_MASK & PAGE_MASK;

	return physical < end - PAGE_OFFSET ? PAGE_OFFSET + physical : 0;
}

/*
 * Is the page at @addr, between VMALLOC_START and VMALLOC_END or in user space, memory? Drivers
 * also map devices there, uncached or write-combining, and reading a device register may have side
 * effects. For an address in user space, fargs_arch_has_user() must be true. A caller may only use
 * the result to decide whether to try a read that may fault.
 *
 * The walk takes no lock, and page tables may be freed during the walk. Interrupts are disabled:
 *
 *	CPU A (the kernel frees a table)	CPU B (here)
 *	clears the entry			disables interrupts
 *	flushes TLBs by an IPI to all CPUs	reads the entry, then the table
 *	waits for all CPUs			enables interrupts, handles the IPI
 *	frees the table
 *
 * So if CPU B reads the entry before CPU A clears it, the table is not freed before the walk has
 * ended. vmalloc frees tables replaced by a huge mapping in this way (pud_free_pmd_page(),
 * pmd_free_pte_page()). Tables of user space are freed in this way, too, or after an RCU grace
 * period, which does not end while interrupts are disabled where RCU is watching: the kernel's own
 * gup_fast() relies on that. The top-level table is the one in CR3, which this CPU is using. Two
 * cases are not covered: TLB flushes without an interrupt (AMD's INVLPGB, since 6.15), and memory
 * hot-remove, which flushes only after freeing. Hot-remove frees tables of the direct map and of
 * vmemmap, which are not walked here.
 *
 * One race remains: if another CPU replaces the memory at @addr by a device in the few hundred
 * cycles between this walk and the read, the device is read.
 *
 * Because of the two cases that are not covered, each table must also lie in the direct map, and is
 * read as if it might not be mapped: a page that is no longer a table can lead to a wrong result,
 * but not to a crash. Tables of Xen PV guests do not contain guest-physical addresses; there every
 * mapping counts as memory.
 *
 * This uses raw_local_irq_save(), because on kernels with the irqsoff tracer or lockdep
 * local_irq_save() fires a tracepoint: RCU may not be watching here, and a session may trace that
 * tracepoint. If a read faults here, lockdep still considers interrupts disabled after they have
 * been enabled again, until they are next disabled.
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
 * Does CR3 point to the page tables of the current task's user space? In two cases it does not: in
 * an interrupt during a context switch, and while the kernel uses temporary page tables, to patch
 * its text or to call EFI.
 */
static __always_inline bool fargs_arch_has_user(void)
{
	const struct mm_struct *mm = READ_ONCE(current->mm);

	return mm && __pa(mm->pgd) == (__read_cr3() & __PHYSICAL_MASK & PAGE_MASK);
}

#endif
