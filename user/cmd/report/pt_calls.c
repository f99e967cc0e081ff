// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/machine.h"
#include "base/put.h"
#include "base/row.h"
#include "cmd/report/pt_line.h"
#include "cmd/report/pt_places.h"
#include "sink/text/sample.h"
#include "sink/text/text.h"
#include "source/pt/events/sampled.h"
#include "source/pt/trace/samples.h"

#define INDENT		2
#define WORD_WIDTH	9

/* Room for the columns before the name, without the indent, in nearly all lines. */
#define FRONT_BYTES	80
/* Most lines are indented by at most this. */
#define INDENT_USUAL	64
/* Room for a line of usual parts, without the duration. */
#define LINE_BYTES	(FRONT_BYTES + INDENT_USUAL + FARGS_PT_PLACE_BYTES)
/* There are fewer words than this. */
#define WORDS		16

/* The columns before the indent for one word, formatted once for each context. */
struct front {
	const char *word;	/* NULL: none */
	uint64_t version;	/* of the head in @text */
	size_t bytes;		/* length of @text; 0: it is too long */
	char text[FRONT_BYTES];
};

struct fargs_pt_call_lines {
	struct fargs_pt_shown shown;
	struct fargs_pt_samples samples;
	struct fargs_pt_places *places;	/* one of those below */
	struct fargs_pt_places *host_places;
	struct fargs_pt_places *guest_places;	/* of all guests */
	struct fargs_pt_head head;
	struct front fronts[WORDS];
	struct fargs_buf *out;		/* set while items are processed */
};

/* State while a line is written. */
struct writer {
	struct fargs_pt_call_lines *lines;
	const struct fargs_pt_shown *shown;
	const struct fargs_pt_shown_options *options;
	struct fargs_pt_call_cursor *cursor;
	struct fargs_buf *out;
};

/* Looks up @addr in its space. Looking for that of a program takes longer than the rest. */
static inline void enter_space(struct writer *w, uint64_t addr)
{
	struct fargs_pt_context *context = &w->cursor->context;
	bool is_of_host = fargs_machine_is_kernel(addr) && !context->is_guest;

	fargs_pt_places_enter(w->lines->places, is_of_host ? -1 : fargs_pt_context_space(context));
}

static void put_name(struct writer *w, uint64_t addr, uint64_t ns)
{
	enter_space(w, addr);
	fargs_pt_places_put(w->lines->places, w->out, addr, ns);
}

static void put_front(struct writer *w, const char *word, unsigned int depth)
{
	fargs_pt_head_put(&w->lines->head, w->out, &w->cursor->context);
	if (w->options->has_returns) {
		fargs_put(w->out, word);
		fargs_buf_fill(w->out, ' ', WORD_WIDTH - strlen(word));
	}
	fargs_buf_fill(w->out, ' ', (size_t)INDENT * depth);
}

static void make_front(struct writer *w, struct front *to, const char *word)
{
	const struct fargs_buf *head = &w->lines->head.text;
	size_t n = strlen(word);

	to->word = word;
	to->version = w->lines->head.version;
	to->bytes = 0;
	if (head->is_short || head->n > FRONT_BYTES - WORD_WIDTH || n > WORD_WIDTH)
		return;
	memcpy(to->text, head->text, head->n);
	to->bytes = head->n;
	if (!w->options->has_returns)
		return;
	memset(to->text + head->n, ' ', WORD_WIDTH);
	memcpy(to->text + head->n, word, n);
	to->bytes += WORD_WIDTH;
}

/* Returns the columns before the indent. */
static inline const struct front *front_of(struct writer *w, const char *word)
{
	struct fargs_pt_call_lines *c = w->lines;
	struct front *front = c->fronts;

	fargs_pt_head_set(&c->head, &w->cursor->context);
	while (front->word && front->word != word && front < c->fronts + WORDS - 1)
		front++;
	if (front->word != word || front->version != c->head.version)
		make_front(w, front, word);
	return front;
}

