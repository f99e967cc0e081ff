// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/trace.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/time_window.h"

/*
 * Minimum number of parts of each stream that are in progress if there are several threads: the
 * first half of them is being written, the others are being decoded.
 */
#define PARTS_MIN	2
/*
 * Number of parts in progress for each thread. With an item for each instruction, a part has some
 * megabytes of text.
 */
#define SLOTS		4
#define SLOTS_BY_INSN	1
/* Text of view->take is passed to the caller in pieces of about this size. */
#define TEXT_BYTES	(64u << 10)

struct slot {
	struct fargs_job job;
	struct trace *trace;
	struct fargs_pt_part part;
	bool is_writing;	/* true: the job writes text or marks; false: it decodes */
};

/*
 * Position in a stream. The segments with indexes from @done to @submitted (exclusive) are in
 * progress. Segment i uses slots[i % nr_slots].
 */
struct stream_cursor {
	struct fargs_pt_segments segs;
	struct fargs_pt_switches switches;
	size_t submitted;	/* number of segments submitted for decoding */
	size_t handed_on;	/* number of segments submitted for writing */
	size_t done;		/* number of segments whose text was passed to the caller */
	struct slot *slots;
	/* Position in the current text. @mark and @at are valid only if @is_open is set. */
	bool is_open;
	size_t mark;
	size_t at;
	/* The following members are the state after the last segment submitted for writing. */
	size_t nr_switched;
	enum fargs_pt_counted switches_counted;
	uint64_t nr_insns;
	uint64_t nr_cycles;
	bool is_broken_off;
	bool has_begun;
	uint64_t tsc;		/* time of the next text to write; never decreases */
};

struct trace {
	const struct fargs_pt_input *in;
	const struct fargs_pt_view *view;
	struct fargs_pool *pool;
	/* Of each thread; all of them may be the same. */
	struct fargs_pt_text *texts[FARGS_POOL_MAX];
	struct fargs_pt_decoder *decoders[FARGS_POOL_MAX];
	struct stream_cursor *cursors;
	size_t nr_cursors;
	size_t nr_slots;	/* number of slots of each stream cursor */
	struct fargs_buf out;	/* text that view->take appended */
	/* Buffers of texts that were passed on, for the next parts that are written. */
	struct fargs_buf *spare;
	size_t nr_spare;
};

static __attribute__((noinline)) int add_mark(struct fargs_pt_part *part, uint64_t tsc, size_t end)
{
	struct fargs_pt_mark *to = fargs_array_push(part->marks, part->nr_marks, part->marks_room);

	if (!to)
		return -ENOMEM;
	*to = (struct fargs_pt_mark){ .tsc = tsc, .end = end };
	return 0;
}

static inline int mark_part(struct fargs_pt_part *part, uint64_t tsc, size_t end)
{
	struct fargs_pt_mark *last = part->nr_marks ? &part->marks[part->nr_marks - 1] : NULL;

	if (!last || tsc > last->tsc)
		return add_mark(part, tsc, end);
	last->end = end;
	return 0;
}

int fargs_pt_part_mark(struct fargs_pt_part *part, uint64_t tsc)
{
	return part->text.is_short ? -ENOMEM : mark_part(part, tsc, part->text.n);
}

/* Sets the time of item @i to @tsc, which is that of a record. Returns 0 or -ENOMEM. */
static int raise_time(struct fargs_pt_part *part, size_t i, uint64_t tsc)
{
	struct fargs_pt_raised *r = part->nr_raised ? &part->raised[part->nr_raised - 1] : NULL;
	struct fargs_pt_item *item = &part->flow.items[i];

	if (!r || r->end != i || r->tsc != item->tsc) {
		r = fargs_array_push(part->raised, part->nr_raised, part->raised_room);
		if (!r)
			return -ENOMEM;
		*r = (struct fargs_pt_raised){ .tsc = item->tsc, .begin = i };
	}
	r->end = i + 1;
	item->tsc = tsc;
	return 0;
}

uint64_t fargs_pt_part_packet_tsc(const struct fargs_pt_part *part, size_t i)
{
	size_t low = 0, high = part->nr_raised, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (part->raised[mid].end <= i)
			low = mid + 1;
		else
			high = mid;
	}
	return low < part->nr_raised && part->raised[low].begin <= i ? part->raised[low].tsc :
								       part->flow.items[i].tsc;
}

static void count_error(const struct trace *t, const struct fargs_pt_item *item)
{
	struct fargs_pt_error_counts *errors = t->in->errors;
	const struct fargs_time_window *window = errors->window;

	if (window && !fargs_time_window_is_all(window) &&
	    !fargs_time_window_has(window, fargs_pt_input_ns(&t->in->config, item->tsc)))
		return;
	errors->nr++;
	errors->nr_undecoded += item->kind == FARGS_PT_ERROR;
}

