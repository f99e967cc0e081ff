/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of a trace by function, tracepoint and formatted event.
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
	uint64_t nr;		/* calls, or hits of an event */
	uint64_t nr_errors;	/* returns with an error */
	uint64_t bytes;		/* total size of the records */
	struct fargs_quantiles ns;	/* durations */
	struct fargs_top top;	/* most frequent values, if requested */
	struct fargs_histogram *histogram;	/* NULL: no numbers */
	struct fargs_top names;		/* values that are not numbers */
	bool is_duration;	/* the histogram counts ns */
};

/* Maps ids to rows. */
struct fargs_summary_keys {
	struct fargs_summary_key *all;
	size_t nr;
	struct fargs_hash by_id;
};

struct fargs_summary {
	struct fargs_summary_row *rows;
	size_t nr;
	uint64_t nr_lost;	/* calls and events, as far as recorded */
	struct fargs_wanted *top, *hist;	/* owned; NULL: not requested */
	/* Without @top: count "NAME=VALUE" of all arguments except addresses. */
	bool has_values;
	struct fargs_hash by_name;	/* row numbers */
	struct fargs_summary_keys funcs;	/* by pointer */
	struct fargs_summary_keys events;	/* formatted events, by id */
	size_t nr_funcs;	/* number of functions when the keys of funcs were made */
};

/* Initialises @s to zeroes. */
void fargs_summary_init(struct fargs_summary *s);
void fargs_summary_deinit(struct fargs_summary *s);

/* Adds @ev of decoder @d. Returns 0 or -ENOMEM. Memory grows with the functions, not the events. */
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
 * Parses the name of an order; -1 if there is none. fargs_summary_order_words: all names, separated
 * by blanks.
 */
int fargs_summary_order(const char *word);
extern const char fargs_summary_order_words[];
/* Sorts rows, largest first; ties, and FARGS_SUMMARY_BY_NAME, alphabetically. */
void fargs_summary_sort(struct fargs_summary *s, enum fargs_summary_order order);

#endif
