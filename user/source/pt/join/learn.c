// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/learn.h"

#include <errno.h>
#include <stdlib.h>

#include "source/pt/calls/calls.h"
#include "source/pt/input/switches.h"
#include "source/pt/join/seq_sites.h"

struct fargs_pt_learner {
	const struct fargs_pt_input *in;
	struct fargs_pt_seq_sites *seq_sites;
	struct fargs_pt_calls *calls;
};

struct fargs_pt_learner *fargs_pt_learner_create(const struct fargs_pt_input *in,
						 struct fargs_pt_join *join)
{
	static const struct fargs_pt_calls_options options;
	struct fargs_pt_learner *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->in = in;
	l->seq_sites = fargs_pt_join_seq_sites(join);
	l->calls = fargs_pt_calls_create(in, &options);
	if (!l->calls) {
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
	free(l);
}

/*
 * Reports @item, or the gap at @item, to l->seq_sites. Must be called after fargs_pt_calls_step()
 * for @item, and before fargs_pt_calls_step() for the next item.
 */
static int report_item(struct fargs_pt_learner *l, const struct fargs_pt_call_cursor *cursor,
		       const struct fargs_pt_item *item, enum fargs_pt_step_kind step)
{
	const struct fargs_pt_part *part = cursor->part;
	const struct fargs_pt_site_context context = {
		.stream = part->seg->stream - l->in->streams, .stack = cursor->stack,
		.step = step, .trusted = fargs_pt_calls_trusted(l->calls, cursor),
		.was_tracer = cursor->was_tracer,
		.tid = fargs_pt_switches_task(part->switches, cursor->switched.nr),
	};

	if (fargs_pt_calls_is_hole(cursor, item)) {
		if (fargs_pt_seq_sites_hole(l->seq_sites, context.stream))
			return -ENOMEM;
		if (item->kind != FARGS_PT_BEGIN)
			return 0;
	}
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
