// SPDX-License-Identifier: GPL-2.0-only
#include "source/fargs_dat/streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "model/clock.h"

/*
 * Maximum number of CPUs for reading chunks ahead: reading ahead takes memory for two chunks per
 * CPU.
 */
#define AHEAD_CPUS	64

struct fargs_block {
	struct fargs_job job;		/* job that reads the chunk */
	const struct fargs_reader *reader;
	unsigned int stream;
	size_t nr;			/* index of the chunk in its stream */
	void *buf;
	size_t room;
	size_t bytes;
	int ret;			/* job's result: 1, 0 at the stream's end, or -errno */
	struct fargs_error_text err;
	struct fargs_block *next;	/* next block in the list of used or of free blocks */
};

/*
 * Upper bound of the time from a record's timestamp until the record becomes readable
 * (FARGS_CAPTURE_LATE_NS in capture.h).
 */
#define LATE_NS		20000000ull
/*
 * Upper bound of the time from an event's timestamp until the event is in the file, for recordings
 * that contain only events and no clock samples.
 */
#define BARE_LATE_NS	1000000000ull

struct stream {
	uint64_t given_ns;		/* time of the record before the one at @at; 0: none */
	uint64_t ns;			/* time of the record at @at; not less than @given_ns */
	const uint8_t *at, *end;	/* position in the records of @now, and their end */
	struct fargs_block *now;
	struct fargs_block *ahead;	/* block that a submitted job reads; NULL: none */
	size_t nr_read;			/* number of chunks for which a job was submitted */
};

struct fargs_streams {
	struct fargs_reader *reader;
	struct fargs_pool *pool;
	struct fargs_clockline *clock;
	const struct fargs_meta *meta;
	bool is_growing;
	uint64_t safe_ns;		/* records before this time are available */
	unsigned int nr_cpus;
	unsigned int nr_streams;	/* length of @streams; @reader uses the same indexes */
	bool is_started;
	int ret;			/* 0, or the error that follows the last record */
	struct fargs_error_text err;
	struct fargs_block *used;
	struct fargs_block *free;	/* list of blocks that can be reused */
	struct fargs_heap heap;		/* streams with records, sorted by time of next record */
	struct stream streams[];
};

struct fargs_streams *fargs_streams_create(struct fargs_reader *r, const struct fargs_meta *meta,
					   struct fargs_pool *pool, struct fargs_error_text *err)
{
	unsigned int nr_cpus = meta->info.nr_cpus;
	bool is_growing = fargs_reader_is_growing(r);
	unsigned int nr_streams = meta->has_events || is_growing ? FARGS_READER_STREAMS(nr_cpus) :
				  nr_cpus;
	struct fargs_streams *s = calloc(1, sizeof(*s) + nr_streams * sizeof(s->streams[0]));

	if (!s || fargs_heap_init(&s->heap, nr_streams)) {
		fargs_fail(err, ENOMEM, "out of memory");
		free(s);
		return NULL;
	}
	s->reader = r;
	s->pool = pool;
	s->meta = meta;
	s->is_growing = is_growing;
	s->safe_ns = is_growing ? 0 : UINT64_MAX;
	s->nr_cpus = nr_cpus;
	s->nr_streams = nr_streams;
	s->clock = fargs_clockline_create(meta, err);
	if (!s->clock) {
		fargs_streams_destroy(s);
		return NULL;
	}
	return s;
}

static void free_blocks(struct fargs_block *block)
{
	struct fargs_block *next;

	for (; block; block = next) {
		next = block->next;
		free(block->buf);
		free(block);
	}
}

void fargs_streams_destroy(struct fargs_streams *s)
{
	unsigned int nr;

	if (!s)
		return;
	for (nr = 0; nr < s->nr_streams; nr++) {
		if (s->streams[nr].ahead)
			fargs_pool_wait(s->pool, &s->streams[nr].ahead->job);
		free_blocks(s->streams[nr].ahead);
		free_blocks(s->streams[nr].now);
	}
	free_blocks(s->used);
	free_blocks(s->free);
	fargs_clockline_destroy(s->clock);
	fargs_heap_deinit(&s->heap);
	free(s);
}

