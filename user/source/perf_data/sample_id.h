/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When, where and of whom a record is: the sample id at its end (sample_id_all).
 */
#ifndef FARGS_PT_PERF_SAMPLE_H
#define FARGS_PT_PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/perf_data/file.h"

struct fargs_perf_sample {
	bool has_task, has_time, has_cpu;
	int32_t pid;		/* -1: none */
	int32_t tid;
	uint32_t cpu;		/* UINT32_MAX: none */
	uint64_t ns;
	size_t bytes;		/* of the tail */
};

/* Bytes of the tail that records of an event with that sample_type have. */
size_t fargs_perf_sample_bytes(uint64_t sample_type);

/* Takes the tail of @rec apart by @sample_type; false: it is too short to have one. */
bool fargs_perf_sample_parse(struct fargs_perf_sample *s, const struct perf_event_header *rec,
			     uint64_t sample_type);

/* The same for a record of the kernel's in @file, by the event that it is of. */
bool fargs_perf_sample_find(struct fargs_perf_sample *s, const struct perf_event_header *rec,
			    const struct fargs_perf_file *file);

#endif
