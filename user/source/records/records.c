// SPDX-License-Identifier: GPL-2.0-only
#include "source/records/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_record.h"
#include "model/formats.h"

#define NO_RUN	UINT32_MAX

/*
 * The latest struct fargs_run of a CPU. Formatted events and other records of a CPU are in separate
 * runs.
 */
struct fargs_last_run {
	uint32_t index;		/* in the current batch; NO_RUN: the CPU has no run in this batch */
	pid_t tid;
};

static struct fargs_records *of(struct fargs_event_source *source)
{
	return (struct fargs_records *)source;
}

static struct fargs_last_run *last_of(const struct fargs_records *r,
				      const struct fargs_stamped *stamped)
{
	bool is_event = stamped->rec->kind == FARGS_KIND_EVENT;

	return &r->last[stamped->cpu + (is_event ? r->base.meta->info.nr_cpus : 0)];
}

/* Ends all runs: names of tasks may have changed, or a new batch begins. */
static void end_runs(struct fargs_records *r)
{
	memset(r->last, 0xff, 2 * r->base.meta->info.nr_cpus * sizeof(*r->last));
}

/* Returns the index of the record's run in @batch. Adds a run if the latest one cannot be used. */
static uint16_t run_of(struct fargs_records *r, struct fargs_batch *batch,
		       const struct fargs_stamped *stamped)
{
	const struct fargs_record *rec = stamped->rec;
	struct fargs_last_run *last = last_of(r, stamped);
	const struct fargs_task *task;
	struct fargs_run *run;

	/* With meta->names, a task's name depends on the time, so each record gets its own run. */
	if (last->index != NO_RUN && last->tid == (pid_t)rec->tid && !r->base.meta->nr_names)
		return last->index;
	last->index = batch->nr_runs++;
	last->tid = (pid_t)rec->tid;
	run = &batch->runs[last->index];
	task = fargs_decoder_task(r->base.decoder, rec);
	run->cpu = stamped->cpu;
	run->has_task = task;
	if (task)
		run->task = *task;
	run->guest = fargs_decoder_guest(r->base.decoder, rec);
	return last->index;
}

/* Fills @batch. Returns 1, or the result of fargs_merge_next(). */
static int fill(struct fargs_records *r, struct fargs_batch *batch, struct fargs_error_text *err)
{
	struct fargs_stamped stamped;
	struct fargs_item *item;
	size_t bytes = 0;
	int ret = 1;

	end_runs(r);
	while (batch->nr < FARGS_BATCH_ITEMS && bytes < FARGS_BATCH_BYTES) {
		ret = fargs_merge_next(r->merge, &stamped, err);
		if (ret != 1)
			break;
		bytes += stamped.rec->len;
		item = &batch->items[batch->nr++];
		item->time_ns = stamped.ns;
		item->data = stamped.rec;
		item->after_ns = 0;
		item->run = run_of(r, batch, &stamped);
		item->kind = stamped.rec->kind;
		item->flags = 0;
		if (item->kind != FARGS_KIND_TASK)
			continue;
		if (fargs_decoder_follow(r->base.decoder, stamped.rec)) {
			ret = fargs_fail(err, ENOMEM, "out of memory");
			break;
		}
		end_runs(r);
	}
	batch->used = fargs_merge_used(r->merge);
	return ret;
}

int fargs_records_pass(struct fargs_records *r, const struct fargs_feed *feed,
		       struct fargs_error_text *err)
{
	struct fargs_batch *batch;
	int ret;

	do {
		batch = feed->get(feed->arg);
		ret = fill(r, batch, err);
		if (!feed->put(feed->arg, batch))
			return FARGS_RECORDS_ENOUGH;
	} while (ret == 1);
	return ret;
}

int fargs_records_event(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
			struct fargs_event *ev)
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

void fargs_records_release(struct fargs_event_source *source, struct fargs_batch *batch,
			   bool is_counted)
{
	const struct fargs_item *item;
	unsigned int i;

	for (i = 0; is_counted && i < batch->nr; i++) {
		item = &batch->items[i];
		fargs_decoder_count(source->decoder, batch->runs[item->run].cpu, item->data,
				    item->flags & FARGS_ITEM_CORRUPT);
	}
	fargs_merge_give_back(of(source)->merge, batch->used);
	batch->used = NULL;
}

static uint32_t facts_of(const struct fargs_meta *meta)
{
	return FARGS_FACT_TIMES | FARGS_FACT_CPUS | FARGS_FACT_RAW | FARGS_FACT_TYPES |
	       FARGS_FACT_FORMATTED | FARGS_FACT_NS_TIDS |
	       (fargs_meta_has_graph(meta) ? FARGS_FACT_NESTING : 0);
}

int fargs_records_init(struct fargs_records *r, struct fargs_meta *meta,
		       struct fargs_error_text *err)
{
	*r = (struct fargs_records){ .base = { .meta = meta, .facts = facts_of(meta) } };
	r->last = calloc(2 * meta->info.nr_cpus + 1, sizeof(*r->last));
	if (!r->last)
		return fargs_fail(err, ENOMEM, "out of memory");
	/* fargs_formats_validate() forks, and so must be called before threads are started. */
	if (fargs_formats_validate(meta))
		return fargs_fail(err, EAGAIN, "cannot fork to validate the formats of events");
	r->base.decoder = fargs_decoder_create(meta, err);
	return r->base.decoder ? 0 : -EINVAL;
}

void fargs_records_deinit(struct fargs_records *r)
{
	fargs_decoder_destroy(r->base.decoder);
	free(r->last);
}
