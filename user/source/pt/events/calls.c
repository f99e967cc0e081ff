// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/decode/error.h"
#include "source/pt/decode/names.h"
#include "source/pt/events/describe.h"
#include "source/pt/events/run.h"
#include "source/pt/events/sampled.h"
#include "source/pt/events/spread.h"
#include "source/pt/trace/samples.h"
#include "source/pt/trace/trace.h"

/* Data of an item for which struct fargs_item has no room. */
struct extra {
	uint64_t caller;	/* address of the call, or target of the return; 0: unknown */
	uint64_t node;
	uint64_t parent, replaced;	/* as in struct fargs_event_trace */
	uint32_t depth;
	bool has_bounds;
	bool is_unseen;		/* a return from a call that is not in the trace */
	bool is_jump;		/* a call by a jump out of a function */
	const char *word;
	uint64_t least_ns, most_ns;
	size_t stack;		/* index of the first caller in struct batch_data */
	unsigned int nr_stack;
	uint64_t to, offset;	/* only for errors */
	uint8_t kind, error;	/* only for errors */
};

/* What a batch owns. */
struct batch_data {
	uint64_t *callers;	/* of all items with a stack, the innermost caller first */
	size_t nr_callers, room;
	struct extra extras[FARGS_BATCH_ITEMS];
};

struct source {
	struct fargs_event_source base;
	const struct fargs_pt_input *in;
	const struct fargs_pt_shown_options *options;
	struct fargs_pt_shown shown;
	struct fargs_pt_samples samples;
	struct fargs_pt_names *names;
	struct fargs_pt_names_cache cache;
	unsigned int nr_threads;
	const struct fargs_id_set *cpus;
	enum fargs_pt_engine engine;
	/* The members from @ns to @args contain the data of the event that was made last. */
	uint64_t ns;
	int32_t space;
	struct fargs_event_trace trace;
	struct fargs_event_error error;
	struct fargs_pt_sampled_data sampled;
	struct fargs_arg *args;		/* copy of a record's arguments */
	struct fargs_pt_task_space kept_space;
	struct fargs_pt_spread *spreads;	/* one for each stream */
	/* The following members are set while the source runs. */
	const struct fargs_feed *feed;
	struct fargs_batch *batch;	/* batch that is being filled; NULL: none */
	bool is_stopped;		/* the feed takes no more batches */
};

static struct source *of(struct fargs_event_source *source)
{
	return (struct source *)source;
}

/* Passes the batch to the feed. Returns 0, or -ECANCELED if the source must stop. */
static int pass_on(struct source *s)
{
	struct fargs_batch *batch = s->batch;

	s->batch = NULL;
	s->is_stopped = batch && !s->feed->put(s->feed->arg, batch);
	return s->is_stopped ? -ECANCELED : 0;
}

/*
 * Adds the callers of frame number @nr - 1, which is on the stack of @cursor, or was the last that
 * left it. A frame's @from is in the function of the frame below it. Returns 0 or -ENOMEM.
 */
static int add_callers(struct batch_data *data, const struct fargs_pt_call_cursor *cursor,
		       size_t nr, struct extra *extra)
{
	const struct fargs_pt_frame *frames = cursor->stack->frames;
	uint64_t *to;
	size_t i;

	extra->stack = data->nr_callers;
	for (i = nr; i--;) {
		if (frames[i].kind == FARGS_PT_FRAME_BASE || !frames[i].from)
			continue;
		if (i && !frames[i - 1].is_shown)
			continue;
		to = fargs_array_push(data->callers, data->nr_callers, data->room);
		if (!to)
			return -ENOMEM;
		*to = frames[i].from;
	}
	extra->nr_stack = data->nr_callers - extra->stack;
	return 0;
}

/* Sets the numbers of the calls around frame number @i. */
static void number_calls(const struct fargs_pt_stack *stack, size_t i, bool is_jump,
			 struct extra *extra)
{
	const struct fargs_pt_jumped *jumped;
	size_t below = i, nr;

