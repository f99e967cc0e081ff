/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_MODEL_FORMATTED_H
#define FARGS_MODEL_FORMATTED_H

#include <stdint.h>

/* The data of a formatted event, which its format describes. */
struct fargs_formatted {
	const uint8_t *data;	/* may be unaligned; NULL: not a formatted event */
	uint32_t bytes;
	uint64_t ns;		/* time in the event's own record, on the perf clock */
};

#endif
