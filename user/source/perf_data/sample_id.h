/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the sample id at the end of a record (sample_id_all): the task, time and CPU.
 */
#ifndef FARGS_SOURCE_PERF_DATA_SAMPLE_ID_H
#define FARGS_SOURCE_PERF_DATA_SAMPLE_ID_H

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
	uint64_t id;		/* of the event; UINT64_MAX: none */
	size_t bytes;		/* size of the sample id */
};

bool fargs_perf_event_has_id(const struct fargs_perf_event *ev, uint64_t id);

/* Returns the size of the sample id of records with @sample_type. */
size_t fargs_perf_sample_bytes(uint64_t sample_type);

/*
 * Parses the sample id of @rec according to @sample_type. Returns false if the record is too short.
 */
bool fargs_perf_sample_parse(struct fargs_perf_sample *s, const struct perf_event_header *rec,
			     uint64_t sample_type);

/*
 * Parses the sample id of @rec, a kernel record of @file, after finding the record's event. Returns
 * false if the record is too short, or its event has no sample ids.
 */
bool fargs_perf_sample_find(struct fargs_perf_sample *s, const struct perf_event_header *rec,
			    const struct fargs_perf_file *file);

#endif
