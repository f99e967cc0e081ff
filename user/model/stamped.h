/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_MODEL_STAMPED_H
#define FARGS_MODEL_STAMPED_H

#include <stdint.h>

#include "uapi/fargs_record.h"

/* A record with its time, as returned by a merger. */
struct fargs_stamped {
	const struct fargs_record *rec;
	unsigned int cpu;
	/* Time of the perf clock, for output; never decreases from record to record. */
	uint64_t ns;
};

#endif
