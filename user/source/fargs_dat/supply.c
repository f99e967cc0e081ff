// SPDX-License-Identifier: GPL-2.0-only
#include "source/fargs_dat/supply.h"

#include <errno.h>
#include <stdlib.h>

#include "model/clock.h"

/*
 * Maximum number of CPUs for reading chunks ahead: reading ahead takes memory for two chunks per
 * CPU.
 */
#define AHEAD_CPUS	64
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

/* A chunk of records. */
struct chunk {
	struct fargs_merge_block block;
	struct fargs_job job;		/* job that reads the chunk */
	const struct fargs_reader *reader;
	unsigned int stream;
	size_t nr;			/* index of the chunk in its stream */
	void *buf;
	size_t room;
	size_t bytes;
	int ret;			/* job's result: 1, 0 at the stream's end, or -errno */
	struct fargs_error_text err;
};

struct stream {
	struct chunk *ahead;		/* chunk that a submitted job reads; NULL: none */
	size_t nr_read;			/* number of chunks for which a job was submitted */
};

struct fargs_supply {
	struct fargs_reader *reader;
	struct fargs_pool *pool;
	const struct fargs_meta *meta;
	struct fargs_merge *merge;
	struct fargs_merge_block *free;	/* list of chunks that can be reused */
	bool is_growing;
	unsigned int nr_streams;	/* length of @streams; @reader uses the same indexes */
	struct stream streams[];
};

#define OF(member, ptr, type)	((type *)((char *)(ptr) - offsetof(type, member)))

static struct chunk *chunk_of(struct fargs_merge_block *block)
{
	return OF(block, block, struct chunk);
}

static void read_chunk(struct fargs_job *job, unsigned int thread)
{
	struct chunk *chunk = OF(job, job, struct chunk);

	chunk->ret = fargs_reader_load(chunk->reader, chunk->stream, chunk->nr, &chunk->buf,
				       &chunk->room, &chunk->bytes, &chunk->err);
}

static void give_back(void *arg, struct fargs_merge_block *blocks)
{
	struct fargs_supply *s = arg;

	fargs_merge_blocks_add(&s->free, blocks);
}

/* Submits a job that reads the next chunk of stream @nr, unless one is already submitted. */
static int submit(struct fargs_supply *s, unsigned int nr, struct fargs_error_text *err)
{
	struct stream *stream = &s->streams[nr];
	struct chunk *chunk;

	if (stream->ahead)
		return 0;
	if (s->free) {
		chunk = chunk_of(s->free);
		s->free = s->free->next;
	} else {
		chunk = calloc(1, sizeof(*chunk));
		if (!chunk)
			return fargs_fail(err, ENOMEM, "out of memory");
	}
	chunk->job.fn = read_chunk;
	chunk->reader = s->reader;
	chunk->stream = nr;
	chunk->nr = stream->nr_read++;
	chunk->block.next = NULL;
	stream->ahead = chunk;
	fargs_pool_submit(s->pool, &chunk->job);
	return 0;
}

/*
 * Are chunks read ahead? Not in a growing file, where a chunk that is missing now may follow soon.
 */
static bool is_read_ahead(const struct fargs_supply *s)
{
	return s->meta->info.nr_cpus <= AHEAD_CPUS && !s->is_growing;
}

/* Loads the next nonempty chunk of stream @nr. Returns 1, 0 at the end of the stream, or -errno. */
static int next_chunk(void *arg, unsigned int nr, struct fargs_merge_block **block,
		      struct fargs_error_text *err)
{
	struct fargs_supply *s = arg;
	struct stream *stream = &s->streams[nr];
	struct chunk *chunk;
	int ret;

	do {
		ret = submit(s, nr, err);
		if (ret)
			return ret;
		chunk = stream->ahead;
		fargs_pool_wait(s->pool, &chunk->job);
		stream->ahead = NULL;
		ret = chunk->ret;
		if (ret < 0)
			*err = chunk->err;
		else if (!ret)
			stream->nr_read--;
		else if (s->is_growing)
			fargs_reader_forget(s->reader, nr, chunk->nr);
		if (ret != 1 || !chunk->bytes)
			give_back(s, &chunk->block);
	} while (ret == 1 && !chunk->bytes);
	if (ret != 1)
		return ret;
	chunk->block.records = chunk->buf;
	chunk->block.bytes = chunk->bytes;
	*block = &chunk->block;
	ret = is_read_ahead(s) ? submit(s, nr, err) : 0;
	if (ret)
		give_back(s, &chunk->block);
	return ret ? ret : 1;
}

