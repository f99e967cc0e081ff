// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/pipeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/facts.h"
#include "model/formats.h"
#include "pipeline/filter/filter.h"
#include "pipeline/filter/match.h"

/* A batch that is being processed, and the output for its events. */
struct flight {
	struct fargs_job job;
	struct fargs_pipeline *pipeline;
	/* The following members are set by the thread that processes the batch. */
	struct fargs_buf text;
	int ret;
	struct fargs_batch batch;
};

struct fargs_pipeline {
	struct fargs_event_source *source;
	const struct fargs_sink *sink;
	const struct fargs_pipeline_options *options;
	struct fargs_pool *pool;
	bool is_in_order;		/* one thread must process all events in order */
	bool is_everything;		/* no option leaves out events, and there is no hook */
	bool is_brief;			/* events are brief until the hook has kept them */
	bool is_last;			/* do not wait for more data */
	/* Ring of batches: those from @first on, @nr of them, are in flight. */
	struct flight *flights;
	unsigned int nr_flights, first, nr;
	int ret;			/* the first error other than the source's */
	/* The function that receives the output; set while fargs_pipeline_run() runs. */
	fargs_pipeline_fn fn;
	void *fn_arg;
	/* One decoder for each thread; the first one is the source's. */
	struct fargs_decoder *decoders[FARGS_POOL_MAX];
	struct fargs_filter *filters[FARGS_POOL_MAX];	/* one for each thread; NULL: no filter */
};

static int create_threads(struct fargs_pipeline *p, struct fargs_error_text *err)
{
	const struct fargs_pipeline_options *o = p->options;
	struct fargs_meta *meta = p->source->meta;
	unsigned int i, nr;

	p->pool = fargs_pool_create(p->source->is_single_threaded ? 1 : o->nr_threads);
	if (!p->pool)
		return fargs_fail(err, ENOMEM, "out of memory");
	nr = fargs_pool_nr_threads(p->pool);
	p->nr_flights = nr == 1 ? 1 : 2 * nr;
	p->flights = calloc(p->nr_flights, sizeof(*p->flights));
	if (!p->flights)
		return fargs_fail(err, ENOMEM, "out of memory");
	for (i = 0; i < p->nr_flights; i++) {
		p->flights[i].pipeline = p;
		p->flights[i].batch.source = p->source;
		p->flights[i].text.is_coloured = p->sink->is_coloured;
	}
	for (i = 0; i < nr; i++) {
		p->decoders[i] = i ? fargs_decoder_create(meta, err) : p->source->decoder;
		if (!p->decoders[i])
			return -EINVAL;
		/* The filter marks values that it uses, and prepare() finds out which ones. */
		if (o->filter) {
			p->filters[i] = fargs_filter_create(o->filter, meta, err);
			if (!p->filters[i])
				return -EINVAL;
		}
		if (fargs_meta_uses(meta, "srcline"))
			p->source->details |= FARGS_DETAIL_LINE;
		if (p->source->ops->prepare && p->source->ops->prepare(p->source, p->decoders[i]))
			return fargs_fail(err, ENOMEM, "out of memory");
		fargs_decoder_set_zeros(p->decoders[i], o->has_zeros);
		fargs_decoder_set_ns(p->decoders[i], o->has_ns);
	}
	return 0;
}

struct fargs_pipeline *fargs_pipeline_create(struct fargs_event_source *source,
					     const struct fargs_sink *sink,
					     const struct fargs_pipeline_options *options,
					     struct fargs_error_text *err)
{
	struct fargs_pipeline *p = calloc(1, sizeof(*p));

	if (!p) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	p->source = source;
	p->source->needs_callers = sink->needs_callers;
	p->source->details = sink->details | options->hook.details;
	p->sink = sink;
	p->options = options;
	p->is_in_order = options->hook.arg || sink->is_in_order;
	p->is_brief = options->hook.arg && source->ops->brief && !options->filter;
	p->is_everything = !options->hook.arg && !options->is_silent && !options->filter &&
			   !options->cpus.nr && fargs_time_window_is_all(&options->window) &&
			   !fargs_pipeline_selects_tasks(options);
	if (create_threads(p, err)) {
		fargs_pipeline_destroy(p);
		return NULL;
	}
	return p;
}

void fargs_pipeline_destroy(struct fargs_pipeline *p)
{
	unsigned int i;

	if (!p)
		return;
	for (i = 0; i < FARGS_POOL_MAX; i++) {
		fargs_filter_destroy(p->filters[i]);
		if (i)
			fargs_decoder_destroy(p->decoders[i]);
	}
	for (i = 0; p->flights && i < p->nr_flights; i++)
		fargs_buf_deinit(&p->flights[i].text);
	free(p->flights);
	fargs_pool_destroy(p->pool);
	free(p);
}

