// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/screen/cmd.h"

int fargs_child_run(int (*fn)(void *arg), void *arg, const char *path)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return cmd_fail("cannot fork: %s", strerror(errno));
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_DUMPABLE, 0);
		status = fn(arg);
		_exit(fflush(NULL) ? 1 : status);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return cmd_fail("cannot wait for the child process that reads the file: "
					"%s", strerror(errno));
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	/* The reader of the output is gone: end in the same way as without a child. */
	if (WTERMSIG(status) == SIGPIPE)
		raise(SIGPIPE);
	return cmd_fail("'%s' is damaged: reading it crashed with signal %d", path,
			WTERMSIG(status));
}