/* Writes a line up to its name, which is the name of @addr. */
static inline void put_named(struct writer *w, const char *word, unsigned int depth, uint64_t addr)
{
	static const char spaces[INDENT_USUAL + 1] = "                                "
						     "                                ";
	uint64_t ns = w->cursor->context.ns;
	const struct front *front = front_of(w, word);
	const struct fargs_pt_place *place;
	char *to;

	enter_space(w, addr);
	place = fargs_pt_places_find(w->lines->places, addr, ns);
	if (!front->bytes || !place || INDENT * depth > INDENT_USUAL ||
	    !fargs_buf_reserve(w->out, LINE_BYTES)) {
		put_front(w, word, depth);
		put_name(w, addr, ns);
		return;
	}
	to = w->out->text + w->out->n;
	memcpy(to, front->text, FRONT_BYTES);
	to += front->bytes;
	memcpy(to, spaces, INDENT_USUAL);
	to += INDENT * depth;
	w->out->n = fargs_pt_place_copy(to, place) - w->out->text;
}

static void put_us(struct fargs_buf *out, uint64_t ns)
{
	fargs_put_u64(out, ns / 1000, 0, ' ');
	fargs_put_char(out, '.');
	fargs_put_u64(out, ns % 1000, 3, '0');
}

static void put_result(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	fargs_text_result(out, d, ev);
	if (!ev->has_duration)
		return;
	fargs_put(out, " (");
	fargs_text_duration(out, ev, 0);
	fargs_put_char(out, ')');
}

/*
 * Writes a call with the values of its records. The return value is included unless returns have
 * their own lines. With @is_return, writes a return instead. With @is_event, writes the tracepoint
 * whose record was joined to the call. Returns 0 or -ENOMEM.
 */
static int put_joined(struct writer *w, const struct fargs_pt_frame *frame, bool is_return,
		      bool is_event)
{
	const struct fargs_pt_shown_options *o = w->options;
	const struct fargs_pt_joined *joined;
	struct fargs_decoder *d;
	struct fargs_event ev;
	size_t nr = fargs_pt_shown_joined(w->shown, frame->node, &joined), i;
	int ret;

	/*
	 * The record of a tracepoint is shown in a line of its own, not in the line of fargs's
	 * probe function.
	 */
	if (nr && joined->rec->kind == FARGS_KIND_TPOINT && !is_event)
		nr = 0;
	if (!nr || is_return)
		put_name(w, frame->addr, w->cursor->context.ns);
	for (i = 0; i < nr; i++) {
		ret = fargs_pt_join_decode(o->join, &joined[i], &ev, &d);
		if (ret == -ENOMEM)
			return ret;
		/* Skip invalid records here; they are counted when the file is verified. */
		if (ret)
			continue;
		if (!i && !is_return)
			fargs_text_call(w->out, d, &ev);
		if (ev.kind == FARGS_KIND_RETURN && is_return == o->has_returns)
			put_result(w->out, d, &ev);
	}
	return 0;
}

/* Writes lower and upper bounds of the duration of a call that returns. */
static void put_span(struct writer *w, const struct fargs_pt_item *item,
		     const struct fargs_pt_step *step)
{
	uint64_t least_ns, most_ns;

	if (!fargs_pt_shown_duration(w->shown, w->cursor, item, step, &least_ns, &most_ns))
		return;
	fargs_put(w->out, " (");
	put_us(w->out, least_ns);
	fargs_put(w->out, "..");
	put_us(w->out, most_ns);
	fargs_put(w->out, " us)");
}

static struct writer writer_of(struct fargs_pt_call_lines *c,
			       struct fargs_pt_call_cursor *cursor)
{
	c->places = cursor->context.is_guest ? c->guest_places : c->host_places;
	return (struct writer){
		.lines = c, .shown = &c->shown, .options = c->shown.options, .cursor = cursor,
		.out = c->out,
	};
}

static int put_step(void *arg, struct fargs_pt_call_cursor *cursor,
		    const struct fargs_pt_item *item, const struct fargs_pt_step *step,
		    bool is_call)
{
	const char *word = fargs_pt_shown_word(item, step);
	const struct fargs_pt_frame *frame = step->frame;
	struct writer w = writer_of(arg, cursor);

	if (is_call ? !fargs_row(C9) : !fargs_row(C10))
		return 0;
	if (step->kind == FARGS_PT_STEP_UNSEEN || !w.options->join) {
		put_named(&w, word, frame->depth, frame->addr);
	} else {
		put_front(&w, word, frame->depth);
		if (put_joined(&w, frame, !is_call, false))
			return -ENOMEM;
	}
	put_span(&w, item, step);
	fargs_put_char(w.out, '\n');
	return 0;
}

