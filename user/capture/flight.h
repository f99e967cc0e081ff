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
 * Creates a flight recorder. It passes records to @fn with @fn_arg, and clocks and names of tasks
 * to @output with @output_arg. All arguments must outlive the flight recorder. Returns NULL if out
 * of memory.
 */
struct fargs_flight *fargs_flight_create(struct fargs_session *session, struct fargs_rings *rings,
					 const struct fargs_capture_output *output,
					 void *output_arg, fargs_ring_fn fn, void *fn_arg);
void fargs_flight_destroy(struct fargs_flight *f);

/*
 * Starts to follow the names of the tasks @tids and of the tasks that they fork; @nr 0: of all
 * tasks (see fargs_task_watch_create()). Call before session->meta.tasks is filled. Returns 0 or
 * -errno.
 */
int fargs_flight_watch(struct fargs_flight *f, const pid_t *tids, size_t nr,
		       struct fargs_error_text *err);
/*
 * Adds session->meta.tasks, with their names and nspids, to the tasks that are followed. Call after
 * session->meta.tasks and nspids were filled, and before the session starts.
 */
int fargs_flight_begin(struct fargs_flight *f, struct fargs_error_text *err);
/*
 * Returns a descriptor for poll(2). POLLIN: call fargs_flight_follow(), which must also be called
 * at least once a second.
 */
int fargs_flight_fd(const struct fargs_flight *f);
int fargs_flight_follow(struct fargs_flight *f, struct fargs_error_text *err);

/*
 * Reads a round of clock samples, and keeps it as long as records of the same time may need it.
 * Call about once a second.
 */
int fargs_flight_clock(struct fargs_flight *f, struct fargs_error_text *err);

/*
 * Freezes the rings, or thaws them, so that no calls are recorded in between, also while
 * fargs_flight_keep() is called. Returns 0 or -errno.
 */
int fargs_flight_pause(struct fargs_flight *f, bool is_paused, struct fargs_error_text *err);

/*
 * Freezes the rings, passes on the records since the last call that were not overwritten, and thaws
 * the rings. If the session is stopped, only passes on the records.
 */
int fargs_flight_keep(struct fargs_flight *f, struct fargs_error_text *err);

#endif
