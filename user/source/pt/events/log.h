/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A log of decoding, letter d of --itrace: packets in perf's words, each followed by the
 * instructions that it shows were executed; errors; and what the kernel recorded about tasks and
 * code. All are in order of time.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_LOG_H
#define FARGS_SOURCE_PT_EVENTS_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/id_set.h"
#include "base/time_window.h"
#include "source/pt/input/input.h"
#include "source/pt/trace/decoder.h"

struct fargs_pt_log_options {
	const struct fargs_id_set *cpus;	/* only these; NULL or an empty set: all */
	const struct fargs_time_window *window;
	enum fargs_pt_quick_level quick;
	enum fargs_pt_engine engine;
	bool omits_records;		/* no records of the kernel */
	bool has_all_records;		/* also those outside of @window */
	/* Only that many bytes before each error, rounded down to lines; 0: everything. */
	size_t bytes_before_error;
};

/* Called with one or more complete lines. A nonzero result ends fargs_pt_log_run(). */
typedef int (*fargs_pt_log_fn)(void *arg, const char *text, size_t bytes);

/* Returns 0, the nonzero result of @fn, or -errno with @err. */
int fargs_pt_log_run(const struct fargs_pt_input *in, const struct fargs_pt_log_options *options,
		     fargs_pt_log_fn fn, void *arg, struct fargs_error_text *err);

#endif
