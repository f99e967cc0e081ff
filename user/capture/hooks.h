/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Callbacks of the recording engine. The engine prints nothing and depends neither on options of
 * the command line nor on a terminal: the caller decides whether and how to show something.
 */
#ifndef FARGS_CAPTURE_HOOKS_H
#define FARGS_CAPTURE_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"
#include "select/resolve/deferred.h"
#include "select/resolve/missing.h"
#include "select/resolve/select.h"
#include "uapi/fargs.h"

struct fargs_capture;

/* The part of the request that caused an error, unless the error text names it. */
enum fargs_capture_fault {
	FARGS_FAULT_OTHER,	/* the error text names the cause */
	FARGS_FAULT_REALTIME,
	FARGS_FAULT_COMMS,	/* a task name cannot be used in an event filter */
	FARGS_FAULT_TASKS,	/* no thread in the request's tids belongs to its pids */
	FARGS_FAULT_PT,		/* Intel PT is unavailable, or its terms are invalid */
	FARGS_FAULT_PT_FILTER,	/* an address filter of Intel PT is invalid */
	FARGS_FAULT_AUX_BYTES,
	FARGS_FAULT_CONTROL,
	FARGS_FAULT_MISSING,	/* a selector selects nothing on this kernel */
};

struct fargs_capture_error {
	enum fargs_capture_fault fault;
	struct fargs_error_text text;
};

/* Like fargs_fail(), but also sets err->fault. */
#define fargs_capture_fail(err, why, code, ...)		\
	((err)->fault = (why), fargs_fail(&(err)->text, code, __VA_ARGS__))

enum fargs_capture_phase {
	FARGS_CAPTURE_READING,	/* takes seconds: the kernel's symbols and types */
	FARGS_CAPTURE_WAITING,	/* until the time of day when recording begins */
	FARGS_CAPTURE_ATTACHING,	/* takes long if there are many functions */
	FARGS_CAPTURE_RECORDING,
	FARGS_CAPTURE_ENDING,
	FARGS_CAPTURE_DETACHING,	/* takes long if there are many functions */
	FARGS_CAPTURE_DETACHED,
};

/* Kinds of notes; @name, @nr and @of are members of struct fargs_capture_note. */
enum fargs_note_kind {
	FARGS_NOTE_WARNING,		/* @name: text of the warning */
	/* RLIMIT_MEMLOCK permits a ring of @nr instead of @of bytes for each CPU */
	FARGS_NOTE_SMALL_BUFFER,
	FARGS_NOTE_STALE_MODULE,	/* module @name was loaded, but from a different build */
	FARGS_NOTE_LOADED_REFUSED,	/* @nr functions of new modules cannot be traced */
	FARGS_NOTE_ALL_UNLOADED,	/* all traced functions were unloaded with their modules */
	FARGS_NOTE_EVENTS_REFUSED,	/* perf cannot record @nr of the @of matching events */
	FARGS_NOTE_CPU_ONLINE,		/* CPU @nr came online */
	FARGS_NOTE_CPU_OFFLINE,
	/* the records of trigger @nr of @of were saved; @of 0: any number of triggers may follow */
	FARGS_NOTE_KEPT,
	FARGS_NOTE_KEPT_LAST,		/* last trigger handled; command @name now untraced */
	FARGS_NOTE_COMMAND_LEFT,	/* command @name, process @nr, continues untraced */
	FARGS_NOTE_PT_FILTER,		/* @name: what Intel PT is limited to */
	/*
	 * @name: a line about what is recorded, for which another process asked, or, if has_pt_log
	 * of the request is set, about how Intel PT is set up
	 */
	FARGS_NOTE_LINE,
};

struct fargs_capture_note {
	enum fargs_note_kind kind;
	const char *name;
	uint64_t nr, of;
};

/* The amount recorded until now; members that are 0 are unknown. */
struct fargs_capture_taken {
	uint64_t nr_events;
	uint64_t bytes;		/* size of the output file */
};

struct fargs_capture_progress {
	struct fargs_capture *capture;	/* argument for fargs_capture_lost() */
	uint64_t now_ms;		/* CLOCK_MONOTONIC in ms */
	struct fargs_capture_taken taken;
	uint64_t unread;	/* most unread bytes in a ring since progress was last shown */
	uint64_t ring_bytes;	/* 0: no rings */
	bool is_flight;		/* a flight recorder waits for a trigger; @taken is unused */
	unsigned int nr_kept;	/* number of triggers whose records were saved */
};

/*
 * Returns the number of calls and events that the kernel has lost until now. Queries the module, so
 * do not call this after every pass over the rings.
 */
uint64_t fargs_capture_lost(struct fargs_capture *c);

/* Totals of Intel PT over all CPUs. */
struct fargs_pt_outcome {
	const char *terms;	/* terms of the Intel PT event */
	uint64_t aux_bytes;
	uint64_t text_bytes;	/* size of the copied kernel code */
	/* Numbers of AUX records with these flags, each of which reports lost data or a gap. */
	uint64_t nr_truncated, nr_partial, nr_collisions;
	bool is_sampled;	/* the trace is in samples only */
	uint64_t nr_samples, nr_lost_samples;
	uint64_t nr_lost;	/* records lost in the perf rings of Intel PT and its sideband */
};

/* Outcome of a completed recording. */
struct fargs_capture_outcome {
	const struct fargs_meta *meta;	/* its members stats, event_stats and missed are set */
	const struct fargs_stats *stats;
	const struct fargs_missing *missing;	/* selectors that were skipped */
	const struct fargs_pt_outcome *pt;	/* NULL: Intel PT was not recorded */
};

/* All callbacks are required. They run on the thread of fargs_capture_run(). */
struct fargs_capture_hooks {
	void *arg;
	/*
	 * Called before output->begin(): adds data to @meta that only the caller has. Returns 0, or
	 * -errno with the reason in @err; an error ends the capture.
	 */
	int (*describe)(void *arg, struct fargs_meta *meta, struct fargs_error_text *err);
	/* Reports the selected functions, of which @nr_traced are traced. */
	void (*functions)(void *arg, const struct fargs_select *sel, size_t nr_traced);
	/*
	 * Reports the selected tracepoints. If none of them can be traced, failed() is called next.
	 */
	void (*tpoints)(void *arg, const struct fargs_select *sel);
	/*
	 * Reports the functions or, if @is_tpoint, the tracepoints that will be traced once their
	 * modules are loaded.
	 */
	void (*deferred)(void *arg, const struct fargs_deferred *deferred, bool is_tpoint);
	void (*phase)(void *arg, enum fargs_capture_phase phase, size_t nr_functions);
	void (*note)(void *arg, const struct fargs_capture_note *note);
	/* Called after each pass over the rings. Returns true if the progress was shown. */
	bool (*progress)(void *arg, const struct fargs_capture_progress *progress);
	/* Called if the capture has failed. */
	void (*failed)(void *arg, const struct fargs_capture_error *err);
	/*
	 * Called when the capture has ended; the command may continue. Not called after a failure,
	 * nor if the output ended the capture with -EPIPE.
	 */
	void (*ended)(void *arg, const struct fargs_capture_outcome *outcome);
};

#endif
