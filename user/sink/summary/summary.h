/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of a trace for each function, tracepoint and formatted event.
 */
#ifndef FARGS_SINK_SUMMARY_SUMMARY_H
#define FARGS_SINK_SUMMARY_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/top.h"
#include "model/decoder.h"
#include "pipeline/filter/value.h"
#include "sink/summary/histogram.h"
#include "sink/summary/quantiles.h"

struct fargs_summary_row {
	char *name;		/* "vfs_read", "ext4_sync_file [ext4]", "sched:sched_switch" */
	uint8_t kind;		/* enum fargs_record_kind or fargs_event_kind of the first event */
	uint64_t nr;		/* number of calls, or of hits of an event */
	uint64_t nr_errors;	/* number of calls that returned an error */
	uint64_t bytes;		/* total size of the records */
	struct fargs_quantiles ns;	/* durations of the calls */
	struct fargs_top top;	/* most frequent values; empty if they were not requested */
	struct fargs_histogram *histogram;	/* NULL: no numbers were counted */
	struct fargs_top names;		/* counts, by text, of values that are not numbers */
	bool is_duration;	/* @histogram counts durations in ns */
};

/* Maps ids of functions (their pointers) or of formatted events to row numbers. */
struct fargs_summary_keys {
	struct fargs_summary_key *all;
	size_t nr;
	struct fargs_hash by_id;
};

struct fargs_summary {
	struct fargs_summary_row *rows;
	size_t nr;
	uint64_t nr_lost;	/* number of lost calls and events, as far as it is known */
	struct fargs_wanted *top, *hist;	/* owned; NULL: not requested */
	/*
	 * If @top is NULL: count the strings "NAME=VALUE" of all arguments, except for pointers and
	 * faults.
	 */
	bool has_values;
	struct fargs_hash by_name;	/* maps names to row numbers */
	struct fargs_summary_keys funcs;	/* rows of functions */
	struct fargs_summary_keys events;	/* rows of formatted events */
	size_t nr_funcs;	/* number of functions of the trace when @funcs was filled */
};

/* Initialises @s to zeroes. */
void fargs_summary_init(struct fargs_summary *s);
void fargs_summary_deinit(struct fargs_summary *s);

/*
 * Adds @ev, decoded by @d. Returns 0 or -ENOMEM. Memory grows with the number of functions, not of
 * events.
 */
int fargs_summary_add(struct fargs_summary *s, struct fargs_decoder *d,
		      const struct fargs_event *ev);

enum fargs_summary_order {
	FARGS_SUMMARY_BY_COUNT,
	FARGS_SUMMARY_BY_NAME,
	FARGS_SUMMARY_BY_ERRORS,
	FARGS_SUMMARY_BY_BYTES,
	FARGS_SUMMARY_BY_TOTAL,
	FARGS_SUMMARY_BY_MEAN,
	FARGS_SUMMARY_BY_P50,
	FARGS_SUMMARY_BY_P90,
	FARGS_SUMMARY_BY_P99,
	FARGS_SUMMARY_BY_MAX,
};

/*
 * fargs_summary_order() returns the order called @word, or -1 if there is none.
 * fargs_summary_order_words contains the names of all orders, separated by blanks.
 */
int fargs_summary_order(const char *word);
extern const char fargs_summary_order_words[];
/*
 * Sorts the rows, largest first. Rows that compare equal are sorted by name, as are all rows with
 * FARGS_SUMMARY_BY_NAME.
 */
void fargs_summary_sort(struct fargs_summary *s, enum fargs_summary_order order);

#endif
