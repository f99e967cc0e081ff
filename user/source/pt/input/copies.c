// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/copies.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "source/pt/input/overlap.h"
#include "source/pt/packet/psb.h"

/* Maximum number of bytes of padding after a copy. */
#define PADDING_MAX	7

/* Contiguous trace, of which one or more copies were made. Offsets are those of the stream. */
struct run {
	size_t piece;			/* index of its first piece in the stream */
	uint64_t begin;
	struct fargs_pt_copy last;	/* the last copy */
	/* The last copy with a PSB, and where it begins, relative to @last. */
	struct fargs_pt_copy with_psb;
	int64_t psb_begin;
	uint64_t buffer_end;		/* place in the buffer after it; UINT64_MAX: unknown */
};

struct fargs_pt_copied_stream {
	uint32_t cpu;
	int32_t tid;
	struct run *runs;
	size_t nr_runs;
};

void fargs_pt_copies_deinit(struct fargs_pt_copies *c)
{
	while (c->nr)
		free(c->all[--c->nr].runs);
	free(c->all);
	c->all = NULL;
}

static struct fargs_pt_copied_stream *find_stream(struct fargs_pt_copies *c,
						  const struct fargs_pt_stream *s)
{
	struct fargs_pt_copied_stream *to;
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->all[i].cpu == s->cpu && c->all[i].tid == s->tid)
			return &c->all[i];
	to = fargs_array_add(c->all, c->nr);
	if (to)
		*to = (struct fargs_pt_copied_stream){ .cpu = s->cpu, .tid = s->tid };
	return to;
}

/* Returns the offset after the last byte of the stream. */
static uint64_t end_of(const struct fargs_pt_stream *s)
{
	const struct fargs_pt_piece *last;

	if (!s->nr_pieces)
		return 0;
	last = &s->pieces[s->nr_pieces - 1];
	return last->offset + last->size;
}

/* Appends the @size bytes at @bytes to @s, and nothing if there are none. */
static int add_piece(struct fargs_pt_stream *s, const uint8_t *bytes, uint64_t size, bool begins)
{
	const struct fargs_pt_piece piece = {
		.bytes = bytes, .size = size, .offset = end_of(s), .begins = begins,
	};

	return size ? fargs_pt_input_add_piece(s, &piece) : 0;
}

/* Removes @nr bytes of padding from the end of @run, which is longer. */
static void trim_run(const struct run *run, struct fargs_pt_stream *s, uint64_t nr)
{
	struct fargs_pt_piece *last;

	while (nr) {
		last = &s->pieces[s->nr_pieces - 1];
		if (nr < last->size || s->nr_pieces - 1 == run->piece) {
			last->size -= nr;
			return;
		}
		nr -= last->size;
		s->nr_pieces--;
	}
}

static int begin_run(struct fargs_pt_copied_stream *c, struct fargs_pt_stream *s,
		     const struct fargs_pt_copy *copy, uint64_t buffer_end)
{
	struct run *run = fargs_array_add(c->runs, c->nr_runs);

	if (!run)
		return -ENOMEM;
	*run = (struct run){
		.piece = s->nr_pieces, .begin = end_of(s), .last = *copy, .with_psb = *copy,
		.buffer_end = buffer_end,
	};
	return add_piece(s, copy->bytes, copy->size, true);
}

/*
 * Returns where the first packet of a copy is that begins at overlap->begin of @last, and whose
 * first @in_common bytes are in @last. Packets are complete at the end of a copy, because tracing
 * is off while it is made.
 */
static uint64_t find_packet(const struct fargs_pt_copy *last,
			    const struct fargs_pt_overlap *overlap, uint64_t in_common)
{
	uint64_t begin = overlap->begin > 0 ? overlap->begin : 0;
	uint64_t packet = fargs_pt_overlap_packet(last, begin);

	return packet < overlap->end ? (uint64_t)((int64_t)packet - overlap->begin) : in_common;
}

/* Adds what is new in @copy to @run, the last one, with which it has bytes in common. */
static int continue_run(struct run *run, struct fargs_pt_stream *s, struct fargs_pt_copy *copy,
			const struct fargs_pt_overlap *overlap)
{
	const struct fargs_pt_copy *last = &run->last;
	uint64_t in_common = (uint64_t)((int64_t)overlap->end - overlap->begin), packet;
	bool has_psb = copy->sync < copy->size;

	if (in_common >= copy->size)
		return 0;
	packet = find_packet(last, overlap, in_common);
	if (packet < copy->sync)
		copy->sync = packet;
	trim_run(run, s, last->size - overlap->end);
	run->last = *copy;
	run->psb_begin -= overlap->begin;
	if (has_psb) {
		run->with_psb = *copy;
		run->psb_begin = 0;
	}
	return add_piece(s, copy->bytes + in_common, copy->size - in_common, false);
}

