// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_branches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "cmd/report/pt_line.h"
#include "cmd/report/pt_places.h"
#include "source/pt/code/insn.h"
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
};

/* Room for an event's name and the words of a branch, with the padding of both. */
#define WORDS_BYTES	48
/* Room for all columns before the address, in nearly all lines. */
#define FRONT_BYTES	(64 + WORDS_BYTES)
/* Between the address of a branch and its target. */
#define ARROW		" => "
/* Room for a line of usual parts. */
#define LINE_BYTES	(FRONT_BYTES + 2 * FARGS_PT_PLACE_BYTES + sizeof(ARROW))
/* Number of kinds of items whose columns are kept: more than there are in most traces. */
#define FRONTS		64

/* The columns before the address of items of one kind, formatted once for each context. */
struct front {
	uint64_t context;	/* number of the context */
	uint32_t key;		/* of the items of this kind; 0: none */
	uint32_t bytes;		/* length of @text; 0: it is too long */
	char text[FRONT_BYTES];
};

/* Texts that a thread has formatted. */
struct thread {
	struct fargs_pt_places *places;	/* one of those below */
	struct fargs_pt_places *host_places;
	struct fargs_pt_places *guest_places;	/* of all guests */
	struct fargs_pt_head head;
	uint64_t nr_contexts;
	struct front fronts[FRONTS];
};

/* State while the lines of a part are written. */
struct writer {
	const struct fargs_pt_branches *b;
	struct thread *thread;
	const struct fargs_pt_part *part;
	struct fargs_buf *out;
	struct fargs_pt_context context;
	size_t nr_switched;		/* number of task switches before the last item */
	bool is_in_window;		/* @context is within the time window */
	uint64_t until;			/* number of instructions up to the next one to show */
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
	if (!b->names || !b->threads)
		goto fail;
	while (b->nr_threads < nr_threads) {
		struct thread *thread = &b->threads[b->nr_threads++];

		thread->host_places = fargs_pt_places_create(b->names, FARGS_PT_PLACE_ADDR);
		thread->guest_places = fargs_pt_places_create(b->names, FARGS_PT_PLACE_ADDR);
		if (!thread->host_places || !thread->guest_places)
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
		fargs_pt_places_destroy(b->threads[i].host_places);
		fargs_pt_places_destroy(b->threads[i].guest_places);
		fargs_buf_deinit(&b->threads[i].head.text);
	}
	fargs_pt_names_destroy(b->names);
	free(b->threads);
	free(b);
}

/* Writes @text left-aligned in @width columns. Returns the end. */
static char *put_left(char *to, const char *text, size_t width)
{
	size_t n = strlen(text);

	memcpy(to, text, n);
	if (n < width)
		memset(to + n, ' ', width - n);
	return to + (n < width ? width : n);
}

/* Writes the columns between the time and the address to @to. Returns their end. */
static char *put_words(const struct fargs_pt_branches *b, char to[WORDS_BYTES],
		       const struct fargs_pt_item *item)
{
	bool is_insn = item->kind == FARGS_PT_EXECUTED;
	char words[FARGS_PT_WORDS], marks[FARGS_PT_MARKS];

	_Static_assert(sizeof(b->event) + FARGS_PT_LINE_FLAGS <= WORDS_BYTES, "room for a branch");
	_Static_assert(sizeof(b->insn_event) + FARGS_PT_LINE_FLAGS <= WORDS_BYTES, "room for an "
		       "instruction");
	if (is_insn)
		strcpy(words, fargs_pt_insn_word(item));
	else
		fargs_pt_branch_words(words, item);
	to = put_left(to, is_insn ? b->insn_event : b->event, is_insn ? 17 : 13);
	fargs_pt_branch_marks(marks, item);
	return to + fargs_pt_line_flags(to, words, marks);
}

static __attribute__((noinline)) void make_front(struct writer *w, struct front *to,
						 const struct fargs_pt_item *item, uint32_t key)
{
	const struct fargs_buf *head = &w->thread->head.text;
	char *end;

	fargs_pt_head_set(&w->thread->head, &w->context);
	to->key = key;
	to->context = w->thread->nr_contexts;
	to->bytes = 0;
	if (head->n > FRONT_BYTES - WORDS_BYTES || head->is_short)
		return;
	memcpy(to->text, head->text, head->n);
	end = put_words(w->b, to->text + head->n, item);
	to->bytes = end - to->text;
}

/* Returns the columns before the address. */
static inline const struct front *front_of(struct writer *w, const struct fargs_pt_item *item)
{
	uint32_t key = 1 | item->flags << 8 | item->kind << 16 | (uint32_t)item->insn << 24;
	struct front *front = &w->thread->fronts[(item->flags ^ item->kind << 2 ^ item->insn) %
						 FRONTS];

	if (front->key != key || front->context != w->thread->nr_contexts)
		make_front(w, front, item, key);
	return front;
}

/* Writes a line whose parts may be of any length. */
static __attribute__((noinline)) void put_long(struct writer *w, const struct fargs_pt_item *item)
{
	char words[WORDS_BYTES];

	fargs_pt_head_put(&w->thread->head, w->out, &w->context);
	fargs_buf_add(w->out, words, put_words(w->b, words, item) - words);
	fargs_pt_places_put(w->thread->places, w->out, item->from, w->context.ns);
	if (item->kind != FARGS_PT_EXECUTED) {
		fargs_buf_add(w->out, ARROW, strlen(ARROW));
		fargs_pt_places_put(w->thread->places, w->out, item->to, w->context.ns);
	}
	fargs_put_char(w->out, '\n');
}

