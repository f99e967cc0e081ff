/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges the record streams of all CPUs into one, by time. The order of each CPU is kept; records
 * of the same time are ordered by CPU.
 */
#ifndef FARGS_SOURCE_RING_MERGE_H
#define FARGS_SOURCE_RING_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "model/stamped.h"

struct fargs_merge;

/*
 * Called for each record. A nonzero result ends the flush, which returns it; the record counts as
 * emitted.
 */
typedef int (*fargs_merge_fn)(void *arg, const struct fargs_stamped *stamped);
/* Converts @tsc of @cpu to ns. Called when a flush reaches a record, not before. */
typedef uint64_t (*fargs_merge_time_fn)(void *arg, unsigned int cpu, uint64_t tsc);

/* NULL: out of memory. */
struct fargs_merge *fargs_merge_create(unsigned int nr_cpus, fargs_merge_time_fn time,
				       fargs_merge_fn fn, void *arg);
void fargs_merge_destroy(struct fargs_merge *m);

/*
 * Queues a copy of @bytes of records after those of @cpu queued before. Returns 0, -ENOMEM,
 * -EINVAL if there is no such CPU, or -EIO if the lengths of the records do not add up; on
 * failure nothing is queued.
 */
int fargs_merge_add(struct fargs_merge *m, unsigned int cpu, const void *records, size_t bytes);

/*
 * Emits all queued records with a time before @safe_ns; UINT64_MAX: all. The caller guarantees
 * that no record with an earlier time will be added. A record whose time is nevertheless earlier
 * than that of the one before it on its CPU is emitted with that record's time.
 */
int fargs_merge_flush(struct fargs_merge *m, uint64_t safe_ns);

/* Total number of queued bytes. */
size_t fargs_merge_queued(const struct fargs_merge *m);

#endif
