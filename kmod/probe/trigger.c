// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: that of the capture paths, any, NMI included; preemption disabled. Not traced
 * itself (Kbuild).
 *
 * Order: the record is filled before; the reader sees it when the outermost writer has
 * published it, which FREEZE waits for. is_triggered is set before the reader is woken,
 * who asks for it (main/dev.c); the queueing of irq_work is a full barrier.
 *
 * Who frees: rings live until the probes are unregistered and whoever is in a callback
 * has left it. irq_work that is still queued then is waited for (ring/ring.c).
 */
#include "probe/trigger.h"

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/smp.h>

#include "ring/ring.h"

void notrace fargs_trigger_fire(struct fargs_ring *ring, bool is_recorded)
{
	struct fargs_rings *rings = ring->rings;

	/* What comes while rings stand still is lost, with all that it would have done. */
	if (!is_recorded && READ_ONCE(rings->is_frozen))
		return;
	local_inc(&ring->triggers);
	if (rings->is_trigger_freezing) {
		WRITE_ONCE(rings->is_frozen, true);
		/* Nothing follows here; or a sub-buffer's rest, if whom we interrupt undoes it. */
		WRITE_ONCE(ring->limit, 0);
	}
	/*
	 * Once: the wake-up calls what can be traced, and may trigger. And not on a CPU that
	 * goes (see wake_if_due() in ring/ring.c): the reader looks by itself, too.
	 */
	if (xchg(&rings->is_triggered, true) || !cpu_online(raw_smp_processor_id()))
		return;
	irq_work_queue(&ring->wake);
}