static void read_block(struct fargs_job *job, unsigned int thread)
{
	struct fargs_block *block = (struct fargs_block *)job;

	block->ret = fargs_reader_load(block->reader, block->stream, block->nr, &block->buf,
				       &block->room, &block->bytes, &block->err);
}

/* Submits a job that reads the next chunk of stream @nr, unless one is already submitted. */
static int submit(struct fargs_streams *s, unsigned int nr, struct fargs_error_text *err)
{
	struct stream *stream = &s->streams[nr];
	struct fargs_block *block = s->free;

	if (stream->ahead)
		return 0;
	if (block)
		s->free = block->next;
	else
		block = calloc(1, sizeof(*block));
	if (!block)
		return fargs_fail(err, ENOMEM, "out of memory");
	block->job.fn = read_block;
	block->reader = s->reader;
	block->stream = nr;
	block->nr = stream->nr_read++;
	block->next = NULL;
	stream->ahead = block;
	fargs_pool_submit(s->pool, &block->job);
	return 0;
}

/*
 * Sets the time of the stream's next record. Records stay in ring order: if the record is older
 * than the previous record, it gets the time of the previous record.
 */
static void take_time(struct fargs_streams *s, unsigned int nr)
{
	struct stream *stream = &s->streams[nr];
	uint64_t tsc = ((const struct fargs_record *)stream->at)->tsc;
	/* The records of events have ns in place of a TSC value. */
	uint64_t ns = nr < s->nr_cpus ? fargs_clockline_ns(s->clock, nr, tsc) : tsc;

	stream->ns = stream->given_ns < ns ? ns : stream->given_ns;
}

/*
 * Are chunks read ahead? Not in a growing file, where a chunk that is missing now may follow soon.
 */
static bool is_read_ahead(const struct fargs_streams *s)
{
	return s->nr_cpus <= AHEAD_CPUS && !s->is_growing;
}

/* Loads the next nonempty chunk of stream @nr. Returns 1, 0 at the end of the stream, or -errno. */
static int advance(struct fargs_streams *s, unsigned int nr, struct fargs_error_text *err)
{
	struct stream *stream = &s->streams[nr];
	struct fargs_block *block;
	int ret;

	if (stream->now) {
		stream->now->next = s->used;
		s->used = stream->now;
		stream->now = NULL;
	}
	do {
		ret = submit(s, nr, err);
		if (ret)
			return ret;
		block = stream->ahead;
		fargs_pool_wait(s->pool, &block->job);
		stream->ahead = NULL;
		ret = block->ret;
		if (ret < 0)
			*err = block->err;
		else if (!ret)
			stream->nr_read--;
		else if (s->is_growing)
			fargs_reader_forget(s->reader, nr, block->nr);
		if (ret != 1 || !block->bytes)
			fargs_streams_give_back(s, block);
	} while (ret == 1 && !block->bytes);
	if (ret != 1)
		return ret;
	stream->now = block;
	stream->at = block->buf;
	stream->end = stream->at + block->bytes;
	take_time(s, nr);
	ret = is_read_ahead(s) ? submit(s, nr, err) : 0;
	return ret ? ret : 1;
}

/*
 * Rebuilds the heap of streams: at the start, and when new clock samples change extrapolated times.
 */
static int sort_streams(struct fargs_streams *s, struct fargs_error_text *err)
{
	unsigned int nr;
	int ret;

	s->heap.nr = 0;
	for (nr = 0; nr < s->nr_streams; nr++) {
		ret = 1;
		if (s->streams[nr].now)
			take_time(s, nr);
		else
			ret = advance(s, nr, err);
		if (ret < 0)
			return ret;
		if (ret)
			fargs_heap_add(&s->heap, nr, s->streams[nr].ns);
	}
	return 0;
}