/*
 * Adjusts the times of items, counts errors, and adds marks if view->take is used. A task that
 * moves to another CPU must not continue there before it is switched out here. Times in the trace
 * are too far apart to ensure this, so switches get the times of their records.
 */
static int set_times(const struct trace *t, struct fargs_pt_part *part)
{
	struct fargs_pt_item *items = part->flow.items;
	const struct fargs_pt_switches *sw = part->switches;
	bool has_marks = !t->view->write;
	struct fargs_pt_count count;
	uint64_t tsc = 0, record_tsc;
	size_t i;

	fargs_pt_count_begin(&count, &part->switched);
	for (i = 0; i < part->flow.nr; i++) {
		/* Most items have the time of the previous item. */
		if (fargs_pt_count_is_same(&items[i]) && items[i].tsc == tsc)
			continue;
		if (has_marks && i && mark_part(part, tsc, i))
			return -ENOMEM;
		if (fargs_pt_count_take(&count, &part->switched, &part->flow, i) && count.nr &&
		    count.nr <= sw->nr) {
			record_tsc = fargs_pt_input_tsc(&t->in->config, sw->all[count.nr - 1].ns);
			tsc = record_tsc > tsc ? record_tsc : tsc;
		}
		if (items[i].tsc < tsc && raise_time(part, i, tsc))
			return -ENOMEM;
		tsc = items[i].tsc;
		if (t->in->errors && fargs_pt_item_is_error(&items[i]))
			count_error(t, &items[i]);
	}
	return has_marks && i ? mark_part(part, tsc, i) : 0;
}

static void do_part(struct fargs_job *job, unsigned int thread)
{
	struct slot *slot = (struct slot *)job;	/* @job is the first member of struct slot */
	struct fargs_pt_part *part = &slot->part;
	struct trace *t = slot->trace;

	if (!slot->is_writing) {
		part->ret = fargs_pt_decoder_run(t->decoders[thread], part->seg, &part->flow);
		return;
	}
	part->ret = set_times(t, part);
	if (!part->ret && t->view->write)
		part->ret = t->view->write(t->view->arg, part, thread);
}

static struct slot *slot_of(const struct trace *t, const struct stream_cursor *l, size_t nr)
{
	return &l->slots[nr % t->nr_slots];
}

/* Submits as many segments for decoding as there are free slots. */
static void submit_segments(struct trace *t, struct stream_cursor *l)
{
	struct slot *slot;

	while (l->submitted < l->segs.nr && l->submitted - l->done < t->nr_slots) {
		slot = slot_of(t, l, l->submitted);
		slot->is_writing = false;
		slot->part.seg = &l->segs.all[l->submitted++];
		fargs_pool_submit(t->pool, &slot->job);
	}
}

/* Sets the state of @part from the parts before it. */
static int set_part(struct trace *t, struct stream_cursor *l, struct fargs_pt_part *part)
{
	if (!l->has_begun || part->seg->is_first)
		l->switches_counted = FARGS_PT_COUNTED_NONE;
	if (fargs_pt_switch_resync(&part->switched, &t->in->config, &l->switches, part->seg,
				   &part->flow, l->nr_switched, l->switches_counted))
		return -ENOMEM;
	l->nr_switched = part->switched.last;
	l->switches_counted = part->switched.counted;
	l->has_begun |= part->seg->tsc && t->in->config.has_time;
	part->switches = &l->switches;
	part->nr_insns = l->nr_insns;
	part->nr_cycles = l->nr_cycles;
	part->is_broken_off = l->is_broken_off;
	part->nr_marks = 0;
	part->nr_raised = 0;
	l->nr_insns += part->flow.nr_insns;
	l->nr_cycles += part->flow.nr_cycles;
	l->is_broken_off = part->flow.is_broken;
	return 0;
}

/* Waits for decoded segments, up to half of those in progress, and submits them for writing. */
static int submit_decoded(struct trace *t, struct stream_cursor *l)
{
	struct slot *slot;

	while (l->handed_on < l->submitted && l->handed_on - l->done < (t->nr_slots + 1) / 2) {
		slot = slot_of(t, l, l->handed_on);
		fargs_pool_wait(t->pool, &slot->job);
		if (slot->part.ret)
			return slot->part.ret;
		if (set_part(t, l, &slot->part))
			return -ENOMEM;
		l->handed_on++;
		slot->is_writing = true;
		if (t->nr_spare)
			slot->part.text = t->spare[--t->nr_spare];
		fargs_pool_submit(t->pool, &slot->job);
	}
	return 0;
}

/*
 * Opens the next text of @l if the current text has no more marks. Returns 1, 0 at the end of the
 * stream, or -errno.
 */
