/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A parsed record of the kernel: its fields, without the sample id at its end. The format is the
 * same in perf.data and in the sideband of an Intel PT recording.
 */
#ifndef FARGS_SOURCE_PERF_DATA_BODY_H
#define FARGS_SOURCE_PERF_DATA_BODY_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "source/perf_data/build_id.h"
#include "source/perf_data/sample_id.h"

struct fargs_perf_body {
	const struct perf_event_header *head;
	const uint8_t *at;
	size_t bytes;
	struct fargs_perf_sample sample;
};

/*
 * Initializes @b for the record at @head, whose parsed sample id is @sample. @b points into the
 * record, which must outlive @b.
 */
void fargs_perf_body_init(struct fargs_perf_body *b, const struct perf_event_header *head,
			  const struct fargs_perf_sample *sample);

/* Return the field at byte @at, which must be within b->bytes. */
uint32_t fargs_perf_body_u32(const struct fargs_perf_body *b, size_t at);
uint64_t fargs_perf_body_u64(const struct fargs_perf_body *b, size_t at);

/*
 * Sets @id to the build ID in an MMAP or MMAP2 record, which may be unknown. The record must not be
 * too short for its type.
 */
void fargs_perf_body_build_id(const struct fargs_perf_body *b, struct fargs_build_id *id);

#endif
