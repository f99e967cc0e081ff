// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/body.h"

#include <string.h>

/*
 * Offset of the build ID in the body of an MMAP2 record, instead of device and inode: a byte with
 * its size, three unused bytes, and its bytes.
 */
#define BUILD_ID_AT	32

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

void fargs_perf_body_build_id(const struct fargs_perf_body *b, struct fargs_build_id *id)
{
	size_t nr;

	*id = (struct fargs_build_id){ };
	if (b->head->type != PERF_RECORD_MMAP2 ||
	    !(b->head->misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		return;
	nr = b->at[BUILD_ID_AT];
	fargs_build_id_set(id, b->at + BUILD_ID_AT + 4,
			   nr < FARGS_BUILD_ID_MAX ? nr : FARGS_BUILD_ID_MAX);
}
