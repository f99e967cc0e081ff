/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flight recorder: rings are overwritten until a trigger, and then read.
 */
#ifndef FARGS_CAPTURE_FLIGHT_H
#define FARGS_CAPTURE_FLIGHT_H

#include <stdbool.h>

#include "base/error.h"
#include "capture/capture.h"
#include "session/rings.h"
#include "session/session.h"

struct fargs_flight;

/*
 * Passes records to @fn with @fn_arg, clocks and names of tasks to @sink with @sink_arg. All must
 * outlive it. NULL: no memory.
 */
struct fargs_flight *fargs_flight_create(struct fargs_session *session, struct fargs_rings *rings,
					 const struct fargs_sink *sink, void *sink_arg,
					 fargs_ring_fn fn, void *fn_arg);
void fargs_flight_destroy(struct fargs_flight *f);

/*
 * Starts to follow names of tasks: of @tids and the tasks that they fork; @nr 0: of all tasks, as
 * fargs_task_watch_create. Call before session->meta.tasks is filled.
 */
int fargs_flight_watch(struct fargs_flight *f, const pid_t *tids, size_t nr,
		       struct fargs_error_text *err);
/* Call when session->meta.tasks and nspids are filled, before the session starts. */
int fargs_flight_begin(struct fargs_flight *f, struct fargs_error_text *err);
/* For poll(2): POLLIN when fargs_flight_follow should be called, as it should be once a second. */
int fargs_flight_fd(const struct fargs_flight *f);
int fargs_flight_follow(struct fargs_flight *f, struct fargs_error_text *err);

/*
 * Reads the clocks, and keeps them as long as the records of this time may be needed. Call about
 * once a second.
 */
int fargs_flight_clock(struct fargs_flight *f, struct fargs_error_text *err);

/*
 * Freezes the rings, passes on the records since the last call that were not overwritten, and
 * thaws the rings. If the session is stopped it only passes on the records.
 */
int fargs_flight_keep(struct fargs_flight *f, struct fargs_error_text *err);

#endif
