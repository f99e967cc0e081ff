// SPDX-License-Identifier: GPL-2.0-only
#include "file/streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/clock.h"
#include "util/heap.h"

/* With more CPUs than that nothing is read ahead: two chunks of each would be too much. */
#define AHEAD_CPUS	64

struct fargs_block {
	struct fargs_job job;		/* reads it */
	const struct fargs_reader *reader;
	unsigned int stream;
	size_t nr;			/* of the stream's chunks */
	void *buf;
	size_t room;
	size_t bytes;
	int ret;			/* of the job: 1 is a chunk, 0 the end, or -errno */
	struct fargs_error_text err;
	struct fargs_block *next;	/* among those used, or free */
};

struct stream {
	uint64_t ns;			/* of the record at @at: never less than before it */
	const uint8_t *at, *end;	/* in @now */
	struct fargs_block *now;
	struct fargs_block *ahead;	/* submitted; NULL: none was */
	size_t nr_read;			/* chunks submitted so far */
};

struct fargs_streams {
	struct fargs_reader *reader;
	struct fargs_pool *pool;
	struct fargs_clockline *clock;
	unsigned int nr_cpus;
	unsigned int nr_streams;	/* as the reader numbers them */
	bool is_started;
	int ret;			/* 0, or what is wrong behind the last record */
	struct fargs_error_text err;
	struct fargs_block *used;
	struct fargs_block *free;	/* their memory is used again */
	struct fargs_heap heap;		/* CPUs with records, by ns */
	struct stream streams[];
};

struct fargs_streams *fargs_streams_create(struct fargs_reader *r, const struct fargs_meta *meta,
					   struct fargs_pool *pool, struct fargs_error_text *err)
{
	unsigned int nr_cpus = meta->info.nr_cpus;
	unsigned int nr_streams = meta->has_events ? FARGS_READER_STREAMS(nr_cpus) : nr_cpus;
	struct fargs_streams *s = calloc(1, sizeof(*s) + nr_streams * sizeof(s->streams[0]));

	if (!s || fargs_heap_init(&s->heap, nr_streams)) {
		fargs_fail(err, ENOMEM, "out of memory");
		free(s);
		return NULL;
	}
	s->reader = r;
	s->pool = pool;
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

/* Has the next chunk of stream @nr read, if it is not being read already. */
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

/* Times of a CPU do not go back, as what is in its ring does not. */
static void take_time(struct fargs_streams *s, unsigned int nr)
{
	struct stream *stream = &s->streams[nr];
	uint64_t tsc = ((const struct fargs_record *)stream->at)->tsc;
	/* Of events it is ns. */
	uint64_t ns = nr < s->nr_cpus ? fargs_clockline_ns(s->clock, nr, tsc) : tsc;

	if (stream->ns < ns)
		stream->ns = ns;
}

/* The next chunk of stream @nr that is not empty: 1; 0: there is none; -errno. */
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
		if (ret != 1 || !block->bytes)
			fargs_streams_give_back(s, block);
	} while (ret == 1 && !block->bytes);
	if (ret != 1)
		return ret;
	stream->now = block;
	stream->at = block->buf;
	stream->end = stream->at + block->bytes;
	take_time(s, nr);
	ret = s->nr_cpus <= AHEAD_CPUS ? submit(s, nr, err) : 0;
	return ret ? ret : 1;
}

static int start(struct fargs_streams *s, struct fargs_error_text *err)
{
	unsigned int nr;
	int ret;

	s->is_started = true;
	for (nr = 0; nr < s->nr_streams && s->nr_cpus <= AHEAD_CPUS; nr++) {
		ret = submit(s, nr, err);
		if (ret)
			return ret;
	}
	for (nr = 0; nr < s->nr_streams; nr++) {
		ret = advance(s, nr, err);
		if (ret < 0)
			return ret;
		if (ret)
			fargs_heap_add(&s->heap, nr, s->streams[nr].ns);
	}
	return 0;
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
	if (!s->heap.nr)
		return 0;
	nr = s->heap.items[0].id;
	next->cpu = nr % s->nr_cpus;
	next->ns = s->heap.items[0].key;
	stream = &s->streams[nr];
	/* Chunks are aligned in malloc's memory, and lengths are multiples of 8. */
	next->rec = (const void *)stream->at;
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
