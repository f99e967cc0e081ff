// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/file_samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "file/pt_file.h"
#include "source/pt/input/perf_aux.h"

static void forget(struct fargs_pt_file_samples *s)
{
	s->has_events = false;
	while (s->nr)
		free(s->samplers[--s->nr].name);
	free(s->samplers);
	s->samplers = NULL;
}

void fargs_pt_file_samples_deinit(struct fargs_pt_file_samples *s)
{
	forget(s);
	fargs_pt_copies_deinit(&s->copies);
}

int fargs_pt_file_samples_describe(struct fargs_pt_file_samples *s, const char *payload,
				   size_t bytes)
{
	struct fargs_file_pt_sampler head;
	struct fargs_pt_file_sampler *to;
	uint64_t at, end;

	forget(s);
	for (at = 0; at < bytes; at = end) {
		if (bytes - at < sizeof(head))
			return -EIO;
		memcpy(&head, payload + at, sizeof(head));
		at += sizeof(head);
		end = (at + head.attr_bytes + head.name_bytes + 7) & ~UINT64_C(7);
		if (end > bytes || head.attr_bytes < PERF_ATTR_SIZE_VER0)
			return -EIO;
		to = fargs_array_add(s->samplers, s->nr);
		if (!to)
			return -ENOMEM;
		*to = (struct fargs_pt_file_sampler){
			.name = strndup(payload + at + head.attr_bytes, head.name_bytes),
			.pebs_event = SIZE_MAX,
		};
		memcpy(&to->attr, payload + at, head.attr_bytes < sizeof(to->attr) ?
						head.attr_bytes : sizeof(to->attr));
		if (!to->name)
			return -ENOMEM;
	}
	return 0;
}

int fargs_pt_file_samples_add_outputs(struct fargs_pt_file_samples *s, struct fargs_pt_input *in)
{
	struct fargs_pt_pebs_event event;
	size_t i;
	int ret = 0;

	/* There are as many counters. */
	for (i = 0; !ret && i < s->nr && in->nr_pebs_events < FARGS_PT_PEBS_COUNTERS_MAX; i++) {
		if (!s->samplers[i].attr.aux_output)
			continue;
		s->samplers[i].pebs_event = in->nr_pebs_events;
		event = (struct fargs_pt_pebs_event){
			.attr = s->samplers[i].attr, .id = i, .name = strdup(s->samplers[i].name),
		};
		ret = fargs_pt_input_add_pebs_event(in, &event);
	}
	return ret;
}

int fargs_pt_file_samples_take_output(const struct fargs_pt_file_samples *s,
				      struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	uint64_t id = b->sample.id;

	return fargs_perf_aux_add_counter(in, b, true,
					  id < s->nr ? s->samplers[id].pebs_event : SIZE_MAX);
}

int fargs_pt_file_samples_next(const struct fargs_pt_file_samples *s, const char *payload,
			       size_t bytes, size_t *at, struct fargs_sample *sample, size_t *nr)
{
	const struct perf_event_header *head = (const void *)(payload + *at);
	uint64_t id;

	if (*at % 8 || bytes - *at < sizeof(*head) + sizeof(id) ||
	    head->size < sizeof(*head) + sizeof(id) || head->size > bytes - *at ||
	    head->type != PERF_RECORD_SAMPLE)
		return -EIO;
	/* The index of the event is in place of PERF_SAMPLE_IDENTIFIER, the first member. */
	memcpy(&id, head + 1, sizeof(id));
	if (id >= s->nr || !(s->samplers[id].attr.sample_type & PERF_SAMPLE_IDENTIFIER) ||
	    fargs_sample_parse(sample, head, &s->samplers[id].attr))
		return -EIO;
	*at += head->size;
	*nr = id;
	return 0;
}

/* Adds the names of the events, once. */
static int add_events(struct fargs_pt_file_samples *s, struct fargs_pt_input *in)
{
	size_t i;
	int ret = 0;

	if (s->has_events)
		return 0;
	s->has_events = true;
	s->events_at = in->nr_sampled_events;
	for (i = 0; !ret && i < s->nr; i++)
		ret = fargs_pt_input_add_sampled_event(in, strdup(s->samplers[i].name));
	return ret;
}

static int add_sampled(struct fargs_pt_input *in, const struct fargs_sample *sample, uint32_t cpu,
		       size_t event)
{
	const struct fargs_pt_sampled sampled = {
		.ns = sample->ns != UINT64_MAX ? sample->ns : 0, .ip = sample->ip,
		.period = sample->period, .cpu = cpu, .tid = sample->tid, .event = event,
	};

	fargs_pt_input_extend(in, sampled.ns);
	return fargs_pt_input_add_sampled(in, &sampled);
}

int fargs_pt_file_samples_take(struct fargs_pt_file_samples *s, struct fargs_pt_input *in,
			       uint32_t cpu, const char *payload, size_t bytes)
{
	struct fargs_pt_piece copy = { .offset = UINT64_MAX };
	struct fargs_pt_stream *stream;
	struct fargs_sample sample;
	size_t at = 0, nr;

	stream = fargs_pt_input_stream(in, cpu, -1);
	if (!stream || add_events(s, in))
		return -ENOMEM;
	while (at < bytes) {
		if (fargs_pt_file_samples_next(s, payload, bytes, &at, &sample, &nr))
			return -EIO;
		if (add_sampled(in, &sample, cpu, s->events_at + nr))
			return -ENOMEM;
		copy.bytes = sample.aux;
		copy.size = sample.aux_bytes;
		if (!copy.size)
			continue;
		s->has_copies = true;
		if (fargs_pt_copies_add(&s->copies, stream, &copy))
			return -ENOMEM;
	}
	return 0;
}
