/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Holds back a CPU's records until they can be sorted by time. The kernel takes an event's
 * timestamp before it reserves room in the buffer. In between, an interrupt may write another
 * event: its timestamp is later, but its position is earlier, and it may be read before the
 * interrupted event is written. The interrupted event is always written before the next read.
 */
#ifndef FARGS_SOURCE_PERF_EVENT_QUEUE_H
#define FARGS_SOURCE_PERF_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

struct fargs_event_at {
	uint64_t ns;
	size_t at;		/* offset of the record in the queue's records */
};

/* Initialize with zeroes, which means an empty queue. */
struct fargs_event_queue {
	uint8_t *records;
	size_t bytes, room;
	struct fargs_event_at *order;	/* time and position of each record */
	size_t nr, nr_room;
	/* Latest time of the records queued at the previous fargs_event_queue_take(). */
	uint64_t known_ns;
	uint8_t *out;		/* result of the last fargs_event_queue_take() */
	size_t out_room;
};

void fargs_event_queue_deinit(struct fargs_event_queue *q);
/* Adds a copy of @rec. Returns 0 or -ENOMEM. */
int fargs_event_queue_add(struct fargs_event_queue *q, const struct fargs_record *rec);
/*
 * Removes the records that are no later than the latest record queued at the previous call, or all
 * records if @is_last. Sets *@records and *@bytes to these records, sorted by time and valid until
 * the next call. Returns 0 or -ENOMEM.
 */
int fargs_event_queue_take(struct fargs_event_queue *q, bool is_last, const void **records,
			   size_t *bytes);

#endif
