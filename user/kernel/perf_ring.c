// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/perf_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int fargs_perf_ring_map(struct fargs_perf_ring *ring, int fd, size_t bytes)
{
	ring->page = sysconf(_SC_PAGESIZE);
	ring->bytes = bytes;
	ring->map = mmap(NULL, ring->page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring->map != MAP_FAILED)
		return 0;
	ring->map = NULL;
	return -errno;
}

void fargs_perf_ring_unmap(struct fargs_perf_ring *ring)
{
	if (ring->map)
		munmap(ring->map, ring->page + ring->bytes);
	ring->map = NULL;
}

/* Copies @bytes from position @at of the buffer to @to, wrapping around at the buffer's end. */
static void copy(const struct fargs_perf_ring *ring, uint64_t at, void *to, size_t bytes)
{
	const uint8_t *data = (const uint8_t *)ring->map + ring->page;
	size_t from = at & (ring->bytes - 1), first = ring->bytes - from;

	if (first > bytes)
		first = bytes;
	memcpy(to, data + from, first);
	memcpy((uint8_t *)to + first, data, bytes - first);
}

int fargs_perf_ring_read(struct fargs_perf_ring *ring, fargs_perf_ring_fn fn, void *arg)
{
	/* Large enough for any record: perf_event_header.size has 16 bits. */
	static uint8_t record[UINT16_MAX + 1] __attribute__((aligned(8)));
	struct perf_event_mmap_page *page = ring->map;
	struct perf_event_header head;
	uint64_t at, end;
	int ret = 0;

	if (!page)
		return 0;
	/* Pairs with the kernel's write barrier between the records and data_head. */
	end = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	at = page->data_tail;
	if (end - at > ring->bytes)
		return -EIO;
	for (; !ret && at != end; at += head.size) {
		if (end - at < sizeof(head))
			return -EIO;
		copy(ring, at, &head, sizeof(head));
		if (head.size < sizeof(head) || head.size > end - at)
			return -EIO;
		copy(ring, at, record, head.size);
		ret = fn(arg, record, head.size);
	}
	/*
	 * Pairs with the kernel's read of data_tail: our reads of the records are complete before
	 * the kernel overwrites them.
	 */
	__atomic_store_n(&page->data_tail, at, __ATOMIC_RELEASE);
	return ret;
}
