/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that fargs makes from the kernel's formatted events. They have the form of the module's
 * records, so that they are queued, merged and stored in the same way. The module does not write
 * them: each CPU has a second stream for them, besides the stream of its ring.
 *
 * All these records have the flag FARGS_RECORD_NS. In struct fargs_record, tsc is then the perf
 * clock in ns instead of the TSC, and ip, parent_ip, seq, preempt, eflags and tif are 0. Besides
 * records of FARGS_KIND_EVENT, there are LOST and TASK records, with the same bodies as the
 * module's. In the TASK record of a fork, the value "comm" may be empty; the new task then has the
 * name of its parent.
 */
#ifndef FARGS_MODEL_EVENT_RECORD_H
#define FARGS_MODEL_EVENT_RECORD_H

#include <stdint.h>

#include "uapi/fargs_record.h"

/*
 * Kind of a formatted event's record, greater than any kind that the module may use. The body is
 * struct fargs_event_body.
 */
#define FARGS_KIND_EVENT	0x80

/*
 * Flag in struct fargs_record.flags: the record's time is in ns, and the record is from the CPU's
 * second stream, which contains events.
 */
#define FARGS_RECORD_NS		0x80

/* Maximum size of an event's data: twice the kernel's PERF_MAX_TRACE_SIZE. */
#define FARGS_EVENT_RAW_MAX	16384
#define FARGS_EVENT_RECORD_MAX	(sizeof(struct fargs_record) + \
				 sizeof(struct fargs_event_body) + FARGS_EVENT_RAW_MAX)

/* Begins the body of a FARGS_KIND_EVENT record; @bytes of data and then zeroes follow it. */
struct fargs_event_body {
	/* Size of the event's data, including padding. The event's format describes the data. */
	uint32_t bytes;
	uint32_t reserved;	/* 0 */
};

_Static_assert(sizeof(struct fargs_event_body) == 8, "in files");
_Static_assert(FARGS_EVENT_RECORD_MAX <= UINT16_MAX, "a record's length has 16 bits");

#endif
