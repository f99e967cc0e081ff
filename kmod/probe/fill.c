// SPDX-License-Identifier: GPL-2.0-only
/* Context: Any context, NMI included; preemption is disabled. Not traced (Kbuild). */
#include "probe/fill.h"

#include <linux/uaccess.h>

/*
 * Reads a stack slot outside the page to which sp points. Slots in that page are always mapped, but
 * the stack may end before the next page: an interrupt stack can end 8 bytes above sp.
 */
static notrace noinline bool read_far_slot(unsigned long addr, u64 *value)
{
	bool is_read = true;

	pagefault_disable();
	__get_kernel_nofault(value, (u64 *)addr, u64, fault);
out:
	pagefault_enable();
	return is_read;
fault:
	is_read = false;
	goto out;
}

void notrace fargs_fill_stack(struct fargs_record *record, const struct fargs_template *t,
			      const struct pt_regs *regs)
{
	const struct fargs_stack_store *store = fargs_template_stack(t);
	u32 i;

	for (i = 0; i < t->nr_stack; i++, store++) {
		unsigned long addr = fargs_arch_stack_slot(fargs_arch_sp(regs), store->slot);
		u64 value;

		/* If an earlier slot of the same value was unreadable, keep that slot's address. */
		if (store->offset == store->value_offset &&
		    *((u8 *)record + store->type_offset) & FARGS_TYPE_FAULT)
			continue;
		/*
		 * Read without KASAN's check, since a layout may store any slot: after the
		 * arguments on the stack are the caller's variables, with redzones that KASAN has
		 * poisoned.
		 */
		if (likely(!(((addr + 7) ^ fargs_arch_sp(regs)) & PAGE_MASK))) {
			value = READ_ONCE_NOCHECK(*(u64 *)addr);
		} else if (!read_far_slot(addr, &value)) {
			*((u8 *)record + store->type_offset) |= FARGS_TYPE_FAULT;
			*(u64 *)((u8 *)record + store->value_offset) = addr;
			continue;
		}
		*(u64 *)((u8 *)record + store->offset) = value;
	}
}
