/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring of one CPU. The code here does not interpret the contents of the ring.
 *
 * The writers are contexts of this CPU: task, softirq, hardirq and NMI, all with preemption
 * disabled. So writers nest: a writer that interrupts another finishes before the other continues.
 * The only reader is user space, through the mapping (include/uapi/fargs_ring.h).
 *
 * A writer reserves room (head += len, by a CPU-local cmpxchg), fills the record, and publishes it.
 * The records below the published head are complete. If the writer's own record begins at the
 * published head, no writer that it has interrupted has a reservation, so all records below the
 * head are complete, and it publishes the head. Otherwise an interrupted writer will, when its own
 * record is complete: see fargs_ring_publish().
 */
#ifndef FARGS_KMOD_RING_RING_H
#define FARGS_KMOD_RING_RING_H

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kconfig.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <asm/local.h>

#include "arch/cpu.h"
#include "uapi/fargs_ring.h"

struct fargs_ring {
	/*
	 * These members are written only by this CPU, except that settle_ring() in ring/over.c may
	 * run on another CPU, and write limit, when the ring has no writers. Positions, such as
	 * head and limit, count bytes since the ring was created. As 64-bit numbers they never
	 * wrap.
	 */
	u64 head;		/* position of the end of the last reservation */
	u64 limit;		/* position beyond which a reservation needs fargs_ring_renew() */
	u64 mask;		/* @size - 1; constant */
	u8 *data;		/* mapped twice in a row; constant */
	struct fargs_ring_head *shared;	/* constant */
	/* Counters used by the code that writes records, not by the ring itself. */
	u64 seq;		/* next sequence number */
	unsigned long rejected;
	unsigned long unreadable;	/* part of @rejected: see struct fargs_cpu_stats */
	local_t lost;
	local_t lost_pending;	/* part of @lost: not yet reported by a LOST record */
	local_t lost_tasks;
	local_t missed;		/* part of @lost: no slot was free (fargs_cpu_stats.missed) */
	local_t triggers;
	unsigned long switches;
	local_t lost_switches;	/* part of @switches: without a record, for lack of room */
	u32 guard;		/* recursion guard, see probe/guard.h */

	u64 size;		/* bytes of data */
	u64 sub_bytes;		/* bytes of a sub-buffer (ring/over.c); 0 in drop mode */
	/* number of writers that may move the limit, and have not reserved room yet */
	unsigned long reserving;
	struct fargs_rings *rings;	/* constant */
	u64 headroom;		/* bytes that only writers with FARGS_RING_HEADROOM may use */
	u64 watermark;		/* unread bytes at which the reader is woken */
	u64 woken_tail;		/* value of the tail when the reader was last woken */
	local_t missed_triggers;	/* fargs_stats.nr_missed_triggers */
	struct fargs_ring_tail *tail;	/* writable by the reader: must not be trusted */
	struct irq_work wake;

	struct page **pages;	/* head page, data pages, data pages again */
	void *map;		/* kernel address at which @pages are mapped */
	struct page *tail_page;
} ____cacheline_aligned;

struct fargs_rings {
	u64 size;		/* bytes of data of each ring */
	bool is_overwrite;
	bool is_frozen;		/* sub-buffers are no longer claimed (ring/over.c) */
	bool is_triggered;	/* a trigger fired since START or the last thaw (probe/trigger.c) */
	bool is_trigger_freezing;	/* FARGS_START_FREEZE; constant while running */
	wait_queue_head_t wait;
	struct fargs_ring __percpu *cpu;
};

/**
 * fargs_rings_create() - create a ring for each possible CPU
 * @size: bytes of data of each ring; a power of two, at least a page
 * @watermark: unread bytes at which the reader is woken; 0: a quarter of @size. For drop mode only
 * @is_overwrite: true: overwrite mode (ring/over.c), false: drop mode
 *
 * Context: Process context. May sleep.
 * Return: The rings, or NULL if out of memory or if a fatal signal is pending.
 */
struct fargs_rings *fargs_rings_create(u64 size, u32 watermark, bool is_overwrite);

/**
 * fargs_rings_bytes() - get the memory that rings use
 * @size: as in fargs_rings_create()
 *
 * Context: Any context.
 * Return: The size in bytes of the rings of all possible CPUs: their pages, and the arrays of
 *	pointers to these pages.
 */
u64 fargs_rings_bytes(u64 size);

/**
 * fargs_rings_destroy() - free rings
 * @rings: the rings, which have no writers; may be NULL
 *
 * User space has no mapping of them left, since each mapping holds a reference to the session.
 *
 * Context: Process context. May sleep.
 */
void fargs_rings_destroy(struct fargs_rings *rings);