static int open_text(struct trace *t, struct stream_cursor *l)
{
	struct slot *slot;
	int ret;

	while (l->done < l->segs.nr) {
		slot = slot_of(t, l, l->done);
		if (!l->is_open) {
			ret = submit_decoded(t, l);
			if (ret)
				return ret;
			fargs_pool_wait(t->pool, &slot->job);
			if (slot->part.ret)
				return slot->part.ret;
			l->is_open = true;
			l->mark = 0;
			l->at = 0;
		}
		if (l->mark < slot->part.nr_marks) {
			if (slot->part.marks[l->mark].tsc > l->tsc)
				l->tsc = slot->part.marks[l->mark].tsc;
			return 1;
		}
		l->is_open = false;
		l->done++;
		fargs_pt_input_release(t->in, slot->part.seg->stream, slot->part.seg->begin,
				       slot->part.seg->next);
		/* Only parts whose text is not passed on yet have a buffer for it. */
		slot->part.text.n = 0;
		t->spare[t->nr_spare++] = slot->part.text;
		slot->part.text = (struct fargs_buf){ };
		submit_segments(t, l);
	}
	return 0;
}

/* Returns the stream cursor with the earliest text; NULL if none is left or *@ret is an error. */
static struct stream_cursor *first_cursor(struct trace *t, int *ret)
{
	struct stream_cursor *first = NULL, *l;

	for (l = t->cursors; l < t->cursors + t->nr_cursors; l++) {
		*ret = open_text(t, l);
		if (*ret < 0)
			return NULL;
		if (*ret && (!first || l->tsc < first->tsc))
			first = l;
	}
	*ret = 0;
	return first;
}

/* Returns the time up to which the text of @first precedes the text of all other streams. */
static uint64_t others_tsc(const struct trace *t, const struct stream_cursor *first)
{
	uint64_t tsc = UINT64_MAX;
	const struct stream_cursor *l;

	for (l = t->cursors; l < t->cursors + t->nr_cursors; l++)
		if (l != first && l->done < l->segs.nr && l->tsc < tsc)
			/* At equal times, the stream with the lower index is first. */
			tsc = l < first && l->tsc ? l->tsc - 1 : l->tsc;
	return tsc;
}

/* Passes text to @fn: the part's text or, with view->take, text generated from the items. */
static int emit_text(struct trace *t, const struct fargs_pt_part *part, size_t begin, size_t end,
		     fargs_pt_trace_fn fn, void *arg)
{
	int ret;

	if (end == begin)
		return 0;
	if (t->view->write)
		return fn(arg, part->text.text + begin, end - begin);
	ret = t->view->take(t->view->arg, part, begin, end, &t->out);
	if (ret || t->out.is_short)
		return ret ? ret : -ENOMEM;
	if (t->out.n < TEXT_BYTES)
		return 0;
	ret = fn(arg, t->out.text, t->out.n);
	t->out.n = 0;
	return ret;
}

static int emit_all(struct trace *t, fargs_pt_trace_fn fn, void *arg)
{
	const struct fargs_pt_part *part;
	struct stream_cursor *l;
	uint64_t until;
	size_t end;
	int ret;

	while ((l = first_cursor(t, &ret))) {
		part = &slot_of(t, l, l->done)->part;
		until = others_tsc(t, l);
		end = part->marks[l->mark++].end;
		while (l->mark < part->nr_marks && part->marks[l->mark].tsc <= until)
			end = part->marks[l->mark++].end;
		ret = emit_text(t, part, l->at, end, fn, arg);
		l->at = end;
		if (ret)
			return ret;
	}
	return ret || !t->out.n ? ret : fn(arg, t->out.text, t->out.n);
}

static int set_up_cursor(struct trace *t, const struct fargs_pt_stream *s, uint64_t segment_bytes)
{
	struct stream_cursor *l = &t->cursors[t->nr_cursors++];
	size_t i;

	int ret;

	fargs_pt_switches_init(&l->switches, t->in, s);
	l->slots = calloc(t->nr_slots, sizeof(*l->slots));
	if (!l->slots)
		return -ENOMEM;
	for (i = 0; i < t->nr_slots; i++) {
		l->slots[i].job.fn = do_part;
		l->slots[i].trace = t;
	}
	ret = fargs_pt_segments_init(&l->segs, s, segment_bytes);
	fargs_pt_input_release(t->in, s, 0, UINT64_MAX);
	return ret;
}

static int set_up(struct trace *t, const struct fargs_pt_trace_options *options,
		  struct fargs_error_text *err)
{
	uint64_t addr = fargs_pt_switches_addr(t->in);
	enum fargs_pt_quick_level quick = fargs_pt_trace_quick(t->in, options->quick);
	/*
	 * With an item for each instruction, a flow is about fifty times as large: cut at every
	 * PSB. Without code, so that switches, which are not seen, are counted there.
	 */
	uint64_t bytes = options->segment_bytes ? options->segment_bytes :
			 options->is_by_insn || quick ? 1 : FARGS_PT_SEGMENT_BYTES;
	unsigned int i, nr;

