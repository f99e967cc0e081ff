/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records in the ring (include/uapi/fargs_record.h). All functions run with preemption disabled
 * and, unless they say that they enter the ring themselves, between fargs_ring_enter() and
 * fargs_ring_leave().
 *
 * The fast path here and in ring.h is inlined into each capture path. The rare cases (the limit is
 * reached, another writer has interrupted this one) are functions.
 */
#ifndef FARGS_KMOD_RING_RECORD_H
#define FARGS_KMOD_RING_RECORD_H

#include "arch/clock.h"
#include "arch/cpu.h"
#include "compat/preempt.h"
#include "ring/ring.h"
#include "uapi/fargs_record.h"

/**
 * fargs_record_reserve_slow() - make room for a record after fargs_record_reserve() has failed
 * @ring: this CPU's ring
 * @len: bytes of the record
 * @tsc: set to the time of the record
 * @pos: set to the position of the record
 *
 * Moves the limit, and writes a LOST record first if there are losses to report.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: True if the record is reserved; false if the ring is full, and the loss is counted.
 */
bool fargs_record_reserve_slow(struct fargs_ring *ring, u32 len, u64 *tsc, u64 *pos);

/*
 * Reserves @len bytes for a record at position *@pos of the ring. *@tsc is the time of the
 * reservation: it is read again if another writer has interrupted this one, so that times in a
 * ring never go back. Returns false if the ring's limit is reached; the caller then tries
 * fargs_record_reserve_slow().
 */
static __always_inline bool fargs_record_reserve(struct fargs_ring *ring, u32 len, u64 *tsc,
						 u64 *pos)
{
	u64 head = READ_ONCE(ring->head);

	do {
		if (unlikely(head + len > READ_ONCE(ring->limit)))
			return false;
		*tsc = fargs_arch_clock();
	} while (unlikely(!fargs_arch_try_cmpxchg(&ring->head, &head, head + len)));
	*pos = head;
	return true;
}

/*
 * Fills preempt, eflags and tif. @depth is how many times the tracer itself has disabled
 * preemption, which is not part of the call's context.
 */
static __always_inline void fargs_record_fill_context(struct fargs_record *record, u32 depth)
{
	record->preempt = fargs_arch_preempt() - depth;
	record->eflags = fargs_arch_eflags();
	record->tif = (u16)READ_ONCE(current_thread_info()->flags);
}

struct fargs_record_task {
	const char *event;	/* "fork", "exec" or "rename" */
	pid_t event_tid;	/* value of that name in the body */
	pid_t tgid;
	const char *comm;	/* NUL-terminated, or cut at FARGS_COMM_LEN - 1 */
};

/**
 * fargs_record_write_switch() - write a SWITCH record
 * @ring: this CPU's ring
 * @next: the next task; current is the previous one
 * @state: state of the previous task, as passed to the tracepoint; 0 if it was preempted
 *
 * If the ring is full, counts the switch in lost_switches. Enters and leaves the ring itself.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_record_write_switch(struct fargs_ring *ring, const struct task_struct *next,
			       u32 state);

/**
 * fargs_record_write_task() - write a TASK record
 * @ring: this CPU's ring
 * @task: the content of the record
 *
 * If the ring is full, counts the record in lost_tasks. Enters and leaves the ring itself.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_record_write_task(struct fargs_ring *ring, const struct fargs_record_task *task);

#endif
