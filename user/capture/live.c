// SPDX-License-Identifier: GPL-2.0-only
#include "capture/live.h"

#include <errno.h>

#include "capture/capture.h"
#include "model/clock.h"
#include "model/event_record.h"
#include "uapi/fargs_record.h"

static uint64_t date(void *arg, unsigned int cpu, uint64_t tsc)
{
	struct fargs_live *live = arg;

	/* Streams from number nr_cpus on contain formatted events, whose times are in ns. */
	return cpu < live->meta->info.nr_cpus ? fargs_clockline_ns(live->clock, cpu, tsc) : tsc;
}

static int on_merged(void *arg, const struct fargs_stamped *stamped)
{
	struct fargs_live *live = arg;
	struct fargs_stamped own = *stamped;
	struct fargs_event ev;
	int ret;

	own.cpu %= live->meta->info.nr_cpus;
	ret = fargs_decoder_stamped(live->decoder, &own, &ev);
	/* The decoder counts corrupt records, which are reported at the end. */
	if (ret)
		return ret == -EIO ? 0 : ret;
	return live->event(live->arg, &ev);
}

int fargs_live_begin(struct fargs_live *live, struct fargs_meta *meta,
		     struct fargs_error_text *err)
{
	live->meta = meta;
	live->decoder = fargs_decoder_create(meta, err);
	if (!live->decoder)
		return -EINVAL;
	live->clock = fargs_decoder_clock(live->decoder);
	if (!live->clock)
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	live->merge = fargs_merge_create((meta->has_events ? 2 : 1) * meta->info.nr_cpus, date,
					 on_merged, live);
	return live->merge ? 0 : fargs_fail(err, ENOMEM, "no memory to merge the CPUs' records");
}

void fargs_live_deinit(struct fargs_live *live)
{
	fargs_merge_destroy(live->merge);
	if (live->decoder)
		fargs_decoder_destroy(live->decoder);
}

int fargs_live_records(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err)
{
	int ret = fargs_merge_add(live->merge, cpu, records, bytes);

	if (ret == -EIO)
		return fargs_fail(err, EIO,
				  "the records of CPU %u are corrupt: this is a bug in the "
				  "module", cpu);
	return ret ? fargs_fail(err, -ret, "no memory for records: trace fewer functions") : 0;
}

int fargs_live_events(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		      struct fargs_error_text *err)
{
	int ret = fargs_merge_add(live->merge, live->meta->info.nr_cpus + cpu, records, bytes);

	return ret ? fargs_fail(err, -ret, "no memory for events: record fewer of them") : 0;
}

int fargs_live_clock(struct fargs_live *live, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err)
{
	if (fargs_clockline_add(live->clock, samples))
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	return 0;
}

/* Returns the time in ns before which all records have arrived and have their final times. */
static uint64_t safe_ns(const struct fargs_live *live, uint64_t now_tsc)
{
	uint64_t ns = fargs_clockline_settled(live->clock);

	/*
	 * Without the module there are neither clocks nor calls, and events arrive in time order.
	 */
	if (now_tsc == FARGS_CAPTURE_END || live->meta->is_bare)
		return UINT64_MAX;
	if (ns == UINT64_MAX)
		ns = fargs_clockline_ns(live->clock, 0, now_tsc);
	return ns > FARGS_CAPTURE_LATE_NS ? ns - FARGS_CAPTURE_LATE_NS : 0;
}

int fargs_live_flush(struct fargs_live *live, uint64_t now_tsc, uint64_t held_ns)
{
	uint64_t safe = safe_ns(live, now_tsc);

	return fargs_merge_flush(live->merge, safe < held_ns ? safe : held_ns);
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