	while (below && !extra->parent) {
		below--;
		if (stack->frames[below].is_shown)
			extra->parent = stack->frames[below].node;
	}
	if (!is_jump)
		return;
	nr = fargs_pt_stack_jumped(stack, i, &jumped);
	if (nr)
		extra->replaced = jumped[nr - 1].node;
}

/* Adds what sinks that need callers use. @i: number of the call's frame. Returns 0 or -ENOMEM. */
static int add_context(struct batch_data *data, const struct fargs_pt_call_cursor *cursor,
		       size_t i, bool is_jump, struct extra *extra)
{
	number_calls(cursor->stack, i, is_jump, extra);
	return add_callers(data, cursor, i + 1, extra);
}

/*
 * Makes sure that there is a batch, and returns what it owns, which release() frees; NULL if out of
 * memory.
 */
static struct batch_data *begin_item(struct source *s)
{
	if (!s->batch)
		s->batch = s->feed->get(s->feed->arg);
	if (!s->batch->used)
		s->batch->used = calloc(1, sizeof(struct batch_data));
	return s->batch->used;
}

/* Adds an item. @nr_frames: the number of the call's frame, plus 1; 0: not a call. */
static int add_item(struct source *s, struct fargs_pt_call_cursor *cursor, uint8_t kind,
		    uint64_t addr, size_t nr_frames, const struct extra *extra)
{
	struct batch_data *data = begin_item(s);
	struct fargs_batch *batch = s->batch;
	struct fargs_pt_context *c = &cursor->context;
	size_t stream = cursor->part->seg->stream - s->in->streams;
	uint64_t ns = fargs_pt_spread_ns(&s->spreads[stream], &s->in->config, cursor->part,
					 s->shown.item, 0);
	uint64_t after = ns > c->ns ? ns - c->ns : 0;

	if (!data)
		return -ENOMEM;
	data->extras[batch->nr] = *extra;
	if (nr_frames && s->base.needs_callers &&
	    add_context(data, cursor, nr_frames - 1, extra->is_jump, &data->extras[batch->nr]))
		return -ENOMEM;
	batch->items[batch->nr++] = (struct fargs_item){
		.time_ns = c->has_time ? c->ns : 0, .a = addr,
		.after_ns = after < UINT32_MAX ? after : UINT32_MAX,
		.run = fargs_pt_run_of(s->batch, c), .kind = kind,
	};
	return batch->nr == FARGS_BATCH_ITEMS ? pass_on(s) : 0;
}

/* Adds the samples before @tsc. */
static int add_samples(struct source *s, uint64_t tsc)
{
	const struct fargs_pt_sampled *sampled;
	struct fargs_pt_stream stream = { };
	struct fargs_pt_context c = { .in = s->in, .stream = &stream };
	int ret = 0;

	while (!ret && (sampled = fargs_pt_samples_next(&s->samples, tsc))) {
		if (!begin_item(s))
			return -ENOMEM;
		stream.cpu = sampled->cpu;
		c.ns = sampled->ns;
		c.tid = sampled->tid;
		c.comm = NULL;
		s->batch->items[s->batch->nr++] = (struct fargs_item){
			.kind = FARGS_EVENT_SAMPLE, .data = sampled, .time_ns = sampled->ns,
			.run = fargs_pt_run_of(s->batch, &c),
		};
		ret = s->batch->nr == FARGS_BATCH_ITEMS ? pass_on(s) : 0;
	}
	return ret;
}

static int add_step(void *arg, struct fargs_pt_call_cursor *cursor,
		    const struct fargs_pt_item *item, const struct fargs_pt_step *step,
		    bool is_call)
{
	struct source *s = arg;
	struct extra extra = {
		.caller = is_call ? item->from :
			  step->kind == FARGS_PT_STEP_UNSEEN ? 0 : item->to,
		.node = step->frame->node,
		.depth = step->frame->depth, .word = fargs_pt_shown_word(item, step),
		.is_unseen = step->kind == FARGS_PT_STEP_UNSEEN,
		.is_jump = step->kind == FARGS_PT_STEP_JUMPED,
	};

	extra.has_bounds = fargs_pt_shown_duration(&s->shown, cursor, item, step, &extra.least_ns,
						   &extra.most_ns);
	return add_item(s, cursor, is_call ? FARGS_KIND_ENTRY : FARGS_KIND_RETURN,
			step->frame->addr, step->frame - cursor->stack->frames + 1, &extra);
}

