// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the call to the return. The kernel's return probes call in here, with
 * preemption disabled, in any context (compat/retprobe.h). Nothing in here may be
 * traced (Kbuild takes ftrace's flags off this file).
 *
 * What programs call may be traced all the same. At the call the kernel holds
 * ftrace's recursion guard; at the return that, or the mark that a kprobe runs: a
 * function with a return probe is missed then, a function of another path has a
 * guard of its own.
 *
 * Who frees: templates, pool and rings live until the probes are unregistered, which
 * waits for whoever has preemption disabled. After that nothing looks at a slot.
 */
#include "ret.h"

#include <linux/sched.h>
#include <linux/string.h>

#include "capture.h"
#include "fill.h"
#include "pool.h"
#include "prog.h"
#include "record.h"
#include "template.h"

extern const char fargs_seq_site_return[];

unsigned long fargs_ret_site(void)
{
	return (unsigned long)fargs_seq_site_return;
}

/* One place for calls and returns: there can be no second such instruction. */
static notrace noinline u64 take_number(struct fargs_ring *ring)
{
	return fargs_arch_take_number(&ring->seq, fargs_seq_site_return);
}

static notrace noinline void reject(struct fargs_ring *ring, struct fargs_verdict verdict)
{
	take_number(ring);
	fargs_arch_inc(&ring->rejected);
	if (verdict.is_unreadable)
		fargs_arch_inc(&ring->unreadable);
}

/* No slot is free: the return will not be waited for. */
static notrace noinline void miss(struct fargs_ring *ring)
{
	take_number(ring);
	local_inc(&ring->missed);
	local_inc(&ring->lost);
	local_inc(&ring->lost_pending);
}

static __always_inline bool reserve(struct fargs_ring *ring, u32 len, u64 *tsc,
				    struct fargs_record **record)
{
	return likely(fargs_record_reserve(ring, len, tsc, record)) ||
	       fargs_record_reserve_slow(ring, len, tsc, record);
}

static __always_inline void fill_header(struct fargs_record *record, const struct fargs_slot *slot,
					u32 head, u64 seq, u64 tsc, u32 depth)
{
	WRITE_ONCE(record->tsc, tsc);
	WRITE_ONCE(*(u32 *)record, head);
	WRITE_ONCE(record->tid, current->pid);
	WRITE_ONCE(record->ip, slot->ip);
	WRITE_ONCE(record->parent_ip, slot->parent_ip);
	fargs_record_fill_context(record);
	record->preempt -= depth - 1;
	WRITE_ONCE(record->seq, seq);
}

/* @len: a multiple of 8. */
static __always_inline void copy_words(void *to, const void *from, u32 len)
{
	u32 i;

	for (i = 0; i < len; i += 8)
		*(u64 *)(to + i) = *(const u64 *)(from + i);
}

/*
 * A record of the @len bytes of the slot's body, which are ended here. Returns its
 * time, 0 if it is lost.
 */
static notrace u64 write_record(struct fargs_ring *ring, struct fargs_slot *slot,
				enum fargs_kind kind, u32 len, u32 depth)
{
	u32 bytes = round_up(len + 2, FARGS_RECORD_ALIGN);
	u32 total = sizeof(struct fargs_record) + bytes;
	u64 tsc = 0, seq = take_number(ring);
	struct fargs_record *record;

	memset((u8 *)slot->body + len, 0, bytes - len);
	fargs_ring_enter(ring);
	if (reserve(ring, total, &tsc, &record)) {
		copy_words(record + 1, slot->body, bytes);
		fill_header(record, slot, total | kind << 16, seq, tsc, depth);
	} else {
		tsc = 0;
	}
	fargs_ring_leave(ring);
	return tsc;
}

static __always_inline void save_regs(struct fargs_slot *slot, const struct pt_regs *regs)
{
	slot->regs[0] = regs->di;
	slot->regs[1] = regs->si;
	slot->regs[2] = regs->dx;
	slot->regs[3] = regs->cx;
	slot->regs[4] = regs->r8;
	slot->regs[5] = regs->r9;
}

/* Makes the body, with what is on the stack and in memory now. */
static notrace void compose_entry(struct fargs_slot *slot, const struct fargs_programs *programs,
				  const struct fargs_call *call, const struct pt_regs *regs)
{
	const struct fargs_program *fetch = &programs->prog[FARGS_PROG_ENTRY_FETCH];

	fargs_fill_body(&slot->record, &programs->entry);
	fargs_fill_regs(&slot->record, &programs->entry, regs);
	if (programs->entry.nr_stack)
		fargs_fill_stack(&slot->record, &programs->entry, regs);
	slot->values_len = programs->values_len;
	if (fetch->nr)
		slot->values_len = fargs_prog_fetch(fetch, call, (u8 *)slot->body,
						    programs->values_len);
}

static __always_inline struct fargs_slot *take_slot(const struct fargs_capture *capture,
						    const struct fargs_retprobe_entry *entry,
						    const struct fargs_programs *programs)
{
	struct fargs_slot *slot = fargs_pool_get(capture->pool);

	if (likely(slot)) {
		WRITE_ONCE(slot->task, current);
		slot->programs = programs;
		slot->ip = entry->ip;
		slot->parent_ip = entry->parent_ip;
		save_regs(slot, entry->regs);
	}
	return slot;
}

/* A call with programs, stack slots, or a record of its own. */
static notrace noinline bool entry_composed(const struct fargs_capture *capture,
					    const struct fargs_retprobe_entry *entry,
					    const struct fargs_programs *programs, void **call)
{
	const struct fargs_program *predicate = &programs->prog[FARGS_PROG_ENTRY_PREDICATE];
	struct fargs_ring *ring = this_cpu_ptr(capture->rings);
	const struct fargs_call what = {
		.regs = entry->regs,
		.sp = entry->regs->sp,
		.caller = entry->parent_ip,
		.stack_regs = (struct pt_regs *)entry->regs,
	};
	struct fargs_slot *slot;

	if (predicate->nr) {
		struct fargs_verdict verdict = fargs_prog_decide(predicate, &what);

		if (!verdict.is_accepted) {
			reject(ring, verdict);
			return false;
		}
	}
	slot = take_slot(capture, entry, programs);
	if (!slot) {
		miss(ring);
		return false;
	}
	compose_entry(slot, programs, &what, entry->regs);
	if (programs->flags & FARGS_LAYOUT_GRAPH) {
		/* The same time as in the record: by that the two find each other. */
		slot->tsc = write_record(ring, slot, FARGS_KIND_ENTRY, slot->values_len,
					 entry->depth);
		slot->values_len = 0;
		if (!slot->tsc) {
			fargs_pool_put(capture->pool, slot);
			return false;
		}
	} else {
		slot->tsc = rdtsc();
	}
	*call = slot;
	return true;
}

static notrace bool entry_hook(void *owner, const struct fargs_retprobe_entry *entry, void **call)
{
	const struct fargs_capture *capture = owner;
	const struct fargs_programs *programs = fargs_template_programs(entry->template);
	struct fargs_slot *slot;

	if (unlikely(capture->tids) && !test_bit(current->pid, capture->tids))
		return false;
	if (unlikely(programs->is_composed))
		return entry_composed(capture, entry, programs, call);
	slot = take_slot(capture, entry, programs);
	if (unlikely(!slot)) {
		miss(this_cpu_ptr(capture->rings));
		return false;
	}
	*call = slot;
	slot->tsc = rdtsc();
	return true;
}

static __always_inline void put_return(u8 *body, const struct fargs_return_template *ret,
				       const struct fargs_slot *slot, const struct pt_regs *regs)
{
	if (ret->rax_offset != FARGS_OFFSET_NONE)
		*(u64 *)(body + ret->rax_offset) = regs->ax;
	if (unlikely(ret->rdx_offset != FARGS_OFFSET_NONE))
		*(u64 *)(body + ret->rdx_offset) = regs->dx;
	if (ret->entry_tsc_offset != FARGS_OFFSET_NONE)
		*(u64 *)(body + ret->entry_tsc_offset) = slot->tsc;
}

static notrace noinline void exit_composed(const struct fargs_capture *capture,
					   struct fargs_slot *slot, const struct pt_regs *regs,
					   u32 depth)
{
	const struct fargs_programs *programs = slot->programs;
	const struct fargs_program *predicate = &programs->prog[FARGS_PROG_RETURN_PREDICATE];
	const struct fargs_program *fetch = &programs->prog[FARGS_PROG_RETURN_FETCH];
	const struct fargs_return_template *ret = programs->ret;
	struct fargs_ring *ring = this_cpu_ptr(capture->rings);
	const struct fargs_call what = {
		.regs = slot->regs,
		.caller = slot->parent_ip,
		.rax = regs->ax,
		.rdx = regs->dx,
		.duration_tsc = rdtsc() - slot->tsc,
	};
	u8 *body = (u8 *)slot->body + slot->values_len;
	u32 len = ret->values_len;

	if (predicate->nr) {
		struct fargs_verdict verdict = fargs_prog_decide(predicate, &what);

		if (!verdict.is_accepted) {
			reject(ring, verdict);
			return;
		}
	}
	memcpy(body, ret->body, ret->body_len);
	put_return(body, ret, slot, regs);
	if (fetch->nr)
		len = fargs_prog_fetch(fetch, &what, body, len);
	write_record(ring, slot, FARGS_KIND_RETURN, slot->values_len + len, depth);
}

static __always_inline void store_regs(struct fargs_record *record, const struct fargs_template *t,
				       const struct fargs_slot *slot)
{
	u32 i;

	/* Registers that nobody wants go to seq, which is written later. */
	for (i = 0; i < t->nr_regs; i++)
		*(u64 *)((u8 *)record + t->reg_offset[i]) = slot->regs[i];
}

/* What was kept of the call is put straight into the record. */
static __always_inline void exit_plain(const struct fargs_capture *capture,
				       const struct fargs_slot *slot, const struct pt_regs *regs,
				       u32 depth)
{
	const struct fargs_programs *programs = slot->programs;
	const struct fargs_return_template *ret = programs->ret;
	struct fargs_ring *ring = this_cpu_ptr(capture->rings);
	u64 tsc, seq = take_number(ring);
	struct fargs_record *record;
	u8 *body;

	fargs_ring_enter(ring);
	if (reserve(ring, programs->return_len, &tsc, &record)) {
		body = (u8 *)(record + 1) + programs->values_len;
		fargs_fill_body(record, &programs->entry);
		store_regs(record, &programs->entry, slot);
		/* Over the end of the body, and what it was filled up with. */
		copy_words(body, ret->body, ret->body_len);
		put_return(body, ret, slot, regs);
		fill_header(record, slot, programs->return_len | FARGS_KIND_RETURN << 16, seq, tsc,
			    depth);
	}
	fargs_ring_leave(ring);
}

static notrace void exit_hook(void *owner, void *call, const struct pt_regs *regs, u32 depth)
{
	const struct fargs_capture *capture = owner;
	struct fargs_slot *slot = call;

	if (unlikely(slot->programs->is_composed))
		exit_composed(capture, slot, regs, depth);
	else
		exit_plain(capture, slot, regs, depth);
	fargs_pool_put(capture->pool, slot);
}

const struct fargs_retprobe_hooks fargs_ret_hooks = {
	.entry = entry_hook,
	.exit = exit_hook,
};

u32 fargs_ret_body_bytes(const struct fargs_template *t)
{
	const struct fargs_programs *programs = fargs_template_programs(t);

	if (!programs->is_composed)
		return 0;
	/* Each part as it is copied, and what fills up the last word. */
	return t->body_len + programs->append_max + programs->ret->body_len +
	       programs->return_append_max + 8;
}
