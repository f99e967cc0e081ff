/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intel PT of one CPU: its events, their rings, and the AUX buffer that the CPU writes.
 */
#ifndef FARGS_PT_CPU_H
#define FARGS_PT_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/perf_ring.h"
#include "source/pt/capture/backlog.h"
#include "source/pt/capture/news.h"
#include "source/pt/capture/pmu.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/snapshot.h"
#include "source/pt/capture/terms.h"
#include "base/error.h"

/* Tracepoints that say that a module came or went. */
#define FARGS_PT_TRACEPOINTS	2

struct fargs_pt_wish {
	const struct fargs_pt_pmu *pmu;
	const struct fargs_pt_terms *terms;
	uint64_t aux_bytes;		/* a power of two of pages */
	bool is_snapshot;		/* the buffer is overwritten until it is wanted */
	uint64_t tracepoints[FARGS_PT_TRACEPOINTS];	/* their ids */
	size_t nr_tracepoints;
};

struct fargs_pt_cpu {
	unsigned int nr;
	const struct fargs_pt_wish *wish;
	int fds[FARGS_PT_RINGS];	/* by ring; -1: not open */
	int tracepoint_fds[FARGS_PT_TRACEPOINTS];
	struct fargs_perf_ring rings[FARGS_PT_RINGS];
	void *aux;			/* NULL: not mapped */
	uint64_t aux_at;		/* read up to here */
	uint64_t aux_base;		/* read from buffers before this one, of a CPU that went */
	uint32_t next_flags;		/* of the next chunk of it */
	bool is_on;			/* is it to trace? */
	bool is_stopped;		/* there was no room, and it does not go on by itself */
	uint64_t *cuts;			/* where something is missing; read, not used yet */
	size_t nr_cuts;
	uint8_t *records;		/* of a ring, for one chunk */
	size_t nr_records;		/* bytes of them */
	struct fargs_pt_backlog *backlogs[FARGS_PT_RINGS];	/* of snapshots */
	struct fargs_pt_snapshot snapshot;
	uint64_t closed_lost[FARGS_PT_RINGS];	/* by events that are closed */
	struct fargs_file_pt_stats stats;
};

/* Opens all, disabled. To be closed in either case. -errno. */
int fargs_pt_cpu_open(struct fargs_pt_cpu *cpu, unsigned int nr, const struct fargs_pt_wish *wish,
		      struct fargs_error_text *err);
/* Counts what was lost up to now, in cpu->stats. */
void fargs_pt_cpu_count(struct fargs_pt_cpu *cpu);
/* What it counted stays in cpu->stats. */
void fargs_pt_cpu_close(struct fargs_pt_cpu *cpu);

/* What is beside it, and the trace, on or off; -errno. */
int fargs_pt_cpu_switch_side(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *err);
int fargs_pt_cpu_switch(struct fargs_pt_cpu *cpu, bool is_on, struct fargs_error_text *err);

/*
 * Reads all that there is, hands it to @sink, and notes in @news what code came. Where the
 * trace had stopped for want of room it goes on. Of snapshots nothing is handed over, but
 * kept in memory. -errno.
 */
int fargs_pt_cpu_read(struct fargs_pt_cpu *cpu, const struct fargs_pt_sink *sink,
		      struct fargs_pt_news *news, struct fargs_error_text *err);

/*
 * Of snapshots, while the trace is off and all was read: hands over what came since the
 * last time. @is_first: nothing that the next chunks could continue is there. -errno.
 */
int fargs_pt_cpu_keep(struct fargs_pt_cpu *cpu, bool is_first, const struct fargs_pt_sink *sink,
		      struct fargs_error_text *err);

/* Fills in the time of @config, by what the kernel says in the ring's first page. */
void fargs_pt_cpu_time(const struct fargs_pt_cpu *cpu, struct fargs_file_pt_config *config);

#endif
