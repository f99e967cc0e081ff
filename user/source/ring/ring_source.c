// SPDX-License-Identifier: GPL-2.0-only
#include "source/ring/ring_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/clock.h"
#include "model/walk.h"
#include "source/records/records.h"

/* A copy of records that were read from a ring. */
struct queued {
	struct fargs_merge_block block;	/* the first member */
	uint8_t *buf;
	size_t room;
};

struct queue {
	struct fargs_merge_block *first, *last;	/* NULL: the queue is empty */
};

struct ring_source {
	struct fargs_records records;
	struct fargs_merge_block *free;	/* list of blocks that can be reused */
	unsigned int nr_queues;
	struct queue *queues;		/* one for each stream of the merge */
};

static struct ring_source *of(struct fargs_event_source *source)
{
	return (struct ring_source *)source;
}

static int next_block(void *arg, unsigned int stream, struct fargs_merge_block **block,
		      struct fargs_error_text *err)
{
	struct ring_source *r = arg;
	struct queue *q = &r->queues[stream];

	*block = q->first;
	if (!q->first)
		return 0;
	q->first = q->first->next;
	return 1;
}

static void give_back(void *arg, struct fargs_merge_block *blocks)
{
	struct ring_source *r = arg;

	fargs_merge_blocks_add(&r->free, blocks);
}

/* Returns a block with a copy of @bytes of @records, or NULL. */
static struct fargs_merge_block *copy(struct ring_source *r, const void *records, size_t bytes)
{
	struct queued *q = (struct queued *)r->free;
	uint8_t *buf;

	if (!q) {
		q = calloc(1, sizeof(*q));
		if (!q)
			return NULL;
		give_back(r, &q->block);
	}
	if (q->room < bytes) {
		buf = malloc(bytes);
		if (!buf)
			return NULL;
		free(q->buf);
		q->buf = buf;
		q->room = bytes;
	}
	memcpy(q->buf, records, bytes);
	r->free = q->block.next;
	q->block = (struct fargs_merge_block){ .records = q->buf, .bytes = bytes };
	return &q->block;
}

/* Are these whole records? */
static bool is_whole(const uint8_t *records, size_t bytes)
{
	size_t at, len;

	for (at = 0; at < bytes; at += len) {
		len = fargs_walk_len(records + at, bytes - at);
		if (!len)
			return false;
	}
	return true;
}

/* Returns 0; -EIO if the lengths of the records do not add up to @bytes; or -ENOMEM. */
static int add(struct ring_source *r, unsigned int stream, const void *records, size_t bytes)
{
	struct fargs_merge_block *block;
	struct queue *q;

	if (stream >= r->nr_queues || !is_whole(records, bytes))
		return -EIO;
	if (!bytes)
		return 0;
	block = copy(r, records, bytes);
	if (!block)
		return -ENOMEM;
	q = &r->queues[stream];
	if (q->first)
		q->last->next = block;
	else
		q->first = block;
	q->last = block;
	return 0;
}

int fargs_ring_source_records(struct fargs_event_source *source, unsigned int cpu,
			      const void *records, size_t bytes, struct fargs_error_text *err)
{
	int ret = cpu < source->meta->info.nr_cpus ? add(of(source), cpu, records, bytes) : -EIO;

	if (ret == -EIO)
		return fargs_fail(err, EIO, "the records of CPU %u are corrupt: this is a bug in "
				  "the module", cpu);
	return ret ? fargs_fail(err, -ret, "no memory for records: trace fewer functions") : 0;
}

int fargs_ring_source_events(struct fargs_event_source *source, unsigned int cpu,
			     const void *records, size_t bytes, struct fargs_error_text *err)
{
	int ret = add(of(source), source->meta->info.nr_cpus + cpu, records, bytes);

	if (ret == -EIO)
		return fargs_fail(err, EIO, "the events of CPU %u are corrupt: this is a bug in "
				  "fargs", cpu);
	return ret ? fargs_fail(err, -ret, "no memory for events: record fewer of them") : 0;
}

int fargs_ring_source_clock(struct fargs_event_source *source,
			    const struct fargs_clock_sample *samples, struct fargs_error_text *err)
{
	/* The decoder converts the times of entries, with a clock of its own. */
	struct fargs_clockline *own = fargs_decoder_clock(source->decoder);

	if (!own || fargs_clockline_add(own, samples) ||
	    fargs_clockline_add(fargs_merge_clock(of(source)->records.merge), samples))
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	return 0;
}

/* Returns the time in ns before which all records were added and have their final times. */
static uint64_t safe_ns(const struct ring_source *r, uint64_t now_tsc, uint64_t late_ns)
{
	struct fargs_clockline *clock = fargs_merge_clock(r->records.merge);
	uint64_t ns = fargs_clockline_settled(clock);

	/*
	 * Without the module there are neither clocks nor calls, and events arrive in time order.
	 */
	if (now_tsc == FARGS_RING_SOURCE_END || r->records.base.meta->is_bare)
		return UINT64_MAX;
	if (ns == UINT64_MAX)
		ns = fargs_clockline_ns(clock, 0, now_tsc);
	return ns > late_ns ? ns - late_ns : 0;
}

int fargs_ring_source_settle(struct fargs_event_source *source, uint64_t now_tsc,
			     uint64_t late_ns, uint64_t held_ns, struct fargs_error_text *err)
{
	struct ring_source *r = of(source);
	uint64_t safe = safe_ns(r, now_tsc, late_ns);

	return fargs_merge_settle(r->records.merge, safe < held_ns ? safe : held_ns, err);
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	int ret = fargs_records_pass(&of(source)->records, feed, err);

	return ret < 0 ? ret : 0;
}

static const struct fargs_event_source_ops ops = {
	.run = run, .event = fargs_records_event, .release = fargs_records_release,
};

static int begin(struct ring_source *r, struct fargs_meta *meta, struct fargs_error_text *err)
{
	const struct fargs_merge_supply supply = {
		.arg = r, .next = next_block, .give_back = give_back,
	};
	int ret = fargs_records_init(&r->records, meta, err);

	if (ret)
		return ret;
	r->nr_queues = (meta->has_events ? 2 : 1) * meta->info.nr_cpus;
	r->queues = calloc(r->nr_queues, sizeof(*r->queues));
	if (!r->queues)
		return fargs_fail(err, ENOMEM, "no memory for the rings");
	r->records.merge = fargs_merge_create(meta, r->nr_queues, &supply, err);
	if (!r->records.merge)
		return -ENOMEM;
	r->records.base.ops = &ops;
	r->records.base.what = "a running session";
	return fargs_merge_settle(r->records.merge, 0, err);
}

struct fargs_event_source *fargs_ring_source_create(struct fargs_meta *meta,
						    struct fargs_error_text *err)
{
	struct ring_source *r = calloc(1, sizeof(*r));

	if (!r) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	if (begin(r, meta, err)) {
		fargs_ring_source_destroy(&r->records.base);
		return NULL;
	}
	return &r->records.base;
}

void fargs_ring_source_destroy(struct fargs_event_source *source)
{
	struct fargs_merge_block *block;
	struct ring_source *r;
	unsigned int i;

	if (!source)
		return;
	r = of(source);
	fargs_merge_destroy(r->records.merge);
	for (i = 0; r->queues && i < r->nr_queues; i++)
		give_back(r, r->queues[i].first);
	while ((block = r->free)) {
		r->free = block->next;
		free(((struct queued *)block)->buf);
		free(block);
	}
	free(r->queues);
	fargs_records_deinit(&r->records);
	free(r);
}
