// SPDX-License-Identifier: GPL-2.0-only
#include "model/format_validate.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Time limits of a child and of all children. Parsing all formats of a kernel takes half a second,
 * or ten seconds under emulation.
 */
#define SECONDS_MAX	60
#define ALL_SECONDS_MAX	(2 * SECONDS_MAX)

/*
 * Runs in the child process: writes to @fd whether each format is valid, starting with format
 * @first. Does not return.
 */
static void __attribute__((noreturn)) validate(const struct fargs_meta *meta, size_t first,
					       unsigned int seconds, int fd)
{
	struct fargs_formats *f = fargs_formats_begin(meta);
	size_t i;
	char good;

	/* A crash must not leave a core dump. Parsing may never end, so limit its time. */
	prctl(PR_SET_DUMPABLE, 0);
	close(STDERR_FILENO);
	alarm(seconds);
	for (i = first; f && i < meta->nr_formats; i++) {
		good = fargs_formats_try(f, &meta->formats[i]);
		if (write(fd, &good, 1) != 1)
			break;
	}
	_exit(0);
}

/*
 * Validates formats in a child process, starting with format @first. Returns the index of the first
 * format for which the child has not reported a result, or -errno.
 */
static ssize_t validate_from(struct fargs_meta *meta, size_t first, unsigned int seconds)
{
	size_t i = first;
	int fds[2];
	char good;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		validate(meta, first, seconds, fds[1]);
	close(fds[1]);
	while (pid > 0 && i < meta->nr_formats && read(fds[0], &good, 1) == 1)
		meta->formats[i++].is_bad = !good;
	close(fds[0]);
	if (pid < 0)
		return -EAGAIN;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return i;
}

static time_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

int fargs_formats_validate(struct fargs_meta *meta)
{
	time_t end = now() + ALL_SECONDS_MAX, left;
	ssize_t i = 0;

	while (!meta->are_formats_validated && (size_t)i < meta->nr_formats) {
		left = end - now();
		/* When the time limit is reached, all remaining formats are marked as bad. */
		if (left > 0)
			i = validate_from(meta, i, left < SECONDS_MAX ? left : SECONDS_MAX);
		if (i < 0)
			return i;
		/* The child reported no result for this format: it crashed, or time ran out. */
		if ((size_t)i < meta->nr_formats)
			meta->formats[i++].is_bad = true;
	}
	meta->are_formats_validated = true;
	return 0;
}
