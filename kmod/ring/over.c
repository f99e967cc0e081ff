// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring in overwrite mode consists of sub-buffers. The limit is the end of the newest sub-buffer,
 * so a writer calls fargs_ring_over_renew() only when it needs the next sub-buffer. The writer
 * *claims* the next sub-buffer, which discards the oldest records. If a record does not fit into
 * the rest of a sub-buffer, its writer writes a record length of 0 there, which ends the
 * sub-buffer.
 *
 * A sub-buffer must not be claimed while an interrupted writer still writes to it. This could
 * happen if other writers interrupt that writer and fill the whole ring. All reservations of
 * unfinished writers are above the published head, since only the outermost writer publishes the
 * head. So only sub-buffers below the published head may be claimed, and a nested writer drops its
 * record if it would need another sub-buffer. The outermost writer can always claim: when it
 * enters, everything below the head has been published.
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
			/*
			 * An interrupt before this write cannot have reused the position: @pos is
			 * not published until we leave, so may_claim() refuses its sub-buffer.
			 */
			WRITE_ONCE(*(u16 *)(ring->data + (pos & ring->mask)), 0);
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
 * Publishes the head and the start of the data. The head is in the newest sub-buffer or at its
 * end; the oldest record is one ring size before that end.
 *
 * When this is called, all writers of the ring must see is_frozen, and none may have an unfinished
 * reservation. So all records below the head are complete, and the head no longer moves. The head
 * must be published here because a writer may have been interrupted in fargs_ring_leave() between
 * decrementing nest and checking whether the head has moved since it was published. When that
 * writer continues, it publishes the same head.
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
 *	send the interrupt		in the interrupt: nest == 0, so limit = 0
 *					fargs_ring_enter(): nest++
 *					pos + len > limit: fargs_ring_over_renew()
 *					smp_load_acquire(is_frozen): refused, limit = 0
 *
 * The interrupt is a full barrier for CPU B: everything that CPU B runs after it sees is_frozen.
 * Since nest is 0, no writer is between enter and leave, where it could have read is_frozen, the
 * limit or the head before the interrupt. After the interrupt limit is 0, so every reservation
 * calls fargs_ring_over_renew(), which fails; no other function raises limit. Writers still enter
 * and leave, to count lost records, but do not move the head or write to the data, and publish the
 * same head as settle_ring(). So nest of a settled ring may be other than 0.
 *
 * An NMI between the check of nest and the write of limit can only reserve room in the
 * sub-buffer that has already been claimed. The NMI's record is complete before settle_ring()
 * reads the head.
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
 * Settles the rings of offline CPUs, with CPU hotplug locked out, once they have no writers: a CPU
 * may still run traced functions while it goes offline. When such a CPU comes online again, its
 * limit is 0 and is_frozen is set. The same holds for a CPU that went offline after its ring had
 * been settled.
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
