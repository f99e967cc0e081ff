// SPDX-License-Identifier: GPL-2.0-only
#include "base/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct {
	const char *ending;
	const char *program;
} packings[] = {
	{ ".xz", "xz" }, { ".zst", "zstd" }, { ".gz", "gzip" },
};

static const char *program_for(const char *path)
{
	size_t i, end, len = strlen(path);

	for (i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
		end = strlen(packings[i].ending);
		if (len > end && !strcmp(path + len - end, packings[i].ending))
			return packings[i].program;
	}
	return NULL;
}

/* Runs @program with @path as stdin and @out as stdout. Returns its exit status, or -errno. */
static int run(const char *program, const char *path, int out)
{
	char *const argv[] = { (char *)program, "-dc", NULL };
	posix_spawn_file_actions_t actions;
	int ret, status = 0;
	pid_t pid;

	ret = posix_spawn_file_actions_init(&actions);
	if (ret)
		return -ret;
	ret = posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0);
	if (!ret)
		ret = posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (!ret)
		ret = posix_spawnp(&pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (ret)
		return -ret;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	/*
	 * Status 127 means that exec failed in the child: on some systems, posix_spawnp() does not
	 * report that failure.
	 */
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int fargs_unpack_open(const char *path, struct fargs_error_text *err)
{
	const char *program = program_for(path);
	int fd, ret;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fargs_fail(err, errno, "cannot read '%s': %s", path, strerror(errno));
	if (!program)
		return fd;
	close(fd);
	fd = memfd_create("fargs", MFD_CLOEXEC);
	if (fd < 0)
		return fargs_fail(err, errno, "cannot unpack '%s': %s", path, strerror(errno));
	ret = run(program, path, fd);
	if (!ret)
		return fd;
	close(fd);
	if (ret == -ENOENT || ret == 127)
		return fargs_fail(err, ENOENT, "'%s' is compressed, and the program '%s', which "
				  "unpacks it, is not installed", path, program);
	return fargs_fail(err, EINVAL, "cannot unpack '%s': '%s' failed", path, program);
}
