// SPDX-License-Identifier: GPL-2.0-only
#include "capture/live.h"

#include <errno.h>

#include "capture/capture.h"
#include "model/event_record.h"
#include "source/ring/ring_source.h"
#include "uapi/fargs_record.h"

int fargs_live_begin(struct fargs_live *live, struct fargs_meta *meta,
		     const struct fargs_sink *sink, fargs_pipeline_fn fn, void *arg,
		     struct fargs_error_text *err)
{
	/* Few events are shown compared with those recorded, so one thread decodes them. */
	live->options.nr_threads = 1;
	live->source = fargs_ring_source_create(meta, err);
	if (!live->source)
		return -EINVAL;
	live->pipeline = fargs_pipeline_create(live->source, sink, &live->options, err);
	if (!live->pipeline)
		return -EINVAL;
	if (fargs_pipeline_begin(live->pipeline, fn, arg))
		return fargs_fail(err, ENOMEM, "out of memory");
	return 0;
}

void fargs_live_deinit(struct fargs_live *live)
{
	fargs_pipeline_destroy(live->pipeline);
	fargs_ring_source_destroy(live->source);
}

int fargs_live_records(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err)
{
	return fargs_ring_source_records(live->source, cpu, records, bytes, err);
}

int fargs_live_events(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		      struct fargs_error_text *err)
{
	return fargs_ring_source_events(live->source, cpu, records, bytes, err);
}

int fargs_live_clock(struct fargs_live *live, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err)
{
	return fargs_ring_source_clock(live->source, samples, err);
}

int fargs_live_flush(struct fargs_live *live, uint64_t now_tsc, uint64_t held_ns,
		     struct fargs_error_text *err)
{
	int ret;

	_Static_assert(FARGS_CAPTURE_END == FARGS_RING_SOURCE_END, "one value for both");
	ret = fargs_ring_source_settle(live->source, now_tsc, FARGS_CAPTURE_LATE_NS, held_ns, err);
	return ret ? ret : fargs_pipeline_pump(live->pipeline, err);
}

bool fargs_live_is_counted(const struct fargs_event *ev)
{
	switch (ev->kind) {
	case FARGS_KIND_RETURN:
		return !ev->is_pair;
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_TPOINT:
	case FARGS_KIND_EVENT:
	case FARGS_KIND_SWITCH:
		return true;
	default:
		return false;
	}
}
