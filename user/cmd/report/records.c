// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/records.h"

#include <errno.h>
#include <stdlib.h>

#include "model/formats.h"
#include "pipeline/filter/filter.h"
#include "sink/text/graph.h"
#include "sink/text/text.h"
#include "source/fargs_dat/streams.h"

/*
 * Size of a batch: large enough that handing a batch to a thread costs little in comparison, and
 * small enough that the batches in flight need little memory. The text of a line is a few times
 * larger than its record.
 */
#define BATCH_RECORDS	2048
#define BATCH_BYTES	(256u << 10)

/* A record with its task and guest, which can only be determined in time order. */
struct item {
	struct fargs_stamped stamped;
	bool has_task;
	bool is_corrupt;	/* set by the thread that formats the batch */
	struct fargs_task task;
	const struct fargs_ksyms *guest;
};

struct batch {
	struct fargs_job job;
	struct fargs_report *report;
	unsigned int nr;
	struct fargs_block *used;	/* blocks that are not needed after this batch */
	/* The following members are set by the thread that formats the batch. */
	struct fargs_buf text;
	uint64_t nr_unknown;
	int ret;
	struct item items[BATCH_RECORDS];
};

struct fargs_report {
	const struct fargs_report_options *options;
	struct fargs_meta *meta;
	struct fargs_pool *pool;
	struct fargs_streams *streams;
	struct fargs_graph *graph;	/* shows calls nested; NULL: each event is a line */
	bool is_in_order;		/* one thread must process all events in order */
	struct batch *batches;
	unsigned int nr_batches;
	uint64_t nr_unknown;
	/* The function that receives the lines; set while fargs_report_run() runs. */
	fargs_report_fn fn;
	void *fn_arg;
	/* One decoder for each thread. The first one also follows tasks and counts records. */
	struct fargs_decoder *decoders[FARGS_POOL_MAX];
	struct fargs_filter *filters[FARGS_POOL_MAX];	/* one for each thread; NULL: no filter */
};

static bool is_coloured(const struct fargs_report *report)
{
	return report->options->is_coloured && !report->options->view;
}

static int set_up(struct fargs_report *report, struct fargs_reader *r,
		  struct fargs_error_text *err)
{
	unsigned int i, nr;

	/* fargs_formats_validate() forks, and so must be called before threads are started. */
	if (fargs_formats_validate(report->meta))
		return fargs_fail(err, EAGAIN, "cannot fork to validate the formats of events");
	report->pool = fargs_pool_create(report->options->nr_threads);
	if (!report->pool)
		return fargs_fail(err, ENOMEM, "out of memory");
	nr = fargs_pool_nr_threads(report->pool);
	report->nr_batches = nr == 1 ? 1 : 2 * nr;
	report->batches = calloc(report->nr_batches, sizeof(*report->batches));
	if (!report->batches)
		return fargs_fail(err, ENOMEM, "out of memory");
	for (i = 0; i < report->nr_batches; i++)
		report->batches[i].text.is_coloured = is_coloured(report);
	report->streams = fargs_streams_create(r, report->meta, report->pool, err);
	if (!report->streams)
		return -EINVAL;
	for (i = 0; i < nr; i++) {
		report->decoders[i] = fargs_decoder_create(report->meta, err);
		if (!report->decoders[i])
			return -EINVAL;
		if (report->options->filter) {
			report->filters[i] = fargs_filter_create(report->options->filter,
								 report->meta, err);
			if (!report->filters[i])
				return -EINVAL;
		}
		fargs_decoder_set_zeros(report->decoders[i], report->options->has_zeros);
		fargs_decoder_set_ns(report->decoders[i], report->options->has_ns);
	}
	report->is_in_order = report->options->hook.arg ||
			      (report->options->view && report->options->view->is_in_order);
	if (!report->options->view && !report->options->hook.arg &&
	    fargs_meta_has_graph(report->meta)) {
		report->is_in_order = true;
		report->graph = fargs_graph_create(report->decoders[0]);
		if (!report->graph)
			return fargs_fail(err, ENOMEM, "no memory for a graph");
	}
	return 0;
}

