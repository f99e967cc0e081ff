// SPDX-License-Identifier: GPL-2.0-only
/*
 * The capture path of functions with programs: a predicate decides which calls are recorded, and a
 * fetch program adds values that it reads from memory. The path of tracepoints (probe/tpoint.c)
 * continues here once it has allocated a sequence number; for tracepoints, RCU is watching.
 *
 * Context: any context, NMI included; RCU may not be watching (as in probe/entry.c).
 *
 * Recursion: nothing in this file is traced. But programs may fault when they read memory, and
 * call glob_match() or the unwinder, and all of these can lead to traced functions. Such programs
 * run under a guard (probe/guard.h): traced calls that they cause may run programs once more; calls
 * nested inside those programs are counted as lost. Other programs run without the guard. Most
 * fetch programs are chains (prog/chain.h), which capture_chains() runs without the interpreter.
 *
 * Order: the sequence number is allocated first, so that every call has one. The predicate runs
 * before room in the ring is reserved; a predicate that tests only registers (prog/regcond.h) runs
 * right after the allocation. The reservation has room for the longest possible record; its unused
 * end is released afterwards.
 *
 * Lifetime: as in probe/entry.c. Programs and constants are part of the templates.
 */
#include "probe/fetch.h"

#include <linux/percpu.h>
#include <linux/preempt.h>

#include "arch/cpu.h"
#include "arch/regs.h"
#include "compat/ftrace.h"
#include "probe/capture.h"
#include "probe/fill.h"
#include "probe/guard.h"
#include "probe/lookup.h"
#include "probe/trigger.h"
#include "prog/chain.h"
#include "prog/prog.h"
#include "prog/regcond.h"
#include "prog/regrange.h"
#include "prog/template.h"
#include "ring/record.h"

extern const char fargs_seq_site_fetch[];

unsigned long fargs_entry_fetch_site(void)
{
	return (unsigned long)fargs_seq_site_fetch;
}

/*
 * Ends the record at @pos, whose values end at @end, and releases the unused end of its
 * reservation. If another record has been reserved after this record, this record keeps the length
 * of its reservation, and the bytes after its body are undefined.
 */
static __always_inline void end_record(struct fargs_ring *ring, struct fargs_record *record,
				       u64 pos, u8 *end, u32 reserved)
{
	u32 len = ALIGN((u32)(end + 2 - (u8 *)record), FARGS_RECORD_ALIGN);

	end[0] = 0;
	end[1] = FARGS_TYPE_END;
	if (likely(len < reserved && fargs_ring_shrink(ring, pos, reserved, len)))
		record->len = len;
}

static __always_inline void reject_call(struct fargs_ring *ring, struct fargs_verdict verdict)
{
	fargs_arch_inc(&ring->rejected);
	if (unlikely(verdict.is_unreadable))
		fargs_arch_inc(&ring->unreadable);
}

static __always_inline bool is_accepted(struct fargs_ring *ring,
					const struct fargs_program *predicate,
					const struct fargs_call *call)
{
	struct fargs_verdict verdict = fargs_prog_decide(predicate, call);

	if (!verdict.is_accepted)
		reject_call(ring, verdict);
	return verdict.is_accepted;
}

/* A call that is being recorded. */
struct writing {
	const struct fargs_programs *programs;
	struct pt_regs *regs;
	unsigned long ip;
	u64 seq;
};

/*
 * Inlined into capture_call(), where @is_trigger is a constant false and the compiler removes the
 * code for triggers, and into capture_trigger(). In both, the members of @w stay in registers.
 */
static __always_inline void write_call(const struct writing *w, struct fargs_ring *ring,
				       const struct fargs_call *call, bool is_trigger)
{
	const struct fargs_program *fetch = &w->programs->prog[FARGS_PROG_ENTRY_FETCH];
	const struct fargs_template *t = &w->programs->entry;
	struct fargs_record *record __uninitialized;
	struct fargs_arch_time time __uninitialized;
	bool is_written;
	u8 *body;
	u64 pos;
	u32 end;

	is_written = likely(fargs_record_reserve(ring, &t->len, &time, &pos)) ||
		     fargs_record_reserve_slow(ring, t->len, &time, &pos);
	if (is_written) {
		record = fargs_ring_at(ring, pos);
		fargs_fill(record, t, w->regs, w->ip, call->caller, w->seq, &time,
			   w->programs->depth, false);
		if (is_trigger)
			record->flags = FARGS_RECORD_TRIGGER;
		if (unlikely(t->nr_stack))
			fargs_fill_stack(record, t, w->regs);
		if (fetch->nr) {
			body = (u8 *)(record + 1);
			end = fargs_prog_fetch(fetch, call, body, w->programs->values_len);
			/*
			 * If append_max is 0, the body already ends with the template's
			 * FARGS_TYPE_END.
			 */
			if (likely(w->programs->append_max))
				end_record(ring, record, pos, body + end, t->len);
		}
	}
	if (is_trigger)
		fargs_trigger_fire(ring, is_written);
	if (is_written)
		fargs_ring_publish(ring, pos);
}

