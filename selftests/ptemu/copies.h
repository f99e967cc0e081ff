/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the AUX samples and snapshots of a perf.data file in the packets that the emulator
 * generated, independently of how fargs does that: by the PSBs in the log.
 */
#ifndef PTEMU_COPIES_H
#define PTEMU_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata.h"

/*
 * Returns the number of bytes at the beginning of @bytes that are equal to those of @packets. At
 * the end of @bytes, up to seven zeroes may be padding.
 */
uint64_t copies_count_equal(const uint8_t *packets, uint64_t nr_packets, const uint8_t *bytes,
			    uint64_t nr);

/* What was generated on a CPU. */
struct copies_log {
	const uint8_t *packets;
	size_t nr_packets;
	const uint8_t *is_decoded;	/* of each byte in @packets */
	uint8_t *is_copied;		/* of each byte in @packets: it is in a copy */
	uint64_t *psbs;			/* offsets */
	size_t nr_psbs;
};

/* Numbers of bytes after the first PSB of a copy. */
struct copies_counts {
	uint64_t missing;		/* not decoded */
	uint64_t common;		/* also in an earlier copy */
};

/*
 * Adds to @counts those of @data's copies of one CPU. Returns false if a copy contains bytes that
 * were not generated.
 */
bool copies_check(struct perfdata *data, const struct copies_log *log,
		  struct copies_counts *counts);

/* Returns whether copies_check() found all copies that have a PSB, and there are some. */
bool copies_are_known(const struct perfdata *data);

#endif
