// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/branches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/ksyms.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/branch.h"
#include "source/pt/decode/error.h"
#include "source/pt/decode/names.h"
#include "source/pt/events/chains.h"
#include "source/pt/events/counts.h"
#include "source/pt/events/depth.h"
#include "source/pt/events/describe.h"
#include "source/pt/events/details.h"
#include "source/pt/events/extras.h"
#include "source/pt/events/period.h"
#include "source/pt/events/reported.h"
#include "source/pt/events/spread.h"
#include "source/pt/packet/packet.h"
#include "source/pt/trace/context.h"
#include "source/pt/trace/trace.h"

/* Names of a branch's values, and maximum number of values of an event. */
#define BRANCH_VALUES	6
#define VALUES_MAX	(BRANCH_VALUES + FARGS_PT_REPORTED_VALUES)
/* Maximum number of EVDs of a CFE. */
#define EVDS_MAX	64
/* As in perf, a CBR is shown if at most as many events remain to be omitted. */
#define SKIPPED_CBR	4
#define NO_CBR		UINT32_MAX

static const char *const branch_names[BRANCH_VALUES] = {
	"ip", "symbol", "addr", "target", "flags", "marks",
};

/*
 * Members of struct fargs_pt_item, packed into the pointer fargs_item.data, which this source does
 * not need for anything else.
 */
union packed {
	struct {
		uint8_t kind, insn, flags, error;
	};
	const void *data;
};

/* Marks the period of an instruction that is a sample of cycles. */
#define CYCLES		(1ull << 63)

/* State of one of the pipeline's threads: the data of its last event, and its symbol cache. */
struct thread {
	struct source *source;
	struct fargs_pt_names_cache cache;
	uint64_t ns;			/* time of the last event */
	int32_t space;			/* of the last event's task */
	struct fargs_pt_task_space kept_space;
	struct fargs_event_sample sample;
	struct fargs_event_error error;
	struct fargs_pt_reported reported;
	struct fargs_pt_evd evds[EVDS_MAX];
	struct fargs_arg args[VALUES_MAX];
	char flags[FARGS_PT_WORDS], marks[FARGS_PT_MARKS];
	struct fargs_pt_detailer *detailer;	/* NULL: no details are needed */
};

/* The position in a stream. */
struct cursor {
	const struct fargs_pt_part *part;
	struct fargs_pt_count switched;
	struct fargs_pt_spread spread;
	struct fargs_pt_sampler sampler;
	uint8_t insn_bytes;		/* size of the last instruction, if it is a branch */
	uint32_t cbr, shown_cbr;	/* the last one in the trace, and the last one shown */
	struct fargs_pt_evd evds[EVDS_MAX];	/* of the next CFE */
	unsigned int nr_evds;
	struct fargs_pt_counter counter;
};

struct source {
	struct fargs_event_source base;
	const struct fargs_pt_input *in;
	const struct fargs_pt_which *which;
	struct fargs_pt_names *names;
	/* names of the events, with the modifier */
	char event[16], cycle_event[16], insn_event[20];
	/* branch_names, fargs_pt_reported_names and kind, ending with NULL */
	const char *value_names[64];
	struct fargs_perf_meta perf;
	struct fargs_pt_details *details;	/* NULL: none are needed */
	struct thread *threads[FARGS_POOL_MAX];
	unsigned int nr_threads;
	/* The following members are set while the source runs. */
	struct cursor *cursors;		/* one for each stream */
	const struct fargs_feed *feed;
	struct fargs_batch *batch;	/* batch that is being filled; NULL: none */
	struct fargs_pt_period period;	/* of samples; without any, zeroes */
	struct fargs_pt_chains *chains;	/* NULL: samples have none */
	uint64_t nr_skipped;		/* events that were omitted at the beginning */
	struct fargs_pt_context context;
	uint64_t estimated_ns;		/* estimated time of the current item */
	struct fargs_pt_counts counts;	/* of the current item */
	struct fargs_pt_depths depths;
	bool is_stopped;		/* the feed takes no more batches */
};

