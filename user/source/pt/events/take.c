// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "base/row.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/branch.h"
#include "source/pt/decode/error.h"
#include "source/pt/events/extras.h"
#include "source/pt/events/run.h"
#include "source/pt/events/state.h"
#include "source/pt/packet/packet.h"

/* As in perf, a CBR is shown if at most as many events remain to be omitted. */
#define SKIPPED_CBR	4

static bool is_error(const struct fargs_pt_item *item)
{
	return fargs_pt_item_is_error(item) || item->kind == FARGS_PT_POKED;
}

static bool is_wanted(const struct fargs_pt_events *s, const struct fargs_pt_item *item,
		      bool is_broken_off)
{
	const struct fargs_pt_which *which = s->which;

	if (is_error(item))
		return which->has_errors && !fargs_pt_error_is_omitted(&which->error_flags, item);
	if ((item->kind == FARGS_PT_CFE && !fargs_row(G1)) ||
	    (item->kind == FARGS_PT_IFLAG && !fargs_row(G2)))
		return false;
	if (fargs_pt_reported_kind(item->kind))
		return item->kind != FARGS_PT_PTWRITE || which->has_ptwrites;
	return fargs_pt_branch_is(item, is_broken_off) &&
	       (which->has_branches || (which->has_calls && fargs_pt_branch_is_call(item)) ||
		(which->has_returns && fargs_pt_branch_is_return(item)));
}

static int keep_chain(struct fargs_pt_events *s, const struct fargs_pt_item *from)
{
	unsigned int chain_max = s->which->chain_max, branches_max = s->which->branches_max;
	uint64_t type = UINT64_MAX;

	/* A sample of PEBS has what its event asks for; last branches are those of the CPU. */
	if (from->kind == FARGS_PT_PEBS)
		type = s->in->pebs_events[from->insn].attr.sample_type;
	if (!(type & PERF_SAMPLE_CALLCHAIN))
		chain_max = 0;
	if (!(type & PERF_SAMPLE_BRANCH_STACK) ||
	    (from->kind == FARGS_PT_PEBS && fargs_pt_pebs_has_branches(s->pebs)))
		branches_max = 0;
	return !chain_max && !branches_max ? 0 :
	       fargs_pt_extras_keep_chain(s->batch, s->chains, chain_max, branches_max,
					  from->from);
}

/* Keeps what the last item, from @from, has besides struct fargs_item. Returns 0 or -ENOMEM. */
static int keep_extra(struct fargs_pt_events *s, const struct fargs_pt_cursor *c,
		      const struct fargs_pt_item *from)
{
	struct fargs_pt_extra *extra;
	int ret = 0;

	if (is_error(from)) {
		extra = fargs_pt_extras_last(s->batch);
		if (extra)
			extra->offset = from->offset;
		return extra ? 0 : -ENOMEM;
	}
	/* As in perf, all events but branches have them. */
	if (s->chains && (from->kind == FARGS_PT_EXECUTED || fargs_pt_reported_kind(from->kind)))
		ret = keep_chain(s, from);
	if (!ret && from->kind == FARGS_PT_CFE)
		ret = fargs_pt_extras_keep_evds(s->batch, c->evds, c->nr_evds);
	if (!ret && from->kind == FARGS_PT_PEBS)
		ret = fargs_pt_extras_keep_pebs(s->batch, s->pebs_words, s->nr_pebs_words);
	return ret;
}

int fargs_pt_events_pass_on(struct fargs_pt_events *s)
{
	struct fargs_batch *batch = s->batch;

	s->batch = NULL;
	s->is_stopped = batch && !s->feed->put(s->feed->arg, batch);
	return s->is_stopped ? -ECANCELED : 0;
}

/* Lets events of another source come before the one at the current time. */
static __attribute__((noinline)) int add_before(struct fargs_pt_events *s)
{
	int ret = s->batch ? fargs_pt_events_pass_on(s) : 0;

	if (!ret && s->context.has_time)
		ret = s->before(s->before_arg, s->context.ns, &s->before_ns);
	s->is_stopped |= ret == -ECANCELED;
	return ret;
}

/* Sets the time of @item, which is made from @from. */
static void set_time(const struct fargs_pt_events *s, const struct fargs_pt_item *from,
		     struct fargs_item *item)
{
	uint64_t after = s->estimated_ns > s->context.ns ? s->estimated_ns - s->context.ns : 0;
	uint64_t tsc;

	item->time_ns = s->context.has_time ? s->context.ns : 0;
	item->after_ns = after < UINT32_MAX ? after : UINT32_MAX;
	/* Of a record with a time, which the CPU may write later. */
	if (from->kind != FARGS_PT_PEBS || !s->in->config.has_time ||
	    !fargs_pt_pebs_get(s->pebs, FARGS_PT_PEBS_BASIC, FARGS_PT_PEBS_TSC, &tsc))
		return;
	item->time_ns = fargs_pt_input_ns(&s->in->config, tsc);
	item->after_ns = 0;
}