static int add_jumped(void *arg, struct fargs_pt_call_cursor *cursor,
		      const struct fargs_pt_frame *frame)
{
	const struct extra extra = { .node = frame->node, .depth = frame->depth, .word = "return" };

	/* @frame is a copy of the frame that was left. */
	return add_item(arg, cursor, FARGS_KIND_RETURN, frame->addr, cursor->stack->nr + 1,
			&extra);
}

static int add_tpoint(void *arg, struct fargs_pt_call_cursor *cursor,
		      const struct fargs_pt_frame *frame)
{
	const struct extra extra = { .node = frame->node, .depth = frame->depth, .word = "event" };

	return add_item(arg, cursor, FARGS_KIND_TPOINT, frame->addr, cursor->stack->nr, &extra);
}

static int add_error(void *arg, struct fargs_pt_call_cursor *cursor,
		     const struct fargs_pt_item *item)
{
	const struct extra extra = {
		.to = item->to, .offset = item->offset, .kind = item->kind, .error = item->error,
	};

	return add_item(arg, cursor, FARGS_EVENT_ERROR, item->from, 0, &extra);
}

static const struct fargs_pt_shown_ops shown_ops = {
	.step = add_step, .jumped = add_jumped, .tpoint = add_tpoint, .error = add_error,
};

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	struct source *s = arg;
	size_t i;
	int ret = 0;

	for (; !ret && begin < end; begin = i) {
		i = fargs_pt_samples_items(&s->samples, part, begin, end);
		if (i > begin)
			ret = fargs_pt_shown_take(&s->shown, part, begin, i);
		if (!ret && i < end)
			ret = add_samples(s, part->flow.items[i].tsc);
	}
	return ret;
}

static int write_nothing(void *arg, const char *text, size_t bytes)
{
	return 0;
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	struct source *s = of(source);
	/* Records are joined to the calls of all CPUs, since tasks migrate between them. */
	const struct fargs_pt_trace_options how = {
		.nr_threads = s->nr_threads, .cpus = s->options->join ? NULL : s->cpus,
		.engine = s->engine,
	};
	const struct fargs_pt_view view = {
		.arg = s, .begins = fargs_pt_calls_names(s->shown.calls), .take = take_items,
	};
	int ret;

	s->feed = feed;
	ret = fargs_pt_trace_run(s->in, &how, &view, write_nothing, NULL, err);
	if (!ret)
		ret = add_samples(s, UINT64_MAX);
	if (!s->is_stopped)
		pass_on(s);
	return s->is_stopped ? 0 : ret;
}

/* Finds the symbol at @addr at the time of the last event. */
static bool find_symbol(void *arg, uint64_t addr, struct fargs_ksym *sym)
{
	struct source *s = arg;
	const struct fargs_pt_name *name = fargs_pt_names_get(s->names, &s->cache, s->space, addr,
							      s->ns);

	if (!addr || !name->name)
		return false;
	*sym = (struct fargs_ksym){
		.addr = name->addr, .name = name->name, .module = name->module,
	};
	return true;
}

/* Copies to @ev the fields of @recorded that only return records have. */
static void take_result(struct fargs_event *ev, const struct fargs_event *recorded)
{
	ev->ret = recorded->ret;
	ev->out = recorded->out;
	ev->nr_out = recorded->nr_out;
	ev->has_entry = recorded->has_entry;
	ev->entry_tsc = recorded->entry_tsc;
	ev->has_duration = recorded->has_duration;
	ev->duration_ns = recorded->duration_ns;
}

