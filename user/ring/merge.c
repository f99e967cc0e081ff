// SPDX-License-Identifier: GPL-2.0-only
#include "ring/merge.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ring/walk.h"

/* Records of one CPU that wait: buf[first .. first + bytes). */
struct queue {
	uint8_t *buf;
	size_t room;
	size_t first;
	size_t bytes;
};

struct fargs_merge {
	unsigned int nr_cpus;
	fargs_merge_fn fn;
	void *arg;
	size_t queued;
	struct queue *queues;
	/*
	 * CPUs whose queue is not empty, the one with the oldest record on top.
	 * Rebuilt by each flush; between flushes it is not kept.
	 */
	unsigned int *heap;
	unsigned int nr_heap;
};

struct fargs_merge *fargs_merge_create(unsigned int nr_cpus, fargs_merge_fn fn, void *arg)
{
	struct fargs_merge *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->nr_cpus = nr_cpus;
	m->fn = fn;
	m->arg = arg;
	m->queues = calloc(nr_cpus ? nr_cpus : 1, sizeof(*m->queues));
	m->heap = calloc(nr_cpus ? nr_cpus : 1, sizeof(*m->heap));
	if (!m->queues || !m->heap) {
		fargs_merge_destroy(m);
		return NULL;
	}
	return m;
}

void fargs_merge_destroy(struct fargs_merge *m)
{
	unsigned int cpu;

	if (!m)
		return;
	for (cpu = 0; m->queues && cpu < m->nr_cpus; cpu++)
		free(m->queues[cpu].buf);
	free(m->queues);
	free(m->heap);
	free(m);
}

static int queue_reserve(struct queue *q, size_t bytes)
{
	size_t room = q->room ? q->room : 4096;
	uint8_t *buf;

	if (q->room - q->first - q->bytes >= bytes)
		return 0;
	/* Moving what is there is paid by the half that has been emitted. */
	if (q->first >= q->bytes && q->room - q->bytes >= bytes) {
		memmove(q->buf, q->buf + q->first, q->bytes);
		q->first = 0;
		return 0;
	}
	while (room - q->bytes < bytes) {
		if (room > SIZE_MAX / 4)
			return -ENOMEM;
		room *= 2;
	}
	buf = malloc(room);
	if (!buf)
		return -ENOMEM;
	if (q->bytes)
		memcpy(buf, q->buf + q->first, q->bytes);
	free(q->buf);
	q->buf = buf;
	q->room = room;
	q->first = 0;
	return 0;
}

int fargs_merge_add(struct fargs_merge *m, unsigned int cpu, const void *records, size_t bytes)
{
	const uint8_t *p = records;
	size_t at, len;
	struct queue *q;

	if (cpu >= m->nr_cpus)
		return -EINVAL;
	for (at = 0; at < bytes; at += len) {
		len = fargs_walk_len(p + at, bytes - at);
		if (!len)
			return -EIO;
	}
	q = &m->queues[cpu];
	if (queue_reserve(q, bytes))
		return -ENOMEM;
	if (bytes)
		memcpy(q->buf + q->first + q->bytes, records, bytes);
	q->bytes += bytes;
	m->queued += bytes;
	return 0;
}

static const struct fargs_record *first_of(const struct fargs_merge *m, unsigned int cpu)
{
	const struct queue *q = &m->queues[cpu];

	/* malloc's memory and lengths that are multiples of 8 keep it aligned. */
	return (const void *)(q->buf + q->first);
}

static bool is_before(const struct fargs_merge *m, unsigned int a, unsigned int b)
{
	uint64_t ta = first_of(m, a)->tsc, tb = first_of(m, b)->tsc;

	return ta != tb ? ta < tb : a < b;
}

static void sift_down(struct fargs_merge *m, unsigned int i)
{
	unsigned int cpu = m->heap[i], child;

	for (; (child = 2 * i + 1) < m->nr_heap; i = child) {
		if (child + 1 < m->nr_heap && is_before(m, m->heap[child + 1], m->heap[child]))
			child++;
		if (!is_before(m, m->heap[child], cpu))
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = cpu;
}

int fargs_merge_flush(struct fargs_merge *m, uint64_t safe_tsc)
{
	const struct fargs_record *rec;
	unsigned int cpu, i;
	struct queue *q;
	int ret;

	m->nr_heap = 0;
	for (cpu = 0; cpu < m->nr_cpus; cpu++)
		if (m->queues[cpu].bytes)
			m->heap[m->nr_heap++] = cpu;
	for (i = m->nr_heap / 2; i-- > 0; )
		sift_down(m, i);

	while (m->nr_heap) {
		cpu = m->heap[0];
		rec = first_of(m, cpu);
		if (safe_tsc != UINT64_MAX && rec->tsc >= safe_tsc)
			break;
		q = &m->queues[cpu];
		q->first += rec->len;
		q->bytes -= rec->len;
		m->queued -= rec->len;
		/* Its bytes stay where they are until the next add. */
		ret = m->fn(m->arg, cpu, rec);
		if (ret)
			return ret;
		if (!q->bytes) {
			q->first = 0;
			m->heap[0] = m->heap[--m->nr_heap];
		}
		if (m->nr_heap)
			sift_down(m, 0);
	}
	return 0;
}

size_t fargs_merge_queued(const struct fargs_merge *m)
{
	return m->queued;
}
