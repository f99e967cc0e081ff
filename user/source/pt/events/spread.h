/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimates when an item of a trace was executed. Many items share the last known time before them.
 * They are spread over the time to the next known time of their CPU or thread, by the number of
 * instructions.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_SPREAD_H
#define FARGS_SOURCE_PT_EVENTS_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/decode/trace.h"

/* State for one stream. Initialize with zeroes. */
struct fargs_pt_spread {
	const struct fargs_pt_segment *seg;	/* segment of the items */
	size_t end;		/* index of the first item with a later time */
	size_t at;		/* items before this one are counted in @nr_insns */
	uint64_t nr_insns;	/* instructions from the known time to item @at */
	uint64_t all_insns;	/* instructions from the known time to the next one */
	uint64_t ns, next_ns;	/* the known time, and the next one; equal if that is unknown */
};

/*
 * Returns the estimated time of item @i of @part in ns, which is not before the last known time.
 * The items of a stream must be passed in order; some may be left out.
 */
uint64_t fargs_pt_spread_ns(struct fargs_pt_spread *s, const struct fargs_pt_config *config,
			    const struct fargs_pt_part *part, size_t i);

#endif
