// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: as the capture paths: any context, NMI included; preemption is disabled. Not traced
 * (Kbuild).
 *
 * Order: the trigger fires after its record has been filled. The reader sees the record once the
 * outermost writer has published it, which FREEZE waits for. is_triggered is set before the reader
 * is woken:
 *
 *	CPU A (fargs_trigger_fire())		CPU B (dev_poll())
 *	xchg(is_triggered, true)		poll_wait()
 *	irq_work_queue(): full barrier		READ_ONCE(is_triggered)
 *	wake_up_interruptible()
 *
 * So CPU B either sees is_triggered or is woken.
 *
 * Lifetime: the rings are freed after the probes have been unregistered and running callbacks have
 * returned. A queued irq_work is waited for (ring/ring.c).
 */
#include "probe/trigger.h"

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/smp.h>

#include "ring/ring.h"

void notrace fargs_trigger_fire(struct fargs_ring *ring, bool is_recorded)
{
	struct fargs_rings *rings = ring->rings;

	/* A call while the rings are frozen is lost, and does not trigger. */
	if (!is_recorded && READ_ONCE(rings->is_frozen))
		return;
	local_inc(&ring->triggers);
	if (rings->is_trigger_freezing) {
		WRITE_ONCE(rings->is_frozen, true);
		/*
		 * No more records on this CPU, unless we have interrupted a writer that overwrites
		 * limit: then the rest of the newest sub-buffer may still be filled.
		 */
		WRITE_ONCE(ring->limit, 0);
	}
	/*
	 * Only once: the wake-up calls functions that can be traced and may trigger. And not on a
	 * CPU that goes offline (see wake_if_due() in ring/ring.c): the reader also polls with a
	 * timeout.
	 */
	if (xchg(&rings->is_triggered, true) || !cpu_online(raw_smp_processor_id()))
		return;
	irq_work_queue(&ring->wake);
}