static struct source *of(struct fargs_event_source *source)
{
	return (struct source *)source;
}

static bool is_error(const struct fargs_pt_item *item)
{
	return fargs_pt_item_is_error(item) || item->kind == FARGS_PT_POKED;
}

static bool is_wanted(const struct source *s, const struct fargs_pt_item *item,
		      bool is_broken_off)
{
	const struct fargs_pt_which *which = s->which;

	if (is_error(item))
		return which->has_errors && !fargs_pt_error_is_omitted(&which->error_flags, item);
	if (fargs_pt_reported_kind(item->kind))
		return item->kind != FARGS_PT_PTWRITE || which->has_ptwrites;
	return fargs_pt_branch_is(item, is_broken_off) &&
	       (which->has_branches || (which->has_calls && fargs_pt_branch_is_call(item)) ||
		(which->has_returns && fargs_pt_branch_is_return(item)));
}

/*
 * Returns the index of the last run in s->batch, after adding a new run if the last one is not for
 * the CPU and task of the current context.
 */
static uint16_t run_of(struct source *s)
{
	struct fargs_batch *batch = s->batch;
	struct fargs_pt_context *c = &s->context;
	unsigned int cpu = c->stream->cpu == UINT32_MAX ? 0 : c->stream->cpu;
	const char *comm = fargs_pt_context_comm(c);
	struct fargs_run *run;

	if (batch->nr_runs) {
		run = &batch->runs[batch->nr_runs - 1];
		if (run->cpu == cpu && run->task.tid == c->tid &&
		    !strncmp(run->task.comm, comm, FARGS_COMM_LEN))
			return batch->nr_runs - 1;
	}
	run = &batch->runs[batch->nr_runs++];
	*run = (struct fargs_run){
		.cpu = cpu, .has_task = true,
		.task = { .tid = c->tid, .tgid = fargs_pt_input_pid(s->in, c->tid, c->ns) },
	};
	memcpy(run->task.comm, comm, strnlen(comm, FARGS_COMM_LEN));
	return batch->nr_runs - 1;
}

/* Keeps what the last item, from @from, has besides struct fargs_item. Returns 0 or -ENOMEM. */
static int keep_extra(struct source *s, const struct cursor *c, const struct fargs_pt_item *from)
{
	struct fargs_pt_extra *extra;

	if (is_error(from)) {
		extra = fargs_pt_extras_last(s->batch);
		if (extra)
			extra->offset = from->offset;
		return extra ? 0 : -ENOMEM;
	}
	if (from->kind == FARGS_PT_CFE)
		return fargs_pt_extras_keep_evds(s->batch, c->evds, c->nr_evds);
	if ((from->kind != FARGS_PT_EXECUTED && from->kind != FARGS_PT_TSX) || !s->chains)
		return 0;
	return fargs_pt_extras_keep_chain(s->batch, s->chains, s->which->chain_max,
					  s->which->branches_max, from->from);
}

/* Passes the batch to the feed. Returns 0, or -ECANCELED if the source must stop. */
static int pass_on(struct source *s)
{
	struct fargs_batch *batch = s->batch;

	s->batch = NULL;
	s->is_stopped = batch && !s->feed->put(s->feed->arg, batch);
	return s->is_stopped ? -ECANCELED : 0;
}

