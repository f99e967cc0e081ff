/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a trace has of each function, tracepoint and formatted event.
 */
#ifndef FARGS_REPORT_SUMMARY_H
#define FARGS_REPORT_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/decoder.h"
#include "pipeline/filter/value.h"
#include "sink/summary/histogram.h"
#include "sink/summary/quantiles.h"
#include "base/top.h"

struct fargs_summary_row {
	char *name;		/* "vfs_read", "ext4_sync_file [ext4]", "sched:sched_switch" */
	uint64_t nr;		/* calls, or how often it fired */
	uint64_t nr_errors;	/* of those that returned */
	uint64_t bytes;		/* of records */
	struct fargs_quantiles ns;	/* durations */
	struct fargs_top top;	/* of the values that were asked for */
	struct fargs_histogram *histogram;	/* NULL: there was no number */
	struct fargs_top names;		/* instead, of what is none */
	bool is_duration;	/* the histogram is of ns */
};

struct fargs_summary {
	struct fargs_summary_row *rows;
	size_t nr;
	uint64_t nr_lost;	/* calls and events, as far as the trace tells */
	struct fargs_wanted *top, *hist;	/* owned; NULL: none was asked for */
	/* Without @top: top of "NAME=VALUE", of all arguments but addresses. */
	bool has_values;
	/* By function, id of a formatted event, or name: which row. */
	struct fargs_summary_key *keys;
	size_t nr_keys, room;
	size_t nr_funcs;	/* that were known when the keys were made */
};

/* Zeroes it. */
void fargs_summary_init(struct fargs_summary *s);
void fargs_summary_deinit(struct fargs_summary *s);

/* Takes in @ev, of @d. 0 or -ENOMEM. Memory: by function, not by event. */
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

/* By its word; -1: there is none of that name. Words: all there are, with blanks. */
int fargs_summary_order(const char *word);
extern const char fargs_summary_order_words[];
/* The largest first; of the same, and by name, in the order of the alphabet. */
void fargs_summary_sort(struct fargs_summary *s, enum fargs_summary_order order);

#endif
