// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/perf_aux.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/row.h"
#include "source/perf_data/event_name.h"

/*
 * perf pads the data of an AUXTRACE record by up to this number of bytes, and does not record how
 * many.
 */
#define FILL_MAX	7

void fargs_perf_aux_deinit(struct fargs_perf_aux *aux)
{
	free(aux->notes);
	*aux = (struct fargs_perf_aux){ };
}

int fargs_perf_aux_note(struct fargs_perf_aux *aux, uint32_t cpu, int32_t tid, uint64_t offset,
			uint64_t bytes, uint64_t flags)
{
	struct fargs_perf_aux_note *to = fargs_array_add(aux->notes, aux->nr);

	if (!to)
		return -ENOMEM;
	*to = (struct fargs_perf_aux_note){
		.cpu = cpu, .tid = tid, .end = offset + bytes,
		.is_truncated = flags & PERF_AUX_FLAG_TRUNCATED,
	};
	return 0;
}

static bool is_about(const struct fargs_perf_aux_note *note, const struct fargs_pt_stream *s)
{
	return note->cpu == s->cpu && note->tid == s->tid;
}

static int compare(const void *a, const void *b)
{
	const struct fargs_perf_aux_note *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* Finds the elements of aux->notes for stream @s. Returns their number; *@first is the first. */
static size_t find_notes(const struct fargs_perf_aux *aux, const struct fargs_pt_stream *s,
			 const struct fargs_perf_aux_note **first)
{
	size_t begin = 0, end;

	while (begin < aux->nr && !is_about(&aux->notes[begin], s))
		begin++;
	for (end = begin; end < aux->nr && is_about(&aux->notes[end], s); end++)
		;
	*first = aux->notes + begin;
	return end - begin;
}

/* Returns the highest end of a range in @notes that is not above @end; 0 if there is none. */
static uint64_t reported_end(const struct fargs_perf_aux_note *notes, size_t nr, uint64_t end)
{
	size_t low = 0, high = nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (notes[mid].end <= end)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? notes[low - 1].end : 0;
}

/*
 * Returns the end of piece @i without padding: the beginning of the next piece if there is no gap
 * before it, else the end that the kernel reported, or the piece's own end if none is plausible.
 */
static uint64_t find_end(const struct fargs_perf_aux_note *notes, size_t nr,
			 const struct fargs_pt_stream *s, size_t i)
{
	uint64_t end = s->pieces[i].offset + s->pieces[i].size, reported;

	if (i + 1 < s->nr_pieces && s->pieces[i + 1].offset <= end)
		return s->pieces[i + 1].offset;
	reported = reported_end(notes, nr, end);
	return end - reported <= FILL_MAX && reported > s->pieces[i].offset ? reported : end;
}

/* Trims padding from each piece, and drops pieces that contain nothing else. */
static void trim_padding(const struct fargs_perf_aux_note *notes, size_t nr_notes,
			 struct fargs_pt_stream *s)
{
	size_t nr = 0, i;

	for (i = 0; i < s->nr_pieces; i++) {
		struct fargs_pt_piece piece = s->pieces[i];

		piece.size = find_end(notes, nr_notes, s, i) - piece.offset;
		if (piece.size)
			s->pieces[nr++] = piece;
	}
	s->nr_pieces = nr;
}

static void mark_gaps(struct fargs_pt_stream *s)
{
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < s->nr_pieces; i++) {
		s->pieces[i].begins = !i || s->pieces[i].offset != end;
		s->pieces[i].is_after_loss = i && s->pieces[i].offset != end;
		end = s->pieces[i].offset + s->pieces[i].size;
	}
}

