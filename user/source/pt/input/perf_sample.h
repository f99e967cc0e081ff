/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AUX samples of perf.data (perf record --aux-sample): each has a copy of the most recent part of
 * an AUX buffer.
 */
#ifndef FARGS_SOURCE_PT_INPUT_PERF_SAMPLE_H
#define FARGS_SOURCE_PT_INPUT_PERF_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "source/perf_data/file.h"
#include "source/perf_data/sample.h"

/* Initialize with zeroes. The ids point into the file's records. */
struct fargs_perf_ids {
	const struct fargs_perf_id_index **all;
	size_t nr;
	bool has_guests;	/* there are ids of events of guests */
};

/* Of what an event of a guest is. */
struct fargs_perf_guest_id {
	int32_t pid;		/* of the hypervisor */
	uint32_t vcpu;
	int32_t tid;		/* thread of the hypervisor; -1: unknown */
};

void fargs_perf_ids_deinit(struct fargs_perf_ids *ids);

/* Adds an ID_INDEX record. Returns 0, -EIO if it is too short, or -ENOMEM. */
int fargs_perf_ids_add(struct fargs_perf_ids *ids, const struct perf_event_header *head);

/* Finds of which guest the event with @id is. Returns false if it is not of a guest. */
bool fargs_perf_ids_guest(const struct fargs_perf_ids *ids, uint64_t id,
			  struct fargs_perf_guest_id *guest);

/* Returns whether samples of an event of @file have AUX data. */
bool fargs_perf_has_aux_samples(const struct fargs_perf_file *file);

/*
 * Parses the sample @head of @file. If it does not contain the CPU or the task, those of its id are
 * used. Returns 0, or -EIO if it is too short for its fields.
 */
int fargs_perf_sample_read(struct fargs_sample *sample, const struct perf_event_header *head,
			   const struct fargs_perf_file *file, const struct fargs_perf_ids *ids);

#endif
