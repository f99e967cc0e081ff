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

/* Returns what follows the entries of @index, in their order; NULL: nothing. */
static const struct fargs_perf_id_index_guest *guests_of(const struct fargs_perf_id_index *index)
{
	const struct fargs_perf_id_index_guest *guests = (const void *)&index->entries[index->nr];
	size_t bytes = index->head.size - sizeof(*index);

	return bytes >= index->nr * (sizeof(index->entries[0]) + sizeof(*guests)) ? guests : NULL;
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
	ids->has_guests |= guests_of(index) != NULL;
	return 0;
}

/* *@guest: NULL if it is of the host. Returns NULL if there is no such id. */
static const struct fargs_perf_id_index_entry *
find_entry(const struct fargs_perf_ids *ids, uint64_t id,
	   const struct fargs_perf_id_index_guest **guest)
{
	const struct fargs_perf_id_index_guest *guests;
	const struct fargs_perf_id_index *index;
	size_t i, k;

	for (i = 0; i < ids->nr; i++) {
		index = ids->all[i];
		for (k = 0; k < index->nr; k++) {
			if (index->entries[k].id != id)
				continue;
			guests = guests_of(index);
			*guest = guests && guests[k].pid ? &guests[k] : NULL;
			return &index->entries[k];
		}
	}
	return NULL;
}

bool fargs_perf_ids_guest(const struct fargs_perf_ids *ids, uint64_t id,
			  struct fargs_perf_guest_id *guest)
{
	const struct fargs_perf_id_index_entry *entry;
	const struct fargs_perf_id_index_guest *of;

	if (!ids->has_guests || !id || id == UINT64_MAX)
		return false;
	entry = find_entry(ids, id, &of);
	if (!entry || !of || of->pid > INT32_MAX || of->vcpu >= UINT32_MAX)
		return false;
	*guest = (struct fargs_perf_guest_id){
		.pid = (int32_t)of->pid, .vcpu = (uint32_t)of->vcpu, .tid = (int32_t)entry->tid,
	};
	return true;
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
	const struct fargs_perf_id_index_guest *guest;
	const struct fargs_perf_event *events;
	size_t nr = fargs_perf_file_events(file, &events);

	if (!nr || fargs_sample_parse(sample, head, &event_of(head, events, nr)->attr))
		return -EIO;
	if (sample->cpu >= 0 && sample->tid >= 0)
		return 0;
	entry = sample->id != UINT64_MAX ? find_entry(ids, sample->id, &guest) : NULL;
	if (entry && sample->cpu < 0)
		sample->cpu = (int32_t)entry->cpu;
	if (entry && sample->tid < 0)
		sample->tid = (int32_t)entry->tid;
	return 0;
}
