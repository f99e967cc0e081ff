// SPDX-License-Identifier: GPL-2.0-only
#include "ring/ring.h"

#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "ring/over.h"

/*
 * Wakes the reader, at most once for each value of the tail: until the reader has moved its tail,
 * another wake-up would be useless. So there is no endless loop of wake-ups, even if the ring stays
 * full, or the wake-up itself calls traced functions. The record at @pos is not counted as unread:
 * the reader cannot see it yet, and would go back to sleep.
 */
static notrace void wake_if_due(struct fargs_ring *ring, u64 pos, u64 tail)
{
	if ((s64)(pos - tail) < (s64)ring->watermark || tail == READ_ONCE(ring->woken_tail) ||
	    !fargs_ring_may_wake())
		return;
	WRITE_ONCE(ring->woken_tail, tail);
	barrier();
	irq_work_queue(&ring->wake);
}

/*
 * Context: Any context, NMI included. Preemption is disabled. Not traced (Kbuild).
 *
 * After an interruption, a writer may overwrite limit with a stale value. A stale limit is never
 * too high, since the tail only grows, but causes one more call of this function.
 */
bool notrace fargs_ring_renew(struct fargs_ring *ring, u64 pos, u32 len, enum fargs_ring_use use)
{
	u64 tail, used, kept;

	if (ring->sub_bytes)
		return fargs_ring_over_renew(ring, pos, len);
	/* Pairs with the reader's store_release: data below the tail have been read. */
	tail = smp_load_acquire(&ring->tail->data_tail);
	used = min(pos - tail, ring->size);	/* a ring with an invalid tail counts as full */
	kept = use == FARGS_RING_ORDINARY ? ring->headroom : 0;
	wake_if_due(ring, pos, tail);
	if (used + len + kept > ring->size) {
		/*
		 * With a limit of 0, the next writer also calls this function, and can report the
		 * loss.
		 */
		WRITE_ONCE(ring->limit, 0);
		return false;
	}
	/*
	 * Reservations that use the headroom call this function every time. Other reservations do
	 * so at least every watermark bytes, to check whether the reader should be woken.
	 */
	if (use == FARGS_RING_ORDINARY)
		WRITE_ONCE(ring->limit, pos + min(ring->size - used - kept, len + ring->watermark));
	return true;
}

static void wake_reader(struct irq_work *work)
{
	struct fargs_ring *ring = container_of(work, struct fargs_ring, wake);

	wake_up_interruptible(&ring->rings->wait);
}

static void ring_deinit(struct fargs_ring *ring)
{
	unsigned long i, nr = 1 + (ring->size >> PAGE_SHIFT);

	irq_work_sync(&ring->wake);
	if (ring->map)
		vunmap(ring->map);
	for (i = 0; ring->pages && i < nr; i++) {
		if (ring->pages[i])
			__free_page(ring->pages[i]);
		cond_resched();
	}
	kvfree(ring->pages);
	if (ring->tail_page)
		__free_page(ring->tail_page);
}

static int ring_init(struct fargs_ring *ring, int cpu, struct fargs_rings *rings, u32 watermark)
{
	u64 size = rings->size;
	unsigned long i, nr = size >> PAGE_SHIFT;
	int node = cpu_to_node(cpu);
	/* Allocations fail rather than invoke the OOM killer. */
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;

	ring->size = size;
	ring->mask = size - 1;
	ring->headroom = min_t(u64, size / 16, 4096);
	ring->watermark = watermark ?: size / 4;
	ring->sub_bytes = rings->is_overwrite ? fargs_ring_over_sub_bytes(size) : 0;
	ring->rings = rings;
	ring->woken_tail = ~0ull;
	init_irq_work(&ring->wake, wake_reader);

	ring->pages = kvcalloc(1 + 2 * nr, sizeof(*ring->pages), GFP_KERNEL_ACCOUNT);
	ring->tail_page = alloc_pages_node(node, gfp, 0);
	if (!ring->pages || !ring->tail_page)
		return -ENOMEM;
	for (i = 0; i < 1 + nr; i++) {
		ring->pages[i] = alloc_pages_node(node, gfp, 0);
		if (!ring->pages[i] || fatal_signal_pending(current))
			return -ENOMEM;
		cond_resched();
	}
	for (i = 0; i < nr; i++)
		ring->pages[1 + nr + i] = ring->pages[1 + i];
	ring->map = vmap(ring->pages, 1 + 2 * nr, VM_MAP | VM_USERMAP, PAGE_KERNEL);
	if (!ring->map)
		return -ENOMEM;
	ring->shared = ring->map;
	ring->data = ring->map + PAGE_SIZE;
	ring->tail = page_address(ring->tail_page);
	ring->shared->size = size;
	ring->shared->version = FARGS_RING_VERSION;
	ring->shared->sub_bytes = ring->sub_bytes;
	return 0;
}

u64 fargs_rings_bytes(u64 size)
{
	u64 nr = size >> PAGE_SHIFT;

	/*
	 * Each CPU has nr pages of data, a head page and a tail page, and an array of pointers to
	 * pages, which contains the head page once and the data twice.
	 */
	return num_possible_cpus() * (((nr + 2) << PAGE_SHIFT) +
				      PAGE_ALIGN((1 + 2 * nr) * sizeof(struct page *)));
}

void fargs_rings_destroy(struct fargs_rings *rings)
{
	int cpu;

	if (!rings)
		return;
	for_each_possible_cpu(cpu)
		ring_deinit(per_cpu_ptr(rings->cpu, cpu));
	free_percpu(rings->cpu);
	kfree(rings);
}

struct fargs_rings *fargs_rings_create(u64 size, u32 watermark, bool is_overwrite)
{
	struct fargs_rings *rings = kzalloc(sizeof(*rings), GFP_KERNEL_ACCOUNT);
	int cpu;

	if (!rings)
		return NULL;
	rings->size = size;
	rings->is_overwrite = is_overwrite;
	init_waitqueue_head(&rings->wait);
	rings->cpu = alloc_percpu_gfp(struct fargs_ring, GFP_KERNEL_ACCOUNT);
	if (!rings->cpu) {
		kfree(rings);
		return NULL;
	}
	/* All possible CPUs get a ring, including those that come online later. */
	for_each_possible_cpu(cpu) {
		if (ring_init(per_cpu_ptr(rings->cpu, cpu), cpu, rings, watermark)) {
			fargs_rings_destroy(rings);
			return NULL;
		}
	}
	return rings;
}
