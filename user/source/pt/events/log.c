// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "model/event.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/error.h"
#include "source/pt/events/details.h"
#include "source/pt/events/log_packets.h"
#include "source/pt/events/log_records.h"
#include "source/pt/packet/errata.h"
#include "source/pt/trace/context.h"
#include "source/pt/trace/trace.h"

/* Text is passed to the caller in pieces of about this size. */
#define TEXT_BYTES	(64u << 10)
/* Blanks before the address of an instruction. */
#define INSN_INDENT	10

/* The position in a stream. */
struct cursor {
	struct fargs_pt_log_packets packets;
	const struct fargs_pt_part *part;
	struct fargs_pt_count switched;
	size_t shown_by;		/* index of an item: see shown_by() */
	bool is_outside;		/* the last item was outside of the time window */
};

struct log {
	const struct fargs_pt_input *in;
	const struct fargs_pt_log_options *options;
	fargs_pt_log_fn fn;
	void *arg;
	struct cursor *cursors;		/* one for each stream */
	const struct fargs_pt_stream *stream;	/* of the last lines; NULL: none yet */
	struct fargs_pt_log_records *records;	/* NULL: not needed */
	struct fargs_pt_details *details;
	struct fargs_pt_detailer *detailer;
	struct fargs_pt_context context;
	struct fargs_buf out;
};

/* Passes the text on, or keeps what may be needed of it if an error follows. */
static int flush(struct log *l, bool is_error)
{
	size_t max = l->options->bytes_before_error, nr;
	struct fargs_buf *out = &l->out;
	const char *from = out->text;
	int ret;

	if (out->is_short)
		return -ENOMEM;
	if (max && out->n > max) {
		from = memchr(out->text + out->n - max - 1, '\n', max + 1);
		from = from ? from + 1 : out->text;
	}
	nr = out->n ? out->text + out->n - from : 0;
	if (max && !is_error) {
		if (from > out->text)
			memmove(out->text, from, nr);
		out->n = nr;
		return 0;
	}
	ret = nr ? l->fn(l->arg, from, nr) : 0;
	out->n = 0;
	return ret;
}

static int flush_if_large(struct log *l)
{
	return l->out.n > TEXT_BYTES + l->options->bytes_before_error ? flush(l, false) : 0;
}

/* Says whose packets follow. */
static void put_stream(struct log *l, const struct fargs_pt_stream *s)
{
	if (s == l->stream)
		return;
	l->stream = s;
	fargs_put(&l->out, s->cpu != UINT32_MAX ? "# CPU " : "# thread ");
	fargs_put_s64(&l->out, s->cpu != UINT32_MAX ? (int64_t)s->cpu : s->tid);
	fargs_put_char(&l->out, '\n');
}

static int put_packets(struct log *l, struct cursor *c, uint64_t until, bool is_shown)
{
	return fargs_pt_log_packets_put(&c->packets, fargs_pt_errata(&l->in->config), until,
					is_shown ? &l->out : NULL);
}

/* Appends the instructions of @item, an EXECUTED. */
static int put_insns(struct log *l, const struct fargs_pt_flow *flow,
		     const struct fargs_pt_item *item)
{
	int32_t space = fargs_pt_context_space(&l->context);
	uint64_t ip = item->from;
	uint32_t i;
	int ret;

	for (i = 0; i < item->nr_insns; i++) {
		struct fargs_event_sample sample = { .has_place = true, .place.addr = ip };

		ret = fargs_pt_detailer_set(l->detailer, &sample, NULL, space, l->context.ns);
		if (ret)
			return ret;
		fargs_pt_log_put_bytes(&l->out, INSN_INDENT, ip, sample.insn, sample.insn_bytes);
		fargs_put(&l->out, sample.disasm ? sample.disasm : "(missing)");
		fargs_put_char(&l->out, '\n');
		ip += fargs_pt_flow_insn_size(flow, item, i);
	}
	return 0;
}

static int put_error(struct log *l, const struct fargs_pt_item *item)
{
	struct fargs_event_error error;
	struct fargs_buf *out = &l->out;

	fargs_pt_error_describe(&error, item);
	fargs_put(out, "ERROR: ");
	fargs_put(out, error.text);
	if (error.has_count) {
		fargs_put_char(out, ' ');
		fargs_put_u64(out, error.count, 0, ' ');
		fargs_put(out, error.unit);
	}
	fargs_put(out, " at ip ");
	fargs_put_hex(out, item->from);
	fargs_put(out, " byte ");
	fargs_put_hex(out, error.offset);
	fargs_put_char(out, '\n');
	return l->options->bytes_before_error ? flush(l, true) : 0;
}

/* Is a packet needed to know where the last instruction of @item, an EXECUTED, goes? */
static bool needs_packet(const struct fargs_pt_item *item)
{
	return item->insn != FARGS_PT_INSN_OTHER && item->insn != FARGS_PT_INSN_CALL &&
	       item->insn != FARGS_PT_INSN_JUMP;
}

/*
 * Returns the item up to whose packet the decoder had read when it knew that item @i was executed:
 * the one after a branch that needs a packet, or the one of the next packet.
 */
static const struct fargs_pt_item *shown_by(struct cursor *c, const struct fargs_pt_flow *flow,
					    size_t i)
{
	const struct fargs_pt_item *items = flow->items;
	size_t k = i;

	if (items[i].kind != FARGS_PT_EXECUTED)
		return &items[i];
	/* The same as for the item before, up to there. */
	if (i < c->shown_by)
		return &items[c->shown_by];
	while (k + 1 < flow->nr &&
	       (items[k].kind == FARGS_PT_EXECUTED || items[k].kind == FARGS_PT_BRANCH)) {
		k++;
		if (items[k].offset > items[k - 1].offset ||
		    (items[k - 1].kind == FARGS_PT_EXECUTED && needs_packet(&items[k - 1])))
			break;
	}
	c->shown_by = k;
	return &items[k];
}

