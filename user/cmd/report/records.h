/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a trace file as lines, made by several threads. What comes out depends
 * on the file and the options alone, not on the number of threads.
 */
#ifndef FARGS_REPORT_H
#define FARGS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/decoder.h"
#include "file/reader.h"
#include "base/buf.h"
#include "base/time_window.h"

/* What is made of events, instead of lines of text. */
struct fargs_report_view {
	/* In front of the first one; may be NULL. */
	int (*begin)(void *arg, struct fargs_buf *out, struct fargs_decoder *d);
	/*
	 * Takes @ev, and adds to @out what it is shown as. Unless is_in_order, several threads
	 * come at once, each with a @d of its own. 0, or what ends the report.
	 */
	int (*event)(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_event *ev);
	/* Behind the last one; may be NULL. */
	int (*end)(void *arg, struct fargs_buf *out, struct fargs_decoder *d);
	void *arg;
	bool is_in_order;	/* one after the other, in the order of time */
};

/* Who is asked about each event, one after the other, in the order of time. */
struct fargs_report_asker {
	void *arg;
	/* Is it to be shown, if it @is_wanted? 0; 1: not in any case; -errno ends the report. */
	int (*ask)(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
		   const struct fargs_record *rec, bool is_wanted);
};

/* Of a file that is written now (fargs_reader_open_growing). */
struct fargs_report_follow {
	void *arg;	/* NULL: there is nothing to come */
	/*
	 * Asked now and then, and when all that can be shown was: waits a while if it @is_idle.
	 * False: what is there is to be shown, and no more.
	 */
	bool (*goes_on)(void *arg, bool is_idle);
};

struct fargs_report_options {
	const struct fargs_report_view *view;	/* NULL: lines of text */
	const char *filter;	/* for filter/filter.h; NULL: all. Losses are always shown */
	bool is_raw;
	bool has_zeros;
	bool has_ns;		/* tasks as their own pid namespaces number them */
	bool is_silent;		/* no lines: everything is checked and counted */
	bool is_one_cpu;	/* lines of @cpu only */
	unsigned int cpu;
	bool has_window;	/* lines of this time only */
	struct fargs_time_window window;
	unsigned int nr_threads;	/* 1 to FARGS_POOL_MAX */
	/*
	 * arg NULL: none. Lines are handed on one by one then, each before the next event is
	 * asked about, and are not put inside each other.
	 */
	struct fargs_report_asker asker;
	struct fargs_report_follow follow;
};

struct fargs_report;

/*
 * @r and its @meta, and @options, must outlive it. NULL on failure. Memory: that of @meta,
 * two chunks of each CPU, and for each thread a decoder and about 1 MB.
 */
struct fargs_report *fargs_report_create(struct fargs_reader *r, struct fargs_meta *meta,
					 const struct fargs_report_options *options,
					 struct fargs_error_text *err);
void fargs_report_destroy(struct fargs_report *report);

/* Takes whole lines. 0, or what ends the report. */
typedef int (*fargs_report_fn)(void *arg, const char *text, size_t bytes);

/*
 * Hands all lines to @fn, in order. 0; what @fn returned; -errno with @err for a file that
 * is corrupt.
 */
int fargs_report_run(struct fargs_report *report, fargs_report_fn fn, void *arg,
		     struct fargs_error_text *err);

/* What was seen, and records of functions that the file does not know. */
struct fargs_account *fargs_report_account(struct fargs_report *report);
uint64_t fargs_report_nr_unknown(const struct fargs_report *report);

#endif
