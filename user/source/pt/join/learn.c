// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/learn.h"

#include <errno.h>
#include <stdlib.h>

#include "kernel/sym/ksyms.h"
#include "source/pt/calls/calls.h"
#include "source/pt/input/guests.h"
#include "source/pt/input/switches.h"
#include "source/pt/join/seq_sites.h"

/* The function that switches stacks, by which every switch of tasks goes. */
#define SWITCH	"__switch_to_asm"

/* A stream whose threads may be virtual CPUs. */
struct host_stream {
	uint32_t run;		/* the last one (struct fargs_pt_call_cursor) */
	uint32_t trusted;	/* epoch since the last switch of the guest's tasks */
	int32_t tid;
	bool is_found;		/* @vcpu is that of @tid */
	int64_t vcpu;		/* number of the guest's CPU; -1: none, or unknown */
};

struct fargs_pt_learner {
	const struct fargs_pt_input *in;
	struct fargs_pt_join *join;
	struct fargs_pt_seq_sites *seq_sites;
	struct fargs_pt_calls *calls;
	/* The following members are only for a guest's records. */
	const struct fargs_pt_join_guest *guest;
	struct host_stream *streams;	/* one for each of in->streams */
	int32_t *tids;			/* threads of the guest's CPUs; 0: not known yet */
	unsigned int nr_vcpus;
	uint64_t switch_addr;		/* of the guest's SWITCH; 0: unknown */
};

static int set_up_guest(struct fargs_pt_learner *l, const struct fargs_ksyms *ksyms)
{
	const struct fargs_ksym *sym = ksyms ? fargs_ksyms_find_only(ksyms, SWITCH) : NULL;
	size_t i;

	l->switch_addr = sym ? sym->addr : 0;
	l->nr_vcpus = fargs_pt_join_meta(l->join)->info.nr_cpus;
	l->tids = calloc(l->nr_vcpus + 1ul, sizeof(*l->tids));
	l->streams = calloc(l->in->nr_streams + 1, sizeof(*l->streams));
	if (!l->tids || !l->streams)
		return -ENOMEM;
	for (i = 0; i < l->in->nr_streams; i++)
		l->streams[i].vcpu = -1;
	return 0;
}

struct fargs_pt_learner *fargs_pt_learner_create(const struct fargs_pt_input *in,
						 struct fargs_pt_join *join)
{
	static const struct fargs_pt_calls_options options;
	struct fargs_pt_learner *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->in = in;
	l->join = join;
	l->seq_sites = fargs_pt_join_seq_sites(join);
	l->guest = fargs_pt_join_guest(join);
	l->calls = fargs_pt_calls_create(in, &options);
	if (!l->calls || (l->guest && set_up_guest(l, in->guests[l->guest->guest].in.ksyms))) {
		fargs_pt_learner_destroy(l);
		return NULL;
	}
	return l;
}

void fargs_pt_learner_destroy(struct fargs_pt_learner *l)
{
	if (!l)
		return;
	fargs_pt_calls_destroy(l->calls);
	free(l->streams);
	free(l->tids);
	free(l);
}

static bool is_of_cpu(const struct fargs_pt_call_cursor *cursor)
{
	return cursor->part->seg->stream->cpu != UINT32_MAX;
}

/*
 * Finds the guest's CPU that the task s->tid executes. Where the stream is a CPU's, the task may
 * have run meanwhile on a CPU that is not in the trace, or in a gap of one that is. Returns 0 or
 * -ENOMEM.
 */
static int find_vcpu(struct fargs_pt_learner *l, struct fargs_pt_call_cursor *cursor,
		     const struct fargs_pt_item *item, struct host_stream *s)
{
	uint64_t ns = fargs_pt_calls_context(cursor, item->tsc)->ns;
	int64_t vcpu = fargs_pt_guests_vcpu(l->in, l->guest->guest, s->tid, ns);

	s->is_found = true;
	if (vcpu < 0 || vcpu >= l->nr_vcpus)
		return 0;
	/* Two processes have the guest's name. */
	if (l->tids[vcpu] && l->tids[vcpu] != s->tid)
		fargs_pt_join_give_up(l->join, (unsigned int)vcpu);
	l->tids[vcpu] = s->tid;
	s->vcpu = vcpu;
	s->trusted = fargs_pt_calls_begin_epoch(l->calls, cursor);
	return is_of_cpu(cursor) ? fargs_pt_seq_sites_hole(l->seq_sites, vcpu) : 0;
}

/* Sets s->vcpu for @item, the next one of stream @s. Returns 0 or -ENOMEM. */
static int follow_vcpu(struct fargs_pt_learner *l, struct fargs_pt_call_cursor *cursor,
		       const struct fargs_pt_item *item, struct host_stream *s)
{
	int32_t tid;

	if (s->run != cursor->run) {
		tid = fargs_pt_switches_task(cursor->part->switches, cursor->switched.nr);
		if (s->vcpu >= 0)
			fargs_pt_seq_sites_pause(l->seq_sites, s->vcpu);
		if (is_of_cpu(cursor) || tid != s->tid) {
			s->is_found = false;
			s->vcpu = -1;
		}
		s->run = cursor->run;
		s->tid = tid;
	}
	return !s->is_found && cursor->context.is_guest ? find_vcpu(l, cursor, item, s) : 0;
}