/* Copies to @ev the fields of @recorded that apply to both the call and its return. */
static void take_call(struct source *s, struct fargs_event *ev, const struct fargs_event *recorded)
{
	s->trace.is_joined = true;
	ev->has_no_seq = false;
	ev->has_no_context = false;
	ev->seq = recorded->seq;
	ev->context = recorded->context;
	ev->preempt_depth = recorded->preempt_depth;
	ev->ip = recorded->ip;
	ev->parent_ip = recorded->parent_ip;
	ev->func = recorded->func;
	ev->bytes = recorded->bytes;
	ev->is_trigger = recorded->is_trigger;
	ev->is_variadic = recorded->is_variadic;
	/* The recorded stack, if there is one, reaches further than the trace. */
	if (recorded->nr_stack) {
		ev->stack = recorded->stack;
		ev->nr_stack = recorded->nr_stack;
	}
	/* The next record that is decoded overwrites the array. */
	memcpy(s->args, recorded->args, recorded->nr_args * sizeof(*s->args));
	ev->args = s->args;
	ev->nr_args = recorded->nr_args;
}

/*
 * Adds the values of the records that were joined to the call @node. If returns are separate
 * events, the result is added only to the return. Returns 0 or -ENOMEM.
 */
static int take_records(struct source *s, struct fargs_event *ev, uint64_t node)
{
	const struct fargs_pt_joined *joined;
	size_t nr = fargs_pt_shown_joined(&s->shown, node, &joined), i;
	struct fargs_event recorded;
	struct fargs_decoder *d;
	bool is_tpoint, has_tpoint = false;
	int ret;

	/* A tracepoint is a separate event: its record must not be added to a call. */
	is_tpoint = ev->kind == FARGS_KIND_TPOINT;
	if (nr)
		has_tpoint = joined->rec->kind == FARGS_KIND_TPOINT;
	if (nr && is_tpoint != has_tpoint)
		return 0;
	for (i = 0; i < nr; i++) {
		ret = fargs_pt_join_decode(s->options->join, &joined[i], &recorded, &d);
		if (ret == -ENOMEM)
			return ret;
		/* Skip invalid records here; they are counted when the file is verified. */
		if (ret)
			continue;
		if (!s->trace.is_joined)
			take_call(s, ev, &recorded);
		if (recorded.kind == FARGS_KIND_RETURN &&
		    (ev->kind == FARGS_KIND_RETURN || !s->options->has_returns))
			take_result(ev, &recorded);
	}
	return 0;
}

static void set_error(struct source *s, struct fargs_event *ev, const struct extra *extra)
{
	const struct fargs_pt_item item = {
		.from = ev->ip, .to = extra->to, .offset = extra->offset, .kind = extra->kind,
		.error = extra->error,
	};

	fargs_pt_error_describe(&s->error, &item);
	ev->error = &s->error;
}

static int make_event(struct fargs_decoder *d, const struct fargs_batch *batch,
		      unsigned int i, struct fargs_event *ev)
{
	struct fargs_event_source *source = batch->source;
	struct source *s = of(source);
	const struct fargs_item *item = &batch->items[i];
	const struct fargs_run *run = &batch->runs[item->run];
	const struct batch_data *data = batch->used;
	const struct extra *extra = &data->extras[i];

	s->ns = item->time_ns;
	s->space = run->is_guest ? fargs_pt_guests_task_space(s->in, run->host_tid, s->ns) :
		   fargs_pt_task_space(s->in, &s->kept_space, run->host_tid, s->ns);
	if (item->kind == FARGS_EVENT_SAMPLE) {
		fargs_pt_sampled_make(ev, &s->sampled, s->in, s->names, item->data);
		return 0;
	}
	*ev = (struct fargs_event){
		.kind = item->kind, .cpu = run->cpu, .time_ns = item->time_ns,
		.has_no_time = !s->in->config.has_time || !item->time_ns,
		.estimated_ns = item->time_ns + item->after_ns,
		.has_no_cpu = !(source->facts & FARGS_FACT_CPUS),
		.has_no_seq = true, .has_no_context = true, .is_pair = s->options->has_returns,
		.tid = run->task.tid, .tgid = run->task.tgid, .shown_tid = run->task.tid,
		.machine_pid = run->machine_pid, .vcpu = run->vcpu, .host_tid = run->host_tid,
		.ip = item->a, .parent_ip = extra->caller,
	};
	memcpy(ev->comm, run->task.comm, sizeof(ev->comm));
	if (item->kind == FARGS_EVENT_ERROR) {
		set_error(s, ev, extra);
		return 0;
	}
	s->trace = (struct fargs_event_trace){
		.word = extra->word, .depth = extra->depth, .addr = item->a,
		.has_returns = s->options->has_returns, .has_bounds = extra->has_bounds,
		.least_ns = extra->least_ns, .most_ns = extra->most_ns,
	};
	if (source->needs_callers) {
		s->trace.call = extra->is_unseen ? 0 : extra->node;
		s->trace.parent = extra->parent;
		s->trace.replaced = extra->replaced;
	}
	ev->trace = &s->trace;
	ev->stack = data->callers + extra->stack;
	ev->nr_stack = extra->nr_stack;
	return extra->is_unseen ? 0 : take_records(s, ev, extra->node);
}

