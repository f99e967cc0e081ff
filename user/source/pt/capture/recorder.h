/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records Intel PT of the selected CPUs, and everything needed to decode the trace: opens the
 * events, copies the kernel's code, enables the trace, and finally disables it. Probes patch code,
 * and code that changes after it was copied is known only from perf records. So the caller should
 * install its probes before the recording begins, and remove them after it ends.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_RECORDER_H
#define FARGS_SOURCE_PT_CAPTURE_RECORDER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/sym/ksyms.h"
#include "source/pt/capture/action.h"
#include "source/pt/capture/event.h"
#include "source/pt/capture/pmu.h"
#include "source/pt/capture/sampler.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/task_events.h"
#include "source/pt/capture/terms.h"

struct fargs_pt_options {
	const struct fargs_pt_pmu *pmu;
	const struct fargs_pt_terms *terms;
	const char *filter;		/* for PERF_EVENT_IOC_SET_FILTER; NULL: none */
	uint64_t aux_bytes;		/* AUX buffer size: a power of two, at least a page */
	uint64_t snapshot_bytes;	/* maximum size of a snapshot, if @is_snapshot */
	struct fargs_pt_tasks tasks;	/* whose execution is traced; none: all */
	bool has_maps;			/* write the mappings of running programs */
	bool has_code;			/* copy the kernel's code, which is traced */
	bool is_snapshot;		/* nothing is written until fargs_pt_recorder_keep() */
	unsigned int nr_cpus;		/* number of possible CPUs */
	const bool *cpus;		/* nr_cpus elements: true for selected CPUs; NULL: all */
	const struct fargs_ksyms *ksyms;	/* symbols already in the recording; NULL: none */
	const struct fargs_pt_action *actions;	/* events that pause or resume the trace */
	size_t nr_actions;
	bool is_sampled;		/* this and the next three: as in struct fargs_pt_request */
	struct fargs_pt_sampler *samplers;
	size_t nr_samplers;
	size_t sample_ring_bytes;
	bool is_start_paused;		/* paused until an event resumes it */
	struct fargs_pt_log log;	/* receives the attributes of opened events */
};

struct fargs_pt_recorder;

/*
 * Opens the events, disabled. @sink, @o and the data that @o points to must outlive the recorder.
 * Returns NULL with @err on failure.
 */
struct fargs_pt_recorder *fargs_pt_recorder_open(const struct fargs_pt_options *o,
						 const struct fargs_pt_sink *sink,
						 struct fargs_error_text *err);
void fargs_pt_recorder_close(struct fargs_pt_recorder *r);

/*
 * Writes the configuration, copies the code, and enables the trace. Returns 0 or -errno with
 * @err.
 */
int fargs_pt_recorder_start(struct fargs_pt_recorder *r, struct fargs_error_text *err);
/*
 * To take a snapshot, call these three in order: fargs_pt_recorder_hold() disables the trace,
 * fargs_pt_recorder_keep() writes the data since the last snapshot, and fargs_pt_recorder_go_on()
 * enables the trace again. The caller may read its own buffers while the trace is disabled.
 * Without snapshots, the first and the last one leave out what runs in between. All three return 0
 * or -errno with @err.
 */
int fargs_pt_recorder_hold(struct fargs_pt_recorder *r, struct fargs_error_text *err);
int fargs_pt_recorder_keep(struct fargs_pt_recorder *r, struct fargs_error_text *err);
int fargs_pt_recorder_go_on(struct fargs_pt_recorder *r, struct fargs_error_text *err);
/*
 * Call after the sink has started another file: writes the configuration and all code again.
 * Returns 0 or -errno with @err.
 */
int fargs_pt_recorder_split(struct fargs_pt_recorder *r, struct fargs_error_text *err);

/*
 * Disables the trace; one more fargs_pt_recorder_read() reads the rest of the buffers. Returns 0
 * or -errno with @err.
 */
int fargs_pt_recorder_stop(struct fargs_pt_recorder *r, struct fargs_error_text *err);

/*
 * Reads all buffers, copies new code, and opens events for CPUs that went online. Returns 0 or
 * -errno with @err.
 */
int fargs_pt_recorder_read(struct fargs_pt_recorder *r, struct fargs_error_text *err);
/* Writes the statistics of each CPU at the end of a file. Returns 0 or -errno with @err. */
int fargs_pt_recorder_finish(struct fargs_pt_recorder *r, struct fargs_error_text *err);

/* Fills @fds with file descriptors to poll, at most two per CPU. Returns their number. */
size_t fargs_pt_recorder_poll(const struct fargs_pt_recorder *r, struct pollfd *fds, size_t room);

/*
 * Return totals over all files: fargs_pt_recorder_stats() returns an array with the statistics of
 * each of the nr_cpus CPUs, and fargs_pt_recorder_text_bytes() returns the number of bytes of code
 * that were written. Call after fargs_pt_recorder_finish().
 */
const struct fargs_file_pt_stats *fargs_pt_recorder_stats(const struct fargs_pt_recorder *r);
uint64_t fargs_pt_recorder_text_bytes(const struct fargs_pt_recorder *r);

#endif