/*
 * Returns whether @copy begins at @buffer_begin, where the last copy ends. The buffer was not full
 * then: the last copies of a full one have its size, so that they end beyond any beginning.
 */
static bool is_next(const struct run *run, uint64_t buffer_begin, uint64_t *padding)
{
	const struct fargs_pt_copy *last = &run->last;
	uint64_t i;

	if (buffer_begin == UINT64_MAX || run->buffer_end == UINT64_MAX ||
	    buffer_begin > run->buffer_end)
		return false;
	*padding = run->buffer_end - buffer_begin;
	if (*padding > PADDING_MAX || *padding >= last->size)
		return false;
	for (i = last->size - *padding; i < last->size; i++)
		if (last->bytes[i])
			return false;
	return true;
}

/* Returns whether a later copy can contain trace of @run that is decoded. */
static bool can_be_found(const struct run *run)
{
	return run->last.sync < run->last.size;
}

/* Finds where @copy begins in run->last. */
static bool find_overlap(struct fargs_pt_overlap *overlap, const struct run *run,
			 const struct fargs_pt_copy *copy)
{
	if (fargs_pt_overlap_by_psb(overlap, &run->with_psb, copy))
		return fargs_pt_overlap_fits(overlap, &run->last, copy,
					     run->psb_begin + overlap->begin);
	return fargs_pt_overlap_by_bytes(overlap, &run->last, copy);
}

/*
 * Finds the latest run that has bytes in common with @copy, and of which some are not in @copy.
 * Sets *@nr to the number of runs up to it, or up to the last run of which nothing is in @copy.
 * Runs in between, which are in @copy as a whole, or were not decoded, are dropped. Returns whether
 * there is such a run.
 */
static bool find_run(const struct fargs_pt_copied_stream *c, const struct fargs_pt_stream *s,
		     const struct fargs_pt_copy *copy, struct fargs_pt_overlap *overlap,
		     size_t *nr)
{
	uint64_t end = end_of(s), bytes;
	const struct run *run;
	size_t i;

	*nr = c->nr_runs;
	for (i = c->nr_runs; i; end = run->begin) {
		run = &c->runs[--i];
		if (!can_be_found(run))
			continue;
		if (!find_overlap(overlap, run, copy))
			return false;
		bytes = end - run->begin;
		/* Compare, in bytes before the end of the run, where it and @copy begin. */
		if ((int64_t)run->last.size - overlap->begin <= (int64_t)bytes ||
		    copy->size + overlap->begin < overlap->end) {
			*nr = i + 1;
			return true;
		}
		*nr = i;
	}
	return false;
}

int fargs_pt_copies_add(struct fargs_pt_copies *c, struct fargs_pt_stream *s,
			const struct fargs_pt_piece *piece)
{
	struct fargs_pt_copy copy = { .bytes = piece->bytes, .size = piece->size };
	uint64_t buffer_end = UINT64_MAX, padding;
	struct fargs_pt_copied_stream *to;
	struct fargs_pt_overlap overlap;
	struct run *last;
	bool is_found;
	size_t nr;

	if (!piece->size)
		return 0;
	to = find_stream(c, s);
	if (!to)
		return -ENOMEM;
	if (piece->offset != UINT64_MAX)
		buffer_end = piece->offset + piece->size;
	copy.sync = fargs_pt_psb_find(copy.bytes, copy.size, 0);
	is_found = find_run(to, s, &copy, &overlap, &nr);
	if (nr < to->nr_runs) {
		s->nr_pieces = to->runs[nr].piece;
		to->nr_runs = nr;
	}
	last = nr ? &to->runs[nr - 1] : NULL;
	if (!is_found && last && is_next(last, piece->offset, &padding)) {
		overlap = (struct fargs_pt_overlap){
			.begin = last->last.size - padding, .end = last->last.size - padding,
		};
		is_found = true;
	}
	if (!is_found)
		return begin_run(to, s, &copy, buffer_end);
	last->buffer_end = buffer_end;
	return continue_run(last, s, &copy, &overlap);
}
