// SPDX-License-Identifier: GPL-2.0-only
#include "session/rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "model/walk.h"
#include "uapi/fargs_ring.h"

struct ring {
	struct fargs_ring_head *head;	/* written only by the module */
	struct fargs_ring_tail *tail;	/* written only by this process */
	/*
	 * The ring, mapped twice in a row, so that a record that wraps around its end can be read
	 * as contiguous memory.
	 */
	const uint8_t *data;
};

struct fargs_rings {
	unsigned int nr_cpus;
	uint64_t size;			/* bytes per ring */
	size_t page;			/* page size in bytes */
	struct ring rings[];
};

static size_t data_map_bytes(const struct fargs_rings *r)
{
	return r->page + 2 * r->size;
}

static int map_one(struct fargs_rings *r, int fd, unsigned int cpu, struct fargs_error_text *err)
{
	struct ring *ring = &r->rings[cpu];
	void *p;

	p = mmap(NULL, data_map_bytes(r), PROT_READ, MAP_SHARED, fd, (off_t)FARGS_MMAP_DATA(cpu));
	if (p == MAP_FAILED)
		return fargs_fail(err, errno, "cannot map the ring of CPU %u: %s", cpu,
				  strerror(errno));
	ring->head = p;
	ring->data = (const uint8_t *)p + r->page;

	p = mmap(NULL, r->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		 (off_t)FARGS_MMAP_TAIL(cpu));
	if (p == MAP_FAILED)
		return fargs_fail(err, errno, "cannot map the tail of the ring of CPU %u: %s", cpu,
				  strerror(errno));
	ring->tail = p;

	if (ring->head->version != FARGS_RING_VERSION)
		return fargs_fail(err, EPROTO,
				  "the module's rings have version %u, but this program supports "
				  "version %u",
				  ring->head->version, FARGS_RING_VERSION);
	if (ring->head->size != r->size)
		return fargs_fail(err, EPROTO,
				  "the ring of CPU %u holds %llu bytes instead of %llu", cpu,
				  (unsigned long long)ring->head->size,
				  (unsigned long long)r->size);
	return 0;
}

struct fargs_rings *fargs_rings_map(int fd, const struct fargs_info *info, uint64_t bytes,
				    struct fargs_error_text *err)
{
	struct fargs_rings *r;
	unsigned int cpu;

	/*
	 * The offsets of FARGS_MMAP_DATA for successive CPUs are 4 GiB apart. A mapping consists of
	 * a page and twice the ring, so a ring can have at most 1 GiB.
	 */
	if (!info->page_size || !bytes || (bytes & (bytes - 1)) || bytes > (1ull << 30) ||
	    info->page_size > (1u << 20) || !info->nr_cpus || info->nr_cpus > (1u << 16)) {
		fargs_fail(err, EINVAL, "a ring of %llu bytes is invalid",
			   (unsigned long long)bytes);
		return NULL;
	}
	r = calloc(1, sizeof(*r) + info->nr_cpus * sizeof(r->rings[0]));
	if (!r) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	r->nr_cpus = info->nr_cpus;
	r->size = bytes;
	r->page = info->page_size;
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		if (map_one(r, fd, cpu, err)) {
			fargs_rings_destroy(r);
			return NULL;
		}
	}
	return r;
}

void fargs_rings_destroy(struct fargs_rings *r)
{
	unsigned int cpu;

	if (!r)
		return;
	for (cpu = 0; cpu < r->nr_cpus; cpu++) {
		if (r->rings[cpu].head)
			munmap(r->rings[cpu].head, data_map_bytes(r));
		if (r->rings[cpu].tail)
			munmap(r->rings[cpu].tail, r->page);
	}
	free(r);
}

/*
 * Returns the total size of the first records in @data that are to be passed on together: the
 * smallest number of records that take at least @wanted bytes, or all records if they take fewer
 * bytes. If a record is malformed, returns @bytes, so that the consumer reports the error.
 */
