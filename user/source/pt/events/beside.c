// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/beside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "source/perf_data/perf_data.h"

/* Names of values that both sources have; more than there are. */
#define NAMES_MAX	(FARGS_VALUE_NAMES_MAX - 1)

struct beside {
	struct fargs_event_source base;
	struct fargs_event_source *samples, *events;
	struct fargs_meta meta;			/* of @events */
	struct fargs_perf_meta perf;		/* of both */
	const char *names[NAMES_MAX + 1];	/* likewise, ending with NULL */
	struct fargs_decoder_lookups of_samples, of_events;
	/* The following members are set while the source runs. */
	const struct fargs_feed *feed;
	struct fargs_error_text *err;
	bool is_at_end;				/* there are no more samples */
};

static struct beside *of(struct fargs_event_source *source)
{
	return (struct beside *)source;
}

static int span(struct fargs_event_source *source, uint64_t *first_ns, uint64_t *last_ns,
		struct fargs_error_text *err)
{
	struct fargs_event_source *samples = of(source)->samples;

	return samples->ops->span(samples, first_ns, last_ns, err);
}

/*
 * Passes @batch on; each has items of one of the sources alone. Events of the batch before it were
 * used before get() returned this one, so the decoder may look up names as @source does. Returns 0
 * or -ECANCELED.
 */
static int put(struct beside *b, struct fargs_batch *batch, struct fargs_event_source *source)
{
	batch->source = source;
	fargs_decoder_set_lookups(b->base.decoder, source == b->samples ? &b->of_samples :
							  &b->of_events);
	return b->feed->put(b->feed->arg, batch) ? 0 : -ECANCELED;
}

/* Passes on the samples up to @ns. */
static int put_samples(void *arg, uint64_t ns, uint64_t *next_ns)
{
	struct beside *b = arg;
	struct fargs_batch *batch;
	int ret = 0, got;
	bool is_due;

	*next_ns = UINT64_MAX;
	while (!b->is_at_end && !ret) {
		/* Now, the sample before is not in use any more. */
		batch = b->feed->get(b->feed->arg);
		got = fargs_perf_data_read(b->samples, next_ns, b->err);
		is_due = got > 0 && *next_ns <= ns;
		if (is_due)
			fargs_perf_data_fill(b->samples, batch);
		else if (!got)
			*next_ns = UINT64_MAX;
		b->is_at_end = !got;
		ret = put(b, batch, b->samples);
		if (!is_due)
			return got < 0 ? got : ret;
	}
	return ret;
}

static struct fargs_batch *get_batch(void *arg)
{
	struct beside *b = arg;

	return b->feed->get(b->feed->arg);
}

static bool put_batch(void *arg, struct fargs_batch *batch)
{
	struct beside *b = arg;

	return !put(b, batch, b->events);
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	struct beside *b = of(source);
	const struct fargs_feed own = {
		.arg = b, .pool = feed->pool, .get = get_batch, .put = put_batch,
	};
	uint64_t next_ns;
	int ret;

	b->feed = feed;
	b->err = err;
	fargs_pt_branches_set_before(b->events, put_samples, b);
	ret = b->events->ops->run(b->events, &own, err);
	if (!ret)
		ret = put_samples(b, UINT64_MAX, &next_ns);
	return ret == -ECANCELED ? 0 : ret;
}

static int prepare(struct fargs_event_source *source, struct fargs_decoder *d)
{
	struct beside *b = of(source);
	int ret;

	b->samples->details = source->details;
	b->samples->needs_callers = source->needs_callers;
	b->events->details = source->details;
	b->events->needs_callers = source->needs_callers;
	ret = b->samples->ops->prepare(b->samples, d);
	b->of_samples = fargs_decoder_lookups(d);
	if (!ret)
		ret = b->events->ops->prepare(b->events, d);
	b->of_events = fargs_decoder_lookups(d);
	return ret;
}

static int make_event(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
		      struct fargs_event *ev)
{
	return batch->source->ops->event(d, batch, i, ev);
}

static void release(struct fargs_event_source *source, struct fargs_batch *batch, bool is_counted)
{
	batch->source->ops->release(batch->source, batch, is_counted);
}

static const struct fargs_event_source_ops ops = {
	.span = span, .run = run, .prepare = prepare, .event = make_event, .release = release,
};

/* Appends those of @names to b->names that are not there yet. */
static void add_names(struct beside *b, const char *const *names)
{
	size_t i;

	for (; *names; names++) {
		for (i = 0; b->names[i] && strcmp(b->names[i], *names); i++)
			;
		if (!b->names[i] && i < NAMES_MAX)
			b->names[i] = *names;
	}
}

/* Describes the events of both, as perf does. */
static void describe(struct beside *b)
{
	const struct fargs_perf_meta *from = b->meta.perf;
	struct fargs_meta *meta = b->base.meta;
	size_t i;

	add_names(b, meta->value_names);
	add_names(b, b->meta.value_names);
	meta->value_names = b->names;
	b->perf = *meta->perf;
	for (i = 0; i < sizeof(from->names) / sizeof(from->names[0]); i++) {
		if (!b->perf.names[i])
			b->perf.names[i] = from->names[i];
		b->perf.sample_types[i] |= from->sample_types[i];
	}
	if (from->name_width > b->perf.name_width)
		b->perf.name_width = from->name_width;
	meta->perf = &b->perf;
	if (b->meta.info.nr_cpus > meta->info.nr_cpus)
		meta->info.nr_cpus = b->meta.info.nr_cpus;
}

struct fargs_event_source *fargs_pt_beside_create(struct fargs_event_source *samples,
						  const struct fargs_pt_input *in,
						  const struct fargs_pt_which *which,
						  struct fargs_error_text *err)
{
	struct beside *b = calloc(1, sizeof(*b));

	if (!b) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	b->samples = samples;
	b->events = fargs_pt_branches_source(in, which, &b->meta, err);
	if (!b->events) {
		fargs_pt_beside_destroy(&b->base);
		return NULL;
	}
	b->base = (struct fargs_event_source){
		.ops = &ops, .meta = samples->meta, .decoder = samples->decoder,
		.what = samples->what, .facts = samples->facts & b->events->facts,
		.is_single_threaded = true,
	};
	describe(b);
	return &b->base;
}

void fargs_pt_beside_destroy(struct fargs_event_source *source)
{
	struct beside *b;

	if (!source)
		return;
	b = of(source);
	fargs_pt_branches_source_destroy(b->events);
	fargs_meta_deinit(&b->meta);
	free(b);
}