static int start(struct fargs_streams *s, struct fargs_error_text *err)
{
	unsigned int nr;
	int ret;

	s->is_started = true;
	for (nr = 0; nr < s->nr_streams && is_read_ahead(s); nr++) {
		ret = submit(s, nr, err);
		if (ret)
			return ret;
	}
	return sort_streams(s, err);
}

int fargs_streams_next(struct fargs_streams *s, struct fargs_stamped *next,
		       struct fargs_error_text *err)
{
	struct stream *stream;
	unsigned int nr;
	int ret = 1;

	if (!s->is_started)
		s->ret = start(s, &s->err);
	if (s->ret) {
		*err = s->err;
		return s->ret;
	}
	if (s->is_growing && (!s->heap.nr || s->heap.items[0].key >= s->safe_ns))
		return FARGS_STREAMS_WAITS;
	if (!s->heap.nr)
		return 0;
	nr = s->heap.items[0].id;
	next->cpu = nr % s->nr_cpus;
	next->ns = s->heap.items[0].key;
	stream = &s->streams[nr];
	/* Records are aligned: malloc() aligns the buffer, and their lengths are multiples of 8. */
	next->rec = (const void *)stream->at;
	stream->given_ns = next->ns;
	stream->at += next->rec->len;
	if (stream->at != stream->end)
		take_time(s, nr);
	else
		ret = advance(s, nr, &s->err);
	if (ret < 0)
		s->ret = ret;
	if (ret == 1)
		fargs_heap_change(&s->heap, stream->ns);
	else
		fargs_heap_pop(&s->heap);
	return 1;
}

/*
 * Sets safe_ns to the time of the second-last clock sample minus LATE_NS: all earlier records are
 * in the file. The recorder holds back events for up to the interval between two samples, so in a
 * file with events, the third-last sample is used.
 */
static void take_rounds(struct fargs_streams *s)
{
	const struct fargs_clock_sample *samples;
	uint64_t ns = UINT64_MAX;
	size_t back = s->meta->nr_formats ? 3 : 2;
	unsigned int cpu;

	if (s->meta->nr_clocks < back)
		return;
	samples = s->meta->clocks[s->meta->nr_clocks - back].cpus;
	for (cpu = 0; cpu < s->nr_cpus; cpu++)
		if (samples[cpu].is_valid && samples[cpu].perf_ns < ns)
			ns = samples[cpu].perf_ns;
	if (ns != UINT64_MAX && ns > LATE_NS && ns - LATE_NS > s->safe_ns)
		s->safe_ns = ns - LATE_NS;
}

/*
 * Sets safe_ns for a file without clock samples: the newest event shows how far the recorder has
 * written.
 */
static void take_newest(struct fargs_streams *s)
{
	uint64_t ns = fargs_reader_newest(s->reader, s->nr_cpus);

	if (!s->meta->nr_clocks && ns > BARE_LATE_NS && ns - BARE_LATE_NS > s->safe_ns)
		s->safe_ns = ns - BARE_LATE_NS;
}

int fargs_streams_grow(struct fargs_streams *s, bool is_last, struct fargs_error_text *err)
{
	uint64_t safe_ns = s->safe_ns;
	bool is_begun;
	int ret = fargs_reader_grow(s->reader, &is_begun, err), more = ret;

	if (ret < 0)
		return ret;
	if (fargs_clockline_update(s->clock, s->meta))
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	take_rounds(s);
	take_newest(s);
	if (is_last || !fargs_reader_is_growing(s->reader)) {
		s->safe_ns = UINT64_MAX;
		s->is_growing = false;
	}
	s->is_started = true;
	ret = sort_streams(s, err);
	return ret ? ret : more || s->safe_ns != safe_ns;
}

struct fargs_block *fargs_streams_used(struct fargs_streams *s)
{
	struct fargs_block *used = s->used;

	s->used = NULL;
	return used;
}

void fargs_streams_give_back(struct fargs_streams *s, struct fargs_block *blocks)
{
	struct fargs_block *next;

	for (; blocks; blocks = next) {
		next = blocks->next;
		blocks->next = s->free;
		s->free = blocks;
	}
}