static int add_item(struct source *s, const struct cursor *c, const struct fargs_pt_item *from)
{
	uint64_t after = s->estimated_ns > s->context.ns ? s->estimated_ns - s->context.ns : 0;
	union packed packed = { .data = NULL };
	uint8_t kind = fargs_pt_reported_kind(from->kind);
	struct fargs_item *item;

	/* As in perf, a CBR is not counted: see show_cbr(). */
	if (s->nr_skipped < s->which->nr_skipped && !is_error(from) &&
	    from->kind != FARGS_PT_CBR) {
		s->nr_skipped++;
		return 0;
	}
	packed.kind = from->kind;
	packed.insn = from->insn;
	packed.flags = from->flags;
	packed.error = from->error;
	if (!s->batch)
		s->batch = s->feed->get(s->feed->arg);
	item = &s->batch->items[s->batch->nr++];
	*item = (struct fargs_item){
		.time_ns = s->context.has_time ? s->context.ns : 0, .data = packed.data,
		.a = from->from, .b = from->to,
		.after_ns = after < UINT32_MAX ? after : UINT32_MAX,
		.run = run_of(s), .kind = kind ? kind : FARGS_EVENT_BRANCH,
	};
	if (from->kind == FARGS_PT_EXECUTED)
		item->kind = FARGS_EVENT_INSN;
	if (from->kind == FARGS_PT_PSB)
		item->b = from->offset;
	if (is_error(from))
		item->kind = FARGS_EVENT_ERROR;
	if (keep_extra(s, c, from)) {
		s->batch->nr--;
		return -ENOMEM;
	}
	if (fargs_pt_counts_keep(s->batch, s->base.details, &s->counts)) {
		s->batch->nr--;
		return -ENOMEM;
	}
	return s->batch->nr == FARGS_BATCH_ITEMS ? pass_on(s) : 0;
}

static void set_estimated(struct source *s, struct cursor *c, size_t at, uint32_t nr_later)
{
	s->estimated_ns = fargs_pt_spread_ns(&c->spread, &s->in->config, c->part, at, nr_later);
}

/* Adds the samples of @insn, the instruction before the last @nr_later ones of item @at. */
static int add_samples(struct source *s, struct cursor *c, size_t at, uint32_t nr_later,
		       struct fargs_pt_item *insn)
{
	int ret = 0;

	/* The member of items that is not used for instructions: the period. */
	insn->to = c->sampler.nr_insns - c->sampler.sampled_at;
	c->sampler.sampled_at = c->sampler.nr_insns;
	fargs_pt_counter_insn(&c->counter, c->part, at, nr_later, &c->counter.insn_ipc,
			      &s->counts);
	if (!s->which->omits_insns)
		ret = add_item(s, c, insn);
	if (ret || !s->which->has_cycles)
		return ret;
	fargs_pt_counter_insn(&c->counter, c->part, at, nr_later, &c->counter.cycle_ipc,
			      &s->counts);
	insn->to = s->counts.ipc.nr_cycles | CYCLES;
	return s->counts.ipc.nr_cycles ? add_item(s, c, insn) : 0;
}

/* Adds those instructions of item @at that become samples. */
static int take_insns(struct source *s, struct cursor *c, size_t at)
{
	const struct fargs_pt_item *item = &c->part->flow.items[at];
	struct fargs_pt_item insn = *item;
	uint32_t nr, done, i = 0;
	int ret = 0;

	if (!s->which->insn_period)
		return 0;
	for (done = 0; !ret && done < item->nr_insns; done += nr) {
		nr = fargs_pt_sampler_take(&c->sampler, &s->period, c->part, at,
					   item->nr_insns - done);
		if (!nr)
			break;
		for (; i + 1 < done + nr; i++)
			insn.from += fargs_pt_flow_insn_size(&c->part->flow, item, i);
		set_estimated(s, c, at, item->nr_insns - done - nr);
		insn.insn = done + nr < item->nr_insns ? FARGS_PT_INSN_OTHER : item->insn;
		ret = add_samples(s, c, at, item->nr_insns - done - nr, &insn);
	}
	return ret;
}

