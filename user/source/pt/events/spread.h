/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimates when the items of a trace were executed. Times in the trace are rare, so many items
 * have the same time: the last one before them. Their execution times are interpolated between this
 * time and the next time of the same CPU or thread, in proportion to the number of instructions.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_SPREAD_H
#define FARGS_SOURCE_PT_EVENTS_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/trace/trace.h"

/* State for one stream. Initialize with zeroes. */
struct fargs_pt_spread {
	const struct fargs_pt_segment *seg;	/* segment of the items */
	size_t end;		/* index of the first item with a later time */
	size_t at;		/* index of the first item not counted in @nr_insns */
	uint64_t nr_insns;	/* instructions of the items with time @ns before item @at */
	uint64_t all_insns;	/* instructions from @ns to @next_ns */
	uint64_t ns, next_ns;	/* time of the items; next time, or @ns if unknown */
};

/*
 * Returns the estimated time of item @i of @part in ns, which is not before the last known time; or
 * of an instruction of the item that @nr_later other ones follow. The items of a stream must be
 * passed in order; some may be left out.
 */
uint64_t fargs_pt_spread_ns(struct fargs_pt_spread *s, const struct fargs_pt_config *config,
			    const struct fargs_pt_part *part, size_t i, uint32_t nr_later);

#endif