static int add_item(struct fargs_pt_events *s, const struct fargs_pt_cursor *c,
		    const struct fargs_pt_item *from)
{
	union fargs_pt_packed packed = { .data = NULL };
	uint8_t kind = fargs_pt_reported_kind(from->kind);
	struct fargs_item *item;
	int ret;

	/* As in perf, a CBR is not counted: see show_cbr(). */
	if (s->nr_skipped < s->which->nr_skipped && !is_error(from) &&
	    from->kind != FARGS_PT_CBR) {
		s->nr_skipped++;
		return 0;
	}
	if (__builtin_expect(s->context.ns >= s->before_ns, 0)) {
		ret = add_before(s);
		if (ret)
			return ret;
	}
	packed.kind = from->kind;
	packed.insn = from->insn;
	packed.flags = from->flags;
	packed.error = from->error;
	if (!s->batch)
		s->batch = s->feed->get(s->feed->arg);
	item = &s->batch->items[s->batch->nr++];
	*item = (struct fargs_item){
		.data = packed.data, .a = from->from, .b = from->to,
		.run = fargs_pt_run_of(s->batch, &s->context),
		.kind = kind ? kind : FARGS_EVENT_BRANCH,
	};
	set_time(s, from, item);
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
	s->counts.piece = c->counter.nr_traces;
	if (fargs_pt_counts_keep(s->batch, s->base.details, &s->counts)) {
		s->batch->nr--;
		return -ENOMEM;
	}
	return s->batch->nr == FARGS_BATCH_ITEMS ? fargs_pt_events_pass_on(s) : 0;
}

static void set_estimated(struct fargs_pt_events *s, struct fargs_pt_cursor *c, size_t at,
			  uint32_t nr_later)
{
	s->estimated_ns = fargs_pt_spread_ns(&c->spread, &s->in->config, c->part, at, nr_later);
}

/* Adds the samples of @insn, the instruction before the last @nr_later ones of item @at. */
static int add_samples(struct fargs_pt_events *s, struct fargs_pt_cursor *c, size_t at,
		       uint32_t nr_later, struct fargs_pt_item *insn)
{
	int ret = 0;

	/* The member of items that is not used for instructions: the period. */
	insn->to = c->sampler.nr_insns - c->sampler.sampled_at;
	/* As in perf, the first event that is not omitted counts the instructions before it. */
	if (s->nr_skipped >= s->which->nr_skipped)
		c->sampler.sampled_at = c->sampler.nr_insns;
	fargs_pt_counter_insn(&c->counter, c->part, at, nr_later, &c->counter.insn_ipc,
			      &s->counts);
	if (!s->which->omits_insns)
		ret = add_item(s, c, insn);
	if (ret || !s->which->has_cycles)
		return ret;
	fargs_pt_counter_insn(&c->counter, c->part, at, nr_later, &c->counter.cycle_ipc,
			      &s->counts);
	insn->to = s->counts.ipc.nr_cycles | FARGS_PT_CYCLES;
	return s->counts.ipc.nr_cycles ? add_item(s, c, insn) : 0;
}