bool fargs_pipeline_selects_tasks(const struct fargs_pipeline_options *o)
{
	return o->pids.nr || o->tids.nr || o->comms;
}

void fargs_pipeline_options_deinit(struct fargs_pipeline_options *o)
{
	fargs_id_set_deinit(&o->cpus);
	fargs_id_set_deinit(&o->pids);
	fargs_id_set_deinit(&o->tids);
	fargs_time_window_deinit(&o->window);
}

int fargs_pipeline_options_resolve(struct fargs_pipeline_options *o,
				   struct fargs_event_source *source, const char *path,
				   struct fargs_error_text *err)
{
	uint64_t first_ns, last_ns;
	int ret;

	if (!o->window.nr_shares)
		return 0;
	ret = fargs_facts_check(FARGS_FACT_SPAN, source->facts, "'--time' in percent", path,
				source->what, err);
	if (!ret)
		ret = source->ops->span(source, &first_ns, &last_ns, err);
	if (ret)
		return ret;
	return fargs_time_window_resolve(&o->window, first_ns, last_ns) ?
	       fargs_fail(err, ENOMEM, "out of memory") : 0;
}

/* Does the name match one of the patterns, which are separated by commas? */
static bool is_named(const char *patterns, const char *comm)
{
	size_t len;

	for (;; patterns += len + 1) {
		len = strcspn(patterns, ",");
		if (fargs_match(patterns, len, comm, strlen(comm)))
			return true;
		if (!patterns[len])
			return false;
	}
}

static bool is_task_selected(const struct fargs_pipeline_options *o, const struct fargs_event *ev)
{
	/* A loss belongs to a CPU, not to a task. */
	if (ev->kind == FARGS_KIND_LOST)
		return true;
	return (!o->pids.nr || (ev->tgid >= 0 && fargs_id_set_has(&o->pids, ev->tgid))) &&
	       (!o->tids.nr || (ev->tid >= 0 && fargs_id_set_has(&o->tids, ev->tid))) &&
	       (!o->comms || is_named(o->comms, ev->comm));
}

static bool is_selected(const struct fargs_pipeline_options *o, const struct fargs_event *ev)
{
	return !o->is_silent &&
	       (!o->cpus.nr || (fargs_id_set_has(&o->cpus, ev->cpu) && !ev->has_no_cpu)) &&
	       (ev->has_no_time || fargs_time_window_has(&o->window, ev->time_ns)) &&
	       (!fargs_pipeline_selects_tasks(o) || is_task_selected(o, ev));
}

/* Do the options select the event? Returns 1; 0; or -errno. */
static int holds(struct fargs_pipeline *p, unsigned int thread, const struct fargs_event *ev)
{
	struct fargs_filter *filter = p->filters[thread];

	if (!is_selected(p->options, ev))
		return 0;
	return filter && ev->kind != FARGS_KIND_LOST ?
	       fargs_filter_holds(filter, p->decoders[thread], ev) : 1;
}

/* Passes the output in @text on, and empties @text. */
static int pass_on(struct fargs_pipeline *p, struct fargs_buf *text)
{
	int ret = p->fn && text->n ? p->fn(p->fn_arg, text->text, text->n) : 0;

	text->n = 0;
	return ret;
}

/*
 * Calls the event hook for @ev, the event of item @i. Then passes the output for @ev on if the
 * options select @ev and the hook does not drop it.
 */
static int ask(struct flight *flight, unsigned int thread, unsigned int i, struct fargs_event *ev)
{
	struct fargs_pipeline *p = flight->pipeline;
	const struct fargs_pipeline_hook *hook = &p->options->hook;
	struct fargs_decoder *d = p->decoders[thread];
	int is_wanted = holds(p, thread, ev), ret;

	if (is_wanted < 0)
		return is_wanted;
	ret = hook->ask(hook->arg, d, ev, &flight->batch.items[i], is_wanted);
	if (ret || !is_wanted)
		return ret < 0 ? ret : 0;
	if (p->is_brief)
		ret = p->source->ops->event(d, &flight->batch, i, ev);
	if (!ret)
		ret = p->sink->event(p->sink->arg, &flight->text, d, ev);
	return ret ? ret : pass_on(p, &flight->text);
}

/* Adds the output for @ev, the event of item @i, if the options select it. */
static int process_selected(struct flight *flight, unsigned int thread, unsigned int i,
			    struct fargs_event *ev)
{
	struct fargs_pipeline *p = flight->pipeline;
	int ret;

	if (p->options->hook.arg)
		return ask(flight, thread, i, ev);
	ret = holds(p, thread, ev);
	return ret == 1 ? p->sink->event(p->sink->arg, &flight->text, p->decoders[thread], ev) :
			  ret;
}

