/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the records of a perf.data file, of perf's output to a pipe, or of a directory written by
 * perf record --kcore or --threads. The input is not trusted.
 */
#ifndef FARGS_SOURCE_PERF_DATA_FILE_H
#define FARGS_SOURCE_PERF_DATA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/perf_data/build_id.h"
#include "source/perf_data/format.h"

struct fargs_perf_file;

/* A recorded event. */
struct fargs_perf_event {
	struct perf_event_attr attr;	/* fields that the file does not contain are 0 */
	uint64_t *ids;
	size_t nr_ids;
	char *name;			/* name of the event; NULL: unknown */
};

/* A record. Pointers to records are valid until fargs_perf_file_destroy(). */
struct fargs_perf_record {
	const struct perf_event_header *head;	/* record of head->size bytes, aligned to 8 */
	const uint8_t *data;		/* data that follows an AUXTRACE record */
	uint64_t data_bytes;
	uint64_t at;			/* offset of the record in its file */
};

/* Does @path look like a perf.data file, or a directory with one? */
bool fargs_perf_file_is(const char *path);

/* On failure, returns NULL with @err, which names the file and the offset. */
struct fargs_perf_file *fargs_perf_file_open(const char *path, struct fargs_error_text *err);
void fargs_perf_file_destroy(struct fargs_perf_file *file);
/*
 * Frees the memory of @n bytes at @bytes, if they are mapped from a file: they are read again when
 * they are needed.
 */
void fargs_perf_file_release(const struct fargs_perf_file *file, const uint8_t *bytes, uint64_t n);

/* Reads the next record, in file order. Returns 1, 0 at the end, or -errno with @err. */
int fargs_perf_file_next(struct fargs_perf_file *file, struct fargs_perf_record *rec,
			 struct fargs_error_text *err);

/*
 * Sets *@events to the events known so far, and returns their number. In a file, all events are
 * known from the beginning; in perf's output to a pipe, an event is known after
 * fargs_perf_file_next() has read its record.
 */
size_t fargs_perf_file_events(const struct fargs_perf_file *file,
			      const struct fargs_perf_event **events);

/*
 * Returns the text of a feature, which describes the machine and is not trusted. NULL: the file
 * does not contain the feature, or it was not read yet.
 */
const char *fargs_perf_file_feature(const struct fargs_perf_file *file,
				    enum fargs_perf_feature feature);

/*
 * Returns the build IDs of programs and libraries. In perf's output to a pipe, they are known after
 * the last record was read.
 */
const struct fargs_build_id_list *fargs_perf_file_build_ids(const struct fargs_perf_file *file);

/*
 * Sets *@first_ns and *@last_ns to the times between which perf recorded, of which --time of perf
 * script computes percentages. Returns false if the file does not contain them.
 */
bool fargs_perf_file_span(const struct fargs_perf_file *file, uint64_t *first_ns,
			  uint64_t *last_ns);

/*
 * Returns the bytes of the file with the header, whose sections of attributes, ids and features
 * were checked, and sets *@size to their number; NULL: it is output to a pipe, without a header.
 */
const uint8_t *fargs_perf_file_bytes(const struct fargs_perf_file *file, uint64_t *size);

/* Returns the directory of the copy made by perf record --kcore; NULL: none. */
const char *fargs_perf_file_kcore_dir(const struct fargs_perf_file *file);

/* Sets @err to "PATH: corrupt at byte AT: WHAT" for the file being read. Returns -EIO. */
int fargs_perf_file_corrupt(const struct fargs_perf_file *file, uint64_t at, const char *what,
			    struct fargs_error_text *err);

#endif
