/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source of events: a file or a running session. It passes batches of items, in order of time,
 * to a feed, and makes the event of an item when the pipeline needs the event.
 */
#ifndef FARGS_SOURCE_SOURCE_H
#define FARGS_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/pool.h"
#include "model/batch.h"
#include "model/decoder.h"
#include "model/facts.h"

/* Takes the batches of a source. Used only by the thread that calls run(). */
struct fargs_feed {
	void *arg;
	struct fargs_pool *pool;	/* the pipeline's threads; the source may use them */
	/*
	 * Returns an empty batch, which must be passed to put(). May first wait until an earlier
	 * batch is done.
	 */
	struct fargs_batch *(*get)(void *arg);
	/* Takes the batch. Returns false if the source must stop: run() then returns 0. */
	bool (*put)(void *arg, struct fargs_batch *batch);
	/*
	 * For a source that waits for more data: returns after all batches are done and some time
	 * has passed. Returns false if the source must pass on the remaining data and then end.
	 */
	bool (*wait)(void *arg);
};

struct fargs_event_source;

struct fargs_event_source_ops {
	/*
	 * Sets *@first_ns and *@last_ns to the times of the first and the last event. NULL without
	 * FARGS_FACT_SPAN. Called before run(). Returns 0, or -errno with @err.
	 */
	int (*span)(struct fargs_event_source *source, uint64_t *first_ns, uint64_t *last_ns,
		    struct fargs_error_text *err);
	/* Passes all items to @feed. Returns 0, or -errno with @err. */
	int (*run)(struct fargs_event_source *source, const struct fargs_feed *feed,
		   struct fargs_error_text *err);
	/*
	 * Called once for each decoder, before run(), for instance to set the decoder's symbol
	 * lookup. May be NULL. Returns 0 or -ENOMEM.
	 */
	int (*prepare)(struct fargs_event_source *source, struct fargs_decoder *d);
	/*
	 * Makes the event of item @i of a batch of this source (batch->source). Several threads
	 * call this function at the same time, each with its own @d. Returns 0; -EIO if the item is
	 * corrupt; or -ENOMEM.
	 */
	int (*event)(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
		     struct fargs_event *ev);
	/*
	 * Likewise, but without arguments, names of symbols and words, which cost most of the time
	 * and hooks do not use. May be NULL.
	 */
	int (*brief)(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
		     struct fargs_event *ev);
	/*
	 * Called once per batch, in order of time, after its events have been used: releases the
	 * data of its items. If @is_counted, which is false after an error, a source with
	 * statistics also counts the items.
	 */
	void (*release)(struct fargs_event_source *source, struct fargs_batch *batch,
			bool is_counted);
	/* Called after all batches were released, while the feed's pool exists. May be NULL. */
	void (*end)(struct fargs_event_source *source);
};

/* Base of a source; embedded in the struct of each implementation. */
struct fargs_event_source {
	const struct fargs_event_source_ops *ops;
	struct fargs_meta *meta;
	/*
	 * The decoder of the first thread, and of sinks that receive events in order. It has the
	 * names that tasks have at the end of the last batch.
	 */
	struct fargs_decoder *decoder;
	const char *what;		/* kind of source, such as "a perf.data file" */
	uint32_t facts;			/* bitmask of enum fargs_fact */
	bool is_single_threaded;	/* event() must be called by one thread, in order */
	/*
	 * Set by the pipeline: the sink uses the callers of events. A source that has to compute
	 * them may leave them out otherwise.
	 */
	bool needs_callers;
	/* Likewise: the details of events that the sink uses (enum fargs_event_detail). */
	uint32_t details;
};

#endif
