/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts the records of a trace file to lines, with several threads. The output depends only on
 * the file and the options, not on the number of threads.
 */
#ifndef FARGS_CMD_REPORT_RECORDS_H
#define FARGS_CMD_REPORT_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/time_window.h"
#include "file/reader.h"
#include "model/decoder.h"
#include "sink/view.h"

/* Event hook: called for each event, one at a time, in time order. */
struct fargs_report_hook {
	void *arg;
	/*
	 * @is_wanted: the event is shown unless the hook drops it. Returns 0; 1: drop the event; or
	 * -errno.
	 */
	int (*ask)(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
		   const struct fargs_record *rec, bool is_wanted);
};

/* Hook for a file that is still being written (fargs_reader_open_growing()). */
struct fargs_report_follow {
	void *arg;	/* NULL: do not follow */
	/*
	 * Called from time to time; with @is_idle, called after all available data was shown, to
	 * wait for more. Returns false to end the report after the data that is in the file by
	 * then.
	 */
	bool (*goes_on)(void *arg, bool is_idle);
};

struct fargs_report_options {
	const struct fargs_sink_view *view;	/* NULL: lines of text */
	const char *filter;	/* text of --filter; NULL: none. Losses are always shown */
	bool is_raw;
	bool has_zeros;
	bool has_ns;		/* show pids of the tasks' own pid namespaces */
	bool is_coloured;	/* colour lines of text */
	bool is_silent;		/* no output: only check and count */
	bool is_one_cpu;	/* only events of @cpu */
	unsigned int cpu;
	bool has_window;	/* only events within @window */
	struct fargs_time_window window;
	unsigned int nr_threads;	/* 1 to FARGS_POOL_MAX */
	/*
	 * Event hook; hook.arg is NULL if there is none. With a hook, each line is passed to the
	 * fargs_report_fn before the hook is called for the next event, and calls are not shown
	 * nested.
	 */
	struct fargs_report_hook hook;
	struct fargs_report_follow follow;
};

struct fargs_report;

/*
 * Returns NULL with @err on error. @r, @meta and @options must outlive the report. Besides the
 * memory of @meta, a report needs two chunks per CPU, and a decoder and about 1 MB per thread.
 */
struct fargs_report *fargs_report_create(struct fargs_reader *r, struct fargs_meta *meta,
					 const struct fargs_report_options *options,
					 struct fargs_error_text *err);
void fargs_report_destroy(struct fargs_report *report);

/* Receives whole lines. Returns 0, or nonzero to end the report. */
typedef int (*fargs_report_fn)(void *arg, const char *text, size_t bytes);

/*
 * Passes all lines to @fn, in order. Returns 0; the result of @fn; or -errno, with @err if the file
 * is corrupt.
 */
int fargs_report_run(struct fargs_report *report, fargs_report_fn fn, void *arg,
		     struct fargs_error_text *err);

/*
 * Return the counters of the records, and the number of records whose function is not in the file.
 */
struct fargs_account *fargs_report_account(struct fargs_report *report);
uint64_t fargs_report_nr_unknown(const struct fargs_report *report);

#endif
