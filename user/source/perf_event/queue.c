// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_event/queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void fargs_event_queue_deinit(struct fargs_event_queue *q)
{
	free(q->records);
	free(q->order);
	free(q->out);
	*q = (struct fargs_event_queue){ };
}

/*
 * Grows *@buf, if needed, so that @more elements of @size bytes fit after the first @used elements.
 */
static int reserve(void **buf, size_t *room, size_t used, size_t more, size_t size)
{
	size_t wanted = used + more > 2 * *room ? used + more : 2 * *room;
	void *larger;

	if (used + more <= *room)
		return 0;
	larger = realloc(*buf, wanted * size);
	if (!larger)
		return -ENOMEM;
	*buf = larger;
	*room = wanted;
	return 0;
}

int fargs_event_queue_add(struct fargs_event_queue *q, const struct fargs_record *rec)
{
	if (reserve((void **)&q->records, &q->room, q->bytes, rec->len, 1) ||
	    reserve((void **)&q->order, &q->nr_room, q->nr, 1, sizeof(*q->order)))
		return -ENOMEM;
	q->order[q->nr++] = (struct fargs_event_at){ rec->tsc, q->bytes };
	memcpy(q->records + q->bytes, rec, rec->len);
	q->bytes += rec->len;
	return 0;
}

/* Compares by time; records with equal times stay in the order in which they were added. */
static int compare(const void *a, const void *b)
{
	const struct fargs_event_at *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static const struct fargs_record *record_at(const struct fargs_event_queue *q, size_t i)
{
	/* Records are aligned: malloc() aligns the buffer, and their lengths are multiples of 8. */
	return (const void *)(q->records + q->order[i].at);
}

/* Removes the records before @first, and moves the others to the beginning, sorted by time. */
static int keep_rest(struct fargs_event_queue *q, size_t first)
{
	size_t room = q->bytes, bytes = 0, i;
	uint8_t *rest = malloc(room ? room : 1);

	if (!rest)
		return -ENOMEM;
	for (i = first; i < q->nr; i++) {
		const struct fargs_record *rec = record_at(q, i);

		memcpy(rest + bytes, rec, rec->len);
		q->order[i - first] = (struct fargs_event_at){ q->order[i].ns, bytes };
		bytes += rec->len;
	}
	free(q->records);
	q->records = rest;
	q->room = room;
	q->bytes = bytes;
	q->nr -= first;
	return 0;
}

int fargs_event_queue_take(struct fargs_event_queue *q, bool is_last, const void **records,
			   size_t *bytes)
{
	uint64_t until = is_last ? UINT64_MAX : q->known_ns;
	size_t i;

	*records = q->out;
	*bytes = 0;
	if (!q->nr)
		return 0;
	qsort(q->order, q->nr, sizeof(*q->order), compare);
	q->known_ns = q->order[q->nr - 1].ns;
	if (reserve((void **)&q->out, &q->out_room, 0, q->bytes, 1))
		return -ENOMEM;
	*records = q->out;
	for (i = 0; i < q->nr && q->order[i].ns <= until; i++) {
		const struct fargs_record *rec = record_at(q, i);

		memcpy(q->out + *bytes, rec, rec->len);
		*bytes += rec->len;
	}
	return keep_rest(q, i);
}
