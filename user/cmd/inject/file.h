/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a perf.data file: the records of another one, perhaps without its trace, and records of
 * other events.
 */
#ifndef FARGS_CMD_INJECT_FILE_H
#define FARGS_CMD_INJECT_FILE_H

#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "source/perf_data/file.h"

/* An event that the other file does not have. */
struct fargs_inject_event {
	struct perf_event_attr attr;
	const uint64_t *ids;
	size_t nr_ids;
	const char *name;
};

/* Where a record of trace is. */
struct fargs_inject_trace {
	uint64_t at, bytes;
};

/* Initialize with zeroes. */
struct fargs_inject_file {
	FILE *file;
	const struct fargs_perf_file *from;
	const struct fargs_inject_event *added;
	size_t nr_added;
	uint64_t traced_id;		/* id of the event that recorded the trace; 0: it stays */
	/* Set by the caller before fargs_inject_file_end(), if the trace stays. */
	const struct fargs_inject_trace *traces;
	size_t nr_traces;
	const uint8_t *build_ids;	/* BUILD_ID records that are added */
	size_t build_id_bytes;
	bool has_last_branches;
	struct fargs_perf_header head;
	uint64_t at;			/* bytes written */
};

/*
 * Begins the file @file with the attributes of @from, except that of the event with @traced_id (0:
 * none), and with those of the @nr_added events @added. All arguments must outlive @f. Returns 0,
 * or -errno with @err.
 */
int fargs_inject_file_begin(struct fargs_inject_file *f, FILE *file,
			    const struct fargs_perf_file *from,
			    const struct fargs_inject_event *added, size_t nr_added,
			    uint64_t traced_id, struct fargs_error_text *err);
/* Writes whole records. Returns 0 or -errno. */
int fargs_inject_file_write(struct fargs_inject_file *f, const void *bytes, size_t n);
/* Completes the file. Returns 0 or -errno. */
int fargs_inject_file_end(struct fargs_inject_file *f);

#endif
