/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel writes into a buffer of perf_event_open(2), as records of ours
 * (model/event_record.h). Pure: bytes in, bytes out.
 */
#ifndef FARGS_SOURCE_PERF_EVENT_SAMPLE_H
#define FARGS_SOURCE_PERF_EVENT_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs_record.h"

/* What samples have to bring along, and with sample_id_all all else but PERIOD and RAW. */
#define FARGS_SAMPLE_TYPE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
				 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

/*
 * Makes one of the perf record of @bytes at @p, in @to of FARGS_EVENT_RECORD_MAX bytes,
 * aligned to 8. Returns its length; 0: there is nothing to tell of it; -EIO: it makes no
 * sense, or is longer than any of ours. *@lost: grows by what the record tells was lost.
 */
int fargs_sample_read(const void *p, size_t bytes, struct fargs_record *to, uint64_t *lost);

#endif