/* Does the work of capture_call() for a function with FARGS_LAYOUT_TRIGGER. */
static notrace noinline void capture_trigger(const struct writing *w, struct fargs_ring *ring,
					     const struct fargs_call *call)
{
	struct fargs_verdict trigger = fargs_programs_decide(w->programs, FARGS_PROG_TRIGGER, call);
	struct fargs_verdict wanted;

	if (!trigger.is_accepted) {
		wanted = fargs_programs_decide(w->programs, FARGS_PROG_ENTRY_PREDICATE, call);
		if (!wanted.is_accepted) {
			wanted.is_unreadable |= trigger.is_unreadable;
			reject_call(ring, wanted);
			return;
		}
	}
	write_call(w, ring, call, trigger.is_accepted);
}

static notrace noinline void capture_call(unsigned long ip, unsigned long parent_ip,
					  const struct fargs_programs *programs,
					  struct pt_regs *regs, struct fargs_ring *ring, u64 seq)
{
	const struct fargs_program *predicate = &programs->prog[FARGS_PROG_ENTRY_PREDICATE];
	struct fargs_call call __uninitialized;

	/* The other members of @call are used only by RETURN programs. */
	call.regs = regs;
	call.sp = fargs_arch_sp(regs);
	call.caller = parent_ip;
	call.stack_regs = regs;
	if (unlikely(programs->flags & FARGS_LAYOUT_TRIGGER)) {
		capture_trigger(&(struct writing){ programs, regs, ip, seq }, ring, &call);
		return;
	}
	if (predicate->nr && !predicate->nr_regconds && !is_accepted(ring, predicate, &call))
		return;
	write_call(&(struct writing){ programs, regs, ip, seq }, ring, &call, false);
}

/* Runs the programs under the guard if they need it; else counts the call as lost. */
static __always_inline void capture_under_guard(unsigned long ip, unsigned long parent_ip,
						const struct fargs_programs *programs,
						struct pt_regs *regs, struct fargs_ring *ring,
						u64 seq)
{
	u32 guard;

	if (!programs->is_guarded[0]) {
		capture_call(ip, parent_ip, programs, regs, ring, seq);
	} else if (likely(fargs_guard_enter(&ring->guard, &guard))) {
		capture_call(ip, parent_ip, programs, regs, ring, seq);
		fargs_guard_leave(&ring->guard, guard);
	} else {
		local_inc(&ring->lost);
		local_inc(&ring->lost_pending);
	}
}

/*
 * Enables preemption, which the caller has disabled. This function, capture_chains() and
 * capture_if() are not inlined, so that fargs_entry_fetch() can end in a jump to them and need not
 * save registers. As many of their parameters as possible are in the registers in which ftrace
 * passes them.
 */
static notrace noinline void capture_guarded(unsigned long ip, unsigned long parent_ip,
					     const struct fargs_programs *programs,
					     struct pt_regs *regs, struct fargs_ring *ring, u64 seq)
{
	capture_under_guard(ip, parent_ip, programs, regs, ring, seq);
	preempt_enable_notrace();
}

/*
 * Does the work of capture_guarded() for functions whose programs are only chains, without a struct
 * fargs_call for the interpreter. Falls back to capture_guarded() if the guard is held or the
 * ring's limit is reached.
 */
static notrace noinline void capture_chains(unsigned long ip, unsigned long parent_ip,
					    const struct fargs_programs *programs,
					    struct pt_regs *regs, struct fargs_ring *ring, u64 seq)
{
	const struct fargs_template *t = &programs->entry;
	struct fargs_record *record;
	struct fargs_arch_time time;
	u8 *body, *end;
	u64 pos;

