// SPDX-License-Identifier: GPL-2.0-only
/*
 * The return path: captures a call when the function is entered, and records it at the return.
 *
 * Context: called by the kernel's return probes in any context, NMI included, with preemption
 * disabled and RCU watching (compat/retprobe.h).
 *
 * Recursion: nothing in this file may be traced (Kbuild removes ftrace's compiler flags for the
 * whole module). But programs may call traced functions. At the call the kernel holds ftrace's
 * recursion guard; at the return it holds that guard, or has marked the CPU as running a kprobe. So
 * if a program calls a function with a return probe, the kernel misses that call. Functions of
 * the other capture paths have a guard instead (probe/guard.h).
 *
 * Lifetime: templates, pool and rings are freed after the probes have been unregistered, which
 * waits for all sections with preemption disabled. After that no slot is used.
 */
#include "probe/ret.h"

#include <linux/sched.h>
#include <linux/string.h>

#include "arch/clock.h"
#include "arch/cpu.h"
#include "arch/regs.h"
#include "compat/retprobe.h"
#include "probe/capture.h"
#include "probe/fill.h"
#include "probe/pool.h"
#include "probe/trigger.h"
#include "probe/scope.h"
#include "prog/prog.h"
#include "prog/template.h"
#include "ring/record.h"

extern const char fargs_seq_site_return[];

unsigned long fargs_ret_site(void)
{
	return (unsigned long)fargs_seq_site_return;
}

/* Not inlined: the path may have only one instruction that allocates sequence numbers. */
static notrace noinline u64 ret_next_seq(struct fargs_ring *ring)
{
	return fargs_arch_next_seq(&ring->seq, fargs_seq_site_return);
}

static notrace noinline void ret_reject(struct fargs_ring *ring, struct fargs_verdict verdict)
{
	ret_next_seq(ring);
	fargs_arch_inc(&ring->rejected);
	if (verdict.is_unreadable)
		fargs_arch_inc(&ring->unreadable);
}

/*
 * Counts a call that TRIGGER has accepted, but for which RETURN_TRIGGER will not run: the call was
 * missed, or its ENTRY record was lost.
 */
static notrace void ret_miss_trigger(struct fargs_ring *ring)
{
	/* While the rings are frozen no call triggers. */
	if (!READ_ONCE(ring->rings->is_frozen))
		local_inc(&ring->missed_triggers);
}

/*
 * Counts a call that cannot be recorded because no slot is free to wait for its return. If the
 * TRIGGER program accepts the call, and there is no RETURN_TRIGGER program, the call triggers now,
 * without a record.
 */
static notrace noinline void ret_miss(struct fargs_ring *ring, struct fargs_template *template,
				      bool is_trigger)
{
	ret_next_seq(ring);
	atomic64_inc(&fargs_template_missed(template)->nr);
	local_inc(&ring->missed);
	local_inc(&ring->lost);
	local_inc(&ring->lost_pending);
	if (likely(!is_trigger))
		return;
	if (fargs_template_programs(template)->prog[FARGS_PROG_RETURN_TRIGGER].nr) {
		ret_miss_trigger(ring);
		return;
	}
	fargs_trigger_fire(ring, false);
}

/*
 * Counts the overruns for @call, the innermost enclosing call that has a slot. The overruns inside
 * a call are the difference between trace_overrun and the call's own.overruns. So @nr is added to
 * own.overruns of all slots of the task; otherwise outer calls would count the same overruns again.
 */
notrace void fargs_retprobe_too_deep(void *owner, void *call, u32 nr)
{
	const struct fargs_capture *capture = owner;
	const struct fargs_slot *slot = call;

	atomic64_add(nr, &fargs_template_missed(slot->template)->nr_too_deep);
	fargs_pool_add_overruns(capture->pool, nr);
}

/* @len is a multiple of 8. */
static __always_inline void copy_words(void *to, const void *from, u32 len)
{
	u32 i;

	for (i = 0; i < len; i += 8)
		*(u64 *)(to + i) = *(const u64 *)(from + i);
}

