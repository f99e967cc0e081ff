/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_RING_STAMPED_H
#define FARGS_RING_STAMPED_H

#include <stdint.h>

#include "uapi/fargs_record.h"

/* A record as merging gives it. */
struct fargs_stamped {
	const struct fargs_record *rec;
	unsigned int cpu;
	uint64_t ns;	/* its time on the perf clock, as printed; of no record before it more */
};

#endif
