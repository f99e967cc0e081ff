/* SPDX-License-Identifier: GPL-2.0-only */
/* The AUX data in a file of perf record, by tools/perf/Documentation/perf.data-file-format.txt. */
#ifndef PTEMU_PERFDATA_H
#define PTEMU_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Consecutive bytes of one CPU's trace. */
struct perfdata_piece {
	uint32_t cpu;
	uint64_t offset;	/* in all that the CPU's buffer ever held */
	uint8_t *bytes;
	size_t size;		/* with up to seven bytes of perf's own, zeros, at its end */
	bool is_whole;		/* it says itself where something is missing: not in the middle */
	bool is_tail;		/* what was before was overwritten, up to the middle of a packet */
};

struct perfdata {
	struct perfdata_piece *pieces;
	size_t nr_pieces;
	uint64_t nr_truncated;	/* AUX records that say that some was lost */
	bool is_snapshot;
};

/* Prints what is wrong and returns false, where it cannot be read. */
bool perfdata_read(struct perfdata *data, const char *path);

/* The whole of a file, with NULL if it cannot be read; errno says why. */
uint8_t *file_read(const char *path, size_t *size);

#endif
