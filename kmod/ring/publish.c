// SPDX-License-Identifier: GPL-2.0-only
/* Context: Any context, NMI included. Preemption is disabled. Not traced (Kbuild). */
#include "ring/ring.h"

/*
 * A writer that interrupts this function may publish the head itself, but only if data_head equals
 * head: otherwise its record does not begin at data_head. So once data_head has been seen to differ
 * from head, and to be unchanged after head was loaded, only this function writes data_head.
 */
void notrace fargs_ring_publish_again(struct fargs_ring *ring)
{
	struct fargs_ring_head *shared = ring->shared;
	u64 published, head;

	for (;;) {
		published = READ_ONCE(shared->data_head);
		barrier();
		head = READ_ONCE(ring->head);
		if (head == published)
			return;
		barrier();
		if (READ_ONCE(shared->data_head) == published)
			smp_store_release(&shared->data_head, head);
		barrier();
	}
}
