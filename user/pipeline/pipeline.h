/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes the events of a source to a sink, with several threads: decodes them, leaves out those
 * that the options do not select, and passes the sink's output on in order of time. The output
 * depends only on the source and the options, not on the number of threads.
 */
#ifndef FARGS_PIPELINE_PIPELINE_H
#define FARGS_PIPELINE_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/id_set.h"
#include "base/time_window.h"
#include "pipeline/sink.h"
#include "source/source.h"

/* Event hook: called for each event, one at a time, in time order. */
struct fargs_pipeline_hook {
	void *arg;		/* NULL: no hook */
	uint32_t details;	/* details of events that it uses (enum fargs_event_detail) */
	/*
	 * @is_wanted: the event is shown unless the hook drops it. @item: the event's item, for
	 * hooks that are specific to the source. Returns 0; 1: drop the event; or -errno.
	 */
	int (*ask)(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
		   const struct fargs_item *item, bool is_wanted);
};

/* Hook for a recording that is still being written. */
struct fargs_pipeline_follow {
	void *arg;		/* NULL: do not follow */
	/*
	 * Called from time to time; with @is_idle, called after all available events were shown, to
	 * wait for more. Returns false to end the report after the events that are available by
	 * then.
	 */
	bool (*goes_on)(void *arg, bool is_idle);
};

struct fargs_pipeline_options {
	const char *filter;	/* text of --filter; NULL: none. Losses are always shown */
	bool has_zeros;
	bool has_ns;		/* show pids of the tasks' own pid namespaces */
	bool is_silent;		/* no output: only check and count */
	/* Only events of these CPUs, processes and threads; an empty set: all of them. */
	struct fargs_id_set cpus, pids, tids;
	/*
	 * Only events of tasks whose name matches one of these patterns, separated by commas; NULL:
	 * all tasks.
	 */
	const char *comms;
	/* Only events in this window, in which there must be no percentages any more. */
	struct fargs_time_window window;
	unsigned int nr_threads;	/* 1 to FARGS_POOL_MAX */
	/*
	 * With a hook, events are processed one at a time, and the output of each is passed to the
	 * fargs_pipeline_fn before the hook is called for the next event.
	 */
	struct fargs_pipeline_hook hook;
	struct fargs_pipeline_follow follow;
};

/* Is any event left out because of its task? */
bool fargs_pipeline_selects_tasks(const struct fargs_pipeline_options *o);
void fargs_pipeline_options_deinit(struct fargs_pipeline_options *o);

/*
 * Turns percentages in o->window into times of the events of @source, which was read from @path.
 * Returns 0; or -EINVAL, or another -errno, with @err, if @source does not know its first and last
 * time.
 */
int fargs_pipeline_options_resolve(struct fargs_pipeline_options *o,
				   struct fargs_event_source *source, const char *path,
				   struct fargs_error_text *err);

struct fargs_pipeline;

/*
 * Returns NULL with @err on error. @source, @sink and @options must outlive the pipeline. Memory
 * use: a decoder and two batches per thread, with their output.
 */
struct fargs_pipeline *fargs_pipeline_create(struct fargs_event_source *source,
					     const struct fargs_sink *sink,
					     const struct fargs_pipeline_options *options,
					     struct fargs_error_text *err);
void fargs_pipeline_destroy(struct fargs_pipeline *p);

/*
 * Receives output. If it is text, it consists of whole lines. Returns 0, or nonzero to end the
 * report.
 */
typedef int (*fargs_pipeline_fn)(void *arg, const char *text, size_t bytes);

/*
 * Passes all output to @fn, in order. Returns 0; the result of @fn; or -errno, with @err if the
 * source is corrupt. To be called once.
 */
int fargs_pipeline_run(struct fargs_pipeline *p, fargs_pipeline_fn fn, void *arg,
		       struct fargs_error_text *err);

/*
 * For a source to which events are added while it runs, fargs_pipeline_run() in three steps.
 * fargs_pipeline_pump() may be called any number of times: it passes all events that are available
 * to the sink, and their output to @fn. fargs_pipeline_finish() lets the sink complete its output;
 * without @has_losses, losses after the last event are not shown. Results are those of
 * fargs_pipeline_run().
 */
int fargs_pipeline_begin(struct fargs_pipeline *p, fargs_pipeline_fn fn, void *arg);
int fargs_pipeline_pump(struct fargs_pipeline *p, struct fargs_error_text *err);
int fargs_pipeline_finish(struct fargs_pipeline *p, bool has_losses);

/*
 * Returns the number of call and tracepoint records whose function is not in the source's metadata.
 */
uint64_t fargs_pipeline_nr_unknown(const struct fargs_pipeline *p);

#endif
