/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One CPU's ring. It knows nothing of what is in it.
 *
 * Writers are this CPU's own contexts, in any of task, softirq, hardirq and
 * NMI, each with preemption disabled; one interrupts the other and is done
 * before the other goes on. The only reader is user space through the mapping
 * (include/uapi/fargs_ring.h).
 *
 * reserve: nest++, head += len by a CPU-local cmpxchg; commit: nest--, and
 * whoever takes it to 0 publishes the head, since then all that was reserved
 * below it is complete.
 */
#ifndef FARGS_KMOD_RING_RING_H
#define FARGS_KMOD_RING_RING_H

#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <asm/local.h>

#include "arch/cpu.h"
#include "uapi/fargs_ring.h"

struct fargs_ring {
	/*
	 * Written by this CPU only. head, limit and positions in general count
	 * bytes since the ring was made and never wrap in 64 bits.
	 */
	u64 head;		/* end of what is reserved */
	u64 limit;		/* a reservation past it must ask fargs_ring_renew() */
	u64 mask;		/* bytes of data - 1; constant */
	u8 *data;		/* mapped twice in a row; constant */
	struct fargs_ring_head *shared;	/* constant */
	unsigned long nest;	/* writers between reserve and commit */
	/* Counters of whoever writes records (ring/record.h); the ring ignores them. */
	u64 seq;		/* next sequence number */
	unsigned long rejected;
	unsigned long unreadable;	/* of rejected */
	local_t lost;
	local_t lost_pending;	/* of lost, not yet told in the ring */
	local_t lost_tasks;
	local_t missed;		/* of lost */
	local_t triggers;
	unsigned long switches;
	local_t lost_switches;	/* of switches */
	u32 guard;		/* of who runs programs (probe/guard.h) */

	u64 size;		/* bytes of data */
	u64 sub_bytes;		/* of a sub-buffer; 0: drop mode (ring/over.c) */
	struct fargs_rings *rings;	/* constant */
	u64 headroom;		/* kept free for records that must not be lost */
	u64 watermark;		/* unread bytes at which the reader is woken */
	u64 woken_tail;		/* the tail for which the reader was last woken */
	struct fargs_ring_tail *tail;	/* the reader's page: never trusted */
	struct irq_work wake;

	struct page **pages;	/* head page, then data */
	void *map;		/* head page, data, data again */
	struct page *tail_page;
} ____cacheline_aligned;

struct fargs_rings {
	u64 size;		/* bytes of data of each */
	bool is_overwrite;
	bool is_frozen;		/* nothing is reserved that is not claimed (ring/over.c) */
	bool is_triggered;	/* since START or the last thaw (probe/trigger.c) */
	bool is_trigger_freezing;	/* FARGS_START_FREEZE; constant while running */
	wait_queue_head_t wait;
	struct fargs_ring __percpu *cpu;
};

/**
 * fargs_rings_create() - make a ring for each possible CPU
 * @size: bytes of data of each; a power of two, whole pages
 * @watermark: unread bytes at which the reader is woken; 0: a quarter of them; of drop mode
 * @is_overwrite: they overwrite what is oldest (ring/over.c)
 *
 * Context: Process context. May sleep.
 * Return: The rings, or NULL if there is no memory.
 */
struct fargs_rings *fargs_rings_create(u64 size, u32 watermark, bool is_overwrite);

/**
 * fargs_rings_destroy() - free rings
 * @rings: without writers; may be NULL. A mapping keeps the session, and so the rings, alive
 *
 * Context: Process context. May sleep.
 */
void fargs_rings_destroy(struct fargs_rings *rings);

/* What a writer may use of the ring. */
enum fargs_ring_use {
	FARGS_RING_ORDINARY,
	FARGS_RING_HEADROOM,	/* also what is kept free for the important */
};

/**
 * fargs_ring_renew() - ask whether there is room in a ring
 * @ring: this CPU's ring
 * @pos: where it is to begin
 * @len: how many bytes
 * @use: what may be used
 *
 * Looks at the reader's tail, wakes the reader, moves the limit; in overwrite mode goes to the
 * next sub-buffer.
 *
 * To reserve @len bytes, a multiple of 8, between enter and leave: take the position from
 * ring->head; if position + @len is past ring->limit (which is moved so that the tail is looked at
 * now and then), or for what may use the headroom, call this; then move the head by
 * fargs_arch_try_cmpxchg(), beginning anew if another writer came between.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: True: @len bytes at @pos are free, or the head has moved on, and at its new place they
 *	may be.
 */
bool fargs_ring_renew(struct fargs_ring *ring, u64 pos, u32 len, enum fargs_ring_use use);

/* What is at a position. */
static __always_inline void *fargs_ring_at(const struct fargs_ring *ring, u64 pos)
{
	return ring->data + (pos & ring->mask);
}

/*
 * Gives back the end of a reservation of @len bytes at position @pos, but for the
 * first @kept (a multiple of 8, not 0). False: another writer has reserved behind it
 * since, and it keeps its length.
 *
 * A writer that comes between has reserved and left for good when we go on, and has
 * kept something. So either the head is where we left it, and nobody knows a position
 * behind it, or it is not, and stays. A writer that we interrupted, and that had read
 * the head before us, finds it changed, since something is kept. The limit stays
 * right: it follows from the tail.
 */
static __always_inline bool fargs_ring_shrink(struct fargs_ring *ring, u64 pos, u32 len, u32 kept)
{
	u64 head = pos + len;

	return fargs_arch_try_cmpxchg(&ring->head, &head, pos + kept);
}

/*
 * Between enter and leave a writer may reserve any number of times; all
 * becomes visible at leave, or when the writer that it interrupted leaves.
 */
static __always_inline void fargs_ring_enter(struct fargs_ring *ring)
{
	fargs_arch_inc(&ring->nest);
	barrier();
}

/**
 * fargs_ring_publish_again() - publish the head until it has not moved meanwhile
 * @ring: this CPU's ring
 *
 * For fargs_ring_leave() alone.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_ring_publish_again(struct fargs_ring *ring);

static __always_inline void fargs_ring_leave(struct fargs_ring *ring)
{
	u64 head;

	barrier();
	if (unlikely(!fargs_arch_is_one(&ring->nest))) {
		fargs_arch_dec(&ring->nest);
		return;
	}
	head = READ_ONCE(ring->head);
	/* Pairs with the reader's acquire: records before their head. */
	smp_store_release(&ring->shared->data_head, head);
	barrier();
	fargs_arch_dec(&ring->nest);
	barrier();
	/*
	 * An interrupt that came between the read of the head and the dec left
	 * without publishing, since we still counted.
	 */
	if (unlikely(head != READ_ONCE(ring->head)))
		fargs_ring_publish_again(ring);
}

#endif