/*
 * Reports @item if a guest executed it. A guest's tasks are not known, but where they are switched.
 */
static int report_guest(struct fargs_pt_learner *l, struct fargs_pt_call_cursor *cursor,
			const struct fargs_pt_item *item, enum fargs_pt_step_kind step)
{
	struct host_stream *s = &l->streams[cursor->part->seg->stream - l->in->streams];
	const struct fargs_pt_stack *stack = cursor->stack;
	struct fargs_pt_site_context context = {
		.stack = stack, .step = step, .was_tracer = cursor->was_tracer, .tid = -1,
	};

	if (follow_vcpu(l, cursor, item, s))
		return -ENOMEM;
	if (s->vcpu < 0)
		return 0;
	/* Another thread may run than is known: that of another CPU of the guest. */
	if (is_of_cpu(cursor) && fargs_pt_calls_is_unsure(l->calls))
		fargs_pt_join_give_up(l->join, (unsigned int)s->vcpu);
	context.cpu = s->vcpu;
	if (fargs_pt_calls_is_hole(cursor, item)) {
		if (fargs_pt_seq_sites_hole(l->seq_sites, context.cpu))
			return -ENOMEM;
		if (item->kind != FARGS_PT_BEGIN)
			return 0;
	}
	if (!cursor->context.is_guest && item->kind == FARGS_PT_VM)
		fargs_pt_seq_sites_pause(l->seq_sites, context.cpu);
	if (!cursor->context.is_guest && item->kind != FARGS_PT_TICK)
		return 0;
	if ((step == FARGS_PT_STEP_ENTERED || step == FARGS_PT_STEP_JUMPED) &&
	    stack->frames[stack->nr - 1].addr == l->switch_addr)
		s->trusted = fargs_pt_calls_begin_epoch(l->calls, cursor);
	context.trusted = l->switch_addr ? s->trusted : UINT32_MAX;
	return fargs_pt_seq_sites_take(l->seq_sites, &context, item);
}

/*
 * Reports @item, or the gap at @item, to l->seq_sites. Must be called after fargs_pt_calls_step()
 * for @item, and before fargs_pt_calls_step() for the next item.
 */
static int report_item(struct fargs_pt_learner *l, struct fargs_pt_call_cursor *cursor,
		       const struct fargs_pt_item *item, enum fargs_pt_step_kind step)
{
	const struct fargs_pt_part *part = cursor->part;
	const struct fargs_pt_site_context context = {
		.cpu = part->seg->stream - l->in->streams, .stack = cursor->stack,
		.step = step, .trusted = fargs_pt_calls_trusted(l->calls, cursor),
		.was_tracer = cursor->was_tracer,
		.tid = fargs_pt_switches_task(part->switches, cursor->switched.nr),
	};

	if (l->guest)
		return report_guest(l, cursor, item, step);
	if (fargs_pt_calls_is_hole(cursor, item)) {
		if (fargs_pt_seq_sites_hole(l->seq_sites, context.cpu))
			return -ENOMEM;
		if (item->kind != FARGS_PT_BEGIN)
			return 0;
	}
	/* What a guest executes does not change the host's stack, and its returns are not of it. */
	if (cursor->context.is_guest && item->kind != FARGS_PT_TICK)
		return 0;
	return fargs_pt_seq_sites_take(l->seq_sites, &context, item);
}

int fargs_pt_learner_take(struct fargs_pt_learner *l, const struct fargs_pt_part *part,
			  size_t begin, size_t end)
{
	struct fargs_pt_call_cursor *cursor = fargs_pt_calls_cursor(l->calls, part, begin);
	const struct fargs_pt_item *item;
	struct fargs_pt_step step;
	size_t i;
	int ret;

	if (!cursor)
		return -ENOMEM;
	for (i = begin; i < end; i++) {
		item = &part->flow.items[i];
		ret = fargs_pt_calls_step(l->calls, cursor, item, &step);
		if (ret < 0)
			return ret;
		if (!ret)
			continue;
		if (report_item(l, cursor, item, step.kind))
			return -ENOMEM;
		fargs_pt_calls_settle(l->calls, cursor, item, &step);
	}
	return 0;
}

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	return fargs_pt_learner_take(arg, part, begin, end);
}

struct fargs_pt_view fargs_pt_learner_view(struct fargs_pt_learner *l)
{
	return (struct fargs_pt_view){
		.arg = l, .begins = fargs_pt_calls_names(l->calls), .take = take_items,
	};
}

uint64_t fargs_pt_learner_nr_nodes(const struct fargs_pt_learner *l)
{
	return fargs_pt_calls_nr_nodes(l->calls);
}
