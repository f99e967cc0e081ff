/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that the tool makes of the kernel's formatted events. They look like those of
 * the module, so that they are queued, merged and stored as these are, but no module
 * makes them: a CPU has a second stream of them, beside that of its ring.
 *
 * All of them have FARGS_RECORD_NS: @tsc is the perf clock in ns, and no counter. ip,
 * parent_ip, seq, preempt, eflags and tif are 0. Beside FARGS_KIND_EVENT there are LOST
 * and TASK, with the bodies that the module gives them ("comm" of a fork may be empty: it
 * is the parent's then).
 */
#ifndef FARGS_RING_EVENT_RECORD_H
#define FARGS_RING_EVENT_RECORD_H

#include <stdint.h>

#include "uapi/fargs_record.h"

/* A kind behind those that a module may come to have; the body is struct fargs_event_body. */
#define FARGS_KIND_EVENT	0x80

/* In struct fargs_record.flags */
#define FARGS_RECORD_NS		0x80

/* The kernel's PERF_MAX_TRACE_SIZE, and some more. */
#define FARGS_EVENT_RAW_MAX	16384
#define FARGS_EVENT_RECORD_MAX	(sizeof(struct fargs_record) + \
				 sizeof(struct fargs_event_body) + FARGS_EVENT_RAW_MAX)

/* Behind the header of FARGS_KIND_EVENT; then @bytes, then zeroes. */
struct fargs_event_body {
	uint32_t bytes;		/* as the event's format describes them, and some zeroes */
	uint32_t reserved;	/* 0 */
};

_Static_assert(sizeof(struct fargs_event_body) == 8, "in files");
_Static_assert(FARGS_EVENT_RECORD_MAX <= UINT16_MAX, "a record's length has 16 bits");

#endif
