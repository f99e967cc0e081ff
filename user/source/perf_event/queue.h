/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's records between the kernel's buffer and those who take them, put into the order
 * of their times. The kernel takes an event's time before its place in the buffer: what
 * interrupts in between has a later time and an earlier place, and may be read before the
 * other is there. Two turns of reading are more than that can take.
 */
#ifndef FARGS_SOURCE_PERF_EVENT_QUEUE_H
#define FARGS_SOURCE_PERF_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

struct fargs_event_at {
	uint64_t ns;
	size_t at;		/* in records */
};

/* Begins with zeroes. */
struct fargs_event_queue {
	uint8_t *records;
	size_t bytes, room;
	struct fargs_event_at *order;	/* as they came */
	size_t nr, nr_room;
	uint64_t known_ns;	/* the latest time of those of an earlier turn */
	uint8_t *out;		/* what was taken last */
	size_t out_room;
};

void fargs_event_queue_deinit(struct fargs_event_queue *q);
/* Adds a copy of @rec. -ENOMEM. */
int fargs_event_queue_add(struct fargs_event_queue *q, const struct fargs_record *rec);
/*
 * Takes out those that were there at the last turn, and what came since with a time before
 * theirs; all of them if @is_last. *@records, *@bytes: until the next call. -ENOMEM.
 */
int fargs_event_queue_take(struct fargs_event_queue *q, bool is_last, const void **records,
			   size_t *bytes);

#endif
