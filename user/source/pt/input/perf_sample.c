// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/perf_sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "source/perf_data/sample_id.h"

void fargs_perf_ids_deinit(struct fargs_perf_ids *ids)
{
	free(ids->all);
	*ids = (struct fargs_perf_ids){ };
}

int fargs_perf_ids_add(struct fargs_perf_ids *ids, const struct perf_event_header *head)
{
	const struct fargs_perf_id_index *index = (const void *)head, **to;

	if (head->size < sizeof(*index) ||
	    index->nr > (head->size - sizeof(*index)) / sizeof(index->entries[0]))
		return -EIO;
	to = fargs_array_add(ids->all, ids->nr);
	if (!to)
		return -ENOMEM;
	*to = index;
	return 0;
}

static const struct fargs_perf_id_index_entry *find_entry(const struct fargs_perf_ids *ids,
							  uint64_t id)
{
	const struct fargs_perf_id_index *index;
	size_t i, k;

	for (i = 0; i < ids->nr; i++) {
		index = ids->all[i];
		for (k = 0; k < index->nr; k++)
			if (index->entries[k].id == id)
				return &index->entries[k];
	}
	return NULL;
}

bool fargs_perf_has_aux_samples(const struct fargs_perf_file *file)
{
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(file, &events), i;

	for (i = 0; i < nr; i++)
		if (events[i].attr.sample_type & PERF_SAMPLE_AUX)
			return true;
	return false;
}

/*
 * Returns the event of a sample. Its id is at the same place in samples of all events, unless there
 * is only one event.
 */
static const struct fargs_perf_event *event_of(const struct perf_event_header *head,
					       const struct fargs_perf_event *events, size_t nr)
{
	int at = nr > 1 ? fargs_sample_id_at(events[0].attr.sample_type) : -1;
	uint64_t id;
	size_t i;

	if (at < 0 || head->size < sizeof(*head) + at + sizeof(id))
		return events;
	memcpy(&id, (const uint8_t *)(head + 1) + at, sizeof(id));
	for (i = 0; i < nr; i++)
		if (fargs_perf_event_has_id(&events[i], id))
			return &events[i];
	return events;
}

int fargs_perf_sample_read(struct fargs_sample *sample, const struct perf_event_header *head,
			   const struct fargs_perf_file *file, const struct fargs_perf_ids *ids)
{
	const struct fargs_perf_id_index_entry *entry;
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(file, &events);

	if (!nr || fargs_sample_parse(sample, head, &event_of(head, events, nr)->attr))
		return -EIO;
	if (sample->cpu >= 0 && sample->tid >= 0)
		return 0;
	entry = sample->id != UINT64_MAX ? find_entry(ids, sample->id) : NULL;
	if (entry && sample->cpu < 0)
		sample->cpu = (int32_t)entry->cpu;
	if (entry && sample->tid < 0)
		sample->tid = (int32_t)entry->tid;
	return 0;
}
