// SPDX-License-Identifier: GPL-2.0-only
#include "source/fargs_dat/fargs_dat.h"

#include <errno.h>
#include <stdlib.h>

#include "model/clock.h"
#include "source/fargs_dat/supply.h"
#include "source/records/records.h"

struct dat {
	struct fargs_records records;
	struct fargs_reader *reader;
	struct fargs_supply *supply;	/* NULL unless the source runs */
};

static struct dat *of(struct fargs_event_source *source)
{
	return (struct dat *)source;
}

static int span(struct fargs_event_source *source, uint64_t *first_ns, uint64_t *last_ns,
		struct fargs_error_text *err)
{
	const struct dat *dat = of(source);
	unsigned int nr_cpus = source->meta->info.nr_cpus, stream;
	struct fargs_clockline *clock = fargs_decoder_clock(source->decoder);
	uint64_t first, last, latest = 0;

	if (!clock)
		return fargs_fail(err, ENOMEM, "out of memory");
	*first_ns = UINT64_MAX;
	for (stream = 0; stream < FARGS_READER_STREAMS(nr_cpus); stream++) {
		if (!fargs_reader_span(dat->reader, stream, &first, &last))
			continue;
		if (stream < nr_cpus) {
			first = fargs_clockline_ns(clock, stream, first);
			last = fargs_clockline_ns(clock, stream, last);
		}
		*first_ns = first < *first_ns ? first : *first_ns;
		latest = last > latest ? last : latest;
	}
	*last_ns = latest > *first_ns ? latest : *first_ns;
	return 0;
}

/* Waits for more records. Returns 1 if there are any; 0 if the source must end; or -errno. */
static int wait_for_more(struct dat *dat, const struct fargs_feed *feed,
			 struct fargs_error_text *err)
{
	bool is_last;
	int ret = 0;

	while (!ret) {
		is_last = !feed->wait(feed->arg);
		ret = fargs_supply_grow(dat->supply, is_last, err);
		if (!ret && is_last)
			break;
	}
	return ret;
}

static int run(struct fargs_event_source *source, const struct fargs_feed *feed,
	       struct fargs_error_text *err)
{
	struct dat *dat = of(source);
	int ret;

	dat->supply = fargs_supply_create(dat->reader, source->meta, feed->pool, err);
	if (!dat->supply)
		return -EINVAL;
	dat->records.merge = fargs_supply_merge(dat->supply);
	do {
		ret = fargs_records_pass(&dat->records, feed, err);
		if (ret == FARGS_RECORDS_ENOUGH)
			return 0;
		if (ret == FARGS_MERGE_WAITS)
			ret = wait_for_more(dat, feed, err);
	} while (ret > 0);
	return ret;
}

static void end(struct fargs_event_source *source)
{
	struct dat *dat = of(source);

	fargs_supply_destroy(dat->supply);
	dat->supply = NULL;
	dat->records.merge = NULL;
}

/* A growing file has no last time yet, and chunks of version 1 have no times. */
static bool has_span(const struct fargs_reader *r, const struct fargs_meta *meta)
{
	uint64_t first, last;
	unsigned int i;

	for (i = 0; i < FARGS_READER_STREAMS(meta->info.nr_cpus); i++)
		if (fargs_reader_span(r, i, &first, &last) && last == UINT64_MAX)
			return false;
	return !fargs_reader_is_growing(r);
}

static const struct fargs_event_source_ops ops = {
	.span = span, .run = run, .event = fargs_records_event, .release = fargs_records_release,
	.end = end,
};

struct fargs_event_source *fargs_dat_source_create(struct fargs_reader *r, struct fargs_meta *meta,
					     struct fargs_error_text *err)
{
	struct dat *dat = calloc(1, sizeof(*dat));

	if (!dat) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	dat->reader = r;
	if (fargs_records_init(&dat->records, meta, err)) {
		fargs_dat_source_destroy(&dat->records.base);
		return NULL;
	}
	dat->records.base.ops = &ops;
	dat->records.base.what = "a trace file";
	dat->records.base.facts |= FARGS_FACT_COUNTERS | FARGS_FACT_GROWTH;
	if (has_span(r, meta))
		dat->records.base.facts |= FARGS_FACT_SPAN;
	return &dat->records.base;
}

void fargs_dat_source_destroy(struct fargs_event_source *source)
{
	if (!source)
		return;
	fargs_records_deinit(&of(source)->records);
	free(of(source));
}