/* Splits the stream at offset @at, where trace was lost. */
static int cut_at(struct fargs_pt_stream *s, uint64_t at)
{
	struct fargs_pt_piece second;
	size_t i;

	for (i = 0; i < s->nr_pieces; i++)
		if (at < s->pieces[i].offset + s->pieces[i].size)
			break;
	if (i == s->nr_pieces || at < s->pieces[i].offset)
		return 0;
	second = s->pieces[i];
	second.begins = true;
	second.is_after_loss = true;
	if (at == second.offset) {
		s->pieces[i] = second;
		return 0;
	}
	second.bytes += at - second.offset;
	second.size -= at - second.offset;
	second.offset = at;
	s->pieces[i].size -= second.size;
	if (fargs_pt_input_add_piece(s, &second))
		return -ENOMEM;
	/* Move the second part directly after the first part. */
	for (at = s->nr_pieces - 1; at > i + 1; at--)
		s->pieces[at] = s->pieces[at - 1];
	s->pieces[i + 1] = second;
	return 0;
}

int fargs_perf_aux_apply(struct fargs_perf_aux *aux, struct fargs_pt_input *in)
{
	const struct fargs_perf_aux_note *notes;
	struct fargs_pt_stream *s;
	size_t nr, i;

	if (aux->nr)
		qsort(aux->notes, aux->nr, sizeof(*aux->notes), compare);
	for (s = in->streams; s < in->streams + in->nr_streams; s++) {
		nr = find_notes(aux, s, &notes);
		trim_padding(notes, nr, s);
		mark_gaps(s);
		for (i = 0; i < nr; i++)
			if (notes[i].is_truncated && cut_at(s, notes[i].end))
				return -ENOMEM;
	}
	return 0;
}

int fargs_perf_aux_add_outputs(struct fargs_pt_input *in, const struct fargs_perf_file *file)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(file, &events), i;
	struct fargs_pt_pebs_event event;
	int ret = 0;

	/* There are as many counters. */
	for (i = 0; !ret && i < nr && in->nr_pebs_events < FARGS_PT_PEBS_COUNTERS_MAX; i++) {
		if (!events[i].attr.aux_output || !events[i].nr_ids)
			continue;
		event = (struct fargs_pt_pebs_event){
			.attr = events[i].attr, .id = events[i].ids[0],
			.name = events[i].name ? strdup(events[i].name) :
						 fargs_perf_event_name(&events[i].attr),
		};
		ret = fargs_pt_input_add_pebs_event(in, &event);
	}
	return ret;
}

/* Returns which of the events that become in->pebs_events has @id; SIZE_MAX: none. */
static size_t find_event(const struct fargs_perf_file *file, uint64_t id)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(file, &events), i, k, at = 0;

	for (i = 0; i < nr && at < FARGS_PT_PEBS_COUNTERS_MAX; i++) {
		if (!events[i].attr.aux_output || !events[i].nr_ids)
			continue;
		for (k = 0; k < events[i].nr_ids; k++)
			if (events[i].ids[k] == id)
				return at;
		at++;
	}
	return SIZE_MAX;
}

int fargs_perf_aux_add_counter(struct fargs_pt_input *in, const struct fargs_perf_body *b,
			       bool is_cpu, size_t event)
{
	struct fargs_pt_pebs_counter counter = {
		.ns = b->sample.has_time ? b->sample.ns : 0,
		.cpu = is_cpu ? b->sample.cpu : UINT32_MAX, .tid = is_cpu ? -1 : b->sample.tid,
	};
	uint64_t nr = b->bytes < sizeof(nr) ? UINT64_MAX : fargs_perf_body_u64(b, 0);

	/* A damaged record: the event of the counter remains unknown. */
	if (nr >= FARGS_PT_PEBS_COUNTERS_MAX || event == SIZE_MAX || !fargs_row(G8))
		return 0;
	counter.counter = nr;
	counter.event = event;
	return fargs_pt_input_add_pebs_counter(in, &counter);
}

int fargs_perf_aux_take_output(struct fargs_pt_input *in, const struct fargs_perf_file *file,
			       const struct fargs_perf_body *b, bool is_cpu)
{
	return fargs_perf_aux_add_counter(in, b, is_cpu, find_event(file, b->sample.id));
}
