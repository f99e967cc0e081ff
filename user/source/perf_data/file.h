/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the records of a perf.data: a file, the output of perf to a pipe, or a directory of perf
 * record --kcore or --threads. Input is not trusted.
 */
#ifndef FARGS_SOURCE_PERF_DATA_FILE_H
#define FARGS_SOURCE_PERF_DATA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/perf_data/format.h"

struct fargs_perf_file;

/* A recorded event. */
struct fargs_perf_event {
	struct perf_event_attr attr;	/* fields missing in the file are 0 */
	uint64_t *ids;
	size_t nr_ids;
	char *name;			/* NULL: unknown */
};

/* A record; all pointers are valid until fargs_perf_file_destroy(). */
struct fargs_perf_record {
	const struct perf_event_header *head;	/* head->size bytes, aligned to 8 */
	const uint8_t *data;		/* data after an AUXTRACE */
	uint64_t data_bytes;
	uint64_t at;			/* offset in its file */
};

/* Does @path look like perf.data, or a directory of one? */
bool fargs_perf_file_is(const char *path);

/* NULL with @err, which names the file and the byte. */
struct fargs_perf_file *fargs_perf_file_open(const char *path, struct fargs_error_text *err);
void fargs_perf_file_destroy(struct fargs_perf_file *file);

/* Reads the next record in file order. Returns 1, 0 at the end, or -errno with @err. */
int fargs_perf_file_next(struct fargs_perf_file *file, struct fargs_perf_record *rec,
			 struct fargs_error_text *err);

/*
 * The events known so far, and their number: in a file all from the beginning; in the output of
 * perf to a pipe, those whose records next() has passed.
 */
size_t fargs_perf_file_events(const struct fargs_perf_file *file,
			      const struct fargs_perf_event **events);

/* A text feature about the machine, not trusted; NULL: none so far. */
const char *fargs_perf_file_feature(const struct fargs_perf_file *file,
				    enum fargs_perf_feature feature);

/* The directory of the --kcore copy; NULL: there is none. */
const char *fargs_perf_file_kcore_dir(const struct fargs_perf_file *file);

/* Sets @err to "PATH: corrupt at byte AT: WHAT" for the file next() is in; returns -EIO. */
int fargs_perf_file_corrupt(const struct fargs_perf_file *file, uint64_t at, const char *what,
			    struct fargs_error_text *err);

#endif
