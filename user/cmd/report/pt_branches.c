// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_branches.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "cmd/report/pt_line.h"
#include "cmd/report/pt_places.h"
#include "source/pt/decode/branch.h"
#include "source/pt/decode/names.h"

struct fargs_pt_branches {
	const struct fargs_pt_input *in;
	const struct fargs_pt_branches_options *options;
	struct fargs_pt_names *names;
	struct thread *threads;
	unsigned int nr_threads;
	char event[16];		/* name of the event, with a trailing colon */
	char insn_event[20];
	atomic_uint_fast64_t nr_errors;
	struct cursor *cursors;	/* one for each stream; used only if options->filter is set */
};

/* Room for an event's name and the words of a branch, with the padding of both. */
#define WORDS_BYTES	48
/* Number of texts that are kept: more than there are in most traces. */
#define WORDS		64

/* The columns between the time and the address, formatted once. */
struct words {
	uint32_t key;		/* of the items that have these words; 0: none */
	uint32_t bytes;
	char text[WORDS_BYTES];
};

/* Texts that a thread has formatted. */
struct thread {
	struct fargs_pt_places *places;
	struct fargs_pt_head head;
	struct words words[WORDS];
};

/* The current part of a stream, and counts for the items of this part that have been processed. */
struct cursor {
	const struct fargs_pt_part *part;
	struct fargs_pt_count switched;
	struct fargs_pt_ipc_count ipc;
};

/* State while the lines of a part are written. */
struct writer {
	const struct fargs_pt_branches *b;
	struct thread *thread;
	const struct fargs_pt_part *part;
	struct fargs_buf *out;
	struct fargs_pt_context context;
	uint64_t nr_insns;		/* number of the CPU's instructions up to this point */
	uint64_t nr_errors;		/* number of trace errors within the time window */
};

/* Sets @event to "WORD:", or with a modifier, such as "u", to "WORD:u:". */
static void set_event(char *event, size_t size, const char *word, const char *modifier)
{
	snprintf(event, size, "%s:%s%s", word, modifier, *modifier ? ":" : "");
}

struct fargs_pt_branches *
fargs_pt_branches_create(const struct fargs_pt_input *in,
			 const struct fargs_pt_branches_options *options,
			 unsigned int nr_threads)
{
	struct fargs_pt_branches *b = calloc(1, sizeof(*b));
	const char *modifier;

	if (!b)
		return NULL;
	b->in = in;
	b->options = options;
	modifier = fargs_pt_config_modifier(&in->config);
	set_event(b->event, sizeof(b->event), "branches", modifier);
	set_event(b->insn_event, sizeof(b->insn_event), "instructions", modifier);
	b->names = fargs_pt_names_create(in);
	b->threads = calloc(nr_threads, sizeof(*b->threads));
	b->cursors = calloc(in->nr_streams + 1, sizeof(*b->cursors));
	if (!b->names || !b->threads || !b->cursors)
		goto fail;
	for (; b->nr_threads < nr_threads; b->nr_threads++) {
		struct thread *thread = &b->threads[b->nr_threads];

		thread->places = fargs_pt_places_create(b->names, FARGS_PT_PLACE_ADDR);
		if (!thread->places)
			goto fail;
	}
	return b;
fail:
	fargs_pt_branches_destroy(b);
	return NULL;
}

void fargs_pt_branches_destroy(struct fargs_pt_branches *b)
{
	unsigned int i;

	if (!b)
		return;
	for (i = 0; i < b->nr_threads; i++) {
		fargs_pt_places_destroy(b->threads[i].places);
		fargs_buf_deinit(&b->threads[i].head.text);
	}
	fargs_pt_names_destroy(b->names);
	free(b->threads);
	free(b->cursors);
	free(b);
}

/* Writes @text left-aligned in @width columns. Returns the end. */
static char *fill_left(char *to, const char *text, size_t width)
{
	size_t n = strlen(text);

	memcpy(to, text, n);
	if (n < width)
		memset(to + n, ' ', width - n);
	return to + (n < width ? width : n);
}

