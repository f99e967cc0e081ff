// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: same as the capture paths: any context, NMI included; preemption is disabled. Not traced
 * (Kbuild).
 *
 * Order: the trigger fires after its record has been filled, and before the record is published,
 * for which FREEZE waits. is_triggered is set before the reader is woken:
 *
 *	CPU A (fargs_trigger_fire())		CPU B (dev_poll())
 *	xchg(is_triggered, true)		poll_wait()
 *	irq_work_queue(): full barrier		READ_ONCE(is_triggered)
 *	wake_up_interruptible()
 *
 * So CPU B either sees is_triggered or is woken.
 *
 * Lifetime: the rings are freed after the probes have been unregistered and running callbacks have
 * returned. ring/ring.c waits for a queued irq_work.
 */
#include "probe/trigger.h"

#include <linux/irq_work.h>

#include "ring/ring.h"

void notrace fargs_trigger_fire(struct fargs_ring *ring, bool is_recorded)
{
	struct fargs_rings *rings = ring->rings;

	/* While the rings are frozen a call is lost, and does not trigger. */
	if (!is_recorded && READ_ONCE(rings->is_frozen))
		return;
	local_inc(&ring->triggers);
	if (rings->is_trigger_freezing) {
		WRITE_ONCE(rings->is_frozen, true);
		/*
		 * Stops further records on this CPU, unless this trigger has interrupted a writer
		 * that then overwrites limit: in that case the rest of the current sub-buffer may
		 * be filled.
		 */
		WRITE_ONCE(ring->limit, 0);
	}
	/*
	 * Wake the reader only once, because the wake-up calls functions that can be traced and may
	 * trigger. A CPU that is going offline does not wake it (fargs_ring_may_wake()): the reader
	 * also polls with a timeout.
	 */
	if (xchg(&rings->is_triggered, true) || !fargs_ring_may_wake())
		return;
	irq_work_queue(&ring->wake);
}
