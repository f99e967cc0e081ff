/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel PT of one CPU: its perf events, their rings, and the AUX buffer.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_CPU_H
#define FARGS_SOURCE_PT_CAPTURE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/perf_ring.h"
#include "source/pt/capture/action.h"
#include "source/pt/capture/sideband_buffer.h"
#include "source/pt/capture/code_events.h"
#include "source/pt/capture/event.h"
#include "source/pt/capture/pmu.h"
#include "source/pt/capture/sampler.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/snapshot.h"
#include "source/pt/capture/task_events.h"
#include "source/pt/capture/terms.h"
#include "source/pt/capture/tracepoints.h"

/* Maximum bytes of records in one chunk. */
#define FARGS_PT_RECORDS_MAX	(256u << 10)

struct fargs_pt_request {
	struct fargs_pt_tasks tasks;
	const struct fargs_pt_pmu *pmu;
	const struct fargs_pt_terms *terms;
	const char *filter;		/* for PERF_EVENT_IOC_SET_FILTER; NULL: none */
	uint64_t aux_bytes;		/* AUX buffer size: a power of two, at least a page */
	uint64_t snapshot_bytes;	/* maximum size of a snapshot, if @is_snapshot */
	bool is_snapshot;		/* overwrite mode: only snapshots pass data to the sink */
	const struct fargs_pt_tracepoints *tracepoints;
	const struct fargs_pt_action *actions;	/* events that pause or resume the trace */
	size_t nr_actions;
	bool is_start_paused;
	bool is_sampled;		/* the trace is in samples alone: overwrite mode */
	/* Events whose samples have the end of the trace (@is_sampled), or are in the trace. */
	struct fargs_pt_sampler *samplers;
	size_t nr_samplers;
	size_t sample_ring_bytes;	/* size of the ring, if @is_sampled */
	struct fargs_pt_log log;	/* receives the attributes of opened events */
};

struct fargs_pt_cpu {
	unsigned int nr;
	const struct fargs_pt_request *request;
	int fds[FARGS_PT_RINGS];	/* indexed by enum fargs_pt_ring; -1: not open */
	pid_t tid;			/* task of the first event of the trace; -1: all tasks */
	/* The events of all tasks but the first of each ring, which write to the same ring. */
	struct fargs_pt_more_events more[FARGS_PT_RINGS];
	int tracepoint_fds[FARGS_PT_TRACEPOINTS];
	struct fargs_pt_action_events actions;
	struct fargs_pt_open_samplers samplers;
	struct fargs_perf_ring rings[FARGS_PT_RINGS];
	void *aux;			/* NULL: not mapped */
	uint64_t aux_at;		/* number of bytes read from the current AUX buffer */
	/* Number of bytes read from earlier AUX buffers, before the CPU went offline. */
	uint64_t aux_base;
	uint32_t next_flags;		/* flags for the next AUX chunk in the file */
	bool is_on;			/* tracing is enabled */
	bool has_begun;			/* tracing was enabled before, or will be by exec() */
	bool is_stopped;		/* the AUX buffer was full; the trace must be restarted */
	uint64_t *cuts;			/* values of @aux_at at which packets were lost */
	size_t nr_cuts, cuts_room;
	uint8_t *records;		/* records of one ring, to be written as one chunk */
	size_t nr_records;		/* size of the data in @records, in bytes */
	/* Samples of the request's events, to be written as one chunk; NULL without them. */
	uint8_t *samples;
	size_t samples_bytes;		/* size of the data in @samples */
	/* @sideband_buffers and @snapshot are used in overwrite mode only. */
	struct fargs_pt_sideband_buffer *sideband_buffers[FARGS_PT_RINGS];
	struct fargs_pt_snapshot snapshot;
	/* For each ring: number of records that its earlier events lost before they were closed. */
	uint64_t closed_lost[FARGS_PT_RINGS];
	uint64_t closed_lost_samples;	/* the same of the events that sample */
	struct fargs_file_pt_stats stats;
};

/*
 * Opens all events, disabled, and maps their buffers. Returns 0 or -errno with @err; in either
 * case the caller must call fargs_pt_cpu_close().
 */
int fargs_pt_cpu_open(struct fargs_pt_cpu *cpu, unsigned int nr,
		      const struct fargs_pt_request *request, struct fargs_error_text *err);
/* Updates the counts of lost records in cpu->stats. */
void fargs_pt_cpu_count(struct fargs_pt_cpu *cpu);
/* Closes and unmaps everything; cpu->stats remain valid. */
void fargs_pt_cpu_close(struct fargs_pt_cpu *cpu);

/*
 * fargs_pt_cpu_switch_side() enables or disables the sideband and tracepoint events;
 * fargs_pt_cpu_switch() enables or disables the trace. Both return 0 or -errno with @err.
 */
int fargs_pt_cpu_switch_side(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *err);
int fargs_pt_cpu_switch(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *err);

/*
 * Reads all new data, passes it to @sink, and adds code events to @code_events. Restarts a trace
 * that stopped because its buffer was full. In overwrite mode, nothing is passed to @sink: records
 * are kept in memory, and the trace stays in its buffer. Returns 0 or -errno with @err.
 */
int fargs_pt_cpu_read(struct fargs_pt_cpu *cpu, const struct fargs_pt_sink *sink,
		      struct fargs_pt_code_events *code_events, struct fargs_error_text *err);

/*
 * Takes a snapshot: passes all data since the last snapshot to @sink. The caller must first disable
 * the trace, and then call fargs_pt_cpu_read(). @is_first: this is the first snapshot in the file.
 * Returns 0 or -errno with @err.
 */
int fargs_pt_cpu_keep(struct fargs_pt_cpu *cpu, bool is_first, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *err);

/* Fills the time conversion of @config from the ring's first page. */
void fargs_pt_cpu_time(const struct fargs_pt_cpu *cpu, struct fargs_file_pt_config *config);

#endif
