/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that the tool makes of the kernel's formatted events. They have the form of the
 * module's records, so that they are queued, merged and stored like these, but no module writes
 * them: each CPU has a second stream for them, beside that of its ring.
 *
 * All of them have FARGS_RECORD_NS: @tsc is the perf clock in ns instead of the TSC. ip,
 * parent_ip, seq, preempt, eflags and tif are 0. Beside FARGS_KIND_EVENT there are LOST and TASK,
 * with the bodies of the module's ("comm" of a fork may be empty: it is the parent's then).
 */
#ifndef FARGS_MODEL_EVENT_RECORD_H
#define FARGS_MODEL_EVENT_RECORD_H

#include <stdint.h>

#include "uapi/fargs_record.h"

/* Above all kinds that modules use or may use later; the body is struct fargs_event_body. */
#define FARGS_KIND_EVENT	0x80

/* In struct fargs_record.flags */
#define FARGS_RECORD_NS		0x80

/* Somewhat more than the kernel's PERF_MAX_TRACE_SIZE. */
#define FARGS_EVENT_RAW_MAX	16384
#define FARGS_EVENT_RECORD_MAX	(sizeof(struct fargs_record) + \
				 sizeof(struct fargs_event_body) + FARGS_EVENT_RAW_MAX)

/* Follows the header of FARGS_KIND_EVENT; then @bytes of data, then zeroes. */
struct fargs_event_body {
	uint32_t bytes;		/* bytes of data, as the event's format describes them, padded */
	uint32_t reserved;	/* 0 */
};

_Static_assert(sizeof(struct fargs_event_body) == 8, "in files");
_Static_assert(FARGS_EVENT_RECORD_MAX <= UINT16_MAX, "a record's length has 16 bits");

#endif