struct fargs_report *fargs_report_create(struct fargs_reader *r, struct fargs_meta *meta,
					 const struct fargs_report_options *options,
					 struct fargs_error_text *err)
{
	struct fargs_report *report = calloc(1, sizeof(*report));

	if (!report) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	report->options = options;
	report->meta = meta;
	if (set_up(report, r, err)) {
		fargs_report_destroy(report);
		return NULL;
	}
	return report;
}

void fargs_report_destroy(struct fargs_report *report)
{
	unsigned int i;

	if (!report)
		return;
	fargs_graph_destroy(report->graph);
	for (i = 0; i < FARGS_POOL_MAX; i++) {
		fargs_filter_destroy(report->filters[i]);
		fargs_decoder_destroy(report->decoders[i]);
	}
	for (i = 0; report->batches && i < report->nr_batches; i++) {
		if (report->streams)
			fargs_streams_give_back(report->streams, report->batches[i].used);
		fargs_buf_deinit(&report->batches[i].text);
	}
	free(report->batches);
	fargs_streams_destroy(report->streams);
	fargs_pool_destroy(report->pool);
	free(report);
}

static bool is_wanted(const struct fargs_report_options *o, const struct fargs_event *ev)
{
	return !o->is_silent && (!o->is_one_cpu || ev->cpu == o->cpu) &&
	       fargs_time_window_has(&o->window, ev->time_ns);
}

static int show(struct fargs_report *report, struct fargs_buf *out, struct fargs_decoder *d,
		const struct fargs_event *ev)
{
	const struct fargs_sink_view *view = report->options->view;

	if (view)
		return view->event(view->arg, out, d, ev);
	if (report->options->is_raw)
		return fargs_text_event_raw(out, d, ev);
	return report->graph ? fargs_graph_event(report->graph, out, ev)
			     : fargs_text_event(out, d, ev);
}

/* Is the event selected by the options? Returns 1; 0; or -errno. */
static int holds(struct fargs_report *report, unsigned int thread, const struct fargs_event *ev)
{
	struct fargs_filter *filter = report->filters[thread];

	if (!is_wanted(report->options, ev))
		return 0;
	return filter && ev->kind != FARGS_KIND_LOST ?
	       fargs_filter_holds(filter, report->decoders[thread], ev) : 1;
}

/*
 * Calls the event hook for @ev. Then passes the line of @ev to report->fn if the options select @ev
 * and the hook does not drop it.
 */
static int ask(struct batch *batch, unsigned int thread, const struct item *item,
	       const struct fargs_event *ev)
{
	struct fargs_report *report = batch->report;
	const struct fargs_report_hook *hook = &report->options->hook;
	struct fargs_decoder *d = report->decoders[thread];
	int is_wanted = holds(report, thread, ev), ret;

	if (is_wanted < 0)
		return is_wanted;
	ret = hook->ask(hook->arg, d, ev, item->stamped.rec, is_wanted);
	if (ret || !is_wanted)
		return ret < 0 ? ret : 0;
	ret = show(report, &batch->text, d, ev);
	if (!ret && batch->text.n && report->fn)
		ret = report->fn(report->fn_arg, batch->text.text, batch->text.n);
	batch->text.n = 0;
	return ret;
}

/* Adds the line of @item to the batch, if the options select it. */
static int take(struct batch *batch, unsigned int thread, struct item *item)
{
	struct fargs_report *report = batch->report;
	struct fargs_decoder *d = report->decoders[thread];
	struct fargs_event ev;
	int ret = fargs_decoder_parse(d, &item->stamped,
				      item->has_task ? &item->task : NULL, &ev);

	item->is_corrupt = ret == -EIO;
	if (ret)
		return item->is_corrupt ? 0 : ret;
	batch->nr_unknown += !ev.func &&
			     (ev.kind == FARGS_KIND_ENTRY || ev.kind == FARGS_KIND_TPOINT);
	ev.guest = item->guest;
	if (report->options->hook.arg)
		return ask(batch, thread, item, &ev);
	ret = holds(report, thread, &ev);
	return ret == 1 ? show(report, &batch->text, d, &ev) : ret;
}

