/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the records of a perf.data: a file, what perf wrote to a pipe, or a directory of
 * perf record --kcore or --threads. Trusts no byte of it.
 */
#ifndef FARGS_PT_PERF_FILE_H
#define FARGS_PT_PERF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/perf_data/format.h"
#include "base/error.h"

struct fargs_perf_file;

/* What one of the recorded events is. */
struct fargs_perf_event {
	struct perf_event_attr attr;	/* zeros where the file has fewer bytes */
	uint64_t *ids;
	size_t nr_ids;
	char *name;			/* NULL: the file does not tell */
};

/* One record; everything is valid as long as the file. */
struct fargs_perf_record {
	const struct perf_event_header *head;	/* head->size bytes, aligned to 8 */
	const uint8_t *data;		/* what follows an AUXTRACE */
	uint64_t data_bytes;
	uint64_t at;			/* in the file that it is in */
};

/* Does @path look like perf.data, a directory of it included? */
bool fargs_perf_file_is(const char *path);

/* NULL with the reason in @err, which names the file and the byte. */
struct fargs_perf_file *fargs_perf_file_open(const char *path, struct fargs_error_text *err);
void fargs_perf_file_destroy(struct fargs_perf_file *file);

/* The next record, in the order of the file: 1; 0 at the end; -errno with @err. */
int fargs_perf_file_next(struct fargs_perf_file *file, struct fargs_perf_record *rec,
			 struct fargs_error_text *err);

/*
 * The events known so far: all of them from the beginning in a file; in what came
 * through a pipe, those whose records next() has passed.
 */
size_t fargs_perf_file_events(const struct fargs_perf_file *file,
			      const struct fargs_perf_event **events);

/* A text that perf noted about the machine, not to be trusted either; NULL: none so far. */
const char *fargs_perf_file_feature(const struct fargs_perf_file *file,
				    enum fargs_perf_feature feature);

/* The directory of the --kcore copy; NULL: there is none. */
const char *fargs_perf_file_kcore_dir(const struct fargs_perf_file *file);

/* "PATH: corrupt at byte AT: WHAT" of the file that next() is in; returns -EIO. */
int fargs_perf_file_corrupt(const struct fargs_perf_file *file, uint64_t at, const char *what,
			    struct fargs_error_text *err);

#endif