/* Adds the event of @item, which is item @at or belongs to it, if it is wanted. */
static int take_branch(struct source *s, struct cursor *c, size_t at,
		       const struct fargs_pt_item *item)
{
	bool is_branch = fargs_pt_branch_is(item, c->part->is_broken_off);
	bool is_added = is_wanted(s, item, c->part->is_broken_off);
	int ret = 0;

	if (s->base.details & FARGS_PT_COUNTED)
		fargs_pt_counter_branch(&c->counter, c->part, at, is_added, &s->counts);
	if (is_branch && s->base.details & FARGS_DETAIL_DEPTH)
		ret = fargs_pt_depths_take(&s->depths, s->context.tid, s->context.stream->cpu,
					   c->counter.nr_traces, item, &s->counts.depth);
	if (!ret && is_added)
		ret = add_item(s, c, item);
	if (!ret && is_branch && s->chains)
		ret = fargs_pt_chains_take(s->chains, item, c->insn_bytes);
	return ret;
}

/*
 * Shows the core to bus ratio if it has changed: each PSB+ repeats it. If the event is omitted, a
 * later item shows it.
 */
static int show_cbr(struct source *s, struct cursor *c, const struct fargs_pt_item *item)
{
	struct fargs_pt_item cbr = *item;

	if (c->cbr == c->shown_cbr || s->nr_skipped + SKIPPED_CBR < s->which->nr_skipped)
		return 0;
	c->shown_cbr = c->cbr;
	cbr.kind = FARGS_PT_CBR;
	cbr.to = c->cbr;
	cbr.insn = 0;
	cbr.flags = 0;
	return add_item(s, c, &cbr);
}

/* Takes an item that a packet besides those of the flow reports. */
static int take_reported(struct source *s, struct cursor *c, const struct fargs_pt_item *item)
{
	int ret;

	switch (item->kind) {
	case FARGS_PT_EVD:
		if (c->nr_evds < EVDS_MAX)
			c->evds[c->nr_evds++] = (struct fargs_pt_evd){
				.payload = item->to, .type = item->insn,
			};
		return 0;
	case FARGS_PT_CBR:
		c->cbr = item->to;
		return show_cbr(s, c, item);
	default:
		ret = is_wanted(s, item, false) ? add_item(s, c, item) : 0;
		if (item->kind == FARGS_PT_CFE)
			c->nr_evds = 0;
		return ret;
	}
}

static int take_item(struct source *s, struct cursor *c, size_t at)
{
	const struct fargs_pt_item *item = &c->part->flow.items[at];
	struct fargs_pt_item begin;
	int ret;

	fargs_pt_counter_executed(&c->counter, c->part, at);
	if (item->kind == FARGS_PT_EXECUTED) {
		c->insn_bytes = item->last_bytes;
		return take_insns(s, c, at);
	}
	fargs_pt_sampler_pass(&c->sampler, item);
	set_estimated(s, c, at, 0);
	if (item->kind == FARGS_PT_PTWRITE || item->kind >= FARGS_PT_CBR)
		return take_reported(s, c, item);
	ret = show_cbr(s, c, item);
	if (!ret)
		ret = take_branch(s, c, at, item);
	if (ret || !fargs_pt_branch_has_begin(item))
		return ret;
	begin = fargs_pt_branch_begin(item);
	return take_branch(s, c, at, &begin);
}

static int set_context(struct source *s, const struct cursor *c, size_t at)
{
	fargs_pt_context_set(&s->context, c->part, c->switched.nr, c->part->flow.items[at].tsc);
	return s->chains ? fargs_pt_chains_switch(s->chains, s->context.tid,
						  s->context.stream->cpu) : 0;
}

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	struct source *s = arg;
	struct cursor *c = &s->cursors[part->seg->stream - s->in->streams];
	size_t i;
	int ret = 0;

	if (c->part != part || !begin) {
		c->part = part;
		c->sampler.nr_insns = part->nr_insns;
		fargs_pt_counter_begin(&c->counter, part);
		fargs_pt_count_begin(&c->switched, &part->switched);
	}
	for (i = begin; !ret && i < end; i++) {
		if (fargs_pt_count_take(&c->switched, &part->switched, &part->flow, i) ||
		    i == begin || part->flow.items[i].tsc != part->flow.items[i - 1].tsc)
			ret = set_context(s, c, i);
		if (!ret)
			ret = take_item(s, c, i);
	}
	return ret;
}

