/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Holds a CPU's records back until they can be put in order of time. The kernel reads an event's
 * time before it reserves room in the buffer: an event that interrupts in between has a later time
 * at an earlier place, and may be read before the other one is there. This takes less time than
 * there is between two reads.
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

/* Zero-initialized: empty. */
struct fargs_event_queue {
	uint8_t *records;
	size_t bytes, room;
	struct fargs_event_at *order;	/* in order of arrival */
	size_t nr, nr_room;
	uint64_t known_ns;	/* latest time at the previous take */
	uint8_t *out;		/* result of the last take */
	size_t out_room;
};

void fargs_event_queue_deinit(struct fargs_event_queue *q);
/* Adds a copy of @rec. Returns 0 or -ENOMEM. */
int fargs_event_queue_add(struct fargs_event_queue *q, const struct fargs_record *rec);
/*
 * Takes the records up to the latest time of those queued at the previous call, in order of time;
 * all records if @is_last. *@records and *@bytes are valid until the next call. Returns 0 or
 * -ENOMEM.
 */
int fargs_event_queue_take(struct fargs_event_queue *q, bool is_last, const void **records,
			   size_t *bytes);

#endif