/*
 * Writes a record with the first @len bytes of the slot's body, and appends the end of the body.
 * If slot->is_trigger, marks the record as a trigger, and fires the trigger. Returns the timestamp
 * of the record, or 0 if the record is lost.
 */
static notrace u64 write_record(struct fargs_ring *ring, struct fargs_slot *slot,
				enum fargs_kind kind, u32 len, u32 depth)
{
	u32 bytes = round_up(len + 2, FARGS_RECORD_ALIGN);
	u32 total = sizeof(struct fargs_record) + bytes;
	u64 tsc = 0, pos, seq = ret_next_seq(ring);
	struct fargs_record *record;
	struct fargs_arch_time time;
	bool is_written;

	memset((u8 *)slot->body + len, 0, bytes - len);
	is_written = fargs_record_reserve(ring, &total, &time, &pos) ||
		     fargs_record_reserve_slow(ring, total, &time, &pos);
	if (is_written) {
		record = fargs_ring_at(ring, pos);
		copy_words(record + 1, slot->body, bytes);
		tsc = fargs_arch_time_value(&time);
		WRITE_ONCE(record->tsc, tsc);
		fargs_fill_head(record, total | kind << 16 |
				(slot->is_trigger ? FARGS_RECORD_TRIGGER << 24 : 0));
		fargs_fill_origin(record, slot->ip, slot->parent_ip, depth);
		WRITE_ONCE(record->seq, seq);
	}
	if (unlikely(slot->is_trigger))
		fargs_trigger_fire(ring, is_written);
	if (is_written)
		fargs_ring_publish(ring, pos);
	return tsc;
}

/* Composes the body of a call from registers, stack slots and memory at the call. */
static notrace void compose_entry(struct fargs_slot *slot, const struct fargs_programs *programs,
				  const struct fargs_call *call, const struct pt_regs *regs)
{
	const struct fargs_program *fetch = &programs->prog[FARGS_PROG_ENTRY_FETCH];

	fargs_fill_body(&slot->record, &programs->entry);
	fargs_fill_regs(&slot->record, &programs->entry, regs, false);
	if (programs->entry.nr_stack)
		fargs_fill_stack(&slot->record, &programs->entry, regs);
	slot->values_len = programs->values_len;
	if (fetch->nr)
		slot->values_len = fargs_prog_fetch(fetch, call, (u8 *)slot->body,
						    programs->values_len);
}

/*
 * Fills the members of a slot that every call needs, except tsc and the owner. Inlined into
 * fargs_retprobe_call(), whose fast path makes no function calls, and into ret_call_slow().
 */
static __always_inline void keep_call(struct fargs_slot *slot, unsigned long ip,
				      unsigned long parent_ip,
				      struct fargs_template *template,
				      const struct pt_regs *regs)
{
	slot->template = template;
	slot->ip = ip;
	slot->parent_ip = parent_ip;
	fargs_arch_save_args(slot->regs, regs);
}

/*
 * Result of the programs that run at the entry of a call. The call can still be recorded if a
 * member is true.
 */
struct chance {
	bool is_wanted;		/* the entry predicate accepts it, or its ENTRY record is written */
	bool is_trigger;	/* the TRIGGER program accepts it */
};

/*
 * Runs the programs that decide on the call at its entry, and sets @chance. Returns whether the
 * call can still be recorded; if not, counts it as rejected.
 */
static notrace bool has_chance(const struct fargs_programs *programs,
			       const struct fargs_call *call, struct fargs_ring *ring,
			       struct chance *chance)
{
	struct fargs_verdict trigger = { }, wanted;

	if (unlikely(programs->flags & FARGS_LAYOUT_TRIGGER))
		trigger = fargs_programs_decide(programs, FARGS_PROG_TRIGGER, call);
	wanted = fargs_programs_decide(programs, FARGS_PROG_ENTRY_PREDICATE, call);
	chance->is_trigger = trigger.is_accepted;
	/*
	 * With FARGS_LAYOUT_GRAPH the ENTRY record is written before RETURN_TRIGGER runs: the call
	 * may get its RETURN record even if RETURN_TRIGGER rejects the call.
	 */
	chance->is_wanted = wanted.is_accepted ||
			    (trigger.is_accepted && programs->flags & FARGS_LAYOUT_GRAPH);
	if (wanted.is_accepted || trigger.is_accepted)
		return true;
	wanted.is_unreadable |= trigger.is_unreadable;
	ret_reject(ring, wanted);
	return false;
}