/* Adds those instructions of item @at that become samples. */
static int take_insns(struct fargs_pt_events *s, struct fargs_pt_cursor *c, size_t at)
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
static int take_branch(struct fargs_pt_events *s, struct fargs_pt_cursor *c, size_t at,
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
static int show_cbr(struct fargs_pt_events *s, struct fargs_pt_cursor *c,
		    const struct fargs_pt_item *item)
{
	struct fargs_pt_item cbr = *item;

	if (c->cbr == c->shown_cbr || s->nr_skipped + SKIPPED_CBR < s->which->nr_skipped)
		return 0;
	c->shown_cbr = c->cbr;
	s->counts = (struct fargs_pt_counts){ };
	cbr.kind = FARGS_PT_CBR;
	cbr.to = c->cbr;
	cbr.insn = 0;
	cbr.flags = 0;
	return add_item(s, c, &cbr);
}

/*
 * Returns the target of the branch that the event of item @at reports, which follows it: an
 * interrupt, the abort of a transaction, or a branch that changes the interrupt flag. 0: none.
 */
static uint64_t target_of(const struct fargs_pt_flow *flow, size_t at)
{
	const struct fargs_pt_item *item = &flow->items[at], *next = item;
	bool is_iflag = item->kind == FARGS_PT_IFLAG;

	if (is_iflag ? !(item->flags & FARGS_PT_BY_BRANCH) :
	    item->kind == FARGS_PT_TSX ? !(item->to & FARGS_PT_TSX_ABORT) :
					 item->kind != FARGS_PT_CFE)
		return 0;
	while (++next < flow->items + flow->nr && fargs_pt_reported_kind(next->kind))
		;
	if (next == flow->items + flow->nr || next->from != item->from)
		return 0;
	return next->kind == FARGS_PT_INTERRUPT || (is_iflag && next->kind == FARGS_PT_BRANCH) ?
	       next->to : 0;
}

/* Adds a sample for each event that the PEBS record @item, of @flow, is of. */
static int take_pebs(struct fargs_pt_events *s, struct fargs_pt_cursor *c,
		     const struct fargs_pt_flow *flow, const struct fargs_pt_item *item)
{
	uint32_t events[FARGS_PT_PEBS_COUNTERS_MAX];
	struct fargs_pt_item sample = *item;
	struct fargs_pt_pebs pebs;
	unsigned int nr, i;
	int ret = 0;

	if (!s->in->nr_pebs_events)
		return 0;
	s->pebs_words = flow->words + item->to;
	s->nr_pebs_words = fargs_pt_pebs_unpack(&pebs, s->pebs_words);
	s->pebs = &pebs;
	nr = fargs_pt_pebs_counters_events(&c->pebs_counters, &pebs, s->context.has_time ?
					   s->context.ns : UINT64_MAX, events);
	for (i = 0; !ret && i < nr; i++) {
		sample.insn = events[i];
		ret = add_item(s, c, &sample);
	}
	s->pebs = NULL;
	return ret;
}

/* Takes item @at, which a packet besides those of the flow reports. */
static int take_reported(struct fargs_pt_events *s, struct fargs_pt_cursor *c, size_t at)
{
	const struct fargs_pt_item *item = &c->part->flow.items[at];
	int ret;

	s->counts = (struct fargs_pt_counts){ };
	if (s->base.details & FARGS_DETAIL_ADDR)
		s->counts.addr = target_of(&c->part->flow, at);
	switch (item->kind) {
	case FARGS_PT_EVD:
		if (c->nr_evds < FARGS_PT_EVDS_MAX)
			c->evds[c->nr_evds++] = (struct fargs_pt_evd){
				.payload = item->to, .type = item->insn,
			};
		return 0;
	case FARGS_PT_CBR:
		c->cbr = item->to;
		return show_cbr(s, c, item);
	case FARGS_PT_PEBS:
		return take_pebs(s, c, &c->part->flow, item);
	default:
		ret = is_wanted(s, item, false) ? add_item(s, c, item) : 0;
		if (item->kind == FARGS_PT_CFE)
			c->nr_evds = 0;
		return ret;
	}
}

static int take_item(struct fargs_pt_events *s, struct fargs_pt_cursor *c, size_t at)
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
		return take_reported(s, c, at);
	ret = show_cbr(s, c, item);
	if (!ret)
		ret = take_branch(s, c, at, item);
	if (ret || !fargs_pt_branch_has_begin(item))
		return ret;
	begin = fargs_pt_branch_begin(item);
	return take_branch(s, c, at, &begin);
}

static int set_context(struct fargs_pt_events *s, const struct fargs_pt_cursor *c, size_t at)
{
	s->context.is_guest = c->is_guest;
	fargs_pt_context_set(&s->context, c->part, c->switched.nr, c->part->flow.items[at].tsc);
	return s->chains ? fargs_pt_chains_switch(s->chains, s->context.tid,
						  s->context.stream->cpu) : 0;
}

int fargs_pt_events_take(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
			 struct fargs_buf *out)
{
	struct fargs_pt_events *s = arg;
	struct fargs_pt_cursor *c = &s->cursors[part->seg->stream - s->in->streams];
	size_t i;
	int ret = 0;

	if (c->part != part || !begin) {
		c->part = part;
		c->is_guest = false;
		c->sampler.nr_insns = part->nr_insns;
		fargs_pt_counter_begin(&c->counter, part);
		fargs_pt_count_begin(&c->switched, &part->switched);
	}
	for (i = begin; !ret && i < end; i++) {
		if (part->flow.items[i].kind == FARGS_PT_VM)
			c->is_guest = part->flow.items[i].flags & FARGS_PT_IN_GUEST;
		if (fargs_pt_count_take(&c->switched, &part->switched, &part->flow, i) ||
		    i == begin || part->flow.items[i].kind == FARGS_PT_VM ||
		    part->flow.items[i].tsc != part->flow.items[i - 1].tsc)
			ret = set_context(s, c, i);
		if (!ret)
			ret = take_item(s, c, i);
	}
	return ret;
}
