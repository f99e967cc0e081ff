/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The signals that end a recording, as a descriptor to poll: the end is
 * always the same orderly one. SIGPIPE is ignored: writing tells.
 */
#ifndef FARGS_CTL_SIGNALS_H
#define FARGS_CTL_SIGNALS_H

#include <signal.h>

#include "util/error.h"

struct fargs_signals {
	int fd;			/* readable when a signal came */
	sigset_t before;	/* the mask to give to programs that are run */
};

/* Blocks SIGINT, SIGTERM, SIGHUP (unless ignored) and SIGCHLD. -errno. */
int fargs_signals_init(struct fargs_signals *s, struct fargs_error_text *err);
/* Unblocks them. */
void fargs_signals_deinit(struct fargs_signals *s);

/* The next signal that came and asks to end, SIGCHLD, or 0 if there is none. */
int fargs_signals_next(struct fargs_signals *s);

#endif
