/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records Intel PT of all CPUs, and all that is needed to decode it, in this order: events
 * open, code copied, trace on … trace off. What else patches code (probes of ours) is to be
 * there before, and to go after: code that changes meanwhile is known by records alone.
 */
#ifndef FARGS_PT_RECORDER_H
#define FARGS_PT_RECORDER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/capture/pmu.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/terms.h"
#include "kernel/sym/ksyms.h"
#include "base/error.h"

struct fargs_pt_options {
	const struct fargs_pt_pmu *pmu;
	const struct fargs_pt_terms *terms;
	uint64_t aux_bytes;		/* of each CPU: a power of two of pages */
	bool is_snapshot;		/* nothing is handed over until fargs_pt_recorder_keep */
	unsigned int nr_cpus;		/* that are possible */
	const bool *cpus;		/* of nr_cpus: which are wanted; NULL: all */
	const struct fargs_ksyms *ksyms;	/* that the recording has already; NULL: none */
};

struct fargs_pt_recorder;

/* Opens the events, disabled. What @o points to, and @sink, must outlive it. NULL with @err. */
struct fargs_pt_recorder *fargs_pt_recorder_open(const struct fargs_pt_options *o,
						 const struct fargs_pt_sink *sink,
						 struct fargs_error_text *err);
void fargs_pt_recorder_close(struct fargs_pt_recorder *r);

/* Writes what there is to know, copies the code, and turns the trace on. -errno. */
int fargs_pt_recorder_start(struct fargs_pt_recorder *r, struct fargs_error_text *err);
/*
 * Of snapshots: turns the trace off, hands over what came since the last time, and turns
 * it on again; in between others may read what belongs to it. -errno.
 */
int fargs_pt_recorder_hold(struct fargs_pt_recorder *r, struct fargs_error_text *err);
int fargs_pt_recorder_keep(struct fargs_pt_recorder *r, struct fargs_error_text *err);
int fargs_pt_recorder_go_on(struct fargs_pt_recorder *r, struct fargs_error_text *err);
/* The sink has begun another file, and finished the one before: all code once more. -errno. */
int fargs_pt_recorder_split(struct fargs_pt_recorder *r, struct fargs_error_text *err);

/* Turns it off; what is in the buffers is read by one more fargs_pt_recorder_read. -errno. */
int fargs_pt_recorder_stop(struct fargs_pt_recorder *r, struct fargs_error_text *err);

/* Reads all buffers, copies code that came, and takes in CPUs that came. -errno. */
int fargs_pt_recorder_read(struct fargs_pt_recorder *r, struct fargs_error_text *err);
/* At the end of a file: writes what each CPU has in it, and lost. -errno. */
int fargs_pt_recorder_finish(struct fargs_pt_recorder *r, struct fargs_error_text *err);

/* What to poll for: at most two for each CPU. How many were put into @fds. */
size_t fargs_pt_recorder_poll(const struct fargs_pt_recorder *r, struct pollfd *fds, size_t room);

/* After finish: of nr_cpus, of all files, and the bytes of code. */
const struct fargs_file_pt_stats *fargs_pt_recorder_stats(const struct fargs_pt_recorder *r);
uint64_t fargs_pt_recorder_text_bytes(const struct fargs_pt_recorder *r);

#endif