static int write_nothing(void *arg, const char *text, size_t bytes)
{
	return 0;
}

/* Returns 0 or -ENOMEM. */
static int set_up_run(struct source *s)
{
	const struct fargs_pt_which *which = s->which;
	size_t i;

	s->period = (struct fargs_pt_period){ };
	/* An address that is all that is known of some instructions is always a sample. */
	if (which->insn_period && fargs_pt_trace_quick(s->in, which->quick))
		s->period = (struct fargs_pt_period){ .insns = 1 };
	else if (which->insn_period)
		s->period = fargs_pt_period_of(&s->in->config, which->insn_unit,
					       which->insn_period);
	s->cursors = calloc(s->in->nr_streams + 1, sizeof(*s->cursors));
	for (i = 0; s->cursors && i < s->in->nr_streams; i++)
		fargs_pt_counter_init(&s->cursors[i].counter, which->has_vague_ipc,
				      !s->in->config.has_cyc);
	if (which->chain_max || which->branches_max) {
		s->chains = fargs_pt_chains_create(which->chain_max, which->branches_max);
		if (!s->chains)
			return -ENOMEM;
	}
	return s->cursors ? 0 : -ENOMEM;
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	struct source *s = of(source);
	const struct fargs_pt_trace_options how = {
		.nr_threads = fargs_pool_nr_threads(feed->pool),
		/* Of branches that are not taken, only items of instructions have the cycles. */
		.is_by_insn = s->which->insn_period || s->which->chain_max ||
			      s->which->has_vague_ipc,
		.has_ends = true,
		.engine = s->which->engine, .quick = s->which->quick, .wants = s->which->wants,
		.has_cycles = source->details & FARGS_DETAIL_IPC || s->which->has_cycles,
	};
	const struct fargs_pt_view view = {
		.arg = s, .take = take_items,
		.omits_jumps = !s->which->has_branches && !s->which->branches_max &&
			       !(source->details & FARGS_PT_COUNTED),
	};
	size_t i;
	int ret;

	s->feed = feed;
	s->context = (struct fargs_pt_context){ .in = s->in };
	s->nr_skipped = 0;
	if (set_up_run(s))
		return fargs_fail(err, ENOMEM, "out of memory");
	for (i = 0; i < s->in->nr_streams; i++) {
		s->cursors[i].cbr = NO_CBR;
		s->cursors[i].shown_cbr = NO_CBR;
	}
	ret = fargs_pt_trace_run(s->in, &how, &view, write_nothing, NULL, err);
	if (!s->is_stopped)
		pass_on(s);
	free(s->cursors);
	s->cursors = NULL;
	fargs_pt_chains_destroy(s->chains);
	s->chains = NULL;
	fargs_pt_depths_deinit(&s->depths);
	return s->is_stopped ? 0 : ret;
}

/* Returns the name of @addr at the time of the thread's last event, in the space of its task. */
static const struct fargs_pt_name *find_name(struct thread *t, uint64_t addr)
{
	return fargs_pt_names_get(t->source->names, &t->cache, t->space, addr, t->ns);
}

static bool find_symbol(void *arg, uint64_t addr, struct fargs_ksym *sym)
{
	const struct fargs_pt_name *name = addr ? find_name(arg, addr) : NULL;

	if (!name || !name->name)
		return false;
	*sym = (struct fargs_ksym){
		.addr = name->addr, .name = name->name, .module = name->module,
	};
	return true;
}

static void set_place(struct thread *t, struct fargs_event_place *place, uint64_t addr)
{
	const struct fargs_pt_name *name = addr ? find_name(t, addr) : NULL;

	*place = (struct fargs_event_place){ .addr = addr };
	if (!name)
		return;
	place->file = name->file;
	if (name->name) {
		place->symbol = name->name;
		place->offset = addr - name->addr;
		place->module = name->module;
	}
	if (t->detailer)
		fargs_pt_detailer_place(t->detailer, place, name);
}