/* Writes the line of a branch or an instruction. */
static inline void put_line(struct writer *w, const struct fargs_pt_item *item, bool has_target)
{
	struct fargs_pt_places *places = w->thread->places;
	const struct front *front = front_of(w, item);
	const struct fargs_pt_place *place;
	char *to;

	if (!front->bytes || !fargs_buf_reserve(w->out, LINE_BYTES)) {
		put_long(w, item);
		return;
	}
	to = w->out->text + w->out->n;
	memcpy(to, front->text, FRONT_BYTES);
	to += front->bytes;
	place = fargs_pt_places_find(places, item->from, w->context.ns);
	if (place)
		to = fargs_pt_place_copy(to, place);
	if (place && has_target) {
		memcpy(to, ARROW, strlen(ARROW));
		to += strlen(ARROW);
		place = fargs_pt_places_find(places, item->to, w->context.ns);
		if (place)
			to = fargs_pt_place_copy(to, place);
	}
	if (!place) {
		put_long(w, item);
		return;
	}
	*to++ = '\n';
	w->out->n = to - w->out->text;
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

/* Writes the line of an item that is neither an instruction nor a branch instruction. */
static void put_other(struct writer *w, const struct fargs_pt_item *item)
{
	const struct fargs_pt_branches_options *o = w->b->options;

	if (is_branch(w, item) && is_wanted(o, item))
		put_line(w, item, true);
	else if (o->has_errors && (fargs_pt_item_is_error(item) || item->kind == FARGS_PT_POKED) &&
		 !fargs_pt_error_is_omitted(&o->error_flags, item))
		fargs_pt_put_error(w->out, &w->context, item);
}

/* Writes the lines of those instructions of @item whose turn it is. */
static void put_insns(struct writer *w, const struct fargs_pt_item *item)
{
	const struct fargs_pt_flow *flow = &w->part->flow;
	struct fargs_pt_item insn = *item;
	uint32_t i;

	for (i = 0; i < item->nr_insns; i++) {
		if (!--w->until) {
			w->until = w->b->options->insn_period;
			insn.insn = i + 1 == item->nr_insns ? item->insn : FARGS_PT_INSN_OTHER;
			if (w->is_in_window)
				put_line(w, &insn, false);
		}
		insn.from += fargs_pt_flow_insn_size(flow, item, i);
	}
}

static void set_context(struct writer *w, size_t nr_switched, uint64_t tsc)
{
	w->nr_switched = nr_switched;
	fargs_pt_context_set(&w->context, w->part, nr_switched, tsc);
	w->thread->places = w->context.is_guest ? w->thread->guest_places :
						  w->thread->host_places;
	fargs_pt_places_enter(w->thread->places, fargs_pt_context_space(&w->context));
	w->thread->nr_contexts++;
	w->is_in_window = !w->context.has_time ||
			  fargs_time_window_has(&w->b->options->window, w->context.ns);
}

/* Takes an item that is neither an instruction nor a branch instruction. */
static __attribute__((noinline)) void take_other(struct writer *w,
						 const struct fargs_pt_item *item)
{
	if (item->kind == FARGS_PT_VM) {
		fargs_pt_context_take_vm(&w->context, item);
		set_context(w, w->nr_switched, item->tsc);
	}
	if (w->is_in_window)
		put_other(w, item);
}

static inline void put_item(struct writer *w, const struct fargs_pt_item *item)
{
	const struct fargs_pt_branches_options *o = w->b->options;

	if (item->kind == FARGS_PT_EXECUTED) {
		if (w->until > item->nr_insns)
			w->until -= item->nr_insns;
		else
			put_insns(w, item);
	} else if (item->kind != FARGS_PT_BRANCH) {
		take_other(w, item);
	} else if (w->is_in_window && is_wanted(o, item)) {
		put_line(w, item, true);
	}
}

/* Returns the number of instructions after which one is shown, after @nr instructions. */
static uint64_t next_insn(const struct fargs_pt_branches_options *o, uint64_t nr)
{
	return o->insn_period ? o->insn_period - nr % o->insn_period : 0;
}

static int write_part(void *arg, struct fargs_pt_part *part, unsigned int thread)
{
	struct fargs_pt_branches *b = arg;
	struct writer w = {
		.b = b, .part = part, .out = &part->text, .thread = &b->threads[thread],
		.context.in = b->in, .until = next_insn(b->options, part->nr_insns),
	};
	const struct fargs_pt_item *first = part->flow.items, *end = first + part->flow.nr, *item;
	struct fargs_pt_count switched;
	struct fargs_pt_item begin;

	fargs_pt_count_begin(&switched, &part->switched);
	for (item = first; item < end; item++) {
		bool is_later = item == first || item->tsc != item[-1].tsc;

		if (is_later && item > first && fargs_pt_part_mark(part, item[-1].tsc))
			return -ENOMEM;
		fargs_pt_count_take(&switched, &part->switched, &part->flow, item - first);
		if (is_later || item->kind == FARGS_PT_SWITCH)
			set_context(&w, switched.nr, item->tsc);
		put_item(&w, item);
		if (fargs_pt_branch_has_begin(item)) {
			begin = fargs_pt_branch_begin(item);
			put_item(&w, &begin);
		}
	}
	if (item > first && fargs_pt_part_mark(part, item[-1].tsc))
		return -ENOMEM;
	return part->text.is_short ? -ENOMEM : 0;
}

struct fargs_pt_view fargs_pt_branches_view(struct fargs_pt_branches *b)
{
	return (struct fargs_pt_view){
		.arg = b, .write = write_part, .omits_jumps = !b->options->has_branches,
	};
}
