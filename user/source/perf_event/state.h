/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a recording (perf.h), for its parts alone: what opens its events (open.c), and what
 * runs and reads them (perf.c).
 */
#ifndef FARGS_SOURCE_PERF_EVENT_STATE_H
#define FARGS_SOURCE_PERF_EVENT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/perf_ring.h"
#include "model/event_record.h"
#include "source/perf_event/perf.h"
#include "source/perf_event/queue.h"

struct fargs_perf_cpu {
	bool is_wanted;
	bool is_online;
	int *fds;		/* nr_fds of them: the first one has the buffer, for all */
	size_t nr_fds;
	size_t polled;		/* of fds; nr_fds: of all the tasks have ended */
	struct fargs_perf_ring ring;
	struct fargs_event_queue queue;
	uint64_t told;		/* lost, by records that were read */
	uint64_t lost;		/* by the counters of those that are closed */
};

struct fargs_perf {
	const struct fargs_event_selection *selection;
	const struct fargs_perf_options *options;
	bool *is_refused;	/* by match: as was found with the first task and CPU */
	bool is_settled;	/* no other one is */
	struct fargs_error_text refusal;	/* of the last one */
	char *others;		/* "common_pid != N && …": not ourselves; NULL: of some tasks */
	bool is_running;
	int64_t offset_ns;	/* of all times */
	uint64_t record[(FARGS_EVENT_RECORD_MAX + 7) / 8];
	struct fargs_perf_cpu *cpus;
};

/*
 * Opens all events on CPU @nr, stopped; none, if it has gone since. Events that are refused are
 * marked. -errno with @err.
 */
int fargs_perf_open_cpu(struct fargs_perf *p, unsigned int nr, struct fargs_error_text *err);
/* Also one that is not open. */
void fargs_perf_close_cpu(struct fargs_perf_cpu *cpu);

/* What its open events lost, as the kernel counted it. */
uint64_t fargs_perf_read_lost(const struct fargs_perf_cpu *cpu);

#endif
