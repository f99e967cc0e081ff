/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_MODEL_STAMPED_H
#define FARGS_MODEL_STAMPED_H

#include <stdint.h>

#include "uapi/fargs_record.h"

/* A record with its time, as a merger returns it. */
struct fargs_stamped {
	const struct fargs_record *rec;
	unsigned int cpu;
	uint64_t ns;	/* perf clock, as printed; no later record has an earlier time */
};

#endif
