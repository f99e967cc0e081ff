/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the AUX data in a perf.data file, according to
 * tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef PTEMU_PERFDATA_H
#define PTEMU_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contiguous bytes of one CPU's trace. */
struct perfdata_piece {
	uint32_t cpu;
	uint64_t offset;	/* offset among all bytes ever written to the CPU's buffer */
	uint8_t *bytes;
	size_t size;	/* size of @bytes, including up to seven zeroes that perf has added */
	/* the file marks where packets are missing, so none is missing inside the piece */
	bool is_whole;
	bool is_known;	/* the reader has found it in the log (copies.h) */
	bool is_tail;	/* earlier bytes were overwritten, so the piece may begin inside a packet */
};

struct perfdata {
	struct perfdata_piece *pieces;
	size_t nr_pieces;
	uint64_t nr_truncated;	/* number of AUX records that report a loss */
	bool is_snapshot;
};

/* Reads the file. Returns false after printing the error if the file cannot be read. */
bool perfdata_read(struct perfdata *data, const char *path);

/* Returns the contents of a file; NULL with errno if it cannot be read. */
uint8_t *file_read(const char *path, size_t *size);

#endif