/*
 * Handles an error in making the event of item @first + @offset. Returns 0 if the report continues
 * without it.
 */
static __attribute__((noinline)) int skip_item(struct fargs_batch *batch, unsigned int first,
					       unsigned int offset, int error)
{
	if (error != -EIO)
		return error;
	batch->items[first + offset].flags |= FARGS_ITEM_CORRUPT;
	return 0;
}

/*
 * Passes the event of item @first + @offset to the sink. @offset is a constant, so that the
 * compiler need not keep the sum in case of an error.
 */
static inline __attribute__((always_inline)) int
process_item(struct flight *flight, const struct fargs_event_source_ops *ops,
	     const struct fargs_sink *sink, struct fargs_decoder *d, struct fargs_event *ev,
	     unsigned int first, unsigned int offset)
{
	int ret = ops->event(d, &flight->batch, first + offset, ev);

	return ret ? skip_item(&flight->batch, first, offset, ret) :
		     sink->event(sink->arg, &flight->text, d, ev);
}

/*
 * Passes the events of all items to the sink. This loop is what the pipeline costs for each item,
 * so that whatever can be done elsewhere is done there. A turn of the loop takes eight items.
 */
static int process_all(struct flight *flight, unsigned int thread)
{
	struct fargs_pipeline *p = flight->pipeline;
	const struct fargs_event_source_ops *ops = p->source->ops;
	const struct fargs_sink *sink = p->sink;
	struct fargs_decoder *d = p->decoders[thread];
	unsigned int i, nr = flight->batch.nr, nr_in_eights = nr - nr % 8;
	struct fargs_event ev;
	int ret;

	for (i = 0; i < nr_in_eights; i += 8) {
		ret = process_item(flight, ops, sink, d, &ev, i, 0) ?:
		      process_item(flight, ops, sink, d, &ev, i, 1) ?:
		      process_item(flight, ops, sink, d, &ev, i, 2) ?:
		      process_item(flight, ops, sink, d, &ev, i, 3) ?:
		      process_item(flight, ops, sink, d, &ev, i, 4) ?:
		      process_item(flight, ops, sink, d, &ev, i, 5) ?:
		      process_item(flight, ops, sink, d, &ev, i, 6) ?:
		      process_item(flight, ops, sink, d, &ev, i, 7);
		if (ret)
			return ret;
	}
	for (; i < nr; i++) {
		ret = process_item(flight, ops, sink, d, &ev, i, 0);
		if (ret)
			return ret;
	}
	return 0;
}

static int process_some(struct flight *flight, unsigned int thread)
{
	struct fargs_pipeline *p = flight->pipeline;
	const struct fargs_event_source_ops *ops = p->source->ops;
	struct fargs_batch *batch = &flight->batch;
	struct fargs_event ev;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < batch->nr && !ret; i++) {
		ret = (p->is_brief ? ops->brief : ops->event)(p->decoders[thread], batch, i, &ev);
		ret = ret ? skip_item(batch, i, 0, ret) : process_selected(flight, thread, i, &ev);
	}
	return ret;
}

static void process(struct flight *flight, unsigned int thread)
{
	flight->text.n = 0;
	flight->ret = flight->pipeline->is_everything ? process_all(flight, thread) :
							process_some(flight, thread);
}

static void do_batch(struct fargs_job *job, unsigned int thread)
{
	process((struct flight *)job, thread);
}

/* Waits for the oldest batch in flight, and passes its output on. */
static void finish_first(struct fargs_pipeline *p)
{
	struct flight *flight = &p->flights[p->first];
	int ret;

	p->first = (p->first + 1) % p->nr_flights;
	p->nr--;
	if (p->is_in_order && !p->ret)
		process(flight, 0);
	else if (!p->is_in_order)
		fargs_pool_wait(p->pool, &flight->job);
	ret = p->ret ? p->ret : flight->ret;
	p->source->ops->release(p->source, &flight->batch, !ret);
	p->ret = ret ? ret : pass_on(p, &flight->text);
}

static void finish_all(struct fargs_pipeline *p)
{
	while (p->nr)
		finish_first(p);
}

static struct fargs_batch *get_batch(void *arg)
{
	struct fargs_pipeline *p = arg;
	struct fargs_batch *batch;

	if (p->nr == p->nr_flights)
		finish_first(p);
	batch = &p->flights[(p->first + p->nr) % p->nr_flights].batch;
	batch->nr = 0;
	batch->nr_runs = 0;
	return batch;
}

/* Did the follow hook end the report, although more events may be available? */
static bool is_interrupted(const struct fargs_pipeline *p)
{
	const struct fargs_pipeline_follow *follow = &p->options->follow;

	return follow->arg && !p->is_last && !follow->goes_on(follow->arg, false);
}

