// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/find.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FARGS_LIBDIR
#define FARGS_LIBDIR	"/usr/local/lib/fargs"
#endif

/* fargs' own directory, then perf's default directories: Debian's, and those of 'make install'. */
static const char *const dirs[] = {
	FARGS_LIBDIR "/dlfilters",
	"/usr/lib/perf-core/dlfilters",
	"/usr/libexec/perf-core/dlfilters",
	"/usr/local/libexec/perf-core/dlfilters",
};

const char *fargs_dlfilter_dir(size_t n)
{
	const char *exec = getenv("PERF_EXEC_PATH"), *home = getenv("HOME");
	static char dir[PATH_MAX];

	if (n < sizeof(dirs) / sizeof(dirs[0]))
		return dirs[n];
	n -= sizeof(dirs) / sizeof(dirs[0]);
	if (exec && n-- == 0)
		snprintf(dir, sizeof(dir), "%s/dlfilters", exec);
	else if (home && n-- == 0)
		snprintf(dir, sizeof(dir), "%s/libexec/perf-core/dlfilters", home);
	else
		return NULL;
	return dir;
}

char *fargs_dlfilter_find(const char *file)
{
	char *path = NULL;
	const char *dir;
	size_t i;

	if (strchr(file, '/'))
		return strdup(file);
	if (!access(file, R_OK))
		return asprintf(&path, "./%s", file) < 0 ? NULL : path;
	for (i = 0; (dir = fargs_dlfilter_dir(i)); i++) {
		if (asprintf(&path, "%s/%s", dir, file) < 0)
			return NULL;
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return strdup(file);
}
