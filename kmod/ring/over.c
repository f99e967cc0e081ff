// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring in overwrite mode consists of sub-buffers. The limit is the end of the newest one, so a
 * writer calls fargs_ring_over_renew() only to move on to the next sub-buffer: it *claims* that
 * one, which discards the oldest records. A writer whose record does not fit into the rest of a
 * sub-buffer writes a record length of 0 there, which ends the sub-buffer.
 *
 * A sub-buffer must not be claimed while an interrupted writer still writes to it, which could
 * happen if the writers that interrupt it fill the whole ring. Everything that unfinished writers
 * have reserved is above the published head, since only the outermost writer publishes. So only
 * sub-buffers below the published head are claimed, and a nested writer that would need another
 * one drops its record. The outermost writer finds everything before its position published when
 * it enters, so it can claim.
 */
#include "ring/over.h"

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>

#include "ring/ring.h"

/* Can the sub-buffer that starts at @pos be claimed: are all of its old records published? */
static notrace bool may_claim(const struct fargs_ring *ring, u64 pos)
{
	return (s64)(pos + ring->sub_bytes - ring->size - READ_ONCE(ring->shared->data_head)) <= 0;
}

/*
 * Context: Any context, NMI included; preemption is disabled. Not traced (Kbuild).
 *
 * An interrupted writer may overwrite limit with an older value. That value is never too high,
 * since a claimed sub-buffer stays claimed; it costs one more call. A stale @pos is harmless too:
 * the caller's reservation then fails.
 */
bool notrace fargs_ring_over_renew(struct fargs_ring *ring, u64 pos, u32 len)
{
	u64 start, end;

	if (READ_ONCE(ring->rings->is_frozen))
		goto full;
	for (;;) {
		start = round_down(pos, ring->sub_bytes);
		end = start + ring->sub_bytes;
		if (pos != start && pos + len <= end)
			break;
		if (pos == start) {
			if (!may_claim(ring, pos))
				goto full;
			break;
		}
		if (fargs_arch_try_cmpxchg(&ring->head, &pos, end)) {
			/*
			 * An interrupt before this write cannot have reused the position: it is
			 * not published until we leave, so may_claim() refuses its sub-buffer.
			 */
			WRITE_ONCE(*(u16 *)(ring->data + (pos & ring->mask)), 0);
			pos = end;
		}
	}
	WRITE_ONCE(ring->limit, end);
	return true;
full:
	/* Makes the next writer call this again. */
	WRITE_ONCE(ring->limit, 0);
	return false;
}

/*
 * Publishes the head and the start of the data. The head is in the newest sub-buffer or at its
 * end; the oldest record is one ring size before that end.
 *
 * Every writer of the ring must see is_frozen, and none may have an unfinished reservation. So all
 * records below the head are complete, and the head no longer moves. The head is published here
 * because a writer may have been interrupted in fargs_ring_leave(), after it decremented nest and
 * before it checked whether the head had moved since it published. It then publishes the same head
 * when it continues.
 */
static void settle_ring(struct fargs_ring *ring)
{
	u64 head, end;

	WRITE_ONCE(ring->limit, 0);
	barrier();
	head = READ_ONCE(ring->head);
	/* Pairs with the reader's load_acquire of data_head: the records precede the head. */
	smp_store_release(&ring->shared->data_head, head);
	end = round_up(head, ring->sub_bytes);
	WRITE_ONCE(ring->shared->data_start, end > ring->size ? end - ring->size : 0);
}

/* The state of one call of fargs_rings_freeze(). */
struct freeze {
	struct fargs_rings *rings;
	cpumask_var_t left;	/* CPUs whose ring has not settled yet */
};

/*
 * Context: On the ring's CPU with interrupts off: a hard interrupt; process context on the
 * caller's own CPU; the idle task on a CPU that polls while it is idle
 * (flush_smp_call_function_queue()).
 *
 * A settled ring stays settled until it is thawed, so its CPU is not interrupted again:
 *
 *	CPU A (FREEZE)			CPU B (writers)
 *	WRITE_ONCE(is_frozen, true)
 *	send the interrupt		in the interrupt: nest == 0, so limit = 0
 *					fargs_ring_enter(): nest++
 *					pos + len > limit: fargs_ring_over_renew()
 *					READ_ONCE(is_frozen): refused, limit = 0
 *
 * The interrupt is a full barrier between the two columns: everything that CPU B runs after it
 * sees is_frozen. Since nest is 0, no writer is between enter and leave and could have read
 * is_frozen, the limit or the head earlier. From then on limit is 0, so every reservation calls
 * fargs_ring_over_renew(), which refuses and is the only function that raises limit. Writers still
 * enter and leave, to count lost records, but they do not move the head, write to the data or
 * publish a head other than that of settle_ring(). So a settled ring may have a nest other than 0.
 *
 * An NMI between the check of nest and the write of limit can only reserve space in the
 * sub-buffer that is claimed already, and its record is complete before settle_ring() reads the
 * head.
 */
static void settle_this_cpu(void *arg)
{
	struct freeze *freeze = arg;
	struct fargs_ring *ring = this_cpu_ptr(freeze->rings->cpu);

	if (READ_ONCE(ring->nest))
		return;
	settle_ring(ring);
	cpumask_clear_cpu(smp_processor_id(), freeze->left);
}

/*
 * Settles the rings of offline CPUs, with CPU hotplug locked out, as soon as they have no writers:
 * a CPU may still run traced functions while it goes offline. When such a CPU comes back, it finds
 * limit 0 and is_frozen set. The same holds for a CPU that settled before it went offline.
 *
 * cpus_read_lock() cannot be interrupted by a signal, hence the trylock. If CPUs go on and off
 * line all the time, an offline CPU may have to wait until it is back to be settled.
 */
static void settle_offline(struct freeze *freeze)
{
	int cpu;

	if (cpumask_subset(freeze->left, cpu_online_mask) || !cpus_read_trylock())
		return;
	for_each_cpu(cpu, freeze->left) {
		struct fargs_ring *ring = per_cpu_ptr(freeze->rings->cpu, cpu);

		if (cpu_online(cpu) || READ_ONCE(ring->nest))
			continue;
		settle_ring(ring);
		cpumask_clear_cpu(cpu, freeze->left);
	}
	cpus_read_unlock();
}

int fargs_rings_freeze(struct fargs_rings *rings)
{
	struct freeze freeze = { .rings = rings };
	int ret = 0;

	if (!alloc_cpumask_var(&freeze.left, GFP_KERNEL))
		return -ENOMEM;
	cpumask_copy(freeze.left, cpu_possible_mask);
	WRITE_ONCE(rings->is_frozen, true);
	for (;;) {
		settle_offline(&freeze);
		/* Interrupts only CPUs that are online, and keeps them online meanwhile. */
		if (cpumask_intersects(freeze.left, cpu_online_mask))
			on_each_cpu_mask(freeze.left, settle_this_cpu, &freeze, true);
		if (cpumask_empty(freeze.left))
			break;
		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		usleep_range(20, 200);
	}
	free_cpumask_var(freeze.left);
	return ret;
}

void fargs_rings_thaw(struct fargs_rings *rings)
{
	/* Before is_frozen: a call that triggers after the thaw must not be forgotten. */
	WRITE_ONCE(rings->is_triggered, false);
	WRITE_ONCE(rings->is_frozen, false);
}

void fargs_rings_settle(struct fargs_rings *rings)
{
	int cpu;

	for_each_possible_cpu(cpu)
		settle_ring(per_cpu_ptr(rings->cpu, cpu));
}
