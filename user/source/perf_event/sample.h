/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts records that the kernel writes to a buffer of perf_event_open(2) to records of fargs
 * (model/event_record.h).
 */
#ifndef FARGS_SOURCE_PERF_EVENT_SAMPLE_H
#define FARGS_SOURCE_PERF_EVENT_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

/*
 * sample_type of the events. With sample_id_all, other records contain the same fields, except
 * PERIOD and RAW.
 */
#define FARGS_SAMPLE_TYPE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
				 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

/*
 * Converts a perf record of @bytes at @p to a record in @to, which has FARGS_EVENT_RECORD_MAX bytes
 * and is aligned to 8. Returns the length of the new record; 0 if the perf record is not needed; or
 * -EIO if the perf record is malformed or too long. Adds losses that the perf record reports to
 * *@lost.
 */
int fargs_sample_read(const void *p, size_t bytes, struct fargs_record *to, uint64_t *lost);

#endif