static uint64_t run_of(const uint8_t *data, uint64_t bytes, uint64_t wanted)
{
	uint64_t at = 0;
	size_t len;

	while (at < wanted && at < bytes) {
		len = fargs_walk_len(data + at, bytes - at);
		if (!len)
			return bytes;
		at += len;
	}
	return at;
}

int fargs_rings_read(struct fargs_rings *r, unsigned int cpu, fargs_ring_fn fn, void *arg)
{
	uint64_t head, tail, bytes;
	const uint8_t *data;
	struct ring *ring;
	int ret;

	if (cpu >= r->nr_cpus)
		return -EINVAL;
	ring = &r->rings[cpu];
	/* Pairs with the module's store-release of data_head: records before it are complete. */
	head = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
	/* Only this process writes data_tail. */
	tail = ring->tail->data_tail;
	/*
	 * If head is less than tail, the unsigned difference is huge and therefore rejected, too.
	 */
	if (head - tail > r->size || (head - tail) % 8)
		return -EIO;
	while (tail != head) {
		data = ring->data + (tail & (r->size - 1));
		/*
		 * Read an eighth of the ring at a time, so that the module can reuse the space
		 * early.
		 */
		bytes = run_of(data, head - tail, r->size / 8);
		ret = fn(arg, cpu, data, bytes);
		if (ret)
			return ret;
		tail += bytes;
		/*
		 * Pairs with the module's load-acquire of data_tail: our reads of the records are
		 * complete before the module reuses their space.
		 */
		__atomic_store_n(&ring->tail->data_tail, tail, __ATOMIC_RELEASE);
	}
	return 0;
}

/*
 * Returns the size of the whole records in [@from, @end), a range within a sub-buffer. A record
 * length of 0 marks the end of the sub-buffer's contents. Returns -EIO if a record is malformed.
 */
static int64_t frozen_run(const struct ring *ring, uint64_t mask, uint64_t from, uint64_t end)
{
	const uint8_t *data = ring->data + (from & mask);
	uint64_t at = 0;
	uint16_t length;
	size_t len;

	while (at < end - from) {
		memcpy(&length, data + at, sizeof(length));
		if (!length)
			break;
		len = fargs_walk_len(data + at, end - from - at);
		if (!len)
			return -EIO;
		at += len;
	}
	return at;
}

int fargs_rings_read_frozen(struct fargs_rings *r, unsigned int cpu, uint64_t *from,
			    fargs_ring_fn fn, void *arg)
{
	const struct fargs_ring_head *shared;
	uint64_t head, pos, end, sub;
	int64_t bytes;
	int ret;

	if (cpu >= r->nr_cpus)
		return -EINVAL;
	shared = r->rings[cpu].head;
	head = __atomic_load_n(&shared->data_head, __ATOMIC_ACQUIRE);
	sub = shared->sub_bytes;
	pos = shared->data_start;
	if (!sub || sub % 8 || r->size % sub || pos % sub || head % 8 || head - pos > r->size)
		return -EIO;
	if (*from > pos)
		pos = *from;
	for (; pos < head; pos = end) {
		end = pos + sub - pos % sub;
		if (end > head)
			end = head;
		bytes = frozen_run(&r->rings[cpu], r->size - 1, pos, end);
		if (bytes < 0)
			return bytes;
		ret = bytes ? fn(arg, cpu, r->rings[cpu].data + (pos & (r->size - 1)), bytes) : 0;
		if (ret)
			return ret;
	}
	*from = head;
	return 0;
}

unsigned int fargs_rings_count(const struct fargs_rings *r)
{
	return r->nr_cpus;
}

uint64_t fargs_rings_unread(const struct fargs_rings *r, unsigned int cpu)
{
	uint64_t head;

	if (cpu >= r->nr_cpus)
		return 0;
	head = __atomic_load_n(&r->rings[cpu].head->data_head, __ATOMIC_RELAXED);
	head -= r->rings[cpu].tail->data_tail;
	return head > r->size ? 0 : head;
}
