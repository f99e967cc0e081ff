/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a perf.data file: the records of another one without its trace, and samples of events that
 * were made of the trace.
 */
#ifndef FARGS_CMD_INJECT_FILE_H
#define FARGS_CMD_INJECT_FILE_H

#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "plugin/dlfilter/pt_events.h"
#include "source/perf_data/file.h"

/* Initialize with zeroes. */
struct fargs_inject_file {
	FILE *file;
	const struct fargs_perf_file *from;
	const struct fargs_dlfilter_pt_event *added;	/* FARGS_DLFILTER_PT_KINDS of them */
	uint64_t traced_id;		/* id of the event that recorded the trace */
	bool has_last_branches;
	struct fargs_perf_header head;
	uint64_t at;			/* bytes written */
};

/*
 * Begins the file @file with the attributes of @from, except that of the event with @traced_id, and
 * with those of @added that are there. All arguments must outlive @f. Returns 0, or -errno with
 * @err.
 */
int fargs_inject_file_begin(struct fargs_inject_file *f, FILE *file,
			    const struct fargs_perf_file *from,
			    const struct fargs_dlfilter_pt_event *added, uint64_t traced_id,
			    struct fargs_error_text *err);
/* Writes whole records. Returns 0 or -errno. */
int fargs_inject_file_write(struct fargs_inject_file *f, const void *bytes, size_t n);
/* Completes the file. Returns 0 or -errno. */
int fargs_inject_file_end(struct fargs_inject_file *f);

#endif