	if (unlikely(!fargs_guard_enter_free(&ring->guard)))
		goto guarded;
	if (unlikely(!fargs_record_reserve(ring, &t->len, &time, &pos))) {
		fargs_guard_leave(&ring->guard, 0);
		goto guarded;
	}
	record = fargs_ring_at(ring, pos);
	body = (u8 *)(record + 1);
	fargs_fill(record, t, regs, ip, parent_ip, seq, &time, programs->depth, true);
	end = fargs_chains_fetch(&programs->prog[FARGS_PROG_ENTRY_FETCH], regs, body,
				 body + programs->values_len);
	if (likely(programs->append_max))
		end_record(ring, record, pos, end, t->len);
	fargs_ring_publish(ring, pos);
	fargs_guard_leave(&ring->guard, 0);
	preempt_enable_notrace();
	return;
guarded:
	capture_guarded(ip, parent_ip, programs, regs, ring, seq);
}

/*
 * capture_numbered() is inlined into fargs_entry_fetch() and, for tracepoints, into
 * fargs_fetch_numbered(); capture_accepted() also into capture_if(). Each of these three ends in a
 * jump to capture_chains() or capture_guarded(), and so need not save registers.
 */
static __always_inline void capture_accepted(unsigned long ip, unsigned long parent_ip,
					     const struct fargs_programs *programs,
					     struct pt_regs *regs, struct fargs_ring *ring, u64 seq)
{
	if (likely(programs->is_chains))
		capture_chains(ip, parent_ip, programs, regs, ring, seq);
	else
		capture_guarded(ip, parent_ip, programs, regs, ring, seq);
}

static __always_inline void reject_registers(struct fargs_ring *ring)
{
	fargs_arch_inc(&ring->rejected);
	preempt_enable_notrace();
}

/* Calls capture_accepted() if the table accepts the registers; else counts a rejected call. */
static notrace noinline void capture_if(unsigned long ip, unsigned long parent_ip,
					const struct fargs_programs *programs,
					struct pt_regs *regs, struct fargs_ring *ring, u64 seq)
{
	if (fargs_regconds_hold(programs->prog[FARGS_PROG_ENTRY_PREDICATE].regconds, regs))
		capture_accepted(ip, parent_ip, programs, regs, ring, seq);
	else
		reject_registers(ring);
}

static __always_inline void capture_numbered(unsigned long ip, unsigned long parent_ip,
					     const struct fargs_programs *programs,
					     struct pt_regs *regs, struct fargs_ring *ring, u64 seq)
{
	u32 step = programs->first_step;

	if (step == FARGS_FIRST_CHAINS) {
		capture_chains(ip, parent_ip, programs, regs, ring, seq);
	} else if (step == FARGS_FIRST_RANGE) {
		if (fargs_regrange_holds(&programs->range, regs))
			capture_accepted(ip, parent_ip, programs, regs, ring, seq);
		else
			reject_registers(ring);
	} else if (step == FARGS_FIRST_TABLE) {
		capture_if(ip, parent_ip, programs, regs, ring, seq);
	} else {
		capture_guarded(ip, parent_ip, programs, regs, ring, seq);
	}
}

void notrace fargs_fetch_numbered(unsigned long ip, unsigned long parent_ip,
				  const struct fargs_programs *programs, struct pt_regs *regs,
				  struct fargs_ring *ring, u64 seq)
{
	capture_numbered(ip, parent_ip, programs, regs, ring, seq);
}

void notrace fargs_fetch_nested(unsigned long ip, unsigned long parent_ip,
				const struct fargs_programs *programs, struct pt_regs *regs,
				struct fargs_ring *ring, u64 seq)
{
	const struct fargs_program *predicate = &programs->prog[FARGS_PROG_ENTRY_PREDICATE];

	if (predicate->nr_regconds && !fargs_regconds_hold(predicate->regconds, regs))
		fargs_arch_inc(&ring->rejected);
	else
		capture_under_guard(ip, parent_ip, programs, regs, ring, seq);
}

void notrace fargs_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *regs = fargs_compat_regs(fregs);
	struct fargs_template *t;
	struct fargs_ring *ring;
	u64 seq;

	if (unlikely(!fargs_lookup(ip, parent_ip, ops, regs, &t, &ring)))
		return;
	seq = fargs_arch_next_seq(&ring->seq, fargs_seq_site_fetch);
	capture_numbered(ip, parent_ip, fargs_template_programs(t), regs, ring, seq);
}
