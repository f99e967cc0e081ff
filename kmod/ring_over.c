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
#include "ring_over.h"

#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/smp.h>

#include "ring.h"

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
 * begins. There must be no writer that has not seen is_frozen.
 */
static void settle(struct fargs_ring *ring)
{
	u64 end;

	WRITE_ONCE(ring->limit, 0);
	barrier();
	end = round_up(READ_ONCE(ring->head), ring->sub_bytes);
	WRITE_ONCE(ring->shared->data_start, end > ring->size ? end - ring->size : 0);
}

struct freeze {
	struct fargs_rings *rings;
	atomic_t nr_busy;
};

/*
 * On the ring's CPU, in a hard interrupt: a writer that was interrupted may have
 * looked at is_frozen before it was set, and is asked to be waited for. If there is
 * none, whoever comes from now on sees it, an NMI during this, too: what that
 * reserves, it reserves from what is claimed, and is done before we go on.
 */
static void freeze_this_cpu(void *arg)
{
	struct freeze *freeze = arg;
	struct fargs_ring *ring = this_cpu_ptr(freeze->rings->cpu);

	if (READ_ONCE(ring->nest))
		atomic_inc(&freeze->nr_busy);
	else
		settle(ring);
}

void fargs_rings_freeze(struct fargs_rings *rings)
{
	struct freeze freeze = { .rings = rings };
	int cpu;

	WRITE_ONCE(rings->is_frozen, true);
	/* CPUs that come find it set; those that are away do not write. */
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		if (!cpu_online(cpu))
			settle(per_cpu_ptr(rings->cpu, cpu));
	}
	for (;;) {
		atomic_set(&freeze.nr_busy, 0);
		on_each_cpu(freeze_this_cpu, &freeze, true);
		if (!atomic_read(&freeze.nr_busy))
			break;
		usleep_range(20, 200);
	}
	cpus_read_unlock();
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
		settle(per_cpu_ptr(rings->cpu, cpu));
}
