// SPDX-License-Identifier: GPL-2.0-only
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

static int fail(const struct fargs_outfile *o, int code, struct fargs_error_text *err)
{
	return fargs_fail(err, code, "cannot create '%s': %s", o->path, strerror(code));
}

/* Returns the descriptor number in a @path such as /dev/fd/3, or -1 for any other path. */
static int own_descriptor(const char *path)
{
	static const char *const dirs[] = { "/dev/fd/", "/proc/self/fd/" };
	unsigned long fd;
	const char *digits;
	char *end;
	size_t i;

	if (!strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		digits = path + strlen(dirs[i]);
		if (strncmp(path, dirs[i], strlen(dirs[i])) || *digits < '0' || *digits > '9')
			continue;
		fd = strtoul(digits, &end, 10);
		if (!*end && fd <= 0x7fffffff)
			return (int)fd;
	}
	return -1;
}

static bool is_pipe(mode_t mode)
{
	return S_ISFIFO(mode) || S_ISSOCK(mode);
}

static int fail_pipe(const struct fargs_outfile *o, struct fargs_error_text *err)
{
	return fargs_fail(err, ESPIPE, "'%s' is a pipe, which is not seekable: give a regular file",
			  o->path);
}

static int open_descriptor(struct fargs_outfile *o, int fd, unsigned int flags,
			   struct fargs_error_text *err)
{
	struct stat st;

	o->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (o->fd < 0 || fstat(o->fd, &st))
		return fail(o, errno, err);
	if (!(flags & FARGS_OUTFILE_SEEKS))
		return 0;
	if (is_pipe(st.st_mode))
		return fail_pipe(o, err);
	if (S_ISREG(st.st_mode) &&
	    (lseek(o->fd, 0, SEEK_CUR) || fcntl(o->fd, F_GETFL) & O_APPEND))
		return fargs_fail(err, EINVAL,
				  "'%s' refers to an open file that already has data: give the "
				  "name of the file",
				  o->path);
	return 0;
}

/*
 * Opens a FIFO or device. O_CREAT makes fs.protected_fifos apply: the kernel then refuses FIFOs
 * that somebody else created in a world-writable directory.
 */