static void release(struct fargs_event_source *source, struct fargs_batch *batch, bool is_counted)
{
	struct batch_data *data = batch->used;

	if (data)
		free(data->callers);
	free(data);
	batch->used = NULL;
}

static int find_span(struct fargs_event_source *source, uint64_t *first_ns, uint64_t *last_ns,
		     struct fargs_error_text *err)
{
	fargs_pt_span(of(source)->in, first_ns, last_ns);
	return 0;
}

static const struct fargs_event_source_ops ops = {
	.span = find_span, .run = run, .event = make_event, .release = release,
};

static int set_up(struct source *s, struct fargs_meta *bare, struct fargs_error_text *err)
{
	struct fargs_pt_join *join = s->options->join;
	unsigned int nr_cpus;

	s->base.what = "an Intel PT trace";
	s->base.facts = fargs_pt_facts(s->in, &nr_cpus);
	if (nr_cpus > FARGS_PT_CPUS_MAX)
		return fargs_fail(err, EIO, "the number of a CPU is invalid: %u", nr_cpus - 1);
	/* make_event() stores data of the event in @s, and joined records share a decoder. */
	s->base.is_single_threaded = true;
	s->base.meta = join ? fargs_pt_join_meta(join) : bare;
	if (join)
		s->base.facts |= FARGS_FACT_TYPES;
	else
		fargs_pt_events_describe(bare, nr_cpus);
	s->args = calloc(FARGS_RECORD_VALUES, sizeof(*s->args));
	s->spreads = calloc(s->in->nr_streams + 1, sizeof(*s->spreads));
	s->names = fargs_pt_names_create(s->in);
	if (!s->args || !s->spreads || !s->names ||
	    fargs_pt_shown_init(&s->shown, s->in, s->options, &shown_ops, s))
		return fargs_fail(err, ENOMEM, "out of memory");
	s->base.decoder = fargs_decoder_create(s->base.meta, err);
	if (!s->base.decoder)
		return -EINVAL;
	fargs_decoder_set_symbols(s->base.decoder, find_symbol, s);
	return 0;
}

struct fargs_event_source *fargs_pt_calls_source(const struct fargs_pt_input *in,
					   const struct fargs_pt_shown_options *options,
					   const struct fargs_pt_trace_options *how,
					   struct fargs_meta *bare,
					   struct fargs_error_text *err)
{
	struct source *s = calloc(1, sizeof(*s));

	fargs_meta_init(bare);
	if (!s) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	s->base.ops = &ops;
	s->in = in;
	s->options = options;
	s->samples = (struct fargs_pt_samples){
		.in = in, .cpus = options->cpus, .window = &options->window,
	};
	s->nr_threads = how->nr_threads;
	s->cpus = how->cpus;
	s->engine = how->engine;
	if (!set_up(s, bare, err))
		return &s->base;
	fargs_pt_calls_source_destroy(&s->base);
	return NULL;
}

void fargs_pt_calls_source_destroy(struct fargs_event_source *source)
{
	struct source *s;

	if (!source)
		return;
	s = of(source);
	fargs_decoder_destroy(source->decoder);
	fargs_pt_shown_deinit(&s->shown);
	fargs_pt_names_destroy(s->names);
	free(s->args);
	free(s->spreads);
	free(s);
}
