/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perf.data file of a guest: what it recorded about its tasks and code, as records of the
 * host's file. Source of the formats: linux/perf_event.h, and format.h.
 */
#ifndef FARGS_CMD_INJECT_GUEST_H
#define FARGS_CMD_INJECT_GUEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "cmd/inject/file.h"
#include "cmd/inject/guest_time.h"
#include "source/perf_data/file.h"

/* An id of the guest's events. */
struct fargs_guest_id {
	uint64_t id;
	uint64_t host_id;		/* another one, which no event of the host has */
	uint32_t vcpu;
	size_t event;
};

struct fargs_guest_record {
	const struct perf_event_header *head;
	uint64_t ns;			/* on the host's clock; 0: before the recording */
	size_t nr;			/* number of the record, to sort by */
};

/* A virtual CPU. */
struct fargs_guest_vcpu {
	uint32_t vcpu;
	uint32_t tid;			/* the host's thread that runs it */
	uint32_t cpu;			/* the host's CPU on which it ran last */
};

/* Initialize with zeroes. */
struct fargs_guest {
	struct fargs_perf_file *file;
	uint32_t pid;			/* of the hypervisor */
	struct fargs_guest_time time;	/* @offset and @scale are set by the caller */
	struct fargs_guest_id *ids;	/* in the order of the events */
	size_t nr_ids;
	uint64_t *host_ids;		/* host_id of each */
	struct fargs_inject_event *events;
	size_t nr_events;
	struct fargs_guest_record *records;	/* sorted by time once they are read */
	size_t nr_records;
	struct fargs_guest_vcpu *vcpus;
	size_t nr_vcpus;
	struct fargs_buf build_ids;	/* BUILD_ID records */
};

void fargs_guest_deinit(struct fargs_guest *g);

/* Reads the file @path. Returns 0 or -errno with @err. */
int fargs_guest_read(struct fargs_guest *g, const char *path, struct fargs_error_text *err);
/*
 * Makes g->events of the events, with ids that none of the @nr events of the host has. To be called
 * before the functions below. Returns 0 or -errno with @err.
 */
int fargs_guest_add_events(struct fargs_guest *g, const struct fargs_perf_event *host, size_t nr,
			   struct fargs_error_text *err);
/* Converts the times of records, for which g->time must be complete, and sorts the records. */
void fargs_guest_sort(struct fargs_guest *g);

/* Returns the virtual CPU of a thread of the host; NULL: none. */
struct fargs_guest_vcpu *fargs_guest_vcpu_of(const struct fargs_guest *g, uint32_t tid);
/*
 * Appends ID_INDEX records, which say of which machine and virtual CPU the events are; or a record
 * as one of the host's file. Return 0 or -errno with @err.
 */
int fargs_guest_put_index(const struct fargs_guest *g, struct fargs_buf *out,
			  struct fargs_error_text *err);
int fargs_guest_put_record(const struct fargs_guest *g, const struct fargs_guest_record *rec,
			   struct fargs_buf *out, struct fargs_error_text *err);

#endif
