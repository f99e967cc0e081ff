// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/body.h"

#include <string.h>

void fargs_perf_body_init(struct fargs_perf_body *b, const struct perf_event_header *head,
			  const struct fargs_perf_sample *sample)
{
	b->head = head;
	b->at = (const uint8_t *)(head + 1);
	b->bytes = head->size - sizeof(*head) - sample->bytes;
	b->sample = *sample;
}

uint32_t fargs_perf_body_u32(const struct fargs_perf_body *b, size_t at)
{
	uint32_t v;

	memcpy(&v, b->at + at, sizeof(v));
	return v;
}

uint64_t fargs_perf_body_u64(const struct fargs_perf_body *b, size_t at)
{
	uint64_t v;

	memcpy(&v, b->at + at, sizeof(v));
	return v;
}
