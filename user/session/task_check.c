// SPDX-License-Identifier: GPL-2.0-only
#include "session/task_check.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "session/nspid.h"

/*
 * System calls are asked instead of /proc, which may hide the processes of other users (hidepid).
 * Any error but those below, such as EPERM or ENOSYS, leaves open whether the task exists.
 */
static int check_process(unsigned long pid, struct fargs_error_text *err)
{
	int fd = -1;

	/* No task has such a number: the system call would take its lower bits. */
	if (pid > INT_MAX)
		errno = ESRCH;
	else
		fd = syscall(SYS_pidfd_open, (pid_t)pid, 0);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (errno == ESRCH)
		return fargs_fail(err, ESRCH, "'--pid': there is no process %lu", pid);
	/* The error is EINVAL up to Linux 6.14, and ENOENT later. */
	if (errno == EINVAL || errno == ENOENT)
		return fargs_fail(err, ESRCH, "'--pid': %lu is not a process but one of its "
				  "threads: give it with '--tid'", pid);
	return 0;
}

static int check_thread(unsigned long tid, struct fargs_error_text *err)
{
	if (tid <= INT_MAX && (!syscall(SYS_tkill, (pid_t)tid, 0) || errno != ESRCH))
		return 0;
	return fargs_fail(err, ESRCH, "'--tid': there is no thread %lu", tid);
}

static int check_list(const struct fargs_list *list,
		      int (*check)(unsigned long id, struct fargs_error_text *err),
		      struct fargs_error_text *err)
{
	unsigned long id;
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < list->nr; i++) {
		char *end, *p = (char *)list->words[i];

		do {
			id = strtoul(p, &end, 10);
			if (*end == '-')
				strtoul(end + 1, &end, 10);
			else if (id)	/* 0 is the idle task of each CPU */
				ret = check(id, err);
			p = end + 1;
		} while (!ret && *end);
	}
	return ret;
}

int fargs_task_check(const struct fargs_list *pids, const struct fargs_list *tids,
		     struct fargs_error_text *err)
{
	int ret;

	if (!fargs_nspid_is_initial())
		return 0;
	ret = check_list(pids, check_process, err);
	return ret ? ret : check_list(tids, check_thread, err);
}
