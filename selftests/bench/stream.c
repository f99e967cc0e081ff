// SPDX-License-Identifier: GPL-2.0-only
/*
 * Passes the events of a synthetic source through the pipeline to a sink, to measure memory, and
 * what the pipeline itself costs.
 *
 *	stream SINK EVENTS [THREADS [KIND]]	SINK: none, text, json, or an export such as ctf,
 *						which writes to the path in OUT
 *
 * The events are of 8 tasks on 4 CPUs, each with three arguments and a later time than the one
 * before. KIND says what they are:
 *
 *	calls		calls of one function (the default)
 *	pairs		calls and returns; every second call is inside another one
 *	returns		returns with durations; every second call is inside another one
 *
 * Prints "EVENTS BYTES PEAK": events that the sink received, bytes of its output, and the process's
 * peak memory in kB.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "pipeline/pipeline.h"
#include "sink/export/export.h"
#include "sink/json/json_event.h"
#include "sink/text/text.h"

#define CPUS	4
#define TASKS	8
#define IP	0xffffffff81000000
#define IP_INNER	(IP + 4096)
#define STEP_NS	100
#define TURN_NS	(TASKS * STEP_NS)	/* time between two events of a task */

enum kind { CALLS, PAIRS, RETURNS };

static const char *const kinds[] = { "calls", "pairs", "returns" };

struct synthetic {
	struct fargs_event_source base;
	uint64_t nr;
	enum kind kind;
};

static atomic_uint_fast64_t nr_received;
static uint64_t nr_bytes;

/* The number of an event among those of its task. */
static uint64_t turn_of(uint64_t i)
{
	return i / TASKS;
}

/* With PAIRS, four events of a task are: call, inner call, its return, return. */
static uint8_t kind_of(const struct synthetic *s, uint64_t i)
{
	bool is_return = s->kind == RETURNS || (s->kind == PAIRS && turn_of(i) % 4 >= 2);

	return is_return ? FARGS_KIND_RETURN : FARGS_KIND_ENTRY;
}

/*
 * Sets the call's function, and when it was made. With RETURNS, the inner call returns one turn
 * before the outer one.
 */
static void set_call(const struct synthetic *s, const struct fargs_item *item,
		     struct fargs_event *ev)
{
	unsigned int turn = turn_of(item->a) % 4;
	bool is_inner = s->kind == PAIRS ? turn == 1 || turn == 2 :
			s->kind == RETURNS && turn % 2 == 0;
	uint64_t took_ns = STEP_NS;

	if (is_inner)
		ev->ip = IP_INNER;
	ev->is_pair = s->kind == PAIRS;
	/* The TSC counts nanoseconds. */
	ev->tsc = item->time_ns;
	if (item->kind != FARGS_KIND_RETURN)
		return;
	if (s->kind == PAIRS)
		took_ns = is_inner ? TURN_NS : 3 * TURN_NS;
	else if (!is_inner)
		took_ns = TURN_NS + 3 * STEP_NS;
	ev->has_entry = true;
	ev->entry_tsc = item->time_ns - took_ns;
	ev->has_duration = true;
	ev->duration_ns = took_ns;
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *why)
{
	const struct synthetic *s = (const struct synthetic *)source;
	struct fargs_batch *batch;
	struct fargs_run *r;
	uint64_t i = 0;

	while (i < s->nr) {
		batch = feed->get(feed->arg);
		for (; batch->nr_runs < TASKS; batch->nr_runs++) {
			r = &batch->runs[batch->nr_runs];
			*r = (struct fargs_run){
				.cpu = batch->nr_runs % CPUS, .has_task = true,
				.task = { .tid = 100 + batch->nr_runs, .tgid = 100 },
			};
			snprintf(r->task.comm, sizeof(r->task.comm), "task%u", batch->nr_runs);
		}
		for (; batch->nr < FARGS_BATCH_ITEMS && i < s->nr; i++)
			batch->items[batch->nr++] = (struct fargs_item){
				.time_ns = 1000000000 + STEP_NS * i, .a = i, .run = i % TASKS,
				.kind = kind_of(s, i),
			};
		if (!feed->put(feed->arg, batch))
			break;
	}
	return 0;
}

/* Arguments of the current event. They are thread-local, since several threads decode events. */
static _Thread_local struct fargs_arg args[3];
static _Thread_local uint64_t values[2];

