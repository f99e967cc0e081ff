// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/sample_id.h"

#include <string.h>

/* The parts of a sample id, in the order in which the kernel appends them. Each has 8 bytes. */
static const uint64_t parts[] = {
	PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
	PERF_SAMPLE_IDENTIFIER,
};

#define NR_PARTS	(sizeof(parts) / sizeof(parts[0]))
#define PART_BYTES	8

static const struct fargs_perf_sample nothing = {
	.pid = -1, .tid = -1, .cpu = UINT32_MAX, .id = UINT64_MAX,
};

size_t fargs_perf_sample_bytes(uint64_t sample_type)
{
	size_t bytes = 0, i;

	for (i = 0; i < NR_PARTS; i++)
		bytes += sample_type & parts[i] ? PART_BYTES : 0;
	return bytes;
}

static void take(struct fargs_perf_sample *s, uint64_t part, const uint8_t *at)
{
	switch (part) {
	case PERF_SAMPLE_TID:
		memcpy(&s->pid, at, sizeof(s->pid));
		memcpy(&s->tid, at + sizeof(s->pid), sizeof(s->tid));
		s->has_task = true;
		break;
	case PERF_SAMPLE_TIME:
		memcpy(&s->ns, at, sizeof(s->ns));
		s->has_time = true;
		break;
	case PERF_SAMPLE_CPU:
		memcpy(&s->cpu, at, sizeof(s->cpu));
		s->has_cpu = true;
		break;
	case PERF_SAMPLE_ID:
	case PERF_SAMPLE_IDENTIFIER:
		memcpy(&s->id, at, sizeof(s->id));
	}
}

bool fargs_perf_sample_parse(struct fargs_perf_sample *s, const struct perf_event_header *rec,
			     uint64_t sample_type)
{
	size_t bytes = fargs_perf_sample_bytes(sample_type), i;
	const uint8_t *at = (const uint8_t *)rec + rec->size - bytes;

	*s = nothing;
	if (rec->size < sizeof(*rec) + bytes)
		return false;
	s->bytes = bytes;
	for (i = 0; i < NR_PARTS; i++) {
		if (!(sample_type & parts[i]))
			continue;
		take(s, parts[i], at);
		at += PART_BYTES;
	}
	return true;
}

bool fargs_perf_event_has_id(const struct fargs_perf_event *ev, uint64_t id)
{
	size_t i;

	for (i = 0; i < ev->nr_ids; i++)
		if (ev->ids[i] == id)
			return true;
	return false;
}

/*
 * Returns the event of a record. If there are several events, a PERF_SAMPLE_IDENTIFIER at the end
 * of the record identifies its event. Records that perf synthesizes have no identifier; they have
 * the layout of the first event's records.
 */
static const struct fargs_perf_event *event_of(const struct perf_event_header *rec,
					       const struct fargs_perf_event *events, size_t nr)
{
	uint64_t id;
	size_t i;

	if (!nr || nr == 1 || !(events[0].attr.sample_type & PERF_SAMPLE_IDENTIFIER) ||
	    rec->size < sizeof(*rec) + sizeof(id))
		return nr ? events : NULL;
	memcpy(&id, (const uint8_t *)rec + rec->size - sizeof(id), sizeof(id));
	for (i = 0; i < nr; i++)
		if (fargs_perf_event_has_id(&events[i], id))
			return &events[i];
	return events;
}

bool fargs_perf_sample_find(struct fargs_perf_sample *s, const struct perf_event_header *rec,
			    const struct fargs_perf_file *file)
{
	const struct fargs_perf_event *events, *ev;
	size_t nr = fargs_perf_file_events(file, &events);

	ev = event_of(rec, events, nr);
	if (!ev || !ev->attr.sample_id_all) {
		*s = nothing;
		return false;
	}
	return fargs_perf_sample_parse(s, rec, ev->attr.sample_type);
}