/* Submits jobs for the first chunks of all streams. */
static int begin(struct fargs_supply *s, struct fargs_error_text *err)
{
	const struct fargs_merge_supply supply = {
		.arg = s, .next = next_chunk, .give_back = give_back,
	};
	unsigned int nr;
	int ret = 0;

	s->merge = fargs_merge_create(s->meta, s->nr_streams, &supply, err);
	if (!s->merge)
		return -EINVAL;
	if (s->is_growing)
		return fargs_merge_settle(s->merge, 0, err);
	for (nr = 0; !ret && nr < s->nr_streams && is_read_ahead(s); nr++)
		ret = submit(s, nr, err);
	return ret;
}

struct fargs_supply *fargs_supply_create(struct fargs_reader *r, const struct fargs_meta *meta,
					 struct fargs_pool *pool, struct fargs_error_text *err)
{
	unsigned int nr_cpus = meta->info.nr_cpus;
	bool is_growing = fargs_reader_is_growing(r);
	unsigned int nr_streams = meta->has_events || is_growing ? FARGS_READER_STREAMS(nr_cpus) :
				  nr_cpus;
	struct fargs_supply *s = calloc(1, sizeof(*s) + nr_streams * sizeof(s->streams[0]));

	if (!s) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	s->reader = r;
	s->pool = pool;
	s->meta = meta;
	s->is_growing = is_growing;
	s->nr_streams = nr_streams;
	if (begin(s, err)) {
		fargs_supply_destroy(s);
		return NULL;
	}
	return s;
}

void fargs_supply_destroy(struct fargs_supply *s)
{
	struct fargs_merge_block *block;
	struct chunk *chunk;
	unsigned int nr;

	if (!s)
		return;
	fargs_merge_destroy(s->merge);
	for (nr = 0; nr < s->nr_streams; nr++) {
		if (!s->streams[nr].ahead)
			continue;
		fargs_pool_wait(s->pool, &s->streams[nr].ahead->job);
		give_back(s, &s->streams[nr].ahead->block);
	}
	while ((block = s->free)) {
		s->free = block->next;
		chunk = chunk_of(block);
		free(chunk->buf);
		free(chunk);
	}
	free(s);
}

struct fargs_merge *fargs_supply_merge(struct fargs_supply *s)
{
	return s->merge;
}

/*
 * Returns the time of the second-last clock sample minus LATE_NS, or 0: all earlier records are in
 * the file. The recorder holds back events for up to the interval between two samples, so in a file
 * with events, the third-last sample is used.
 */
static uint64_t safe_by_rounds(const struct fargs_supply *s)
{
	const struct fargs_clock_sample *samples;
	uint64_t ns = UINT64_MAX;
	size_t back = s->meta->nr_formats ? 3 : 2;
	unsigned int cpu;

	if (s->meta->nr_clocks < back)
		return 0;
	samples = s->meta->clocks[s->meta->nr_clocks - back].cpus;
	for (cpu = 0; cpu < s->meta->info.nr_cpus; cpu++)
		if (samples[cpu].is_valid && samples[cpu].perf_ns < ns)
			ns = samples[cpu].perf_ns;
	return ns != UINT64_MAX && ns > LATE_NS ? ns - LATE_NS : 0;
}

/*
 * The same for a file without clock samples: the newest event shows how far the recorder has
 * written.
 */
static uint64_t safe_by_newest(const struct fargs_supply *s)
{
	uint64_t ns = fargs_reader_newest(s->reader, s->meta->info.nr_cpus);

	return !s->meta->nr_clocks && ns > BARE_LATE_NS ? ns - BARE_LATE_NS : 0;
}

int fargs_supply_grow(struct fargs_supply *s, bool is_last, struct fargs_error_text *err)
{
	uint64_t before = fargs_merge_safe(s->merge), safe = before, ns;
	bool is_begun;
	int ret = fargs_reader_grow(s->reader, &is_begun, err), more = ret;

	if (ret < 0)
		return ret;
	if (fargs_clockline_update(fargs_merge_clock(s->merge), s->meta))
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	ns = safe_by_rounds(s);
	safe = ns > safe ? ns : safe;
	ns = safe_by_newest(s);
	safe = ns > safe ? ns : safe;
	if (is_last || !fargs_reader_is_growing(s->reader)) {
		safe = UINT64_MAX;
		s->is_growing = false;
	}
	ret = fargs_merge_settle(s->merge, safe, err);
	return ret ? ret : more || safe != before;
}
