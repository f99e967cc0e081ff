// SPDX-License-Identifier: GPL-2.0-only
#include "ctl/signals.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static bool is_ignored(int sig)
{
	struct sigaction act;

	return !sigaction(sig, NULL, &act) && act.sa_handler == SIG_IGN;
}

int fargs_signals_init(struct fargs_signals *s, struct fargs_error_text *err)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	/* What the caller has us ignore (nohup, a shell's background) stays so. */
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!is_ignored(ends[i]))
			sigaddset(&set, ends[i]);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, &s->before);
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0) {
		int why = errno;

		sigprocmask(SIG_SETMASK, &s->before, NULL);
		return fargs_fail(err, why, "cannot wait for signals: %s", strerror(why));
	}
	return 0;
}

void fargs_signals_deinit(struct fargs_signals *s)
{
	/* What came late must not kill us now that all is done. */
	while (fargs_signals_next(s))
		;
	close(s->fd);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}

int fargs_signals_next(struct fargs_signals *s)
{
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	return info.ssi_signo;
}