static bool put_batch(void *arg, struct fargs_batch *batch)
{
	struct fargs_pipeline *p = arg;
	struct flight *flight = &p->flights[(p->first + p->nr) % p->nr_flights];

	flight->job.fn = do_batch;
	p->nr++;
	if (!p->is_in_order)
		fargs_pool_submit(p->pool, &flight->job);
	return !p->ret && !is_interrupted(p);
}

/* Lets the sink write output without an event, until it has no more. */
static int ask_sink(struct fargs_pipeline *p,
		    int (*ask)(void *arg, struct fargs_buf *out, struct fargs_decoder *d))
{
	struct fargs_buf text = { .is_coloured = p->sink->is_coloured };
	bool has_more;
	int ret;

	do {
		ret = ask ? ask(p->sink->arg, &text, p->source->decoder) : 0;
		has_more = ret > 0;
		if (ret >= 0)
			ret = pass_on(p, &text);
	} while (!ret && has_more);
	fargs_buf_deinit(&text);
	return ret;
}

static bool wait_for_more(void *arg)
{
	struct fargs_pipeline *p = arg;
	const struct fargs_pipeline_follow *follow = &p->options->follow;

	finish_all(p);
	if (p->ret || !follow->arg || !follow->goes_on(follow->arg, true))
		p->is_last = true;
	return !p->is_last;
}

/* Shows the losses that occurred after the last record of each CPU: no LOST record reports them. */
static int finish_losses(struct fargs_pipeline *p)
{
	const struct fargs_pipeline_options *o = p->options;
	const struct fargs_meta *meta = p->source->meta;
	struct fargs_buf text = { .is_coloured = p->sink->is_coloured };
	unsigned int i, cpu, nr = meta->info.nr_cpus;
	int ret = 0;

	/*
	 * The time of a loss after a CPU's last record is unknown, so these losses are shown last.
	 */
	if (o->is_silent || fargs_time_window_ends(&o->window))
		return 0;
	for (i = 0; i < 2 * nr && !ret; i++) {
		const struct fargs_event ev = {
			.kind = FARGS_KIND_LOST,
			.cpu = cpu = i % nr,
			.is_event = i >= nr,
			.lost = fargs_meta_pending(meta, cpu, i >= nr),
		};

		if (ev.lost && fargs_id_set_allows(&o->cpus, cpu))
			ret = p->sink->event(p->sink->arg, &text, p->source->decoder, &ev);
	}
	if (!ret)
		ret = pass_on(p, &text);
	fargs_buf_deinit(&text);
	return ret;
}

static int run_source(struct fargs_pipeline *p, struct fargs_error_text *err)
{
	const struct fargs_feed feed = {
		.arg = p, .pool = p->pool, .get = get_batch, .put = put_batch,
		.wait = wait_for_more,
	};
	int ret = p->source->ops->run(p->source, &feed, err);

	finish_all(p);
	return ret;
}

int fargs_pipeline_begin(struct fargs_pipeline *p, fargs_pipeline_fn fn, void *arg)
{
	p->fn = fn;
	p->fn_arg = arg;
	return ask_sink(p, p->sink->begin);
}

int fargs_pipeline_pump(struct fargs_pipeline *p, struct fargs_error_text *err)
{
	int ret = run_source(p, err);

	if (!p->ret && !ret)
		p->ret = ask_sink(p, p->sink->pause);
	return p->ret ? p->ret : ret;
}

int fargs_pipeline_finish(struct fargs_pipeline *p, bool has_losses)
{
	if (!p->ret)
		p->ret = ask_sink(p, p->sink->flush);
	if (!p->ret && has_losses)
		p->ret = finish_losses(p);
	if (!p->ret)
		p->ret = ask_sink(p, p->sink->end);
	return p->ret;
}

int fargs_pipeline_run(struct fargs_pipeline *p, fargs_pipeline_fn fn, void *arg,
		       struct fargs_error_text *err)
{
	int ret = fargs_pipeline_begin(p, fn, arg);

	if (ret)
		return ret;
	ret = run_source(p, err);
	if (p->source->ops->end)
		p->source->ops->end(p->source);
	if (!ret)
		return fargs_pipeline_finish(p, true);
	if (!p->ret)
		p->ret = ask_sink(p, p->sink->flush);
	return p->ret ? p->ret : ret;
}

uint64_t fargs_pipeline_nr_unknown(const struct fargs_pipeline *p)
{
	uint64_t nr = 0;
	unsigned int i;

	for (i = 0; i < FARGS_POOL_MAX && p->decoders[i]; i++)
		nr += fargs_decoder_nr_unknown(p->decoders[i]);
	return nr;
}
