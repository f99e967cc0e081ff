// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plain capture path: registers and stack slots of a function that was
 * called.
 *
 * Context: any, NMI included; RCU may not be watching. ftrace calls it straight
 * from the function's trampoline, without a recursion check, so nothing in here
 * may be traced (Kbuild takes ftrace's flags off this file) and everything it
 * calls is inline or notrace. Nested calls, from interrupts, are what the ring
 * is made for.
 *
 * Who frees: the hash, the templates and the rings live until the ops is
 * unregistered, which waits for whoever has preemption disabled; all of them are
 * used that way only. That also holds if the module goes, since a session
 * holds the module.
 */
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "capture.h"
#include "compat/ftrace.h"
#include "funchash.h"
#include "layout.h"
#include "record.h"

extern const char fargs_seq_site_plain[];

unsigned long fargs_entry_plain_site(void)
{
	return (unsigned long)fargs_seq_site_plain;
}

/*
 * A slot in sp's own page is there for certain. Beyond it the stack may end: an
 * interrupt stack can end 8 bytes above sp.
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

static notrace noinline void store_stack(struct fargs_record *record,
					 const struct fargs_template *t,
					 const struct pt_regs *regs)
{
	const struct fargs_stack_store *store = fargs_template_stack(t);
	u32 i;

	for (i = 0; i < t->nr_stack; i++, store++) {
		unsigned long addr = fargs_arch_stack_slot(regs, store->slot);
		u64 value;

		/* The address of an earlier fault of the same value stays. */
		if (store->offset == store->value_offset &&
		    *((u8 *)record + store->type_offset) & FARGS_TYPE_FAULT)
			continue;
		/*
		 * Without KASAN's check: a layout may ask for any slot of the window,
		 * and behind the arguments are the caller's variables, with what
		 * KASAN has poisoned between them.
		 */
		if (likely(!(((addr + 7) ^ regs->sp) & PAGE_MASK))) {
			value = READ_ONCE_NOCHECK(*(u64 *)addr);
		} else if (!read_far_slot(addr, &value)) {
			*((u8 *)record + store->type_offset) |= FARGS_TYPE_FAULT;
			*(u64 *)((u8 *)record + store->value_offset) = addr;
			continue;
		}
		*(u64 *)((u8 *)record + store->offset) = value;
	}
}

/* From the end, so that the index is the loop's only counter. */
static __always_inline void copy_body(struct fargs_record *record, const struct fargs_template *t)
{
	u8 *to = (u8 *)(record + 1);
	const u8 *from = (const u8 *)t->body;
	unsigned long i = t->body_len;

	do {
		u64 a = *(const u64 *)(from + i - 16), b = *(const u64 *)(from + i - 8);

		*(u64 *)(to + i - 16) = a;
		*(u64 *)(to + i - 8) = b;
		i -= 16;
	} while (i);
}

static __always_inline void store_regs(struct fargs_record *record, const struct fargs_template *t,
				       const struct pt_regs *regs)
{
	u32 nr = t->nr_regs;

#define STORE(n, name) (*(u64 *)((u8 *)record + t->reg_offset[n]) = regs->name)
	if (nr > 2) {
		if (nr > 3) {
			if (nr > 4) {
				if (nr > 5)
					STORE(5, r9);
				STORE(4, r8);
			}
			STORE(3, cx);
		}
		STORE(2, dx);
		STORE(1, si);
		STORE(0, di);
	} else if (nr) {
		if (nr > 1)
			STORE(1, si);
		STORE(0, di);
	}
#undef STORE
}

static __always_inline void fill(struct fargs_record *record, const struct fargs_template *t,
				 const struct pt_regs *regs, unsigned long ip,
				 unsigned long parent_ip, u64 seq, u64 tsc)
{
	/* Each by itself: put together they cost more than two stores. */
	WRITE_ONCE(record->tsc, tsc);
	WRITE_ONCE(*(u32 *)record, t->head);
	WRITE_ONCE(record->tid, current->pid);
	WRITE_ONCE(record->ip, ip);
	WRITE_ONCE(record->parent_ip, parent_ip);
	fargs_record_fill_context(record);
	copy_body(record, t);
	store_regs(record, t, regs);
	/* Last: registers that nobody wants went here. */
	WRITE_ONCE(record->seq, seq);
}

/*
 * The same when the ring's limit was reached, or there are stack slots: apart, so
 * that the way below calls nothing while it has something to keep.
 */
static notrace noinline void entry_slow(struct fargs_ring *ring, const struct fargs_template *t,
					const struct pt_regs *regs, unsigned long ip,
					unsigned long parent_ip, u64 seq)
{
	struct fargs_record *record;
	u64 tsc;

	if (fargs_record_reserve(ring, t->len, &tsc, &record) ||
	    fargs_record_reserve_slow(ring, t->len, &tsc, &record)) {
		fill(record, t, regs, ip, parent_ip, seq, tsc);
		if (t->nr_stack)
			store_stack(record, t, regs);
	}
	fargs_ring_leave(ring);
	preempt_enable_notrace();
}

void notrace fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	const struct fargs_capture *capture = container_of(ops, struct fargs_capture, plain);
	const struct pt_regs *regs = fargs_compat_regs(fregs);
	const struct fargs_template *t;
	struct fargs_record *record;
	struct fargs_ring *ring;
	u64 seq, tsc;

	preempt_disable_notrace();
	if (unlikely(!fargs_funchash_find(capture->hash, ip, &t)))
		goto out;
	if (unlikely(capture->tids) && !test_bit(current->pid, capture->tids))
		goto out;

	ring = this_cpu_ptr(capture->rings);
	seq = fargs_arch_take_number(&ring->seq, fargs_seq_site_plain);
	fargs_ring_enter(ring);
	if (unlikely(t->nr_stack) || unlikely(!fargs_record_reserve(ring, t->len, &tsc, &record))) {
		entry_slow(ring, t, regs, ip, parent_ip, seq);
		return;
	}
	fill(record, t, regs, ip, parent_ip, seq, tsc);
	fargs_ring_leave(ring);
out:
	preempt_enable_notrace();
}
