// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring in overwrite mode consists of sub-buffers. The limit is the end of the newest sub-buffer,
 * so a writer calls fargs_ring_over_renew() only when it needs the next sub-buffer. The writer
 * *claims* the next sub-buffer, which discards the oldest records. If a record does not fit into
 * the rest of a sub-buffer, its writer writes a record length of 0 there, which ends the
 * sub-buffer.
 *
 * A sub-buffer must not be claimed while an interrupted writer still writes to it. This could
 * happen if other writers interrupt that writer and fill the whole ring. No incomplete record is
 * below the published head. So only sub-buffers below the published head may be claimed, and a
 * nested writer drops its record if it would need another sub-buffer. A writer that has interrupted
 * no other one can always claim: everything below the head has been published.
 */
#include "ring/over.h"

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>

#include "ring/ring.h"

/* Can the sub-buffer that starts at @pos be claimed? Its old records must all be published. */
static notrace bool may_claim(const struct fargs_ring *ring, u64 pos)
{
	return (s64)(pos + ring->sub_bytes - ring->size - READ_ONCE(ring->shared->data_head)) <= 0;
}

/*
 * Marks the rest of a sub-buffer from position @pos on as empty, after it has been reserved. An
 * interrupt before this cannot have reused the position: @pos has not been published, so
 * may_claim() refuses its sub-buffer.
 */
static notrace void end_sub_buffer(struct fargs_ring *ring, u64 pos)
{
	WRITE_ONCE(*(u16 *)(ring->data + (pos & ring->mask)), 0);
	fargs_ring_publish(ring, pos);
}

/*
 * Context: Any context, NMI included. Preemption is disabled. Not traced (Kbuild).
 *
 * After an interruption, a writer may overwrite limit with a stale value. A stale limit is never
 * too high, since a claimed sub-buffer stays claimed, but causes one more call of this function. A
 * stale @pos is also harmless: the caller's reservation will fail.
 */
bool notrace fargs_ring_over_renew(struct fargs_ring *ring, u64 pos, u32 len)
{
	u64 start, end;

	/* Pairs with the smp_store_release() in fargs_rings_thaw(). */
	if (smp_load_acquire(&ring->rings->is_frozen))
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
			end_sub_buffer(ring, pos);
			pos = end;
		}
	}
	WRITE_ONCE(ring->limit, end);
	return true;
full:
	/* With a limit of 0 the next writer calls this function again. */
	WRITE_ONCE(ring->limit, 0);
	return false;
}

/*
 * Stops writing to a ring, unless a record is incomplete or a writer may be about to claim a
 * sub-buffer, and publishes the start of the data. Returns whether the ring is settled.
 *
 * All writers of the ring must see is_frozen. This runs on the ring's CPU with interrupts off, or
 * while the CPU runs no writers. The writers that it has interrupted may
 *
 *	- have an incomplete record: then data_head differs from head (fargs_ring_publish());
 *	- be between checking is_frozen and reserving: ring->reserving is not 0;
 *	- be about to reserve what they have found to be below the limit: this fails if the head
 *	  has moved in between. So the rest of the sub-buffer is ended as if it were full. If it is
 *	  full already, the limit was not above the head: a writer that claims a sub-buffer has
 *	  either moved the head into it or is still reserving.
 *
 * Now the head is at the end of the newest sub-buffer, which is also the highest limit, so all
 * other writers call fargs_ring_over_renew(), which refuses. An NMI before that may reserve room;
 * its record is complete when we continue. The oldest record is one ring size before the head.
 */
static bool settle_ring(struct fargs_ring *ring)
{
	u64 head, end;

	if (READ_ONCE(ring->reserving) ||
	    READ_ONCE(ring->head) != READ_ONCE(ring->shared->data_head))
		return false;
	head = READ_ONCE(ring->head);
	do {
		end = round_up(head, ring->sub_bytes);
	} while (end != head && !fargs_arch_try_cmpxchg(&ring->head, &head, end));
	if (end != head)
		end_sub_buffer(ring, head);
	WRITE_ONCE(ring->shared->data_start, end > ring->size ? end - ring->size : 0);
	return true;
}

/* The state of one call of fargs_rings_freeze(). */
struct freeze {
	struct fargs_rings *rings;
	cpumask_var_t left;	/* CPUs whose ring has not been settled yet */
};

/*
 * Context: On the ring's CPU with interrupts off: in a hard interrupt; in process context on the
 * CPU of the caller of fargs_rings_freeze(); or in the idle task on a CPU that polls while idle
 * (flush_smp_call_function_queue()).
 *
 * A settled ring stays settled until it is thawed, so its CPU is not interrupted again:
 *
 *	CPU A (FREEZE)			CPU B (writers)
 *	WRITE_ONCE(is_frozen, true)
 *	send the interrupt		in the interrupt: settle_ring(): head >= limit
 *					head + len > limit: fargs_ring_over_renew()
 *					smp_load_acquire(is_frozen): refused, limit = 0
 *
 * The interrupt is a full barrier for CPU B: everything that CPU B runs after it sees is_frozen.
 * After the interrupt every reservation calls fargs_ring_over_renew(), which fails; no other
 * function raises limit. So ring->reserving of a settled ring may be other than 0.
 */
static void settle_this_cpu(void *arg)
{
	struct freeze *freeze = arg;
	struct fargs_ring *ring = this_cpu_ptr(freeze->rings->cpu);

	if (settle_ring(ring))
		cpumask_clear_cpu(smp_processor_id(), freeze->left);
}

/*
 * Settles the rings of offline CPUs, with CPU hotplug locked out, once they have no writers: a CPU
 * may still run traced functions while it goes offline. When such a CPU comes online again, its
 * ring is still settled. The same holds for a CPU that goes offline after its ring has been
 * settled.
 *
 * cpus_read_lock() cannot be interrupted by a signal, hence the trylock. If CPUs keep going online
 * and offline, the ring of an offline CPU may not be settled until the CPU is online again.
 */
static void settle_offline(struct freeze *freeze)
{
	int cpu;

	if (cpumask_subset(freeze->left, cpu_online_mask) || !cpus_read_trylock())
		return;
	for_each_cpu(cpu, freeze->left) {
		struct fargs_ring *ring = per_cpu_ptr(freeze->rings->cpu, cpu);

		if (!cpu_online(cpu) && settle_ring(ring))
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
		/*
		 * on_each_cpu_mask() interrupts only online CPUs. It disables preemption, so they
		 * stay online.
		 */
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
	/* Clear is_triggered first: once is_frozen is false, a new trigger may set it again. */
	WRITE_ONCE(rings->is_triggered, false);
	/*
	 * Pairs with the smp_load_acquire() in fargs_ring_over_renew(): the caller's reads of the
	 * frozen rings precede any write to them.
	 */
	smp_store_release(&rings->is_frozen, false);
}

void fargs_rings_settle(struct fargs_rings *rings)
{
	int cpu;

	for_each_possible_cpu(cpu)
		settle_ring(per_cpu_ptr(rings->cpu, cpu));
}