/*
 * Decides at the return whether the call is recorded, and sets slot->is_trigger if it triggers. If
 * the call is not recorded, counts it as rejected.
 */
static notrace bool is_recorded(const struct fargs_programs *programs, struct fargs_slot *slot,
				const struct fargs_call *call, struct fargs_ring *ring)
{
	struct fargs_verdict trigger = { }, wanted = { };

	if (unlikely(slot->is_trigger)) {
		trigger = fargs_programs_decide(programs, FARGS_PROG_RETURN_TRIGGER, call);
		slot->is_trigger = trigger.is_accepted;
		if (trigger.is_accepted)
			return true;
	}
	if (likely(slot->is_wanted))
		wanted = fargs_programs_decide(programs, FARGS_PROG_RETURN_PREDICATE, call);
	if (wanted.is_accepted)
		return true;
	wanted.is_unreadable |= trigger.is_unreadable;
	ret_reject(ring, wanted);
	return false;
}

/*
 * Is the call in scope? If its context is not in scope yet, a call of a function with
 * FARGS_LAYOUT_SCOPE that the SCOPE program accepts puts the context in scope. In that case *@mark
 * is the mark to be passed to fargs_scope_leave() when this call returns.
 */
static notrace bool is_inside(struct fargs_scope *scope, const struct fargs_programs *programs,
			      const struct fargs_call *call, u32 *mark)
{
	const struct fargs_program *predicate = &programs->prog[FARGS_PROG_SCOPE];

	if (fargs_scope_is_inside(scope))
		return true;
	if (!(programs->flags & FARGS_LAYOUT_SCOPE))
		return false;
	if (predicate->nr) {
		struct fargs_verdict verdict = fargs_prog_decide(predicate, call);

		if (!verdict.is_accepted) {
			if (verdict.is_unreadable)
				atomic64_inc(&scope->nr_undecided);
			return false;
		}
	}
	*mark = fargs_scope_enter(scope);
	return *mark;
}

static notrace noinline void unmark_scope(struct fargs_scope *scope, u32 mark)
{
	fargs_scope_leave(scope, mark);
	atomic64_inc(&scope->nr_unmarked);
}

/*
 * Composes the call, and writes its ENTRY record if it has one. Returns true if the call may still
 * get a RETURN record.
 */
static __always_inline bool begin_call(const struct fargs_capture *capture, struct fargs_slot *slot,
				       const struct fargs_call *call, u32 depth)
{
	const struct fargs_programs *programs = fargs_template_programs(slot->template);
	struct fargs_ring *ring = this_cpu_ptr(capture->rings);
	bool is_return_trigger;

	if (programs->is_composed)
		compose_entry(slot, programs, call, call->regs);
	if ((programs->flags & (FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH)) == FARGS_LAYOUT_RETURN) {
		slot->tsc = fargs_arch_clock();
		return true;
	}
	/* The trigger's record is RETURN if there is a RETURN_TRIGGER program, otherwise ENTRY. */
	is_return_trigger = slot->is_trigger && programs->prog[FARGS_PROG_RETURN_TRIGGER].nr;
	slot->is_trigger &= !is_return_trigger;
	/* User space matches the ENTRY and RETURN records by the timestamp of the ENTRY record. */
	slot->tsc = write_record(ring, slot, FARGS_KIND_ENTRY, slot->values_len, depth);
	slot->is_trigger = is_return_trigger;
	slot->values_len = 0;
	if (unlikely(!slot->tsc && is_return_trigger))
		ret_miss_trigger(ring);
	return slot->tsc && (programs->flags & FARGS_LAYOUT_RETURN);
}

