// SPDX-License-Identifier: GPL-2.0-only
#include "source/fargs_dat/fargs_dat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_record.h"
#include "model/formats.h"
#include "source/fargs_dat/streams.h"

#define NO_RUN	UINT32_MAX

/*
 * The latest struct fargs_run of a CPU. Formatted events and other records of a CPU are in separate
 * runs.
 */
struct last_run {
	uint32_t index;		/* in the current batch; NO_RUN: the CPU has no run in this batch */
	pid_t tid;
};

struct dat {
	struct fargs_event_source base;
	struct fargs_reader *reader;
	struct fargs_streams *streams;	/* NULL unless the source runs */
	struct last_run *last;		/* indexed by CPU; for formatted events, by nr_cpus + CPU */
};

static struct dat *of(struct fargs_event_source *source)
{
	return (struct dat *)source;
}

static struct last_run *last_of(const struct dat *dat, const struct fargs_stamped *stamped)
{
	bool is_event = stamped->rec->kind == FARGS_KIND_EVENT;

	return &dat->last[stamped->cpu + (is_event ? dat->base.meta->info.nr_cpus : 0)];
}

/* Ends all runs: names of tasks may have changed, or a new batch begins. */
static void end_runs(struct dat *dat)
{
	memset(dat->last, 0xff, 2 * dat->base.meta->info.nr_cpus * sizeof(*dat->last));
}

/* Returns the index of the record's run in @batch. Adds a run if the latest one cannot be used. */
static uint16_t run_of(struct dat *dat, struct fargs_batch *batch,
		       const struct fargs_stamped *stamped)
{
	const struct fargs_record *rec = stamped->rec;
	struct last_run *last = last_of(dat, stamped);
	const struct fargs_task *task;
	struct fargs_run *run;

	/* With meta->names, a task's name depends on the time, so each record gets its own run. */
	if (last->index != NO_RUN && last->tid == (pid_t)rec->tid && !dat->base.meta->nr_names)
		return last->index;
	last->index = batch->nr_runs++;
	last->tid = (pid_t)rec->tid;
	run = &batch->runs[last->index];
	task = fargs_decoder_task(dat->base.decoder, rec);
	run->cpu = stamped->cpu;
	run->has_task = task;
	if (task)
		run->task = *task;
	run->guest = fargs_decoder_guest(dat->base.decoder, rec);
	return last->index;
}

/* Fills @batch. Returns 1; 0: no more records; FARGS_STREAMS_WAITS; or -errno with @err. */
static int fill(struct dat *dat, struct fargs_batch *batch, struct fargs_error_text *err)
{
	struct fargs_stamped stamped;
	struct fargs_item *item;
	size_t bytes = 0;
	int ret = 1;

	end_runs(dat);
	while (batch->nr < FARGS_BATCH_ITEMS && bytes < FARGS_BATCH_BYTES) {
		ret = fargs_streams_next(dat->streams, &stamped, err);
		if (ret != 1)
			break;
		bytes += stamped.rec->len;
		item = &batch->items[batch->nr++];
		item->time_ns = stamped.ns;
		item->data = stamped.rec;
		item->after_ns = 0;
		item->run = run_of(dat, batch, &stamped);
		item->kind = stamped.rec->kind;
		item->flags = 0;
		if (item->kind != FARGS_KIND_TASK)
			continue;
		if (fargs_decoder_follow(dat->base.decoder, stamped.rec)) {
			ret = fargs_fail(err, ENOMEM, "out of memory");
			break;
		}
		end_runs(dat);
	}
	batch->used = fargs_streams_used(dat->streams);
	return ret;
}

/* Waits for more records. Returns 1 if there are any; 0 if the source must end; or -errno. */
static int wait_for_more(struct dat *dat, const struct fargs_feed *feed,
			 struct fargs_error_text *err)
{
	bool is_last;
	int ret = 0;

	while (!ret) {
		is_last = !feed->wait(feed->arg);
		ret = fargs_streams_grow(dat->streams, is_last, err);
		if (!ret && is_last)
			break;
	}
	return ret;
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	struct dat *dat = of(source);
	struct fargs_batch *batch;
	int ret = 1;

	dat->streams = fargs_streams_create(dat->reader, source->meta, feed->pool, err);
	if (!dat->streams)
		return -EINVAL;
	while (ret > 0) {
		batch = feed->get(feed->arg);
		ret = fill(dat, batch, err);
		if (!feed->put(feed->arg, batch))
			return 0;
		if (ret == FARGS_STREAMS_WAITS)
			ret = wait_for_more(dat, feed, err);
	}
	return ret;
}

static int make_event(struct fargs_event_source *source, struct fargs_decoder *d,
		      const struct fargs_batch *batch, unsigned int i, struct fargs_event *ev)
{
	const struct fargs_item *item = &batch->items[i];
	const struct fargs_run *run = &batch->runs[item->run];
	const struct fargs_stamped stamped = {
		.rec = item->data, .cpu = run->cpu, .ns = item->time_ns,
	};
	int ret = fargs_decoder_parse(d, &stamped, run->has_task ? &run->task : NULL, ev);

	ev->guest = run->guest;
	return ret;
}

static void release(struct fargs_event_source *source, struct fargs_batch *batch, bool is_counted)
{
	struct dat *dat = of(source);
	const struct fargs_item *item;
	unsigned int i;

	for (i = 0; is_counted && i < batch->nr; i++) {
		item = &batch->items[i];
		fargs_decoder_count(source->decoder, batch->runs[item->run].cpu, item->data,
				    item->flags & FARGS_ITEM_CORRUPT);
	}
	fargs_streams_give_back(dat->streams, batch->used);
	batch->used = NULL;
}

static void end(struct fargs_event_source *source)
{
	struct dat *dat = of(source);

	fargs_streams_destroy(dat->streams);
	dat->streams = NULL;
}

static const struct fargs_event_source_ops ops = {
	.run = run, .event = make_event, .release = release, .end = end,
};

static uint32_t facts_of(const struct fargs_meta *meta)
{
	return FARGS_FACT_TIMES | FARGS_FACT_CPUS | FARGS_FACT_RAW | FARGS_FACT_TYPES |
	       FARGS_FACT_FORMATTED | FARGS_FACT_NS_TIDS | FARGS_FACT_COUNTERS |
	       FARGS_FACT_GROWTH | (fargs_meta_has_graph(meta) ? FARGS_FACT_NESTING : 0);
}

struct fargs_event_source *fargs_dat_source_create(struct fargs_reader *r, struct fargs_meta *meta,
					     struct fargs_error_text *err)
{
	struct dat *dat = calloc(1, sizeof(*dat));

	if (!dat) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	dat->base.ops = &ops;
	dat->base.meta = meta;
	dat->base.what = "a trace file";
	dat->base.facts = facts_of(meta);
	dat->reader = r;
	dat->last = calloc(2 * meta->info.nr_cpus + 1, sizeof(*dat->last));
	/* fargs_formats_validate() forks, and so must be called before threads are started. */
	if (!dat->last)
		fargs_fail(err, ENOMEM, "out of memory");
	else if (fargs_formats_validate(meta))
		fargs_fail(err, EAGAIN, "cannot fork to validate the formats of events");
	else
		dat->base.decoder = fargs_decoder_create(meta, err);
	if (dat->base.decoder)
		return &dat->base;
	fargs_dat_source_destroy(&dat->base);
	return NULL;
}

void fargs_dat_source_destroy(struct fargs_event_source *source)
{
	if (!source)
		return;
	fargs_decoder_destroy(source->decoder);
	free(of(source)->last);
	free(of(source));
}