static void find_place(void *arg, uint64_t addr, struct fargs_event_place *place)
{
	set_place(arg, place, addr);
}

/* Finds the symbol at a branch target in the text of an instruction. */
static bool find_target(void *arg, uint64_t addr, const char **symbol, uint64_t *offset)
{
	const struct fargs_pt_name *name = addr ? find_name(arg, addr) : NULL;

	if (!name || !name->name)
		return false;
	*symbol = name->name;
	*offset = addr - name->addr;
	return true;
}

static int prepare(struct fargs_event_source *source, struct fargs_decoder *d)
{
	struct source *s = of(source);
	struct thread *t = calloc(1, sizeof(*t));
	struct fargs_error_text err;

	if (!t)
		return -ENOMEM;
	t->source = s;
	s->threads[s->nr_threads++] = t;
	fargs_decoder_set_symbols(d, find_symbol, t);
	fargs_decoder_set_places(d, find_place);
	if (!(source->details & ~FARGS_PT_COUNTED))
		return 0;
	if (!s->details)
		s->details = fargs_pt_details_create(s->in, source->details, &err);
	if (s->details)
		t->detailer = fargs_pt_detailer_create(s->details, find_target, t);
	return t->detailer ? 0 : -ENOMEM;
}

static void add_value(struct thread *t, struct fargs_event *ev, const char *name, uint8_t type,
		      const void *data, size_t bytes)
{
	t->args[ev->nr_args++] = (struct fargs_arg){
		.val = { .name = name, .type = type, .data = data, .bytes = bytes },
	};
}

static void add_text(struct thread *t, struct fargs_event *ev, const char *name, const char *text)
{
	add_value(t, ev, name, FARGS_TYPE_STR, text, strlen(text));
}

static void add_place(struct thread *t, struct fargs_event *ev, unsigned int name,
		      const struct fargs_event_place *place)
{
	add_value(t, ev, branch_names[name], FARGS_TYPE_PTR, &place->addr, sizeof(place->addr));
	if (place->symbol)
		add_text(t, ev, branch_names[name + 1], place->symbol);
}

static void set_branch(struct thread *t, struct fargs_event *ev, const struct fargs_pt_item *item)
{
	struct fargs_event_sample *sample = &t->sample;
	bool is_insn = ev->kind == FARGS_EVENT_INSN;

	*sample = (struct fargs_event_sample){
		.event = !is_insn ? t->source->event : item->to & CYCLES ?
			 t->source->cycle_event : t->source->insn_event,
		.flags = t->flags,
		.marks = t->marks,
		.has_place = item->from, .has_target = !is_insn && item->to,
		.period = is_insn ? item->to & ~CYCLES : 1,
	};
	if (is_insn)
		strcpy(t->flags, fargs_pt_insn_word(item));
	else
		fargs_pt_branch_words(t->flags, item);
	fargs_pt_branch_marks(t->marks, item);
	ev->sample = sample;
	/* Address 0 means unknown: the trace begins or ends with this branch. */
	set_place(t, &sample->place, item->from);
	if (sample->has_place)
		add_place(t, ev, 0, &sample->place);
	set_place(t, &sample->target, is_insn ? 0 : item->to);
	if (sample->has_target)
		add_place(t, ev, 2, &sample->target);
	if (*t->flags)
		add_text(t, ev, branch_names[4], t->flags);
	if (*t->marks)
		add_text(t, ev, branch_names[5], t->marks);
}

