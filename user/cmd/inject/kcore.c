// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/inject/kcore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/outfile.h"

/* What perf record --kcore writes. */
static const char *const names[] = { "kcore", "kallsyms", "modules" };

#define NR_NAMES	(sizeof(names) / sizeof(names[0]))

static int copy_bytes(int from, FILE *to)
{
	static char buf[1 << 16];
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) > 0)
		if (fwrite(buf, 1, n, to) != (size_t)n)
			return errno ? -errno : -EIO;
	return n < 0 ? -errno : 0;
}

/* A missing file is no error: a kernel without modules has no file of them. */
static int copy_file(int from_dir, int to_dir, const char *name)
{
	__cleanup_close int from = openat(from_dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	FILE *to;
	int ret;

	if (from < 0)
		return errno == ENOENT ? 0 : -errno;
	to = fargs_outfile_in(to_dir, name);
	if (!to)
		return -errno;
	ret = copy_bytes(from, to);
	if (fclose(to) && !ret)
		ret = -errno;
	return ret;
}

int fargs_inject_copy_kcore(const char *from, int to, const char *name,
			    struct fargs_error_text *err)
{
	__cleanup_close int from_dir = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int to_dir, ret = 0;
	size_t i;

	if (from_dir < 0)
		return fargs_fail(err, errno, "cannot open '%s': %s", from, strerror(errno));
	to_dir = fargs_outfile_mkdir_in(to, name, err);
	if (to_dir < 0)
		return to_dir;
	for (i = 0; !ret && i < NR_NAMES; i++) {
		ret = copy_file(from_dir, to_dir, names[i]);
		if (ret)
			fargs_fail(err, -ret, "cannot copy '%s/%s': %s", from, names[i],
				   strerror(-ret));
	}
	close(to_dir);
	return ret;
}

void fargs_inject_remove_kcore(int to, const char *name)
{
	int dir = openat(to, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	size_t i;

	if (dir < 0)
		return;
	for (i = 0; i < NR_NAMES; i++)
		unlinkat(dir, names[i], 0);
	close(dir);
	unlinkat(to, name, AT_REMOVEDIR);
}
