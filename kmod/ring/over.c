// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring in overwrite mode consists of sub-buffers. The limit is the end of the
 * newest one, so that only who goes on to the next comes here: it *claims* the next,
 * and with that gives up the oldest. Who looks ahead like that for a record that does
 * not fit any more leaves a length of 0 behind, which ends the sub-buffer.
 *
 * Nobody may claim a sub-buffer in which somebody still writes: a writer that was
 * interrupted, by one that fills the whole ring. All that such writers have reserved
 * lies behind the published head, since only the outermost publishes. So what lies
 * before it may go, and a nested writer that needs more drops its record. The
 * outermost itself finds its own place published when it enters.
 */
#include "ring/over.h"

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>

#include "ring/ring.h"

/* Nothing between @pos, the start of a sub-buffer, and its end is used any more. */
static notrace bool may_claim(const struct fargs_ring *ring, u64 pos)
{
	return (s64)(pos + ring->sub_bytes - ring->size - READ_ONCE(ring->shared->data_head)) <= 0;
}

/*
 * Context: that of the writer, NMI included, preemption disabled. Not traced
 * itself (Kbuild).
 *
 * limit may be overwritten with an older value by a writer that was interrupted:
 * that is never too high, since what was claimed stays so, and costs one more call.
 * Nor is it harmful that @pos may be out of date: the caller's reservation fails then.
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
			/* What interrupts us here cannot come round to it: we have not left. */
			WRITE_ONCE(*(u16 *)(ring->data + (pos & ring->mask)), 0);
			pos = end;
		}
	}
	WRITE_ONCE(ring->limit, end);
	return true;
full:
	/* The next one asks again. */
	WRITE_ONCE(ring->limit, 0);
	return false;
}

/*
 * The head is in the newest sub-buffer, or at its end; a ring further back the data
 * begins. There must be no writer that has not seen is_frozen, and none that has something
 * reserved: so all below the head is complete, and it moves no more. It is published here, too: one
 * that was interrupted when it had left, but not yet looked whether the head has moved since it
 * published, has that still to do (fargs_ring_leave()). It publishes the same then.
 */
static void settle_ring(struct fargs_ring *ring)
{
	u64 head, end;

	WRITE_ONCE(ring->limit, 0);
	barrier();
	head = READ_ONCE(ring->head);
	/* Pairs with the reader's acquire: records before their head. */
	smp_store_release(&ring->shared->data_head, head);
	end = round_up(head, ring->sub_bytes);
	WRITE_ONCE(ring->shared->data_start, end > ring->size ? end - ring->size : 0);
}

/* One FREEZE while it runs. */
struct freeze {
	struct fargs_rings *rings;
	cpumask_var_t left;	/* CPUs whose ring has not settled yet */
};

/*
 * Context: a hard interrupt on the ring's CPU; or with interrupts off there, for the caller's own
 * CPU in process context, for one that polls while it idles in its idle task
 * (flush_smp_call_function_queue()).
 *
 * A ring that has settled stays settled until it is thawed, so its CPU need not be asked again:
 *
 *	CPU A (FREEZE)			CPU B (writers)
 *	WRITE_ONCE(is_frozen, true)	fargs_ring_enter(): nest++
 *	interrupts CPU B		pos + len > limit: fargs_ring_over_renew()
 *	nest == 0: limit = 0		READ_ONCE(is_frozen): refused, limit = 0
 *
 * The interrupt is a full barrier between the two columns: whatever CPU B runs after it sees
 * is_frozen. With nest == 0 no writer is between enter and leave that could have read
 * is_frozen, the limit or the head before. limit is 0 from then on: every reservation has to
 * ask fargs_ring_over_renew(), which alone raises it, and which refuses. So writers still
 * enter and leave, to count what is lost, but none of them moves the head, writes to the data,
 * or publishes another head than settle_ring() has. That nest is not 0 when the CPU is interrupted
 * once more means nothing.
 *
 * An NMI after nest was read reserves, if anything, what was claimed before, and is complete
 * before settle_ring() reads the head.
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
 * A CPU that is offline settles from here, while none can go or come, once it has no writers: on
 * its last steps it may still run what is traced. When it comes back it finds limit 0 and
 * is_frozen set. One that had settled before it went has nothing else to find.
 *
 * No signal would end the wait of cpus_read_lock(), so that is not waited for: where CPUs go and
 * come all the time, one that is away now is asked when it is back, if not before.
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
		/* Of those that are online: it keeps them from going meanwhile. */
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
	/* First: what triggers from now on is a new one. */
	WRITE_ONCE(rings->is_triggered, false);
	WRITE_ONCE(rings->is_frozen, false);
}

void fargs_rings_settle(struct fargs_rings *rings)
{
	int cpu;

	for_each_possible_cpu(cpu)
		settle_ring(per_cpu_ptr(rings->cpu, cpu));
}
