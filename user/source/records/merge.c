// SPDX-License-Identifier: GPL-2.0-only
#include "source/records/merge.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/heap.h"
#include "model/clock.h"

struct stream {
	uint64_t given_ns;		/* time of the record before the one at @at; 0: none */
	uint64_t ns;			/* time of the record at @at; not less than @given_ns */
	const uint8_t *at, *end;	/* position in the records of @now, and their end */
	struct fargs_merge_block *now;	/* NULL: no records are known to follow */
};

struct fargs_merge {
	struct fargs_merge_supply supply;
	struct fargs_clockline *clock;
	uint64_t safe_ns;		/* records before this time can be returned */
	unsigned int nr_cpus;
	unsigned int nr_streams;	/* length of @streams */
	bool is_sorted;			/* @heap is valid */
	int ret;			/* 0, or the error that follows the last record */
	struct fargs_error_text err;
	struct fargs_merge_block *used;
	struct fargs_heap heap;		/* streams with records, sorted by time of next record */
	struct stream streams[];
};

struct fargs_merge *fargs_merge_create(const struct fargs_meta *meta, unsigned int nr_streams,
				       const struct fargs_merge_supply *supply,
				       struct fargs_error_text *err)
{
	struct fargs_merge *m = calloc(1, sizeof(*m) + nr_streams * sizeof(m->streams[0]));

	if (!m || fargs_heap_init(&m->heap, nr_streams)) {
		fargs_fail(err, ENOMEM, "out of memory");
		free(m);
		return NULL;
	}
	m->supply = *supply;
	m->safe_ns = UINT64_MAX;
	m->nr_cpus = meta->info.nr_cpus;
	m->nr_streams = nr_streams;
	m->clock = fargs_clockline_create(meta, err);
	if (!m->clock) {
		fargs_merge_destroy(m);
		return NULL;
	}
	return m;
}

void fargs_merge_destroy(struct fargs_merge *m)
{
	unsigned int nr;

	if (!m)
		return;
	for (nr = 0; nr < m->nr_streams; nr++)
		fargs_merge_give_back(m, m->streams[nr].now);
	fargs_merge_give_back(m, m->used);
	fargs_clockline_destroy(m->clock);
	fargs_heap_deinit(&m->heap);
	free(m);
}

struct fargs_clockline *fargs_merge_clock(struct fargs_merge *m)
{
	return m->clock;
}

/* Sets the time of the stream's next record. */
static void take_time(struct fargs_merge *m, unsigned int nr)
{
	struct stream *stream = &m->streams[nr];
	uint64_t tsc = ((const struct fargs_record *)stream->at)->tsc;
	uint64_t ns = nr < m->nr_cpus ? fargs_clockline_ns(m->clock, nr, tsc) : tsc;

	stream->ns = stream->given_ns < ns ? ns : stream->given_ns;
}

/* Gets the next block of stream @nr. Returns 1, 0 if there is none, or -errno. */
static int advance(struct fargs_merge *m, unsigned int nr, struct fargs_error_text *err)
{
	struct stream *stream = &m->streams[nr];
	int ret;

	if (stream->now) {
		stream->now->next = m->used;
		m->used = stream->now;
		stream->now = NULL;
	}
	ret = m->supply.next(m->supply.arg, nr, &stream->now, err);
	if (ret != 1) {
		stream->now = NULL;
		return ret;
	}
	stream->now->next = NULL;
	stream->at = stream->now->records;
	stream->end = stream->at + stream->now->bytes;
	take_time(m, nr);
	return 1;
}

/* Rebuilds the heap of streams: at the start, and since new clock samples may change times. */
static int sort_streams(struct fargs_merge *m, struct fargs_error_text *err)
{
	unsigned int nr;
	int ret;

	m->is_sorted = true;
	m->heap.nr = 0;
	for (nr = 0; nr < m->nr_streams; nr++) {
		ret = 1;
		if (m->streams[nr].now)
			take_time(m, nr);
		else
			ret = advance(m, nr, err);
		if (ret < 0)
			return ret;
		if (ret)
			fargs_heap_add(&m->heap, nr, m->streams[nr].ns);
	}
	return 0;
}

int fargs_merge_next(struct fargs_merge *m, struct fargs_stamped *next,
		     struct fargs_error_text *err)
{
	struct stream *stream;
	unsigned int nr;
	int ret = 1;

	if (!m->is_sorted)
		m->ret = sort_streams(m, &m->err);
	if (m->ret) {
		*err = m->err;
		return m->ret;
	}
	if (m->safe_ns != UINT64_MAX && (!m->heap.nr || m->heap.items[0].key >= m->safe_ns))
		return FARGS_MERGE_WAITS;
	if (!m->heap.nr)
		return 0;
	nr = m->heap.items[0].id;
	next->cpu = nr % m->nr_cpus;
	next->ns = m->heap.items[0].key;
	stream = &m->streams[nr];
	next->rec = (const void *)stream->at;
	stream->given_ns = next->ns;
	stream->at += next->rec->len;
	if (stream->at != stream->end)
		take_time(m, nr);
	else
		ret = advance(m, nr, &m->err);
	if (ret < 0)
		m->ret = ret;
	if (ret == 1)
		fargs_heap_change(&m->heap, stream->ns);
	else
		fargs_heap_pop(&m->heap);
	return 1;
}

int fargs_merge_settle(struct fargs_merge *m, uint64_t safe_ns, struct fargs_error_text *err)
{
	m->safe_ns = safe_ns;
	return sort_streams(m, err);
}

uint64_t fargs_merge_safe(const struct fargs_merge *m)
{
	return m->safe_ns;
}

struct fargs_merge_block *fargs_merge_used(struct fargs_merge *m)
{
	struct fargs_merge_block *used = m->used;

	m->used = NULL;
	return used;
}

void fargs_merge_give_back(struct fargs_merge *m, struct fargs_merge_block *blocks)
{
	if (blocks)
		m->supply.give_back(m->supply.arg, blocks);
}