/*
 * Handles all calls that the fast path does not: calls of composed functions, calls in a session
 * with a scope, calls of tasks that are exiting, and calls for which the CPU's near word of the
 * pool has no free slot.
 */
static notrace noinline void *ret_call_slow(const struct fargs_capture *capture, unsigned long ip,
					    unsigned long parent_ip,
					    struct fargs_template *template,
					    struct pt_regs *regs, u32 depth)
{
	const struct fargs_programs *programs = fargs_template_programs(template);
	struct fargs_ring *ring = this_cpu_ptr(capture->rings);
	const struct fargs_call call = {
		.regs = regs,
		.sp = fargs_arch_sp(regs),
		.caller = parent_ip,
		.stack_regs = regs,
	};
	struct chance chance = { };
	struct fargs_slot *slot;
	bool has_record;
	u32 mark = 0;

	if (unlikely(capture->scope) && !is_inside(capture->scope, programs, &call, &mark))
		return NULL;
	has_record = !(programs->flags & FARGS_LAYOUT_SILENT) &&
		     has_chance(programs, &call, ring, &chance);
	if (!has_record && !mark)
		return NULL;
	slot = fargs_pool_get(capture->pool, chance.is_trigger);
	if (!slot) {
		if (mark)
			unmark_scope(capture->scope, mark);
		if (has_record)
			ret_miss(ring, template, chance.is_trigger);
		return NULL;
	}
	keep_call(slot, ip, parent_ip, template, regs);
	slot->mark = mark;
	slot->is_wanted = chance.is_wanted;
	slot->is_trigger = chance.is_trigger;
	slot->has_return = has_record && begin_call(capture, slot, &call, depth);
	if (slot->has_return || mark)
		return slot;
	fargs_pool_put(slot);
	return NULL;
}

/* All paths except the fast path end in a tail call, so the fast path need not save registers. */
notrace void *fargs_retprobe_call(void *owner, unsigned long ip, unsigned long parent_ip,
				  struct fargs_template *template,
				  struct pt_regs *regs, u32 depth)
{
	const struct fargs_capture *capture = owner;
	struct fargs_slot *slot;

	if (unlikely(!test_bit(current->pid, capture->tids)))
		return NULL;
	if (unlikely(fargs_template_programs(template)->is_slow))
		return ret_call_slow(capture, ip, parent_ip, template, regs, depth);
	/* If the call never returns, its slot must be found when the task is freed. */
	if (unlikely(current->flags & PF_EXITING))
		return ret_call_slow(capture, ip, parent_ip, template, regs, depth);
	if (unlikely(!fargs_pool_get_near(capture->pool, &slot)))
		return ret_call_slow(capture, ip, parent_ip, template, regs, depth);
	keep_call(slot, ip, parent_ip, template, regs);
	slot->tsc = fargs_arch_clock();
	return slot;
}

/*
 * Stores the return value and the time of the call at their offsets from @to. The offset of a value
 * that the layout does not record points to bytes that are unused or will be overwritten.
 */
static __always_inline void put_return(void *to, const struct fargs_programs *programs,
				       const struct fargs_slot *slot, const struct pt_regs *regs)
{
	*(u64 *)(to + programs->return_offset) = fargs_arch_return_value(regs);
	*(u64 *)(to + programs->return_high_offset) = fargs_arch_return_high(regs);
	*(u64 *)(to + programs->entry_tsc_offset) = slot->tsc;
}

