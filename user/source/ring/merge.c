// SPDX-License-Identifier: GPL-2.0-only
#include "source/ring/merge.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "model/walk.h"

/* The queued records of one CPU: buf[first] to buf[first + bytes - 1]. */
struct queue {
	uint8_t *buf;
	size_t room;
	size_t first;
	size_t bytes;
	uint64_t ns;	/* time of the CPU's last emitted record */
};

struct fargs_merge {
	unsigned int nr_cpus;
	fargs_merge_time_fn time;
	fargs_merge_fn fn;
	void *arg;
	size_t queued;
	struct queue *queues;
	/*
	 * CPUs with queued records, ordered by the times of their first records. Each flush
	 * rebuilds the heap, because the clock may have become more precise.
	 */
	struct fargs_heap heap;
};

struct fargs_merge *fargs_merge_create(unsigned int nr_cpus, fargs_merge_time_fn time,
				       fargs_merge_fn fn, void *arg)
{
	struct fargs_merge *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->nr_cpus = nr_cpus;
	m->time = time;
	m->fn = fn;
	m->arg = arg;
	m->queues = calloc(nr_cpus ? nr_cpus : 1, sizeof(*m->queues));
	if (!m->queues || fargs_heap_init(&m->heap, nr_cpus)) {
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
	fargs_heap_deinit(&m->heap);
	free(m);
}

static int queue_reserve(struct queue *q, size_t bytes)
{
	size_t room = q->room ? q->room : 4096;
	uint8_t *buf;

	if (q->room - q->first - q->bytes >= bytes)
		return 0;
	/*
	 * Moving the data costs little on average: at least as much data has been emitted since the
	 * last move.
	 */
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

static const struct fargs_record *first_of(const struct queue *q)
{
	/* Records are aligned: malloc() aligns the buffer, and their lengths are multiples of 8. */
	return (const void *)(q->buf + q->first);
}

/*
 * Returns the time of the CPU's first record. Records stay in ring order: if the record is older
 * than the previous record, it gets the time of the previous record.
 */
static uint64_t date_first(struct fargs_merge *m, unsigned int cpu)
{
	struct queue *q = &m->queues[cpu];
	uint64_t ns = m->time(m->arg, cpu, first_of(q)->tsc);

	return ns > q->ns ? ns : q->ns;
}

/* Emits the first record of @cpu, with time @ns. */
static int emit(struct fargs_merge *m, unsigned int cpu, uint64_t ns)
{
	struct queue *q = &m->queues[cpu];
	const struct fargs_stamped stamped = { .rec = first_of(q), .cpu = cpu, .ns = ns };

	q->ns = ns;
	q->first += stamped.rec->len;
	q->bytes -= stamped.rec->len;
	m->queued -= stamped.rec->len;
	if (!q->bytes)
		q->first = 0;
	/* The bytes of the record remain valid until the next fargs_merge_add(). */
	return m->fn(m->arg, &stamped);
}

int fargs_merge_flush(struct fargs_merge *m, uint64_t safe_ns)
{
	unsigned int cpu;
	int ret;

	m->heap.nr = 0;
	for (cpu = 0; cpu < m->nr_cpus; cpu++)
		if (m->queues[cpu].bytes)
			fargs_heap_add(&m->heap, cpu, date_first(m, cpu));

	while (m->heap.nr && (safe_ns == UINT64_MAX || m->heap.items[0].key < safe_ns)) {
		cpu = m->heap.items[0].id;
		ret = emit(m, cpu, m->heap.items[0].key);
		if (ret)
			return ret;
		if (m->queues[cpu].bytes)
			fargs_heap_change(&m->heap, date_first(m, cpu));
		else
			fargs_heap_pop(&m->heap);
	}
	return 0;
}

size_t fargs_merge_queued(const struct fargs_merge *m)
{
	return m->queued;
}
