/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flight recorder: rings go on overwriting, until something is worth keeping.
 */
#ifndef FARGS_FLIGHT_H
#define FARGS_FLIGHT_H

#include <stdbool.h>

#include "capture/capture.h"
#include "session/session.h"
#include "session/rings.h"
#include "base/error.h"

struct fargs_flight;

/*
 * Hands over records to @fn with @fn_arg, clocks and names of tasks to @sink with @sink_arg.
 * All must outlive it. NULL: no memory.
 */
struct fargs_flight *fargs_flight_create(struct fargs_session *session, struct fargs_rings *rings,
					 const struct fargs_sink *sink, void *sink_arg,
					 fargs_ring_fn fn, void *fn_arg);
void fargs_flight_destroy(struct fargs_flight *f);

/*
 * Follows what tasks are called: those that will be recorded, as fargs_task_watch_create
 * wants them. Before session->meta.tasks are looked for.
 */
int fargs_flight_watch(struct fargs_flight *f, const pid_t *tids, size_t nr,
		       struct fargs_error_text *err);
/* session->meta.tasks and nspids are there, and the session has not started. */
int fargs_flight_begin(struct fargs_flight *f, struct fargs_error_text *err);
/* For poll(2): POLLIN, when fargs_flight_follow is due, as it is once a second. */
int fargs_flight_fd(const struct fargs_flight *f);
int fargs_flight_follow(struct fargs_flight *f, struct fargs_error_text *err);

/*
 * Reads the clocks, to be kept as long as what is recorded now may be: to be called about
 * once a second.
 */
int fargs_flight_clock(struct fargs_flight *f, struct fargs_error_text *err);

/*
 * Lets the rings stand still, hands over what has come since the last time and is
 * still there, and lets them go on. Not of a stopped session: that does stand still.
 */
int fargs_flight_keep(struct fargs_flight *f, struct fargs_error_text *err);

#endif
