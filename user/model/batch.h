/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A batch of items in time order, which a source passes to the pipeline. An item is a small
 * reference to an event. The source makes the event, with its arguments and names, when the
 * pipeline needs it (source/source.h).
 */
#ifndef FARGS_MODEL_BATCH_H
#define FARGS_MODEL_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/tasks.h"

struct fargs_event_source;
struct fargs_ksyms;

/*
 * Limits of a batch: large enough that passing a batch to a thread costs little in comparison, and
 * small enough that the batches in flight need little memory, although the output for a record is a
 * few times larger than the record.
 */
#define FARGS_BATCH_ITEMS	2048
#define FARGS_BATCH_BYTES	(256u << 10)

enum fargs_item_flags {
	FARGS_ITEM_CORRUPT = 1 << 0,	/* set by the pipeline: the event could not be decoded */
};

struct fargs_item {
	uint64_t time_ns;	/* latest time known to be at or before the event; perf clock */
	const void *data;	/* private to the source; valid until the batch is released */
	uint64_t a, b;		/* private to the source */
	uint32_t after_ns;	/* estimated time from @time_ns to the event */
	uint16_t run;		/* index of the item's run in its batch */
	uint8_t kind;		/* enum fargs_kind or enum fargs_event_kind */
	uint8_t flags;		/* enum fargs_item_flags */
};

/* Properties that successive events of a CPU share. */
struct fargs_run {
	unsigned int cpu;
	bool has_task;		/* @task is known */
	struct fargs_task task;
	uint64_t named_ns;	/* as in struct fargs_event */
	bool is_named_by_exec;
	bool is_guest;		/* of Intel PT: it is a guest; @task is the guest's, if known */
	int32_t host_tid;	/* of Intel PT: the host's task, which may be a guest */
	int32_t machine_pid;	/* as in struct fargs_event */
	uint32_t vcpu;
	const struct fargs_ksyms *guest;	/* symbols of the task's KVM guest; NULL: none */
};

struct fargs_batch {
	struct fargs_event_source *source;	/* set by the pipeline */
	unsigned int nr, nr_runs;
	void *used;		/* private to the source: the memory that holds the items' data */
	void *counts;		/* private to the source, like @used */
	struct fargs_item items[FARGS_BATCH_ITEMS];
	struct fargs_run runs[FARGS_BATCH_ITEMS];
};

#endif