/* Formats the columns between the time and the address. */
static void make_words(const struct fargs_pt_branches *b, struct words *to,
		       const struct fargs_pt_item *item, uint32_t key)
{
	bool is_insn = item->kind == FARGS_PT_EXECUTED;
	char words[FARGS_PT_WORDS], *end;

	_Static_assert(sizeof(b->event) + sizeof(words) <= WORDS_BYTES, "room for a branch");
	_Static_assert(sizeof(b->insn_event) + sizeof(words) <= WORDS_BYTES, "room for an "
		       "instruction");
	if (is_insn)
		strcpy(words, fargs_pt_insn_word(item));
	else
		fargs_pt_branch_words(words, item);
	end = fill_left(to->text, is_insn ? b->insn_event : b->event, is_insn ? 17 : 13);
	end = fill_left(end, words, 16);
	to->bytes = end - to->text;
	to->key = key;
}

/* Writes the columns before the address. */
static void put_front(struct writer *w, const struct fargs_pt_item *item)
{
	uint32_t key = 1 | item->flags << 8 | item->kind << 16 | item->insn << 24;
	struct words *words = &w->thread->words[(item->flags ^ item->kind << 2 ^ item->insn) % WORDS];

	fargs_pt_head_put(&w->thread->head, w->out, &w->context);
	if (words->key != key)
		make_words(w->b, words, item, key);
	if (!fargs_buf_reserve(w->out, WORDS_BYTES))
		return;
	memcpy(w->out->text + w->out->n, words->text, WORDS_BYTES);
	w->out->n += words->bytes;
}

static void put_place(struct writer *w, uint64_t addr)
{
	fargs_pt_places_put(w->thread->places, w->out, addr, w->context.ns);
}

static void put_branch(struct writer *w, const struct fargs_pt_item *item)
{
	put_front(w, item);
	put_place(w, item->from);
	fargs_buf_add(w->out, " => ", 4);
	put_place(w, item->to);
	fargs_put_char(w->out, '\n');
}

static void put_insn(struct writer *w, const struct fargs_pt_item *item)
{
	put_front(w, item);
	put_place(w, item->from);
	fargs_put_char(w->out, '\n');
}

static bool is_wanted(const struct fargs_pt_branches_options *o, const struct fargs_pt_item *item)
{
	return o->has_branches || (o->has_calls && fargs_pt_branch_is_call(item)) ||
	       (o->has_returns && fargs_pt_branch_is_return(item));
}

static bool is_branch(const struct writer *w, const struct fargs_pt_item *item)
{
	return fargs_pt_branch_is(item, w->part->is_broken_off);
}

static void put_item(struct writer *w, const struct fargs_pt_item *item)
{
	const struct fargs_pt_branches_options *o = w->b->options;

	bool is_due = false;

	if (item->kind == FARGS_PT_EXECUTED)
		is_due = o->insn_period && ++w->nr_insns % o->insn_period == 0;
	if (w->context.has_time && !fargs_time_window_has(&o->window, w->context.ns))
		return;
	w->nr_errors += fargs_pt_item_is_error(item);
	if (is_due)
		put_insn(w, item);
	else if (is_branch(w, item) && is_wanted(o, item))
		put_branch(w, item);
	else if (o->has_errors && (fargs_pt_item_is_error(item) || item->kind == FARGS_PT_POKED))
		fargs_pt_put_error(w->out, &w->context, item);
}

