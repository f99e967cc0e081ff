/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel's records beside a trace tell, whatever file they are in: tasks, their
 * names and switches, and code that changed or is a program's.
 */
#ifndef FARGS_PT_PERF_RECORD_H
#define FARGS_PT_PERF_RECORD_H

#include "source/pt/input/input.h"
#include "source/perf_data/sample_id.h"

/* A record with the part of its own, which is without the sample id. */
struct fargs_perf_body {
	const struct perf_event_header *head;
	const uint8_t *at;
	size_t bytes;
	struct fargs_perf_sample sample;
};

/* @sample: the tail of the record at @head, which has one of @sample.bytes. */
void fargs_perf_body_init(struct fargs_perf_body *b, const struct perf_event_header *head,
			  const struct fargs_perf_sample *sample);

uint32_t fargs_perf_body_u32(const struct fargs_perf_body *b, size_t at);
uint64_t fargs_perf_body_u64(const struct fargs_perf_body *b, size_t at);

/*
 * Adds to @in what the record tells; the bytes of @b must stay. 0, also of those that tell
 * nothing; -EIO: it is too short for its type; -ENOMEM.
 */
int fargs_perf_record_take(struct fargs_pt_input *in, const struct fargs_perf_body *b);

#endif
