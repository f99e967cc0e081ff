/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges the record streams of all CPUs into one, sorted by time. Records of a CPU stay in order;
 * records with equal times are sorted by CPU.
 */
#ifndef FARGS_SOURCE_RING_MERGE_H
#define FARGS_SOURCE_RING_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "model/stamped.h"

struct fargs_merge;

/*
 * Called for each record. A nonzero result ends fargs_merge_flush(), which returns that result. The
 * record counts as emitted in either case.
 */
typedef int (*fargs_merge_fn)(void *arg, const struct fargs_stamped *stamped);
/*
 * Converts @tsc of @cpu to ns. Called as late as possible: when fargs_merge_flush() reaches the
 * record.
 */
typedef uint64_t (*fargs_merge_time_fn)(void *arg, unsigned int cpu, uint64_t tsc);

/* Returns NULL if out of memory. */
struct fargs_merge *fargs_merge_create(unsigned int nr_cpus, fargs_merge_time_fn time,
				       fargs_merge_fn fn, void *arg);
void fargs_merge_destroy(struct fargs_merge *m);

/*
 * Queues a copy of @bytes of records of @cpu after those queued before. Returns 0, -ENOMEM, -EINVAL
 * if there is no such CPU, or -EIO if the lengths of the records do not add up to @bytes; on
 * failure, nothing is queued.
 */
int fargs_merge_add(struct fargs_merge *m, unsigned int cpu, const void *records, size_t bytes);

/*
 * Emits all queued records with a time before @safe_ns; UINT64_MAX: all records. The caller
 * guarantees that it will add no more records with an earlier time. If the time of a record is
 * before that of the same CPU's previous record, the record is emitted with the time of the
 * previous record.
 */
int fargs_merge_flush(struct fargs_merge *m, uint64_t safe_ns);

/* Returns the number of bytes that are queued. */
size_t fargs_merge_queued(const struct fargs_merge *m);

#endif