	t->pool = fargs_pool_create(options->nr_threads);
	t->cursors = calloc(t->in->nr_streams + 1, sizeof(*t->cursors));
	if (!t->pool || !t->cursors)
		return -ENOMEM;
	nr = fargs_pool_nr_threads(t->pool);
	for (i = 0; i < nr; i++) {
		t->texts[i] = i && fargs_pt_text_is_shareable(t->texts[0]) ? t->texts[0] :
			      fargs_pt_text_create(t->in, options->engine, err);
		if (!t->texts[i])
			return -ENOMEM;
		t->decoders[i] = fargs_pt_decoder_create(t->in, t->texts[i], addr);
		if (!t->decoders[i])
			return -ENOMEM;
		if (t->view->begins)
			fargs_pt_decoder_skip_jumps(t->decoders[i], t->view->begins);
		else if (t->view->omits_jumps)
			fargs_pt_decoder_omit_jumps(t->decoders[i]);
		if (options->has_ends)
			fargs_pt_decoder_mark_ends(t->decoders[i]);
		if (options->is_by_insn)
			fargs_pt_decoder_step_by_block(t->decoders[i]);
		fargs_pt_decoder_want(t->decoders[i], options->wants);
		if (options->has_cycles)
			fargs_pt_decoder_count_cycles(t->decoders[i]);
		if (quick && fargs_pt_decoder_be_quick(t->decoders[i], quick))
			return -ENOMEM;
	}
	/*
	 * Each stream needs one slot; additional slots keep several threads busy. With a single
	 * thread, one slot is faster: the segment is still in the CPU's cache when it is written.
	 */
	t->nr_slots = nr == 1 ? 1 : PARTS_MIN;
	if (nr > 1 && t->in->nr_streams)
		t->nr_slots += (options->is_by_insn ? SLOTS_BY_INSN : SLOTS) * nr /
			       t->in->nr_streams;
	t->spare = calloc(t->nr_slots * t->in->nr_streams + 1, sizeof(*t->spare));
	if (!t->spare)
		return -ENOMEM;
	for (i = 0; i < t->in->nr_streams; i++)
		if ((!options->cpus || fargs_id_set_allows(options->cpus, t->in->streams[i].cpu)) &&
		    set_up_cursor(t, &t->in->streams[i], bytes))
			return -ENOMEM;
	return 0;
}

static void clean_up(struct trace *t)
{
	struct stream_cursor *l;
	size_t i;

	/* Destroy the pool first: its threads use everything that is freed below. */
	fargs_pool_destroy(t->pool);
	for (l = t->cursors; l && l < t->cursors + t->nr_cursors; l++) {
		for (i = 0; l->slots && i < t->nr_slots; i++) {
			fargs_pt_flow_deinit(&l->slots[i].part.flow);
			fargs_pt_switch_resyncs_deinit(&l->slots[i].part.switched);
			fargs_buf_deinit(&l->slots[i].part.text);
			free(l->slots[i].part.marks);
			free(l->slots[i].part.raised);
		}
		free(l->slots);
		fargs_pt_segments_deinit(&l->segs);
	}
	free(t->cursors);
	for (i = 0; i < FARGS_POOL_MAX; i++) {
		fargs_pt_decoder_destroy(t->decoders[i]);
		if (!i || t->texts[i] != t->texts[0])
			fargs_pt_text_destroy(t->texts[i]);
	}
	while (t->nr_spare)
		fargs_buf_deinit(&t->spare[--t->nr_spare]);
	free(t->spare);
	fargs_buf_deinit(&t->out);
}

int fargs_pt_trace_run(const struct fargs_pt_input *in,
		       const struct fargs_pt_trace_options *options,
		       const struct fargs_pt_view *view, fargs_pt_trace_fn fn, void *arg,
		       struct fargs_error_text *err)
{
	struct trace t = { .in = in, .view = view };
	struct stream_cursor *l;
	int ret;

	err->text[0] = '\0';
	if (in->errors) {
		in->errors->nr = 0;
		in->errors->nr_undecoded = 0;
	}
	ret = set_up(&t, options, err);
	for (l = t.cursors; !ret && l < t.cursors + t.nr_cursors; l++)
		submit_segments(&t, l);
	if (!ret)
		ret = emit_all(&t, fn, arg);
	clean_up(&t);
	if (ret == -ENOMEM && !err->text[0])
		fargs_fail(err, ENOMEM, "out of memory");
	return ret;
}
