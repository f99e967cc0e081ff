/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of the source of branches.h, for its parts: branches.c sets it up and runs it, take.c
 * makes items of the flow, and make.c makes events of these.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_STATE_H
#define FARGS_SOURCE_PT_EVENTS_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/decode/branch.h"
#include "source/pt/decode/names.h"
#include "source/pt/events/branches.h"
#include "source/pt/events/chains.h"
#include "source/pt/events/counts.h"
#include "source/pt/events/depth.h"
#include "source/pt/events/describe.h"
#include "source/pt/events/details.h"
#include "source/pt/events/pebs.h"
#include "source/pt/events/period.h"
#include "source/pt/events/reported.h"
#include "source/pt/events/spread.h"
#include "source/pt/trace/context.h"
#include "source/pt/trace/trace.h"

/* Names of a branch's values, and maximum number of values of an event. */
#define FARGS_PT_BRANCH_VALUES	6
/* dso and srcline, which are only added if they are used */
#define FARGS_PT_PLACE_VALUES	2
#define FARGS_PT_VALUES_MAX	(FARGS_PT_BRANCH_VALUES + FARGS_PT_REPORTED_VALUES + \
				 FARGS_PT_PLACE_VALUES + FARGS_PT_PEBS_SAMPLE_VALUES)
/* Maximum number of EVDs of a CFE. */
#define FARGS_PT_EVDS_MAX	64
#define FARGS_PT_NO_CBR	UINT32_MAX

/*
 * Members of struct fargs_pt_item, packed into the pointer fargs_item.data, which this source does
 * not need for anything else.
 */
union fargs_pt_packed {
	struct {
		uint8_t kind, insn, flags, error;
	};
	const void *data;
};

/* State of one of the pipeline's threads: the data of its last event, and its symbol cache. */
struct fargs_pt_maker {
	struct fargs_pt_events *source;
	struct fargs_pt_names_cache cache;
	uint64_t ns;			/* time of the last event */
	int32_t space;			/* of the last event's task */
	struct fargs_pt_task_space kept_space;
	struct fargs_event_sample sample;
	struct fargs_event_error error;
	struct fargs_pt_reported reported;
	struct fargs_pt_evd evds[FARGS_PT_EVDS_MAX];
	unsigned int nr_evds;		/* of the last event, if it is a CFE */
	struct fargs_pt_pebs_sample pebs;
	struct fargs_arg args[FARGS_PT_VALUES_MAX];
	char flags[FARGS_PT_WORDS], marks[FARGS_PT_MARKS];
	bool has_dso, has_srcline;	/* values that are used */
	struct fargs_buf srcline;
	struct fargs_pt_detailer *detailer;	/* NULL: no details are needed */
};

/* The position in a stream. */
struct fargs_pt_cursor {
	const struct fargs_pt_part *part;
	bool is_guest;			/* a guest is executed */
	struct fargs_pt_count switched;
	struct fargs_pt_spread spread;
	struct fargs_pt_sampler sampler;
	uint8_t insn_bytes;		/* size of the last instruction, if it is a branch */
	uint32_t cbr, shown_cbr;	/* the last one in the trace, and the last one shown */
	struct fargs_pt_evd evds[FARGS_PT_EVDS_MAX];	/* of the next CFE */
	unsigned int nr_evds;
	struct fargs_pt_pebs_counters pebs_counters;
	struct fargs_pt_counter counter;
};

struct fargs_pt_events {
	struct fargs_event_source base;
	const struct fargs_pt_input *in;
	const struct fargs_pt_which *which;
	struct fargs_pt_names *names;
	/* names of the events, with the modifier */
	char event[16], cycle_event[16], insn_event[20];
	/*
	 * fargs_pt_branch_names, fargs_pt_reported_names, kind, dso, srcline, and if the trace has
	 * PEBS records fargs_pt_pebs_names; ends with NULL
	 */
	const char *value_names[FARGS_VALUE_NAMES_MAX];
	struct fargs_perf_meta perf;
	struct fargs_pt_details *details;	/* NULL: none are needed */
	struct fargs_pt_maker *makers[FARGS_POOL_MAX];
	unsigned int nr_makers;
	fargs_pt_before_fn before;	/* called for events at @before_ns or later */
	void *before_arg;
	uint64_t before_ns;		/* UINT64_MAX: never */
	/* The following members are set while the source runs. */
	struct fargs_pt_cursor *cursors;		/* one for each stream */
	const struct fargs_feed *feed;
	struct fargs_batch *batch;	/* batch that is being filled; NULL: none */
	struct fargs_pt_period period;	/* of samples; without any, zeroes */
	struct fargs_pt_chains *chains;	/* NULL: samples have none */
	uint64_t nr_skipped;		/* events that were omitted at the beginning */
	struct fargs_pt_context context;
	uint64_t estimated_ns;		/* estimated time of the current item */
	struct fargs_pt_counts counts;	/* of the current item */
	const struct fargs_pt_pebs *pebs;	/* likewise, if it is one; and its packed words */
	const uint64_t *pebs_words;
	size_t nr_pebs_words;
	struct fargs_pt_depths depths;
	bool is_stopped;		/* the feed takes no more batches */
};

/* The names of a branch's values. */
extern const char *const fargs_pt_branch_names[FARGS_PT_BRANCH_VALUES];

static inline struct fargs_pt_events *fargs_pt_events_of(struct fargs_event_source *source)
{
	return (struct fargs_pt_events *)source;
}

/* Takes the items of a part from @begin to @end; @arg is the source (struct fargs_pt_view). */
int fargs_pt_events_take(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
			 struct fargs_buf *out);
/* Passes the batch to the feed. Returns 0, or -ECANCELED if the source must stop. */
int fargs_pt_events_pass_on(struct fargs_pt_events *s);

/* These are for struct fargs_event_source_ops. */
int fargs_pt_events_prepare(struct fargs_event_source *source, struct fargs_decoder *d);
int fargs_pt_events_make(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
			 struct fargs_event *ev);
int fargs_pt_events_brief(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
			  struct fargs_event *ev);
void fargs_pt_events_release(struct fargs_event_source *source, struct fargs_batch *batch,
			     bool is_counted);

#endif