/* Handles the return of a call of a composed function (struct fargs_programs). */
static notrace noinline void return_composed(const struct fargs_capture *capture,
					     struct fargs_slot *slot, const struct pt_regs *regs,
					     u32 depth)
{
	const struct fargs_programs *programs = fargs_template_programs(slot->template);
	const struct fargs_program *fetch = &programs->prog[FARGS_PROG_RETURN_FETCH];
	struct fargs_ring *ring = this_cpu_ptr(capture->rings);
	const struct fargs_call call = {
		.regs = slot->regs,
		.caller = slot->parent_ip,
		.return_value = fargs_arch_return_value(regs),
		.return_high = fargs_arch_return_high(regs),
		.duration_tsc = fargs_arch_clock() - slot->tsc,
	};
	u8 *body = (u8 *)slot->body + slot->values_len;
	u32 len = programs->return_values_len;

	if (slot->has_return && is_recorded(programs, slot, &call, ring)) {
		memcpy(body, programs->return_body, programs->return_body_len);
		put_return(body, programs, slot, regs);
		if (fetch->nr)
			len = fargs_prog_fetch(fetch, &call, body, len);
		write_record(ring, slot, FARGS_KIND_RETURN, slot->values_len + len, depth);
	}
	if (unlikely(slot->mark))
		fargs_scope_leave(capture->scope, slot->mark);
	fargs_pool_put(slot);
}

/*
 * Fills the RETURN record of a call of a function that is not composed, from the call's slot.
 * Inlined into fargs_retprobe_return(), whose fast path calls only ret_next_seq(), and into
 * return_slow().
 */
static __always_inline void fill_return(struct fargs_record *record, const struct fargs_template *t,
					const struct fargs_slot *slot, const struct pt_regs *regs,
					u64 seq, const struct fargs_arch_time *time, u32 depth)
{
	fargs_arch_time_store(&record->tsc, time);
	fargs_fill_head(record, t->head);
	fargs_fill_origin(record, slot->ip, slot->parent_ip, depth);
	fargs_fill_body(record, t);
	fargs_fill_regs(record, t, slot->regs, true);
	put_return(record, fargs_template_programs(t), slot, regs);
	/*
	 * seq must be stored last: the functions above store values that the layout does not record
	 * to record->seq, where they do no harm.
	 */
	WRITE_ONCE(record->seq, seq);
}

/* Does the rest of fargs_retprobe_return() if the ring's limit is reached. */
static notrace noinline void return_slow(const struct fargs_capture *capture,
					 struct fargs_slot *slot, const struct pt_regs *regs,
					 u32 depth, u64 seq)
{
	struct fargs_ring *ring = this_cpu_ptr(capture->rings);
	const struct fargs_template *t = slot->template;
	struct fargs_arch_time time;
	u64 pos;

	if (fargs_record_reserve(ring, &t->len, &time, &pos) ||
	    fargs_record_reserve_slow(ring, t->len, &time, &pos)) {
		fill_return(fargs_ring_at(ring, pos), t, slot, regs, seq, &time, depth);
		fargs_ring_publish(ring, pos);
	}
	fargs_pool_put(slot);
}

notrace void fargs_retprobe_return(void *owner, void *call, const struct pt_regs *regs, u32 depth)
{
	const struct fargs_capture *capture = owner;
	struct fargs_slot *slot = call;
	const struct fargs_template *t;
	struct fargs_arch_time time;
	struct fargs_ring *ring;
	u64 seq, pos;

	if (unlikely(fargs_template_programs(slot->template)->is_composed)) {
		return_composed(capture, slot, regs, depth);
		return;
	}
	ring = this_cpu_ptr(capture->rings);
	seq = ret_next_seq(ring);
	t = slot->template;
	if (unlikely(!fargs_record_reserve(ring, &t->len, &time, &pos))) {
		return_slow(capture, slot, regs, depth, seq);
		return;
	}
	fill_return(fargs_ring_at(ring, pos), t, slot, regs, seq, &time, depth);
	fargs_ring_publish(ring, pos);
	fargs_pool_put(slot);
}

void fargs_retprobe_missed(struct fargs_template *template, u64 nr)
{
	fargs_template_missed(template)->nr_any += nr;
}

u32 fargs_ret_body_bytes(const struct fargs_template *t)
{
	const struct fargs_programs *programs = fargs_template_programs(t);

	if (!programs->is_composed)
		return 0;
	/*
	 * The maximum size of all parts, plus 8 bytes to pad the last word, or for return values
	 * that the layout does not record.
	 */
	return t->body_len + programs->append_max + programs->return_body_len +
	       programs->return_append_max + 8;
}
