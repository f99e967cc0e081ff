/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens a file of any kind as a source.
 */
#ifndef FARGS_CMD_REPORT_OPEN_H
#define FARGS_CMD_REPORT_OPEN_H

#include <stdbool.h>

#include "cmd/report/pt_call_setup.h"
#include "file/reader.h"
#include "cmd/report/added.h"
#include "source/perf_data/recording.h"
#include "source/pt/input/input.h"
#include "source/source.h"

/* Initialize with zeroes. */
struct fargs_opened {
	struct fargs_event_source *source;
	struct fargs_meta meta;
	struct fargs_reader *reader;		/* of a trace file of fargs; otherwise NULL */
	struct fargs_recording *recording;	/* of a perf.data file; otherwise NULL */
	struct fargs_event_source *samples;	/* likewise; maybe not @source: see added.h */
	struct fargs_report_added added;
	bool is_trace_dat;
	struct fargs_pt_input pt;		/* of an Intel PT trace; otherwise empty */
	struct fargs_pt_error_counts errors;	/* in @pt; the caller may set @window */
	struct fargs_pt_which which;
	struct fargs_pt_call_setup calls;
	bool is_pt;
	bool has_calls;		/* events of @pt are calls */
};

/* Must the file be opened in a child process (cmd/report/child.h)? */
bool fargs_opened_needs_child(const char *path);
/*
 * Opens @path. If options of Intel PT are set in @pt, opens the trace of the file, otherwise its
 * records or samples. Returns 0, or -errno with @err. In both cases, call fargs_opened_deinit().
 */
int fargs_opened_init(struct fargs_opened *o, const char *path,
		      struct fargs_pt_report_options *pt, struct fargs_error_text *err);
void fargs_opened_deinit(struct fargs_opened *o);

#endif
