// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/added.h"

#include <errno.h>
#include <stdlib.h>

#include "source/pt/decode/branch.h"
#include "source/pt/events/chains.h"
#include "source/pt/trace/context.h"

#define BRANCH_WORDS	(sizeof(struct fargs_last_branch) / sizeof(uint64_t))

/* What a sample gets. */
struct addition {
	size_t at;			/* index in @words: of the callers, then of the branches */
	size_t nr_callers, nr_branches;
};

/* The position in a stream. */
struct cursor {
	const struct fargs_pt_part *part;
	struct fargs_pt_count switched;
	uint8_t insn_bytes;		/* size of the last instruction, if it is a branch */
};

struct fargs_pt_added {
	const struct fargs_pt_input *in;
	const struct fargs_pt_sample *samples;
	struct addition *additions;	/* one for each sample */
	size_t nr, next;		/* number of samples; of those whose addition is known */
	unsigned int chain_max, branches_max;
	struct fargs_pt_chains *chains;
	struct cursor *cursors;		/* one for each stream */
	struct fargs_pt_context context;
	uint64_t *words;
	size_t nr_words, room;
};

static int reserve(struct fargs_pt_added *a, size_t nr)
{
	size_t room = a->room ? a->room : 1024;
	uint64_t *words;

	while (room - a->nr_words < nr)
		room *= 2;
	words = room > a->room ? realloc(a->words, room * sizeof(*words)) : a->words;
	if (!words)
		return -ENOMEM;
	a->words = words;
	a->room = room;
	return 0;
}

/* Keeps what the task of the next sample has done so far. */
static int add_next(struct fargs_pt_added *a)
{
	const struct fargs_pt_sample *sample = &a->samples[a->next];
	struct addition *to = &a->additions[a->next++];
	uint64_t *words;

	if (reserve(a, a->chain_max + a->branches_max * BRANCH_WORDS) ||
	    fargs_pt_chains_switch(a->chains, sample->tid, sample->cpu))
		return -ENOMEM;
	words = a->words + a->nr_words;
	to->at = a->nr_words;
	if (a->chain_max)
		to->nr_callers = fargs_pt_chains_callers_late(a->chains, sample->ip, words);
	if (a->branches_max)
		to->nr_branches = fargs_pt_chains_branches(a->chains, (struct fargs_last_branch *)
							   (words + to->nr_callers));
	a->nr_words += to->nr_callers + to->nr_branches * BRANCH_WORDS;
	return 0;
}

/* Prepares for item @at: first, samples that were taken before it get their additions. */
static int set_context(struct fargs_pt_added *a, const struct cursor *c, size_t at)
{
	fargs_pt_context_set(&a->context, c->part, c->switched.nr, c->part->flow.items[at].tsc);
	while (a->next < a->nr && a->context.has_time &&
	       a->samples[a->next].ns < a->context.ns)
		if (add_next(a))
			return -ENOMEM;
	return fargs_pt_chains_switch(a->chains, a->context.tid, a->context.stream->cpu);
}

static int take_item(struct fargs_pt_added *a, struct cursor *c, const struct fargs_pt_item *item)
{
	struct fargs_pt_item begin;

	if (item->kind == FARGS_PT_EXECUTED) {
		c->insn_bytes = item->last_bytes;
		return 0;
	}
	if (fargs_pt_branch_has_begin(item)) {
		begin = fargs_pt_branch_begin(item);
		return fargs_pt_chains_take(a->chains, &begin, 0);
	}
	return fargs_pt_branch_is(item, c->part->is_broken_off) ?
	       fargs_pt_chains_take(a->chains, item, c->insn_bytes) : 0;
}

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	struct fargs_pt_added *a = arg;
	struct cursor *c = &a->cursors[part->seg->stream - a->in->streams];
	size_t i;
	int ret = 0;

	if (c->part != part || !begin) {
		c->part = part;
		fargs_pt_count_begin(&c->switched, &part->switched);
	}
	for (i = begin; !ret && i < end; i++) {
		if (fargs_pt_count_take(&c->switched, &part->switched, &part->flow, i) ||
		    i == begin || part->flow.items[i].tsc != part->flow.items[i - 1].tsc)
			ret = set_context(a, c, i);
		if (!ret)
			ret = take_item(a, c, &part->flow.items[i]);
	}
	return ret;
}

static int write_nothing(void *arg, const char *text, size_t bytes)
{
	return 0;
}

static int decode(struct fargs_pt_added *a, const struct fargs_pt_trace_options *how,
		  struct fargs_error_text *err)
{
	const struct fargs_pt_view view = { .arg = a, .take = take_items };
	struct fargs_pt_trace_options all = *how;
	int ret;

	/* The size of a call is that of its instruction. */
	all.is_by_insn = true;
	all.has_ends = true;
	ret = fargs_pt_trace_run(a->in, &all, &view, write_nothing, NULL, err);
	while (!ret && a->next < a->nr)
		ret = add_next(a);
	return ret;
}

struct fargs_pt_added *fargs_pt_added_create(const struct fargs_pt_input *in,
					     const struct fargs_pt_trace_options *how,
					     const struct fargs_pt_sample *samples, size_t nr,
					     unsigned int chain_max, unsigned int branches_max,
					     struct fargs_error_text *err)
{
	struct fargs_pt_added *a = calloc(1, sizeof(*a));

	err->text[0] = '\0';
	if (a) {
		a->in = in;
		a->context.in = in;
		a->samples = samples;
		a->nr = nr;
		a->chain_max = chain_max;
		a->branches_max = branches_max;
		a->additions = calloc(nr + 1, sizeof(*a->additions));
		a->cursors = calloc(in->nr_streams + 1, sizeof(*a->cursors));
		a->chains = fargs_pt_chains_create(chain_max, branches_max);
		if (a->additions && a->cursors && a->chains && !decode(a, how, err))
			return a;
	}
	fargs_pt_added_destroy(a);
	if (!err->text[0])
		fargs_fail(err, ENOMEM, "out of memory");
	return NULL;
}

void fargs_pt_added_destroy(struct fargs_pt_added *a)
{
	if (!a)
		return;
	fargs_pt_chains_destroy(a->chains);
	free(a->cursors);
	free(a->additions);
	free(a->words);
	free(a);
}

void fargs_pt_added_set(const struct fargs_pt_added *a, size_t i, struct fargs_event *ev)
{
	const struct addition *from;

	if (i >= a->nr)
		return;
	from = &a->additions[i];
	if (a->chain_max && !ev->nr_stack) {
		ev->stack = a->words + from->at;
		ev->nr_stack = from->nr_callers;
		ev->shows_stack = true;
	}
	if (!a->branches_max || ev->last_branches)
		return;
	ev->last_branches = (const struct fargs_last_branch *)(a->words + from->at +
							       from->nr_callers);
	ev->nr_last_branches = from->nr_branches;
	ev->is_mispredicted = a->in->settings.is_mispredicted;
}
