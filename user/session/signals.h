/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The signals that end a recording, as a descriptor to poll: the end is
 * always the same orderly one. SIGPIPE and SIGXFSZ are
 * ignored: writing tells.
 */
#ifndef FARGS_CTL_SIGNALS_H
#define FARGS_CTL_SIGNALS_H

#include <signal.h>

#include "base/error.h"

#define FARGS_SIGNALS	7

struct fargs_signals {
	int fd;			/* readable when a signal came */
	sigset_t mask;		/* what it was before */
	struct sigaction actions[FARGS_SIGNALS];	/* the same */
};

/*
 * Blocks SIGINT and SIGTERM, also where they were ignored (as a shell does it for
 * what runs in the background: they are the way to end us); SIGHUP unless it was
 * ignored (nohup(1) means it); SIGUSR2; SIGCHLD. -errno.
 */
int fargs_signals_init(struct fargs_signals *s, struct fargs_error_text *err);
void fargs_signals_deinit(struct fargs_signals *s);

/* All as it was: for a program that is to be run. */
void fargs_signals_restore(const struct fargs_signals *s);

/* The next signal that came, of those but SIGPIPE, or 0 if there is none. */
int fargs_signals_next(struct fargs_signals *s);

#endif
