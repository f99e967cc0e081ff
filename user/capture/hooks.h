/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Callbacks of the recording engine. The engine prints nothing and knows neither options nor
 * terminals: the caller decides whether and how to show something.
 */
#ifndef FARGS_CAPTURE_HOOKS_H
#define FARGS_CAPTURE_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"
#include "select/resolve/deferred.h"
#include "select/resolve/select.h"
#include "uapi/fargs.h"

struct fargs_capture;

/* The part of the request that is at fault, if the error text does not say it. */
enum fargs_capture_fault {
	FARGS_FAULT_OTHER,	/* the text says it */
	FARGS_FAULT_REALTIME,
	FARGS_FAULT_COMMS,	/* task names, together with events */
	FARGS_FAULT_TASKS,	/* no thread of tids belongs to a process of pids */
	FARGS_FAULT_PT,		/* Intel PT and its terms */
	FARGS_FAULT_AUX_BYTES,
};

struct fargs_capture_error {
	enum fargs_capture_fault fault;
	struct fargs_error_text text;
};

/* fargs_fail() with a fault. */
#define fargs_capture_fail(err, why, code, ...)		\
	((err)->fault = (why), fargs_fail(&(err)->text, code, __VA_ARGS__))

enum fargs_capture_phase {
	FARGS_CAPTURE_ATTACHING,	/* takes long if there are many functions */
	FARGS_CAPTURE_RECORDING,
	FARGS_CAPTURE_ENDING,
	FARGS_CAPTURE_DETACHING,	/* takes long, too */
	FARGS_CAPTURE_DETACHED,
};

enum fargs_note_kind {
	FARGS_NOTE_WARNING,		/* @name is its text */
	FARGS_NOTE_STALE_MODULE,	/* module @name was loaded, but is of another build */
	FARGS_NOTE_LOADED_REFUSED,	/* @nr functions of modules loaded since cannot be traced */
	FARGS_NOTE_ALL_UNLOADED,	/* all traced functions were unloaded with their modules */
	FARGS_NOTE_EVENTS_REFUSED,	/* perf cannot record @nr of the @of matching events */
	FARGS_NOTE_CPU_ONLINE,		/* CPU number @nr */
	FARGS_NOTE_CPU_OFFLINE,
	FARGS_NOTE_KEPT,		/* the records of trigger @nr of @of were kept */
	FARGS_NOTE_KEPT_LAST,		/* the same; command @name is no longer traced */
	FARGS_NOTE_COMMAND_LEFT,	/* command @name, process @nr, continues untraced */
};

struct fargs_capture_note {
	enum fargs_note_kind kind;
	const char *name;
	uint64_t nr, of;
};

/* Recorded so far; 0: unknown. */
struct fargs_capture_taken {
	uint64_t nr_events;
	uint64_t bytes;		/* size of the file */
};

struct fargs_capture_progress {
	struct fargs_capture *capture;	/* for fargs_capture_lost() */
	uint64_t now_ms;		/* CLOCK_MONOTONIC */
	struct fargs_capture_taken taken;
	uint64_t unread;	/* bytes in the fullest ring since progress was last shown */
	uint64_t ring_bytes;	/* 0: no rings */
	bool is_flight;		/* waiting for a trigger: taken is not used */
	unsigned int nr_kept;	/* triggers whose records were kept */
};

/* Calls and events lost by the kernel so far. Queries the module: do not call at every turn. */
uint64_t fargs_capture_lost(struct fargs_capture *c);

/* Intel PT recorded on all CPUs. */
struct fargs_pt_outcome {
	const char *terms;	/* the recorded terms */
	uint64_t aux_bytes;
	uint64_t text_bytes;	/* bytes of kernel code copied */
	uint64_t nr_truncated;	/* places where Intel PT was lost */
	uint64_t nr_lost;	/* records lost in the perf rings of Intel PT and its sideband */
};

/* Outcome of a completed recording. */
struct fargs_capture_outcome {
	const struct fargs_meta *meta;	/* with stats, event_stats and missed */
	const struct fargs_stats *stats;
	const struct fargs_pt_outcome *pt;	/* NULL: none was recorded */
};

/* All callbacks are required. They run on the thread of fargs_capture_run(). */
struct fargs_capture_hooks {
	void *arg;
	/*
	 * Called before the sink begins: adds data to @meta that only the caller has. 0, or
	 * -errno with @err, which ends the capture.
	 */
	int (*describe)(void *arg, struct fargs_meta *meta, struct fargs_error_text *err);
	/* The selected functions, of which @nr_traced are traced. */
	void (*functions)(void *arg, const struct fargs_select *sel, size_t nr_traced);
	/* The selected tracepoints. If none can be traced, failed() follows. */
	void (*tpoints)(void *arg, const struct fargs_select *sel);
	/* The functions or tracepoints that will be traced once their modules are loaded. */
	void (*deferred)(void *arg, const struct fargs_deferred *deferred, bool is_tpoint);
	void (*phase)(void *arg, enum fargs_capture_phase phase, size_t nr_functions);
	void (*note)(void *arg, const struct fargs_capture_note *note);
	/* Called at every turn. Returns whether progress was shown. */
	bool (*progress)(void *arg, const struct fargs_capture_progress *progress);
	/* The capture failed and ends. */
	void (*failed)(void *arg, const struct fargs_capture_error *err);
	/* The capture has ended; the command may continue. Not called after a failure. */
	void (*ended)(void *arg, const struct fargs_capture_outcome *outcome);
};

#endif
