/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals that end or control a recording are received from a descriptor, for poll(2), so that a
 * recording always ends in an orderly way. SIGPIPE and SIGXFSZ are ignored: write(2) reports EPIPE
 * and EFBIG.
 */
#ifndef FARGS_SESSION_SIGNALS_H
#define FARGS_SESSION_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

#define FARGS_SIGNALS	7

struct fargs_signals {
	int fd;			/* readable when a signal is pending */
	sigset_t mask;		/* signal mask before fargs_signals_init() */
	struct sigaction actions[FARGS_SIGNALS];	/* actions before fargs_signals_init() */
};

/*
 * Blocks SIGUSR2 and SIGCHLD; SIGHUP, unless it was ignored (nohup(1)); and SIGINT and SIGTERM,
 * even if they were ignored: shells ignore SIGINT in background jobs, but it must be able to end a
 * recording. Returns 0 or -errno.
 */
int fargs_signals_init(struct fargs_signals *s, struct fargs_error_text *err);
void fargs_signals_deinit(struct fargs_signals *s);

/* Restores the signal state from before fargs_signals_init(). */
void fargs_signals_restore(const struct fargs_signals *s);

/*
 * While @may_end, SIGINT, SIGTERM and SIGHUP end this process at once instead of being kept for
 * fargs_signals_next(). For long steps during which nothing is armed and no file is written.
 */
void fargs_signals_set_may_end(const struct fargs_signals *s, bool may_end);

/* Returns the next pending signal (never SIGPIPE or SIGXFSZ), or 0. */
int fargs_signals_next(struct fargs_signals *s);

#endif