static void make_lines(struct batch *batch, unsigned int thread)
{
	unsigned int i;

	batch->text.n = 0;
	batch->nr_unknown = 0;
	batch->ret = 0;
	for (i = 0; i < batch->nr && !batch->ret; i++)
		batch->ret = take(batch, thread, &batch->items[i]);
}

static void do_batch(struct fargs_job *job, unsigned int thread)
{
	struct batch *batch = (struct batch *)job;

	make_lines(batch, thread);
}

/*
 * Fills a batch. Returns 1; 0: no more records; FARGS_STREAMS_WAITS; or -errno. In all cases, the
 * first batch->nr items of the batch are valid.
 */
static int fill(struct fargs_report *report, struct batch *batch, struct fargs_error_text *err)
{
	const struct fargs_record *rec;
	const struct fargs_task *task;
	struct item *item;
	size_t bytes = 0;
	int ret = 1;

	batch->report = report;
	for (batch->nr = 0; batch->nr < BATCH_RECORDS && bytes < BATCH_BYTES; batch->nr++) {
		item = &batch->items[batch->nr];
		ret = fargs_streams_next(report->streams, &item->stamped, err);
		if (ret != 1)
			break;
		rec = item->stamped.rec;
		bytes += rec->len;
		task = fargs_decoder_task(report->decoders[0], rec);
		item->has_task = task;
		if (task)
			item->task = *task;
		item->guest = fargs_decoder_guest(report->decoders[0], rec);
		ret = fargs_decoder_follow(report->decoders[0], rec);
		if (ret)
			break;
		ret = 1;
	}
	batch->used = fargs_streams_used(report->streams);
	return ret;
}

/*
 * Submits a batch to the threads, unless events must be processed in order: then finish() formats
 * it.
 */
static void start(struct fargs_report *report, struct batch *batch)
{
	batch->job.fn = do_batch;
	if (!report->is_in_order)
		fargs_pool_submit(report->pool, &batch->job);
}

/*
 * Counts the records of @batch, and passes its text to @fn, unless @fn is NULL. Must be called for
 * all batches in time order.
 */
static int finish(struct fargs_report *report, struct batch *batch, fargs_report_fn fn, void *arg)
{
	const struct item *item;
	unsigned int i;
	int ret;

	report->fn = fn;
	report->fn_arg = arg;
	if (report->is_in_order)
		make_lines(batch, 0);
	else
		fargs_pool_wait(report->pool, &batch->job);
	ret = batch->ret;
	for (i = 0; !ret && i < batch->nr; i++) {
		item = &batch->items[i];
		fargs_decoder_count(report->decoders[0], item->stamped.cpu, item->stamped.rec,
				    item->is_corrupt);
	}
	report->nr_unknown += batch->nr_unknown;
	fargs_streams_give_back(report->streams, batch->used);
	batch->used = NULL;
	return !ret && fn && batch->text.n ? fn(arg, batch->text.text, batch->text.n) : ret;
}

/* Writes the call that the graph still holds, if any (fargs_graph_flush()). */
static int finish_graph(struct fargs_report *report, fargs_report_fn fn, void *arg)
{
	struct fargs_buf text = { .is_coloured = is_coloured(report) };
	int ret = fargs_graph_flush(report->graph, &text, true);

	if (!ret && text.n)
		ret = fn(arg, text.text, text.n);
	fargs_buf_deinit(&text);
	return ret;
}