static int open_special(struct fargs_outfile *o, struct fargs_error_text *err)
{
	struct stat st;

	o->fd = open(o->path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (o->fd < 0 || fstat(o->fd, &st))
		return fail(o, errno, err);
	/* Another process has replaced the FIFO or device by a regular file. */
	if (S_ISREG(st.st_mode))
		return fail(o, EBUSY, err);
	return 0;
}

/* Creates a temporary file in the directory of @o->path, so that it can be renamed to that path. */
static int open_temp(struct fargs_outfile *o, struct fargs_error_text *err)
{
	if (asprintf(&o->temp, "%s.XXXXXX", o->path) < 0) {
		o->temp = NULL;
		return fail(o, ENOMEM, err);
	}
	/* Creates a new file of mode 0600; never opens an existing one. */
	o->fd = mkostemp(o->temp, O_CLOEXEC);
	if (o->fd >= 0) {
		o->is_new = true;
		return 0;
	}
	free(o->temp);
	o->temp = NULL;
	return fail(o, errno, err);
}

static int give_name(struct fargs_outfile *o)
{
	if (rename(o->temp, o->path))
		return -errno;
	free(o->temp);
	o->temp = NULL;
	return 0;
}

static int open_new(struct fargs_outfile *o, unsigned int flags, struct fargs_error_text *err)
{
	int ret;

	if (flags & (FARGS_OUTFILE_GROWS | FARGS_OUTFILE_NEW)) {
		o->fd = open(o->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		o->is_new = o->fd >= 0;
		if (o->is_new)
			return 0;
		if (errno != EEXIST || flags & FARGS_OUTFILE_NEW)
			return fail(o, errno, err);
	}
	ret = open_temp(o, err);
	if (!ret && flags & FARGS_OUTFILE_PUBLIC && fchmod(o->fd, 0644))
		return fail(o, errno, err);
	if (!ret && flags & FARGS_OUTFILE_GROWS) {
		ret = give_name(o);
		if (ret)
			fail(o, -ret, err);
	}
	return ret;
}

static int open_path(struct fargs_outfile *o, unsigned int flags, struct fargs_error_text *err)
{
	int fd = own_descriptor(o->path);
	struct stat st;

	if (fd >= 0)
		return open_descriptor(o, fd, flags, err);
	if (flags & FARGS_OUTFILE_NEW || lstat(o->path, &st))
		return open_new(o, flags, err);
	if (S_ISLNK(st.st_mode))
		return fargs_fail(err, ELOOP,
				  "'%s' is a symbolic link: give the file itself, or remove the link",
				  o->path);
	if (S_ISDIR(st.st_mode))
		return fail(o, EISDIR, err);
	if (S_ISREG(st.st_mode))
		return open_new(o, flags, err);
	if (is_pipe(st.st_mode) && flags & FARGS_OUTFILE_SEEKS)
		return fail_pipe(o, err);
	return open_special(o, err);
}

int fargs_outfile_open(struct fargs_outfile *o, const char *path, unsigned int flags,
		       struct fargs_error_text *err)
{
	int ret;

	*o = FARGS_OUTFILE_NONE;
	o->path = strdup(path);
	if (!o->path)
		return fargs_fail(err, ENOMEM, "out of memory");
	ret = open_path(o, flags, err);
	if (ret)
		fargs_outfile_discard(o);
	return ret;
}

int fargs_outfile_stream(struct fargs_outfile *o)
{
	o->file = fdopen(o->fd, "w");
	return o->file ? 0 : -errno;
}

/* Closes the file. Returns 0 or -errno: close(2) and fclose(3) report errors of delayed writes. */
static int close_all(struct fargs_outfile *o)
{
	int ret = 0;

	if (o->file ? fclose(o->file) : o->fd >= 0 ? close(o->fd) : 0)
		ret = -errno;
	o->file = NULL;
	o->fd = -1;
	return ret;
}

int fargs_outfile_finish(struct fargs_outfile *o)
{
	int ret = close_all(o);

	return ret || !o->temp ? ret : give_name(o);
}

void fargs_outfile_deinit(struct fargs_outfile *o)
{
	/*
	 * In a zeroed struct, fd is 0, but descriptor 0 was not opened by us and must not be
	 * closed.
	 */
	if (!o->path)
		return;
	close_all(o);
	if (o->temp)
		unlink(o->temp);
	free(o->temp);
	free(o->path);
	*o = FARGS_OUTFILE_NONE;
}

/* Does @o->path still refer to the file that @o created? */
static bool has_its_name(const struct fargs_outfile *o)
{
	struct stat ours, there;

	return o->is_new && o->fd >= 0 && !fstat(o->fd, &ours) && !lstat(o->path, &there) &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

void fargs_outfile_discard(struct fargs_outfile *o)
{
	if (!o->temp && has_its_name(o))
		unlink(o->path);
	fargs_outfile_deinit(o);
}

int fargs_outfile_scratch(const struct fargs_outfile *o, struct fargs_error_text *err)
{
	__cleanup_free char *path = NULL;
	const char *dir = getenv("TMPDIR");
	int fd = -1, n;

	if (o->temp)
		n = asprintf(&path, "%s.XXXXXX", o->temp);
	else
		n = asprintf(&path, "%s/fargs.XXXXXX", dir && *dir ? dir : "/tmp");
	if (n < 0) {
		path = NULL;
		return fargs_fail(err, ENOMEM, "out of memory");
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return fargs_fail(err, errno, "cannot create a temporary file '%s': %s", path,
				  strerror(errno));
	unlink(path);
	return fd;
}

int fargs_outfile_mkdir_in(int dir, const char *name, struct fargs_error_text *err)
{
	int fd = -1;

	if (!mkdirat(dir, name, 0700))
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 ? fd : fargs_fail(err, errno, "cannot create directory '%s': %s", name,
					 strerror(errno));
}

int fargs_outfile_mkdir(const char *path, struct fargs_error_text *err)
{
	return fargs_outfile_mkdir_in(AT_FDCWD, path, err);
}

FILE *fargs_outfile_in(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}