static int write_part(void *arg, struct fargs_pt_part *part, unsigned int thread)
{
	struct fargs_pt_branches *b = arg;
	struct writer w = {
		.b = b, .part = part, .out = &part->text, .thread = &b->threads[thread],
		.context.in = b->in, .nr_insns = part->nr_insns,
	};
	const struct fargs_pt_item *item, *end = part->flow.items + part->flow.nr;
	struct fargs_pt_count switched;
	struct fargs_pt_item begin;

	fargs_pt_count_begin(&switched, &part->switched);
	for (item = part->flow.items; item < end; item++) {
		fargs_pt_count_take(&switched, &part->switched, &part->flow,
				    item - part->flow.items);
		if (item == part->flow.items || item->tsc != item[-1].tsc ||
		    item->kind == FARGS_PT_SWITCH)
			fargs_pt_context_set(&w.context, part, switched.nr, item->tsc);
		put_item(&w, item);
		if (fargs_pt_branch_has_begin(item)) {
			begin = fargs_pt_branch_begin(item);
			put_item(&w, &begin);
		}
		if ((item + 1 == end || item[1].tsc != item->tsc) &&
		    fargs_pt_part_mark(part, item->tsc))
			return -ENOMEM;
	}
	atomic_fetch_add(&b->nr_errors, w.nr_errors);
	return part->text.is_short ? -ENOMEM : 0;
}

static bool is_chosen(const struct writer *w)
{
	const struct fargs_pt_branches_options *o = w->b->options;

	return (!o->cpus || fargs_id_set_allows(o->cpus, w->context.stream->cpu)) &&
	       (!w->context.has_time || fargs_time_window_has(&o->window, w->context.ns));
}

/*
 * Calls the event hook if @item is a wanted branch. Then writes the line of @item, unless the hook
 * drops it. @item: item @i of the part or, if item @i is an overflow, the trace start that follows
 * the overflow.
 */
static int ask(struct writer *w, struct cursor *l, size_t i, const struct fargs_pt_item *item)
{
	const struct fargs_pt_branches_options *o = w->b->options;
	struct fargs_pt_ipc ipc = { };
	int ret = 0;

	if (is_branch(w, item) && is_wanted(o, item)) {
		fargs_pt_ipc_take(&l->ipc, l->part, i, &ipc);
		ret = o->filter->ask(o->filter->arg, &w->context, item, &ipc, is_chosen(w));
	}
	if (ret)
		return ret < 0 ? ret : 0;
	if (is_chosen(w))
		put_item(w, item);
	if (w->out->is_short)
		return -ENOMEM;
	if (w->out->n)
		ret = o->filter->show(o->filter->arg, w->out->text, w->out->n);
	w->out->n = 0;
	return ret;
}

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	struct fargs_pt_branches *b = arg;
	struct cursor *l = &b->cursors[part->seg->stream - b->in->streams];
	struct writer w = {
		.b = b, .part = part, .out = out, .thread = b->threads, .context.in = b->in,
	};
	const struct fargs_pt_item *item;
	struct fargs_pt_item start;
	size_t i;
	int ret = 0;

	if (l->part != part || !begin) {
		l->part = part;
		fargs_pt_ipc_begin(&l->ipc, part);
		fargs_pt_count_begin(&l->switched, &part->switched);
	}
	for (i = begin; !ret && i < end; i++) {
		item = &part->flow.items[i];
		fargs_pt_ipc_executed(&l->ipc, part, i);
		fargs_pt_count_take(&l->switched, &part->switched, &part->flow, i);
		fargs_pt_context_set(&w.context, part, l->switched.nr, item->tsc);
		ret = ask(&w, l, i, item);
		if (!ret && fargs_pt_branch_has_begin(item)) {
			start = fargs_pt_branch_begin(item);
			ret = ask(&w, l, i, &start);
		}
	}
	b->nr_errors += w.nr_errors;
	return ret;
}

struct fargs_pt_view fargs_pt_branches_view(struct fargs_pt_branches *b)
{
	if (b->options->filter)
		return (struct fargs_pt_view){ .arg = b, .take = take_items };
	return (struct fargs_pt_view){ .arg = b, .write = write_part };
}

uint64_t fargs_pt_branches_nr_errors(const struct fargs_pt_branches *b)
{
	return atomic_load(&b->nr_errors);
}
