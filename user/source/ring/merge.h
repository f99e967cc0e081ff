/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges the CPUs' streams of records into one, by the time they are given. A CPU's own
 * order is kept as it is; records of the same time come in the order of their CPUs.
 */
#ifndef FARGS_RING_MERGE_H
#define FARGS_RING_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "model/stamped.h"

struct fargs_merge;

/* Anything but 0 ends the flush, which returns it; the record counts as emitted. */
typedef int (*fargs_merge_fn)(void *arg, const struct fargs_stamped *stamped);
/* When @tsc was on @cpu, in ns; it is asked when a flush comes to a record, not before. */
typedef uint64_t (*fargs_merge_time_fn)(void *arg, unsigned int cpu, uint64_t tsc);

/* NULL: no memory. */
struct fargs_merge *fargs_merge_create(unsigned int nr_cpus, fargs_merge_time_fn time,
				       fargs_merge_fn fn, void *arg);
void fargs_merge_destroy(struct fargs_merge *m);

/*
 * Queues a copy of @bytes of records of @cpu behind what is queued of it.
 * Returns 0; -ENOMEM; -EINVAL for a CPU that is not there; -EIO if the lengths
 * of the records do not add up: then nothing was queued.
 */
int fargs_merge_add(struct fargs_merge *m, unsigned int cpu, const void *records, size_t bytes);

/*
 * Emits every queued record of a time before @safe_ns; UINT64_MAX: all. The caller
 * knows that no record of an earlier one will be added any more. What comes late all the
 * same, or is dated back, is emitted with the time of the one before it of its CPU.
 */
int fargs_merge_flush(struct fargs_merge *m, uint64_t safe_ns);

/* Bytes queued, of all CPUs. */
size_t fargs_merge_queued(const struct fargs_merge *m);

#endif