/* Shows the losses that occurred after the last record of each CPU: no LOST record reports them. */
static int finish_losses(struct fargs_report *report, fargs_report_fn fn, void *arg)
{
	const struct fargs_report_options *o = report->options;
	struct fargs_decoder *d = report->decoders[0];
	struct fargs_buf text = { .is_coloured = is_coloured(report) };
	unsigned int i, cpu, nr = report->meta->info.nr_cpus;
	int ret = 0;

	/*
	 * The time of a loss after a CPU's last record is unknown, so these losses are shown last.
	 */
	if (o->is_silent || o->window.to_ns != UINT64_MAX)
		return 0;
	for (i = 0; i < 2 * nr && !ret; i++) {
		const struct fargs_event ev = {
			.kind = FARGS_KIND_LOST,
			.cpu = cpu = i % nr,
			.is_event = i >= nr,
			.lost = fargs_meta_pending(report->meta, cpu, i >= nr),
		};

		if (ev.lost && (!o->is_one_cpu || cpu == o->cpu))
			ret = report->options->view ? show(report, &text, d, &ev)
						    : fargs_text_event(&text, d, &ev);
	}
	if (!ret && text.n)
		ret = fn(arg, text.text, text.n);
	fargs_buf_deinit(&text);
	return ret;
}

/* Lets the view write text before or after all events. */
static int ask_view(struct fargs_report *report,
		    int (*ask)(void *arg, struct fargs_buf *out, struct fargs_decoder *d),
		    fargs_report_fn fn, void *arg)
{
	struct fargs_buf text = { };
	int ret = ask(report->options->view->arg, &text, report->decoders[0]);

	if (!ret && text.n)
		ret = fn(arg, text.text, text.n);
	fargs_buf_deinit(&text);
	return ret;
}

/*
 * Waits for more data after all available data was shown. Sets *@is_last if the report must end
 * after these data. Returns 1; 0: no more data; or -errno.
 */
static int wait_for_more(struct fargs_report *report, bool *is_last, struct fargs_error_text *err)
{
	const struct fargs_report_follow *follow = &report->options->follow;
	int ret = 0;

	while (!ret) {
		*is_last = !follow->goes_on(follow->arg, true);
		ret = fargs_streams_grow(report->streams, *is_last, err);
	}
	return ret;
}

/* Was the report interrupted while there are events left to show? */
static bool is_interrupted(const struct fargs_report *report)
{
	const struct fargs_report_follow *follow = &report->options->follow;

	return follow->arg && !follow->goes_on(follow->arg, false);
}

int fargs_report_run(struct fargs_report *report, fargs_report_fn fn, void *arg,
		     struct fargs_error_text *err)
{
	const struct fargs_sink_view *view = report->options->view;
	unsigned int first = 0, nr = 0;	/* batches in flight: index of the first, and number */
	int more = 1, ret = 0, end;
	struct batch *batch;
	bool is_last = false;

	if (view && view->begin) {
		ret = ask_view(report, view->begin, fn, arg);
		if (ret)
			return ret;
	}
	while (nr || more > 0) {
		if (!nr && more == FARGS_STREAMS_WAITS) {
			more = wait_for_more(report, &is_last, err);
			continue;
		}
		if (more == 1 && !is_last && is_interrupted(report))
			more = 0;
		if (more == 1 && nr < report->nr_batches) {
			batch = &report->batches[(first + nr) % report->nr_batches];
			more = fill(report, batch, err);
			start(report, batch);
			nr++;
			continue;
		}
		batch = &report->batches[first];
		first = (first + 1) % report->nr_batches;
		nr--;
		end = finish(report, batch, ret ? NULL : fn, arg);
		if (end && !ret)
			ret = end;
		if (ret)
			more = 0;
	}
	if (!ret && report->graph)
		ret = finish_graph(report, fn, arg);
	if (!ret && !more)
		ret = finish_losses(report, fn, arg);
	if (!ret && !more && view && view->end)
		ret = ask_view(report, view->end, fn, arg);
	return ret ? ret : more;
}

struct fargs_account *fargs_report_account(struct fargs_report *report)
{
	return fargs_decoder_account(report->decoders[0]);
}

uint64_t fargs_report_nr_unknown(const struct fargs_report *report)
{
	return report->nr_unknown;
}
