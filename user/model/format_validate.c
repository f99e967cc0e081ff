// SPDX-License-Identifier: GPL-2.0-only
#include "model/format_validate.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* All formats of a kernel take half a second, or ten where it is emulated. */
#define VET_SECONDS	60
#define VET_ALL_SECONDS	(2 * VET_SECONDS)

/* The child: tells of each format from @first on whether it is good. Does not return. */
static void __attribute__((noreturn)) validate(const struct fargs_meta *meta, size_t first,
					       unsigned int seconds, int fd)
{
	struct fargs_formats *f = fargs_formats_begin(meta);
	size_t i;
	char good;

	/* Nobody is interested in what is left of it, or wants to wait for ever. */
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

/* Takes what a child tells from @first on. How far it came, or -errno. */
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
	time_t end = now() + VET_ALL_SECONDS, left;
	ssize_t i = 0;

	while (!meta->are_formats_validated && (size_t)i < meta->nr_formats) {
		left = end - now();
		/* Where one after the other does not end, the rest of them is bad. */
		if (left > 0)
			i = validate_from(meta, i, left < VET_SECONDS ? left : VET_SECONDS);
		if (i < 0)
			return i;
		/* The one that it did not survive. */
		if ((size_t)i < meta->nr_formats)
			meta->formats[i++].is_bad = true;
	}
	meta->are_formats_validated = true;
	return 0;
}