/* Sets what @item reports. @nr_evds: EVDs of a CFE, in t->evds. */
static void set_reported(struct thread *t, struct fargs_event *ev,
			 const struct fargs_pt_item *item, unsigned int nr_evds)
{
	struct fargs_event_sample *sample = &t->sample;
	struct fargs_pt_reported *r = &t->reported;
	const struct fargs_pt_reported_value *value;

	fargs_pt_reported_set(r, &t->source->in->config, item, t->evds, nr_evds);
	/* As in perf, an abort is told apart by words, the begin by the letter x. */
	strcpy(t->flags, item->kind == FARGS_PT_TSX && item->to & FARGS_PT_TSX_ABORT ? "tx abrt" :
										       "");
	fargs_pt_branch_marks(t->marks, item);
	*sample = (struct fargs_event_sample){
		.event = r->event, .flags = t->flags, .marks = t->marks, .synth = r->text,
		.nr_values = r->nr_values, .has_place = item->from, .period = 1,
		.perf_type = item->kind == FARGS_PT_TSX ? FARGS_PERF_HW : FARGS_PERF_SYNTH,
	};
	ev->sample = sample;
	set_place(t, &sample->place, item->from);
	if (sample->has_place)
		add_place(t, ev, 0, &sample->place);
	for (value = r->values; value < r->values + r->nr_values; value++) {
		if (value->text)
			add_text(t, ev, value->name, value->text);
		else
			add_value(t, ev, value->name, FARGS_TYPE_U64, &value->number,
				  sizeof(value->number));
	}
}

/* Sets the details of the event of item @i that the sink needs. Returns 0 or -ENOMEM. */
static int set_details(struct thread *t, const struct fargs_batch *batch, unsigned int i)
{
	struct fargs_event_sample *sample = &t->sample;

	fargs_pt_counts_set(batch, i, sample);
	if (!t->detailer)
		return 0;
	return fargs_pt_detailer_set(t->detailer, sample, find_name(t, sample->place.addr),
				     t->space, t->ns);
}

static int make_event(struct fargs_event_source *source, struct fargs_decoder *d,
		      const struct fargs_batch *batch, unsigned int i, struct fargs_event *ev)
{
	const struct source *s = of(source);
	const struct fargs_item *item = &batch->items[i];
	const struct fargs_run *run = &batch->runs[item->run];
	const union packed packed = { .data = item->data };
	struct fargs_pt_item from = {
		.from = item->a, .to = item->b, .kind = packed.kind, .insn = packed.insn,
		.flags = packed.flags, .error = packed.error,
	};
	struct thread *t = fargs_decoder_symbols_arg(d);

	t->ns = item->time_ns;
	t->space = fargs_pt_task_space(s->in, &t->kept_space, run->task.tid, t->ns);
	*ev = (struct fargs_event){
		.kind = item->kind, .is_event = true, .cpu = run->cpu, .time_ns = item->time_ns,
		.has_no_time = !s->in->config.has_time || !item->time_ns,
		.estimated_ns = item->time_ns + item->after_ns,
		.has_no_cpu = !(source->facts & FARGS_FACT_CPUS),
		.tid = run->task.tid, .tgid = run->task.tgid, .shown_tid = run->task.tid,
		.ip = item->a, .args = t->args,
	};
	memcpy(ev->comm, run->task.comm, sizeof(ev->comm));
	if (item->kind == FARGS_EVENT_ERROR) {
		from.offset = ((const struct fargs_pt_extras *)batch->used)->all[i].offset;
		fargs_pt_error_describe(&t->error, &from);
		ev->error = &t->error;
		return 0;
	}
	if (fargs_pt_reported_kind(from.kind)) {
		from.offset = item->b;
		set_reported(t, ev, &from, from.kind == FARGS_PT_CFE ?
					   fargs_pt_extras_evds(batch, i, t->evds) : 0);
	} else {
		set_branch(t, ev, &from);
	}
	fargs_pt_extras_set_chain(batch, i, ev);
	return set_details(t, batch, i);
}

static void release(struct fargs_event_source *source, struct fargs_batch *batch, bool is_counted)
{
	fargs_pt_extras_release(batch);
	free(batch->counts);
	batch->counts = NULL;
}

