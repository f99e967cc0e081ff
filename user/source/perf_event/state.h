/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State of a recording of events (perf.h). Private to open.c, which opens the events, and perf.c,
 * which starts, stops and reads them.
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
	int *fds;		/* @nr_fds descriptors; all use the buffer of the first one */
	size_t nr_fds;
	/* indexes of the @nr_names elements of @fds that report task names */
	size_t *names;
	size_t nr_names;
	size_t polled;		/* index of the element of @fds to poll; @nr_fds: all tasks ended */
	struct fargs_perf_ring ring;
	struct fargs_event_queue queue;
	uint64_t lost_reported;	/* number of lost events that LOST records reported */
	uint64_t lost;		/* lost events counted by descriptors that are already closed */
};

struct fargs_perf {
	const struct fargs_event_selection *selection;
	const struct fargs_perf_options *options;
	bool *is_refused;	/* for each match of @selection: perf cannot record the event */
	bool is_settled;	/* @is_refused is final */
	struct fargs_error_text refusal;	/* message of the last refusal */
	char *others;		/* filter that excludes fargs itself; NULL if tasks are selected */
	bool is_running;
	bool is_paused;
	int64_t offset_ns;	/* added to the times of all events */
	uint64_t record[(FARGS_EVENT_RECORD_MAX + 7) / 8];
	struct fargs_perf_cpu *cpus;
};

/*
 * Opens all events on CPU @nr, disabled. Opens none if the CPU has gone offline. Marks refused
 * events. Returns 0 or -errno with @err.
 */
int fargs_perf_open_cpu(struct fargs_perf *p, unsigned int nr, struct fargs_error_text *err);
/* Closes the events of a CPU, if any are open. */
void fargs_perf_close_cpu(struct fargs_perf_cpu *cpu);

/* Returns the number of lost events that the kernel counted for the events that are open. */
uint64_t fargs_perf_read_lost(const struct fargs_perf_cpu *cpu);

#endif
