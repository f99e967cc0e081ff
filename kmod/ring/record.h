/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records in the ring (include/uapi/fargs_record.h). All of this runs with
 * preemption disabled, between fargs_ring_enter() and fargs_ring_leave().
 *
 * Code: what is inlined here and in ring.h is so in each path that writes records; what happens
 * once in many of them (the limit is reached, another writer came between) is a function.
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
 * @len: of the record
 * @tsc: set to the time of the record
 * @pos: set to its position
 *
 * Moves the limit, and records first what was lost before.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: False if the ring is full: the loss is counted.
 */
bool fargs_record_reserve_slow(struct fargs_ring *ring, u32 len, u64 *tsc, u64 *pos);

/*
 * Room for a record of @len bytes, at position *@pos of the ring. *@tsc is the time at
 * which it was reserved: read again whenever another writer came between, so that times
 * in a ring never go back. Fails early, for fargs_record_reserve_slow() to go on, where
 * the ring's limit is reached.
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
 * What the record says of the context, but for the tsc. @depth: how often tracing
 * itself has disabled preemption.
 */
static __always_inline void fargs_record_fill_context(struct fargs_record *record, u32 depth)
{
	record->preempt = fargs_arch_preempt() - depth;
	record->eflags = fargs_arch_eflags();
	record->tif = (u16)READ_ONCE(current_thread_info()->flags);
}

struct fargs_record_task {
	const char *event;	/* "fork", "exec" or "rename" */
	pid_t event_tid;	/* its value */
	pid_t tgid;
	const char *comm;	/* NUL-terminated, or cut at FARGS_COMM_LEN - 1 */
};

/**
 * fargs_record_write_switch() - write a SWITCH record
 * @ring: this CPU's ring
 * @next: the task that runs next; the current one is left
 * @state: the current task's, as the tracepoint has it
 *
 * Or counts it in lost_switches. Enters and leaves the ring itself.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_record_write_switch(struct fargs_ring *ring, const struct task_struct *next,
			       u32 state);

/**
 * fargs_record_write_task() - write a TASK record
 * @ring: this CPU's ring
 * @task: what is in it
 *
 * Or counts it in lost_tasks. Enters and leaves the ring itself.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_record_write_task(struct fargs_ring *ring, const struct fargs_record_task *task);

#endif