static int find_span(struct fargs_event_source *source, uint64_t *first_ns, uint64_t *last_ns,
		     struct fargs_error_text *err)
{
	fargs_pt_span(of(source)->in, first_ns, last_ns);
	return 0;
}

static const struct fargs_event_source_ops ops = {
	.span = find_span, .run = run, .prepare = prepare, .event = make_event, .release = release,
};

static void set_names(struct source *s)
{
	size_t n, i;

	for (n = 0; n < BRANCH_VALUES; n++)
		s->value_names[n] = branch_names[n];
	for (i = 0; fargs_pt_reported_names[i]; i++)
		s->value_names[n++] = fargs_pt_reported_names[i];
	s->value_names[n] = "kind";
}

/* Describes the events as perf does: it writes names as wide as the longest one. */
static void describe(struct source *s)
{
	const struct fargs_pt_which *which = s->which;
	struct fargs_perf_meta *perf = &s->perf;

	*perf = (struct fargs_perf_meta){ .has_trace = true, .name_width = s->in->name_width };
	if (which->has_branches || which->has_calls || which->has_returns)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_HW, s->event);
	if (which->insn_period && !which->omits_insns)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_HW, s->insn_event);
	if (which->has_cycles)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_HW, s->cycle_event);
	if (which->wants & FARGS_PT_WANTS_TSX)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_HW, "transactions");
	if (which->has_ptwrites || which->wants & ~FARGS_PT_WANTS_TSX)
		fargs_pt_describe_event(perf, s->in, FARGS_PERF_SYNTH,
					which->has_ptwrites ? "ptwrite" : "pwre");
	s->base.meta->perf = perf;
}

static int set_up(struct source *s, struct fargs_error_text *err)
{
	const char *modifier = fargs_pt_config_modifier(&s->in->config);
	struct fargs_meta *meta = s->base.meta;
	unsigned int nr_cpus;

	s->base.what = "an Intel PT trace";
	s->base.facts = fargs_pt_facts(s->in, &nr_cpus);
	if (nr_cpus > FARGS_PT_CPUS_MAX)
		return fargs_fail(err, EIO, "the number of a CPU is invalid: %u", nr_cpus - 1);
	fargs_pt_events_describe(meta, nr_cpus);
	set_names(s);
	meta->value_names = s->value_names;
	snprintf(s->event, sizeof(s->event), "branches%s%s", *modifier ? ":" : "", modifier);
	snprintf(s->cycle_event, sizeof(s->cycle_event), "cycles%s%s", *modifier ? ":" : "",
		 modifier);
	snprintf(s->insn_event, sizeof(s->insn_event), "instructions%s%s", *modifier ? ":" : "",
		 modifier);
	describe(s);
	s->names = fargs_pt_names_create(s->in);
	if (!s->names)
		return fargs_fail(err, ENOMEM, "out of memory");
	s->base.decoder = fargs_decoder_create(meta, err);
	return s->base.decoder ? 0 : -EINVAL;
}

struct fargs_event_source *fargs_pt_branches_source(const struct fargs_pt_input *in,
					      const struct fargs_pt_which *which,
					      struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct source *s = calloc(1, sizeof(*s));

	fargs_meta_init(meta);
	if (!s) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	s->base.ops = &ops;
	s->base.meta = meta;
	s->in = in;
	s->which = which;
	if (!set_up(s, err))
		return &s->base;
	fargs_pt_branches_source_destroy(&s->base);
	return NULL;
}

void fargs_pt_branches_source_destroy(struct fargs_event_source *source)
{
	struct source *s;

	if (!source)
		return;
	s = of(source);
	while (s->nr_threads) {
		fargs_pt_detailer_destroy(s->threads[--s->nr_threads]->detailer);
		free(s->threads[s->nr_threads]);
	}
	fargs_pt_details_destroy(s->details);
	fargs_decoder_destroy(source->decoder);
	fargs_pt_names_destroy(s->names);
	free(s);
}
