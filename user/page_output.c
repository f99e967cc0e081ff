// SPDX-License-Identifier: GPL-2.0-only
#include "page_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beside @path, with the rights that a new file would have. */
static int open_beside(struct fargs_page_output *o)
{
	mode_t mask;
	int fd, ret;

	if (asprintf(&o->made, "%s.XXXXXX", o->path) < 0) {
		o->made = NULL;
		return -ENOMEM;
	}
	fd = mkstemp(o->made);
	if (fd < 0) {
		ret = -errno;
		free(o->made);
		o->made = NULL;
		return ret;
	}
	mask = umask(0);
	umask(mask);
	o->file = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "w");
	if (o->file)
		return 0;
	ret = -errno;
	close(fd);
	return ret;
}

int fargs_page_output_open(struct fargs_page_output *o, const char *path)
{
	struct stat st;

	o->path = path;
	/* A link leads to a file that is to stay where it is. */
	if (lstat(path, &st) || S_ISREG(st.st_mode))
		return open_beside(o);
	o->file = fopen(path, "we");
	return o->file ? 0 : -errno;
}

int fargs_page_output_write(struct fargs_page_output *o, const char *text, size_t bytes)
{
	errno = 0;
	if (fwrite(text, 1, bytes, o->file) == bytes)
		return 0;
	return errno ? -errno : -EIO;
}

int fargs_page_output_finish(struct fargs_page_output *o)
{
	FILE *file = o->file;

	o->file = NULL;
	if (fclose(file) || (o->made && rename(o->made, o->path)))
		return -errno;
	free(o->made);
	o->made = NULL;
	return 0;
}

void fargs_page_output_deinit(struct fargs_page_output *o)
{
	if (o->file)
		fclose(o->file);
	if (o->made)
		unlink(o->made);
	free(o->made);
	*o = (struct fargs_page_output){ };
}
