// SPDX-License-Identifier: GPL-2.0-only
#include "session/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int numbers[FARGS_SIGNALS] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR2,
					    SIGPIPE, SIGXFSZ };

int fargs_signals_init(struct fargs_signals *s, struct fargs_error_text *err)
{
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < FARGS_SIGNALS; i++) {
		int sig = numbers[i];

		sigaction(sig, NULL, &s->actions[i]);
		if (sig == SIGPIPE || sig == SIGXFSZ) {
			signal(sig, SIG_IGN);
		} else if (sig != SIGHUP || s->actions[i].sa_handler != SIG_IGN) {
			/* Reset the action: a signalfd does not receive ignored signals. */
			signal(sig, SIG_DFL);
			sigaddset(&set, sig);
		}
	}
	sigprocmask(SIG_BLOCK, &set, &s->mask);
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0) {
		int why = errno;

		fargs_signals_restore(s);
		return fargs_fail(err, why, "cannot wait for signals: %s", strerror(why));
	}
	return 0;
}

void fargs_signals_deinit(struct fargs_signals *s)
{
	/* A pending signal must not kill us when the mask is restored. */
	while (fargs_signals_next(s))
		;
	close(s->fd);
	fargs_signals_restore(s);
}

void fargs_signals_restore(const struct fargs_signals *s)
{
	size_t i;

	for (i = 0; i < FARGS_SIGNALS; i++)
		sigaction(numbers[i], &s->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

void fargs_signals_set_may_end(const struct fargs_signals *s, bool may_end)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* If it was ignored, it still is. */
	sigaddset(&set, SIGHUP);
	sigprocmask(may_end ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

int fargs_signals_next(struct fargs_signals *s)
{
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	return info.ssi_signo;
}
