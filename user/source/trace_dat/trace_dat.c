// SPDX-License-Identifier: GPL-2.0-only
#include "source/trace_dat/trace_dat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "model/event_record.h"
#include "model/formats.h"
#include "source/trace_dat/tracecmd.h"

/* Times in trace.dat are in ns. With this TSC frequency, in kHz, a tick is one ns. */
#define NS_KHZ		1000000
/* Common header of all events: u16 id, u8 flags, u8 preempt_count, s32 pid. */
#define COMMON_BYTES	8
/* Size of the buffer for the data of a batch: the last event may exceed FARGS_BATCH_BYTES. */
#define DATA_BYTES	(FARGS_BATCH_BYTES + FARGS_EVENT_RAW_MAX)

struct dat {
	struct fargs_event_source base;
	struct fargs_tracecmd *file;
	char *path;
	struct tep_handle *tep;
	uint64_t lost;			/* number of lost events that the file reports */
	bool has_lost;
	/* The following members are set while the source runs. */
	const struct fargs_feed *feed;
	struct fargs_batch *batch;	/* batch that is being filled; NULL: none */
	size_t bytes;			/* size of the data of the events in @batch */
	bool is_stopped;		/* the feed takes no more batches */
};

static struct dat *of(struct fargs_event_source *source)
{
	return (struct dat *)source;
}

/* Sets the tid and name of a task. Its tgid is not in the trace.dat file, and thus unknown. */
static void set_run(struct dat *d, struct fargs_run *run, unsigned int cpu, pid_t tid)
{
	const char *comm = tid ? tep_data_comm_from_pid(d->tep, tid) : "<idle>";
	struct fargs_guest_task who = { .tid = tid, .tgid = -1 };

	run->cpu = cpu;
	run->has_task = true;
	run->task = (struct fargs_task){ .tid = tid, .tgid = -1 };
	memcpy(run->task.comm, comm, strnlen(comm, FARGS_COMM_LEN));
	who.comm = run->task.comm;
	run->guest = fargs_guests_find(&d->base.meta->guests, &who);
}

/* Passes the batch to the feed. Returns 0, or 1 if the source must stop. */
static int pass_on(struct dat *d)
{
	struct fargs_batch *batch = d->batch;

	d->batch = NULL;
	d->is_stopped = batch && !d->feed->put(d->feed->arg, batch);
	return d->is_stopped;
}

/* Returns an item for an event of @cpu and @tid; NULL: no memory. */
static struct fargs_item *add_item(struct dat *d, unsigned int cpu, pid_t tid)
{
	struct fargs_batch *batch = d->batch;
	struct fargs_item *item;
	struct fargs_run *run;

	if (!batch) {
		batch = d->feed->get(d->feed->arg);
		d->batch = batch;
		d->bytes = 0;
		if (!batch->used)
			batch->used = malloc(DATA_BYTES);
		if (!batch->used)
			return NULL;
	}
	run = &batch->runs[batch->nr_runs - 1];
	if (!batch->nr_runs || run->cpu != cpu || run->task.tid != tid)
		set_run(d, &batch->runs[batch->nr_runs++], cpu, tid);
	item = &batch->items[batch->nr++];
	*item = (struct fargs_item){ .run = batch->nr_runs - 1 };
	return item;
}

static int add_lost(struct dat *d, const struct tep_record *from, unsigned int cpu)
{
	struct fargs_item *item = add_item(d, cpu, 0);

	if (!item)
		return -ENOMEM;
	item->kind = FARGS_KIND_LOST;
	item->time_ns = from->ts;
	/* If missed_events is -1, the number of lost events is unknown. */
	item->a = from->missed_events > 0 ? from->missed_events : 0;
	d->lost += item->a;
	d->has_lost = true;
	return 0;
}

/* Adds an item for @from, and a copy of its data. */
static int add_event(struct dat *d, const struct tep_record *from, unsigned int cpu)
{
	struct fargs_item *item;
	uint8_t *data;
	int32_t pid;

	memcpy(&pid, (const uint8_t *)from->data + 4, sizeof(pid));
	item = add_item(d, cpu, pid);
	if (!item)
		return -ENOMEM;
	data = (uint8_t *)d->batch->used + d->bytes;
	memcpy(data, from->data, from->size);
	d->bytes += from->size;
	item->kind = FARGS_KIND_EVENT;
	item->time_ns = from->ts;
	item->data = data;
	item->a = from->size;
	return 0;
}

static int add(void *arg, struct tep_record *from, unsigned int cpu)
{
	struct dat *d = arg;
	int ret = 0;

	if (cpu >= d->base.meta->info.nr_cpus)
		return -EIO;
	if (from->missed_events)
		ret = add_lost(d, from, cpu);
	/* Skip events that are too small, or larger than any that a kernel can write. */
	if (!ret && from->size >= COMMON_BYTES && from->size <= FARGS_EVENT_RAW_MAX)
		ret = add_event(d, from, cpu);
	/* Room for two items is needed, because add() may add a loss and an event. */
	if (!ret && d->batch &&
	    (d->batch->nr > FARGS_BATCH_ITEMS - 2 || d->bytes >= FARGS_BATCH_BYTES))
		ret = pass_on(d);
	return ret;
}

