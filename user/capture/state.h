/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State of a capture, private to the recording engine.
 *
 *	capture.c	runs the steps in order
 *	setup.c		from the open session to the first record
 *	drain.c		reads the kernel's buffers into the output
 *	poll.c		waits, and reads the rings as they fill
 *	flight_poll.c	waits for triggers, and reads the rings after each
 *	control_poll.c	obeys commands of another process
 *	finish.c	from the last record on
 */
#ifndef FARGS_CAPTURE_STATE_H
#define FARGS_CAPTURE_STATE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "capture/capture.h"
#include "capture/selection.h"
#include "capture/control.h"
#include "capture/events.h"
#include "capture/flight.h"
#include "capture/hooks.h"
#include "capture/pt.h"
#include "capture/request.h"
#include "session/command.h"
#include "session/rings.h"
#include "session/session.h"
#include "session/signals.h"

/* Rings are read when the module reports that a ring is filling, and at least at this interval. */
#define FARGS_CAPTURE_READ_MS	100
#define FARGS_CAPTURE_CLOCK_MS	1000
/*
 * Number of descriptors to poll besides those for each CPU: signals, the session, names of tasks,
 * commands of another process.
 */
#define FARGS_CAPTURE_FDS	4

struct fargs_capture {
	const struct fargs_capture_request *request;
	const struct fargs_capture_output *output;
	void *output_arg;
	const struct fargs_capture_hooks *hooks;
	struct fargs_signals signals;
	struct fargs_command command;
	struct fargs_control control;	/* commands of another process */
	struct fargs_selection selection;
	struct fargs_session session;
	struct fargs_rings *rings;
	struct fargs_events events;
	struct fargs_pt pt;
	struct pollfd *fds;	/* to poll: FARGS_CAPTURE_FDS entries, and 3 for each CPU */
	/* NULL: no flight recorder, whose rings are read as they fill, or one of Intel PT alone. */
	struct fargs_flight *flight;
	uint64_t begin_ms;	/* when recording began, by CLOCK_MONOTONIC; 0: at no given time */
	struct fargs_capture_error err;
	uint64_t unread;	/* most unread bytes in a ring since progress was last shown */
	uint64_t next_clock_ms;
	uint64_t end_ms;	/* CLOCK_MONOTONIC when recording ends; UINT64_MAX: no limit */
	int end_signal;		/* signal that requested the end; 0: none */
	bool has_signals;	/* @signals was initialized */
	bool has_session;	/* @session was initialized */
	bool is_disabled;	/* another process has disabled recording */
	uint64_t *nr_dropped;	/* number of each CPU's calls that were read while disabled */
	bool is_ack_due;	/* another process waits until @is_asked has been handled */
	/* SIGUSR2, a trigger or a command: the contents of the rings must be saved */
	bool is_asked;
	bool is_done;		/* the output has no reader (EPIPE), or all triggers were handled */
	bool is_enough;		/* the requested time or number of events was reached */
	bool is_left;		/* the session has stopped by itself: nothing is left to trace */
};

static inline uint64_t fargs_capture_real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static inline uint64_t fargs_capture_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

static inline void fargs_capture_note(const struct fargs_capture_hooks *hooks,
				      enum fargs_note_kind kind, const char *name, uint64_t nr,
				      uint64_t of)
{
	const struct fargs_capture_note note = { kind, name, nr, of };

	hooks->note(hooks->arg, &note);
}

/* All functions below return 0, or -errno with c->err, unless their comments state otherwise. */

/* setup.c: starts recording and the command. Requires an open c->session. */
int fargs_capture_setup(struct fargs_capture *c);

/*
 * drain.c: adds functions of modules that were loaded since the last call. Call after reading a
 * ring, and before using its records, which may refer to such functions.
 */
int fargs_capture_take_arrivals(struct fargs_capture *c);
/*
 * Callback for fargs_rings_read(): passes records to the output. @arg is the struct fargs_capture.
 */
int fargs_capture_on_records(void *arg, unsigned int cpu, const void *records, size_t bytes);
/* Reads every ring once, and passes the records to the output. */
int fargs_capture_drain(struct fargs_capture *c, bool is_last);
int fargs_capture_take_clock(struct fargs_capture *c);

/* poll.c: handles pending signals. Returns true if the recording should end. */
bool fargs_capture_is_over(struct fargs_capture *c);
/*
 * Waits for the first @nr of c->fds or for Intel PT, for at most @ms milliseconds and not beyond
 * the end of the requested duration. Returns the result of poll(2).
 */
int fargs_capture_wait(struct fargs_capture *c, size_t nr, int ms);
/*
 * If the session has stopped by itself, reports that once and sets c->is_left, so that the session
 * is no longer polled for its end.
 */
void fargs_capture_check_left(struct fargs_capture *c);
/* Passes progress to the hooks. */
void fargs_capture_show(struct fargs_capture *c, struct fargs_capture_progress *progress);
/* Reads rings until the recording should end. */
int fargs_capture_poll(struct fargs_capture *c);

/* control_poll.c: obeys the commands of another process that have arrived. */
int fargs_capture_control(struct fargs_capture *c);
/* Acknowledges a command that asked for the contents of the rings, which have been saved. */
void fargs_capture_control_kept(struct fargs_capture *c);

/* flight_poll.c: waits for triggers until the recording should end. */
int fargs_capture_poll_flight(struct fargs_capture *c);

/*
 * finish.c: removes the probes, reads the rest of the rings and the counters, and ends the output.
 */
int fargs_capture_finish(struct fargs_capture *c, struct fargs_stats *stats);
/*
 * Ends the command, or reports that it continues. Returns the command's exit status; 0 if there is
 * no command or it continues.
 */
int fargs_capture_end_command(struct fargs_capture *c);

#endif