/* Selects the part of the free space that a writer may use. */
enum fargs_ring_use {
	FARGS_RING_ORDINARY,
	FARGS_RING_HEADROOM,	/* also the headroom, reserved for LOST and TASK records */
};

/**
 * fargs_ring_renew() - check for room in a ring, and move its limit
 * @ring: this CPU's ring
 * @pos: position at which the reservation is to begin
 * @len: bytes to reserve, a multiple of 8
 * @use: the part of the free space that may be used
 *
 * Reads the reader's tail, wakes the reader if the watermark is reached, and moves the limit. In
 * overwrite mode, claims the next sub-buffer if necessary.
 *
 * A writer reserves as follows:
 *
 * 1. Read the position from ring->head.
 * 2. If position + @len is beyond ring->limit, or if the record may use the headroom, increment
 *    ring->reserving until step 3 has succeeded or the record is given up, and call this
 *    function. It sets the limit low enough for the tail to be read regularly.
 * 3. Advance ring->head by fargs_arch_try_cmpxchg(). If that fails, another writer has interrupted
 *    this one: start again.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: False if there is no room. True if @len bytes are free at @pos, or if the head has moved,
 *	in which case the caller's reservation at @pos will fail.
 */
bool fargs_ring_renew(struct fargs_ring *ring, u64 pos, u32 len, enum fargs_ring_use use);

/*
 * May fargs_ring.wake be queued on this CPU? Not while the CPU goes offline: an irq_work queued too
 * late would remain pending, and irq_work_sync() would not return before the CPU is online again.
 *
 * A CPU first clears its bit in cpu_online_mask, then runs its irq_works for the last time. With
 * PREEMPT_RT, irq_works like this one are run by a thread of the CPU, which is parked earlier.
 * Before that, the bit in cpu_active_mask is cleared, and a grace period passes, which waits for
 * us, since preemption is disabled; meanwhile the thread, a realtime task, runs the irq_works that
 * are queued.
 */
static __always_inline bool fargs_ring_may_wake(void)
{
	int cpu = raw_smp_processor_id();

	return IS_ENABLED(CONFIG_PREEMPT_RT) ? cpu_active(cpu) : cpu_online(cpu);
}

/* Returns the address of a position. */
static __always_inline void *fargs_ring_at(const struct fargs_ring *ring, u64 pos)
{
	return ring->data + (pos & ring->mask);
}

/*
 * Shortens the reservation of @len bytes at position @pos to its first @kept bytes (a multiple of
 * 8, not 0). Returns false, and changes nothing, if another writer has made a reservation after
 * this one.
 *
 * A writer that interrupts us has finished when we continue, and keeps at least a part of each of
 * its reservations. So if the head is still at the end of our reservation, no reservation begins
 * there, and the head can be moved back; otherwise the head stays. A writer that we interrupted
 * after it had read the head finds the head changed, since @kept is not 0, and retries. The limit
 * remains valid: it depends on the tail, or in overwrite mode on the sub-buffer, not on the head.
 */
static __always_inline bool fargs_ring_shrink(struct fargs_ring *ring, u64 pos, u32 len, u32 kept)
{
	u64 head = pos + len;

	return fargs_arch_try_cmpxchg(&ring->head, &head, pos + kept);
}

/**
 * fargs_ring_publish_again() - publish the head until it has stopped moving
 * @ring: this CPU's ring
 *
 * Called only by fargs_ring_publish().
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_ring_publish_again(struct fargs_ring *ring);

/*
 * Publishes the record at position @pos, which is complete. A writer publishes each of its records,
 * even if it has shortened it, before it reserves the next one.
 *
 * Invariant: data_head is where the oldest incomplete record begins or, if there is none, equals
 * head or will be set to head by a writer that is about to do so. Interrupting writers:
 *
 *	- They see that their position is not data_head until the store, and publish nothing. So
 *	  nobody else writes data_head before the store, which therefore never moves it back.
 *	- If one of them reserves between the load of head and the store, its record lies above the
 *	  new data_head, and remains to be published: fargs_ring_publish_again().
 *	- After the store, one whose record begins at the new data_head publishes it.
 */
static __always_inline void fargs_ring_publish(struct fargs_ring *ring, u64 pos)
{
	struct fargs_ring_head *shared = ring->shared;
	u64 head;

	barrier();
	/* The compiler may compare in memory: only writers of this CPU set data_head. */
	if (unlikely(data_race(shared->data_head) != pos))
		return;
	head = READ_ONCE(ring->head);
	/* Pairs with the reader's load_acquire: the records become visible before the head. */
	smp_store_release(&shared->data_head, head);
	barrier();
	/* The compiler may compare in memory: only writers of this CPU set the head. */
	if (unlikely(head != data_race(ring->head)))
		fargs_ring_publish_again(ring);
}

#endif