struct span {
	uint64_t first_ns, last_ns;
};

static int extend(void *arg, struct tep_record *rec, unsigned int cpu)
{
	struct span *span = arg;

	span->first_ns = rec->ts < span->first_ns ? rec->ts : span->first_ns;
	span->last_ns = rec->ts > span->last_ns ? rec->ts : span->last_ns;
	return 0;
}

/* libtracecmd can read a file once only, so this opens the file a second time. */
static int find_span(struct fargs_event_source *source, uint64_t *first_ns, uint64_t *last_ns,
		     struct fargs_error_text *err)
{
	struct fargs_tracecmd *file = fargs_tracecmd_open(of(source)->path, err);
	struct span span = { .first_ns = UINT64_MAX };

	if (!file)
		return -EIO;
	fargs_tracecmd_each(file, extend, &span);
	fargs_tracecmd_close(file);
	*first_ns = span.first_ns < span.last_ns ? span.first_ns : span.last_ns;
	*last_ns = span.last_ns;
	return 0;
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	struct dat *d = of(source);
	int ret;

	d->feed = feed;
	ret = fargs_tracecmd_each(d->file, add, d);
	if (!d->is_stopped)
		pass_on(d);
	if (d->is_stopped || !ret)
		return 0;
	return fargs_fail(err, ret == -ENOMEM ? ENOMEM : EIO, "%s",
			  ret == -ENOMEM ? "out of memory" : "an event is invalid");
}

static int make_event(struct fargs_decoder *d, const struct fargs_batch *batch,
		      unsigned int i, struct fargs_event *ev)
{
	const struct fargs_item *item = &batch->items[i];
	const struct fargs_run *run = &batch->runs[item->run];
	const struct fargs_formatted formatted = {
		.data = item->data, .bytes = item->a, .ns = item->time_ns,
	};

	if (item->kind == FARGS_KIND_LOST) {
		*ev = (struct fargs_event){
			.kind = FARGS_KIND_LOST, .is_event = true, .cpu = run->cpu,
			.time_ns = item->time_ns, .lost = item->a,
		};
		return 0;
	}
	fargs_decoder_formatted(d, &formatted, run->cpu, &run->task, ev);
	ev->guest = run->guest;
	return 0;
}

static void release(struct fargs_event_source *source, struct fargs_batch *batch, bool is_counted)
{
	free(batch->used);
	batch->used = NULL;
}

static const struct fargs_event_source_ops ops = {
	.span = find_span, .run = run, .event = make_event, .release = release,
};

static int open_file(struct dat *d, const char *path, struct fargs_error_text *err)
{
	struct fargs_meta *meta = d->base.meta;
	struct fargs_formats *formats;
	int nr_cpus;

	d->file = fargs_tracecmd_open(path, err);
	if (!d->file)
		return -EIO;
	d->tep = fargs_tracecmd_tep(d->file);
	nr_cpus = tep_get_cpus(d->tep);
	if (nr_cpus <= 0)
		return fargs_fail(err, EIO, "the file has no CPUs");
	meta->info.nr_cpus = nr_cpus;
	meta->info.tsc_khz = NS_KHZ;
	meta->has_events = true;
	meta->is_bare = true;
	d->base.decoder = fargs_decoder_create(meta, err);
	if (!d->base.decoder)
		return -EIO;
	formats = fargs_formats_adopt(meta, d->tep);
	if (!formats)
		return fargs_fail(err, ENOMEM, "out of memory");
	fargs_decoder_set_formats(d->base.decoder, formats);
	meta->adopted = formats;
	return 0;
}

struct fargs_event_source *fargs_trace_dat_create(const char *path, struct fargs_meta *meta,
					    struct fargs_error_text *err)
{
	struct dat *d = calloc(1, sizeof(*d));

	fargs_meta_init(meta);
	if (!d) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	d->base.ops = &ops;
	d->base.meta = meta;
	/* The formats of libtraceevent are not thread-safe. */
	d->base.is_single_threaded = true;
	d->base.what = "a trace.dat file";
	d->base.facts = FARGS_FACT_TIMES | FARGS_FACT_CPUS | FARGS_FACT_RAW | FARGS_FACT_FORMATTED |
			FARGS_FACT_SPAN;
	d->path = strdup(path);
	if (!d->path)
		fargs_fail(err, ENOMEM, "out of memory");
	else if (!open_file(d, path, err))
		return &d->base;
	fargs_trace_dat_destroy(&d->base);
	return NULL;
}

void fargs_trace_dat_destroy(struct fargs_event_source *source)
{
	if (!source)
		return;
	fargs_decoder_destroy(source->decoder);
	fargs_tracecmd_close(of(source)->file);
	free(of(source)->path);
	free(of(source));
}

bool fargs_trace_dat_has_lost(const struct fargs_event_source *source, uint64_t *nr)
{
	const struct dat *d = (const struct dat *)source;

	*nr = d->lost;
	return d->has_lost;
}
