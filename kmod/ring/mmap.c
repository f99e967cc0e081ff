// SPDX-License-Identifier: GPL-2.0-only
#include "ring/mmap.h"

#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/vmalloc.h>

#include "compat/mm.h"
#include "ring/ring.h"

int fargs_rings_mmap(struct fargs_rings *rings, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	unsigned long bytes = vma->vm_end - vma->vm_start;
	u64 cpu = offset >> 32;
	struct fargs_ring *ring;

	if (cpu >= nr_cpu_ids || !cpu_possible(cpu) || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	ring = per_cpu_ptr(rings->cpu, array_index_nospec(cpu, nr_cpu_ids));

	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	/*
	 * A mapping keeps the session alive. Without VM_DONTCOPY, a mapping inherited by a child
	 * would keep the session alive after the tracer has exited. A tracer can remove VM_DONTCOPY
	 * by madvise(MADV_DOFORK), but it could let its children inherit the descriptor as well.
	 * VM_IO would forbid MADV_DOFORK, but also direct I/O from the rings, and reads by
	 * debuggers. perf sets the same flags on its buffers. VM_MAYEXEC is cleared, since traced
	 * tasks determine the contents of a ring.
	 */
	fargs_compat_vm_flags(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, VM_MAYEXEC);

	if (offset == FARGS_MMAP_TAIL(cpu)) {
		if (bytes != PAGE_SIZE)
			return -EINVAL;
		return vm_insert_page(vma, vma->vm_start, ring->tail_page);
	}
	if (offset != FARGS_MMAP_DATA(cpu) || bytes != PAGE_SIZE + 2 * rings->size)
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	fargs_compat_vm_flags(vma, 0, VM_MAYWRITE);
	return remap_vmalloc_range(vma, ring->map, 0);
}

bool fargs_rings_is_due(struct fargs_rings *rings)
{
	int cpu;

	if (!rings || rings->is_overwrite)
		return false;
	for_each_possible_cpu(cpu) {
		struct fargs_ring *ring = per_cpu_ptr(rings->cpu, cpu);
		/*
		 * Compare head, not data_head: the reader may be woken before the record that
		 * reached the watermark is complete and published.
		 */
		s64 unread = READ_ONCE(ring->head) - READ_ONCE(ring->tail->data_tail);

		if (unread >= (s64)ring->watermark)
			return true;
	}
	return false;
}