static int put_jumped(void *arg, struct fargs_pt_call_cursor *cursor,
		      const struct fargs_pt_frame *frame)
{
	struct writer w = writer_of(arg, cursor);

	put_front(&w, "return", frame->depth);
	if (put_joined(&w, frame, true, false))
		return -ENOMEM;
	fargs_put_char(w.out, '\n');
	return 0;
}

static int put_tpoint(void *arg, struct fargs_pt_call_cursor *cursor,
		      const struct fargs_pt_frame *frame)
{
	struct writer w = writer_of(arg, cursor);

	put_front(&w, "event", frame->depth);
	if (put_joined(&w, frame, false, true))
		return -ENOMEM;
	fargs_put_char(w.out, '\n');
	return 0;
}

static int put_error(void *arg, struct fargs_pt_call_cursor *cursor,
		     const struct fargs_pt_item *item)
{
	const struct fargs_pt_call_lines *c = arg;

	fargs_pt_put_error(c->out, &cursor->context, item);
	return 0;
}

static const struct fargs_pt_shown_ops ops = {
	.step = put_step, .jumped = put_jumped, .tpoint = put_tpoint, .error = put_error,
};

struct fargs_pt_call_lines *
fargs_pt_call_lines_create(const struct fargs_pt_input *in,
			   const struct fargs_pt_shown_options *options)
{
	struct fargs_pt_call_lines *c = calloc(1, sizeof(*c));
	const struct fargs_pt_names *names;

	if (!c)
		return NULL;
	c->samples = (struct fargs_pt_samples){
		.in = in, .cpus = options->cpus, .window = &options->window,
	};
	if (!fargs_pt_shown_init(&c->shown, in, options, &ops, c)) {
		names = fargs_pt_calls_names(c->shown.calls);
		c->host_places = fargs_pt_places_create(names, FARGS_PT_PLACE_NAME);
		c->guest_places = fargs_pt_places_create(names, FARGS_PT_PLACE_NAME);
	}
	if (!c->host_places || !c->guest_places) {
		fargs_pt_call_lines_destroy(c);
		return NULL;
	}
	return c;
}

void fargs_pt_call_lines_destroy(struct fargs_pt_call_lines *c)
{
	if (!c)
		return;
	fargs_pt_places_destroy(c->host_places);
	fargs_pt_places_destroy(c->guest_places);
	fargs_buf_deinit(&c->head.text);
	fargs_pt_shown_deinit(&c->shown);
	free(c);
}

/* Writes the samples before @tsc. */
static void put_samples(struct fargs_pt_call_lines *c, uint64_t tsc, struct fargs_buf *out)
{
	const struct fargs_pt_names *names = fargs_pt_calls_names(c->shown.calls);
	const struct fargs_pt_sampled *sampled;
	struct fargs_pt_sampled_data data;
	struct fargs_event ev;

	while ((sampled = fargs_pt_samples_next(&c->samples, tsc))) {
		fargs_pt_sampled_make(&ev, &data, c->samples.in, names, sampled);
		fargs_text_sample(out, NULL, &ev);
	}
}

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	struct fargs_pt_call_lines *c = arg;
	size_t i;
	int ret = 0;

	c->out = out;
	for (; !ret && begin < end; begin = i) {
		i = fargs_pt_samples_items(&c->samples, part, begin, end);
		if (i > begin)
			ret = fargs_pt_shown_take(&c->shown, part, begin, i);
		if (!ret && i < end)
			put_samples(c, part->flow.items[i].tsc, out);
	}
	return ret;
}

void fargs_pt_call_lines_finish(struct fargs_pt_call_lines *c, struct fargs_buf *out)
{
	put_samples(c, UINT64_MAX, out);
}

struct fargs_pt_view fargs_pt_call_lines_view(struct fargs_pt_call_lines *c)
{
	return (struct fargs_pt_view){
		.arg = c, .begins = fargs_pt_calls_names(c->shown.calls), .take = take_items,
	};
}

const struct fargs_pt_calls_counts *
fargs_pt_call_lines_counts(const struct fargs_pt_call_lines *c)
{
	return fargs_pt_calls_counts(c->shown.calls);
}
