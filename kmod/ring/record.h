/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records in the ring (include/uapi/fargs_record.h). All functions must be called with preemption
 * disabled. A record that has been reserved must be published by fargs_ring_publish() once it is
 * complete.
 *
 * The fast paths here and in ring.h are inlined into each capture path. The rare cases are separate
 * functions: the limit is reached, or another writer has interrupted this one.
 */
#ifndef FARGS_KMOD_RING_RECORD_H
#define FARGS_KMOD_RING_RECORD_H

#include "arch/clock.h"
#include "arch/cpu.h"
#include "compat/preempt.h"
#include "ring/ring.h"
#include "uapi/fargs_record.h"

/**
 * fargs_record_reserve_slow() - reserve room for a record after fargs_record_reserve() has failed
 * @ring: this CPU's ring
 * @len: bytes of the record
 * @time: set to the time of the record
 * @pos: set to the position of the record
 *
 * Moves the limit. If there are losses to report, writes a LOST record before the reservation.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: True if the record is reserved; false if the ring is full, after counting the loss.
 */
bool fargs_record_reserve_slow(struct fargs_ring *ring, u32 len, struct fargs_arch_time *time,
			       u64 *pos);

/*
 * Reserves *@len bytes for a record at position *@pos of the ring. *@time is the time of the
 * reservation: it is read again if another writer has interrupted this one, so that timestamps in a
 * ring never go backwards. Returns false if the ring's limit is reached; the caller then calls
 * fargs_record_reserve_slow(). A pointer to the length saves a register, which would have to be
 * kept for another attempt.
 */
static __always_inline bool fargs_record_reserve(struct fargs_ring *ring, const u32 *len,
						 struct fargs_arch_time *time, u64 *pos)
{
	u64 head, end;

	do {
		head = READ_ONCE(ring->head);
		end = head + *len;
		/* The compiler may compare in memory: writers of this CPU set the limit. */
		if (unlikely(end > data_race(ring->limit)))
			return false;
	} while (unlikely(!fargs_arch_time_cmpxchg(&ring->head, head, end, pos, time)));
	return true;
}

/*
 * Fills preempt, eflags and tif. @task is current. @depth is how often the tracer itself has
 * disabled preemption: this is subtracted, because it is not part of the call's context.
 */
static __always_inline void fargs_record_fill_context(struct fargs_record *record,
						      struct task_struct *task, u32 depth)
{
	record->preempt = fargs_compat_preempt() - depth;
	record->eflags = fargs_arch_eflags();
	record->tif = fargs_compat_tif(task);
}

struct fargs_record_task {
	const char *event;	/* "fork", "exec" or "rename" */
	pid_t event_tid;	/* the value in the body whose name is @event */
	pid_t tgid;
	const char *comm;	/* NUL-terminated, or truncated to FARGS_COMM_LEN - 1 bytes */
};

/**
 * fargs_record_write_switch() - write a SWITCH record
 * @ring: this CPU's ring
 * @next: the next task; current is the previous one
 * @state: state of the previous task, as passed to the tracepoint; 0 if it was preempted
 *
 * If the ring is full, increments lost_switches.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_record_write_switch(struct fargs_ring *ring, const struct task_struct *next,
			       u32 state);

/**
 * fargs_record_write_task() - write a TASK record
 * @ring: this CPU's ring
 * @task: the contents of the record
 *
 * If the ring is full, increments lost_tasks.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_record_write_task(struct fargs_ring *ring, const struct fargs_record_task *task);

#endif