static int put_item(struct log *l, struct cursor *c, const struct fargs_pt_part *part, size_t i)
{
	const struct fargs_pt_item *item = &part->flow.items[i];
	const struct fargs_pt_item *by = shown_by(c, &part->flow, i);
	uint64_t until = by->offset > item->offset ? by->offset : item->offset;
	uint64_t ns = fargs_pt_input_ns(&l->in->config, by->tsc);
	bool has_time = l->in->config.has_time && by->tsc;
	bool is_shown = !has_time || fargs_time_window_has(l->options->window, ns);
	int ret;

	if (l->records && has_time)
		fargs_pt_log_records_put(l->records, ns, l->options->has_all_records ?
					 NULL : l->options->window, &l->out);
	c->is_outside = !is_shown;
	if (is_shown)
		put_stream(l, part->seg->stream);
	/* What was lost, or cannot be decoded, precedes a packet. */
	if ((item->kind == FARGS_PT_SKIPPED || item->kind == FARGS_PT_LOST) && until)
		until--;
	ret = put_packets(l, c, until, is_shown);
	if (ret || !is_shown)
		return ret;
	if (item->kind == FARGS_PT_EXECUTED && !l->options->quick)
		ret = put_insns(l, &part->flow, item);
	else if (fargs_pt_item_is_error(item))
		ret = put_error(l, item);
	return ret ? ret : flush_if_large(l);
}

static int take(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		struct fargs_buf *out)
{
	struct log *l = arg;
	struct cursor *c = &l->cursors[part->seg->stream - l->in->streams];
	size_t i;
	int ret = 0;

	if (c->part != part || !begin) {
		c->part = part;
		c->shown_by = 0;
		fargs_pt_count_begin(&c->switched, &part->switched);
	}
	for (i = begin; !ret && i < end; i++) {
		fargs_pt_count_take(&c->switched, &part->switched, &part->flow, i);
		fargs_pt_context_set(&l->context, part, c->switched.nr, part->flow.items[i].tsc);
		ret = put_item(l, c, part, i);
	}
	return ret;
}

static bool is_chosen(const struct log *l, const struct fargs_pt_stream *s)
{
	return !l->options->cpus || fargs_id_set_allows(l->options->cpus, s->cpu);
}

/* Appends what follows the last items: packets, unless they are after the window, and records. */
static int put_rest(struct log *l)
{
	size_t i;
	int ret;

	for (i = 0; i < l->in->nr_streams; i++) {
		if (!is_chosen(l, &l->in->streams[i]) || l->cursors[i].is_outside ||
		    fargs_pt_log_packets_is_at_end(&l->cursors[i].packets))
			continue;
		put_stream(l, &l->in->streams[i]);
		ret = put_packets(l, &l->cursors[i], UINT64_MAX, true);
		if (!ret)
			ret = flush_if_large(l);
		if (ret)
			return ret;
	}
	if (l->records)
		fargs_pt_log_records_put(l->records, UINT64_MAX, l->options->has_all_records ?
					 NULL : l->options->window, &l->out);
	return flush(l, false);
}

static int init(struct log *l, struct fargs_error_text *err)
{
	size_t i;

	l->cursors = calloc(l->in->nr_streams + 1, sizeof(*l->cursors));
	l->details = fargs_pt_details_create(l->in, FARGS_DETAIL_INSN | FARGS_DETAIL_DISASM, err);
	if (!l->cursors || !l->details)
		return -ENOMEM;
	l->detailer = fargs_pt_detailer_create(l->details, NULL, NULL);
	if (!l->detailer)
		return -ENOMEM;
	if (!l->options->omits_records) {
		l->records = fargs_pt_log_records_create(l->in);
		if (!l->records)
			return -ENOMEM;
	}
	for (i = 0; i < l->in->nr_streams; i++)
		if (fargs_pt_log_packets_init(&l->cursors[i].packets, &l->in->streams[i]))
			return -ENOMEM;
	return 0;
}

static void deinit(struct log *l)
{
	size_t i;

	for (i = 0; l->cursors && i < l->in->nr_streams; i++)
		fargs_pt_log_packets_deinit(&l->cursors[i].packets);
	free(l->cursors);
	fargs_pt_detailer_destroy(l->detailer);
	fargs_pt_details_destroy(l->details);
	fargs_pt_log_records_destroy(l->records);
	fargs_buf_deinit(&l->out);
}

/* The text is passed on by flush(). */
static int no_text(void *arg, const char *text, size_t bytes)
{
	return 0;
}

int fargs_pt_log_run(const struct fargs_pt_input *in, const struct fargs_pt_log_options *options,
		     fargs_pt_log_fn fn, void *arg, struct fargs_error_text *err)
{
	struct log l = { .in = in, .options = options, .fn = fn, .arg = arg, .context.in = in };
	/* One thread: items are needed in order, and the log takes longer than to decode. */
	const struct fargs_pt_trace_options how = {
		.nr_threads = 1, .cpus = options->cpus, .is_by_insn = true,
		.quick = options->quick, .engine = options->engine,
	};
	const struct fargs_pt_view view = { .arg = &l, .take = take };
	int ret;

	err->text[0] = '\0';
	ret = init(&l, err);
	if (!ret)
		ret = fargs_pt_trace_run(in, &how, &view, no_text, NULL, err);
	if (!ret)
		ret = put_rest(&l);
	deinit(&l);
	if (ret == -ENOMEM && !err->text[0])
		fargs_fail(err, ENOMEM, "out of memory");
	return ret;
}
