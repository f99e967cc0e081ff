// SPDX-License-Identifier: GPL-2.0-only
/*
 * The capture path of functions that have programs: a predicate decides which calls
 * are recorded, a fetch program adds what it reads from memory.
 *
 * Context: as the plain path (entry.c), any, NMI included, RCU not watching. Nothing
 * in here is traced, but what programs read may fault, and what is called then, like
 * glob_match() and the unwinder, can be. So such programs run under ftrace's
 * recursion guard: within them, and within what other tracers do under it, a traced
 * call is counted as lost instead of followed. Templates whose programs do neither go
 * without.
 *
 * Order: the number is taken first, so that no call goes without one; the predicate
 * runs before anything is reserved; the reservation is for the longest record there
 * can be, and its end is given back.
 *
 * Who frees: as for the plain path; programs and constants lie in the templates.
 */
#include <linux/sched.h>

#include "capture.h"
#include "compat/ftrace.h"
#include "fill.h"
#include "funchash.h"
#include "prog.h"
#include "record.h"
#include "template.h"

extern const char fargs_seq_site_fetch[];

unsigned long fargs_entry_fetch_site(void)
{
	return (unsigned long)fargs_seq_site_fetch;
}

/* One call, on its way through the functions below. */
struct entry {
	struct fargs_call call;
	const struct fargs_programs *programs;
	struct pt_regs *regs;
	struct fargs_ring *ring;
	unsigned long ip;
	u64 seq;
};

static __always_inline bool is_accepted(const struct entry *e)
{
	const struct fargs_program *predicate = &e->programs->prog[FARGS_PROG_ENTRY_PREDICATE];
	struct fargs_verdict verdict;

	if (!predicate->nr)
		return true;
	verdict = fargs_prog_decide(predicate, &e->call);
	if (verdict.is_accepted)
		return true;
	fargs_arch_inc(&e->ring->rejected);
	if (unlikely(verdict.is_unreadable))
		fargs_arch_inc(&e->ring->unreadable);
	return false;
}

/*
 * If something was reserved behind the record meanwhile it keeps its length: what is
 * behind its end has no meaning.
 */
static notrace void fetch(const struct entry *e, struct fargs_record *record)
{
	const struct fargs_programs *p = e->programs;
	u8 *body = (u8 *)(record + 1);
	u32 end, len;

	end = fargs_prog_fetch(&p->prog[FARGS_PROG_ENTRY_FETCH], &e->call, body, p->values_len);
	if (!p->append_max)
		return;		/* the body's own end stands */
	body[end] = 0;
	body[end + 1] = FARGS_TYPE_END;
	len = round_up((u32)sizeof(*record) + end + 2, FARGS_RECORD_ALIGN);
	if (len < p->entry.len && fargs_ring_shrink(e->ring, record, p->entry.len, len))
		record->len = len;
}

static notrace void write_record(const struct entry *e)
{
	const struct fargs_template *t = &e->programs->entry;
	struct fargs_record *record;
	u64 tsc;

	fargs_ring_enter(e->ring);
	if (likely(fargs_record_reserve(e->ring, t->len, &tsc, &record)) ||
	    fargs_record_reserve_slow(e->ring, t->len, &tsc, &record)) {
		fargs_fill(record, t, e->regs, e->ip, e->call.caller, e->seq, tsc);
		/* The guard has disabled preemption once more. */
		record->preempt -= e->programs->is_guarded[0];
		if (t->nr_stack)
			fargs_fill_stack(record, t, e->regs);
		if (e->programs->prog[FARGS_PROG_ENTRY_FETCH].nr)
			fetch(e, record);
	}
	fargs_ring_leave(e->ring);
}

static notrace void capture_guarded(const struct entry *e)
{
	int bit = ftrace_test_recursion_trylock(e->ip, e->call.caller);

	if (unlikely(bit < 0)) {
		local_inc(&e->ring->lost);
		local_inc(&e->ring->lost_pending);
		return;
	}
	if (is_accepted(e))
		write_record(e);
	ftrace_test_recursion_unlock(bit);
}

void notrace fargs_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	const struct fargs_capture *capture = container_of(ops, struct fargs_capture, fetch.ops);
	const struct fargs_template *t;
	struct entry e;

	preempt_disable_notrace();
	if (unlikely(!fargs_funchash_find(capture->fetch.hash, ip, &t)))
		goto out;
	if (unlikely(capture->tids) && !test_bit(current->pid, capture->tids))
		goto out;

	e.ring = this_cpu_ptr(capture->rings);
	e.seq = fargs_arch_take_number(&e.ring->seq, fargs_seq_site_fetch);
	e.programs = fargs_template_programs(t);
	e.ip = ip;
	e.regs = fargs_compat_regs(fregs);
	e.call.regs = e.regs;
	e.call.sp = e.regs->sp;
	e.call.caller = parent_ip;
	e.call.stack_regs = e.regs;
	if (e.programs->is_guarded[0])
		capture_guarded(&e);
	else if (is_accepted(&e))
		write_record(&e);
out:
	preempt_enable_notrace();
}