static int make_event(struct fargs_decoder *d, const struct fargs_batch *batch,
		      unsigned int i, struct fargs_event *ev)
{
	const struct fargs_item *item = &batch->items[i];
	const struct fargs_run *r = &batch->runs[item->run];

	values[0] = item->a;
	values[1] = IP + item->a;
	args[0].val = (struct fargs_value){
		.name = "count", .type = FARGS_TYPE_U64, .data = &values[0], .bytes = 8,
	};
	args[1].val = (struct fargs_value){
		.name = "buf", .type = FARGS_TYPE_PTR, .data = &values[1], .bytes = 8,
	};
	args[2].val = (struct fargs_value){
		.name = "path", .type = FARGS_TYPE_STR, .data = "/etc/passwd", .bytes = 11,
	};
	*ev = (struct fargs_event){
		.kind = item->kind, .cpu = r->cpu, .time_ns = item->time_ns, .seq = item->a,
		.tid = r->task.tid, .tgid = r->task.tgid, .shown_tid = r->task.tid, .ip = IP,
		.parent_ip = IP + 64, .args = args, .nr_args = 3,
	};
	memcpy(ev->comm, r->task.comm, sizeof(ev->comm));
	set_call((const struct synthetic *)batch->source, item, ev);
	return 0;
}

static void release(struct fargs_event_source *source, struct fargs_batch *batch, bool is_counted)
{
}

static const struct fargs_event_source_ops ops = {
	.run = run, .event = make_event, .release = release,
};

static int count(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		 const struct fargs_event *ev)
{
	atomic_fetch_add_explicit(&nr_received, 1, memory_order_relaxed);
	return 0;
}

static int put_text(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		    const struct fargs_event *ev)
{
	count(arg, out, d, ev);
	return fargs_text_event(out, d, ev);
}

static int put_json(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		    const struct fargs_event *ev)
{
	count(arg, out, d, ev);
	return fargs_json_event(out, d, ev);
}

/* Counts the events that an export receives. @arg: the export's sink. */
static int put_export(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		      const struct fargs_event *ev)
{
	const struct fargs_sink *sink = arg;

	count(NULL, out, d, ev);
	return sink->event(sink->arg, out, d, ev);
}

static int begin_export(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	const struct fargs_sink *sink = arg;

	return sink->begin ? sink->begin(sink->arg, out, d) : 0;
}

static int end_export(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	const struct fargs_sink *sink = arg;

	return sink->end ? sink->end(sink->arg, out, d) : 0;
}

static struct fargs_export *make_export(const char *name, struct fargs_meta *meta)
{
	const struct fargs_export_options options = { .path = getenv("OUT"), .meta = meta };
	const struct fargs_export_format *f;
	struct fargs_error_text why;
	struct fargs_export *e;

	for (f = fargs_export_formats; f->name && strcmp(f->name, name); f++)
		;
	if (!f->name)
		errx(2, "there is no sink '%s'", name);
	if (f->has_files && !options.path)
		errx(2, "'%s' writes files: set OUT", name);
	e = f->create(&options, &why);
	if (!e)
		errx(1, "%s", why.text);
	return e;
}

static enum kind find_kind(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i], name))
			return i;
	errx(2, "there is no kind '%s'", name);
}

static int drop_text(void *arg, const char *text, size_t bytes)
{
	nr_bytes += bytes;
	return 0;
}

int main(int argc, char **argv)
{
	struct fargs_pipeline_options options = { };
	struct synthetic s = { .base = { .ops = &ops } };
	struct fargs_sink sink = { .event = count };
	struct fargs_export *export = NULL;
	struct fargs_error_text why = { "" };
	struct fargs_pipeline *p;
	struct fargs_meta meta;
	struct rusage usage;

	if (argc < 3 || argc > 5)
		errx(2, "usage: stream SINK EVENTS [THREADS [KIND]]");
	s.nr = strtoull(argv[2], NULL, 10);
	options.nr_threads = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	s.kind = argc > 4 ? find_kind(argv[4]) : CALLS;
	fargs_meta_init(&meta);
	meta.info.nr_cpus = CPUS;
	meta.info.tsc_khz = 1000000;
	meta.is_bare = true;
	s.base.meta = &meta;
	s.base.decoder = fargs_decoder_create(&meta, &why);
	if (!s.base.decoder)
		errx(1, "%s", why.text);
	if (!strcmp(argv[1], "text")) {
		sink.event = put_text;
	} else if (!strcmp(argv[1], "json")) {
		sink.event = put_json;
	} else if (strcmp(argv[1], "none")) {
		export = make_export(argv[1], &meta);
		sink = (struct fargs_sink){
			.begin = begin_export, .event = put_export, .end = end_export,
			.arg = &export->sink, .is_in_order = export->sink.is_in_order,
		};
	}
	p = fargs_pipeline_create(&s.base, &sink, &options, &why);
	if (!p || fargs_pipeline_run(p, drop_text, NULL, &why))
		errx(1, "%s", export && export->err.text[0] ? export->err.text : why.text);
	getrusage(RUSAGE_SELF, &usage);
	printf("%" PRIu64 " %" PRIu64 " %ld\n", (uint64_t)nr_received, nr_bytes, usage.ru_maxrss);
	fargs_pipeline_destroy(p);
	fargs_export_destroy(export);
	fargs_decoder_destroy(s.base.decoder);
	fargs_meta_deinit(&meta);
	return (uint64_t)nr_received != s.nr;
}
