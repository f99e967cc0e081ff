// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Inode number of the root cgroup: kernfs assigns numbers from 1, first to the root. */
#define ROOT_ID		1
/* Maximum number of levels, far more than are used in practice. */
#define LEVEL_MAX	1000
#define PATH_BYTES	4096

/* Finds the mount point of cgroup2, and copies it to @dir, a buffer of PATH_BYTES. */
static bool find_mount(char *dir)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	char buf[PATH_BYTES + 512];
	struct mntent entry;
	bool is_found = false;

	while (f && !is_found && getmntent_r(f, &entry, buf, sizeof(buf))) {
		is_found = !strcmp(entry.mnt_type, "cgroup2");
		if (is_found)
			snprintf(dir, PATH_BYTES, "%s", entry.mnt_dir);
	}
	if (f)
		endmntent(f);
	return is_found;
}

/*
 * Opens directory @path, with @flags, or, if there is none, @path below @mount (NULL: cgroup2 is
 * not mounted).
 */
static int open_directory(const char *path, const char *mount, int flags)
{
	char below[2 * PATH_BYTES];
	int fd = open(path, flags | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 || errno != ENOENT || !mount)
		return fd;
	snprintf(below, sizeof(below), "%s/%s", mount, path);
	return open(below, flags | O_DIRECTORY | O_CLOEXEC);
}

static bool is_version_2(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
}

static int fail_kind(int fd, const char *path, const char *mount, struct fargs_error_text *err)
{
	struct statfs fs;

	if (!mount)
		return fargs_fail(err, EINVAL, "'%s': cgroup v2 is not mounted: mount -t cgroup2 "
				  "none /sys/fs/cgroup", path);
	if (!fstatfs(fd, &fs) && fs.f_type == CGROUP_SUPER_MAGIC)
		return fargs_fail(err, EINVAL, "'%s' is a cgroup v1 directory: give one of cgroup "
				  "v2, in '%s'", path, mount);
	return fargs_fail(err, EINVAL, "'%s' is not a cgroup: give a directory in "
			  "'%s'", path, mount);
}

/* Sets *@level to the number of levels from @fd up to the root. Closes @fd. */
static int count_levels(int fd, unsigned int *level, const char *path,
			struct fargs_error_text *err)
{
	struct stat st;
	int up;

	for (*level = 0; ; ++*level) {
		if (fstat(fd, &st) || !is_version_2(fd) || *level > LEVEL_MAX) {
			close(fd);
			return fargs_fail(err, EINVAL, "'%s': its parent cgroups are not visible "
					  "in this cgroup namespace or container", path);
		}
		if (st.st_ino == ROOT_ID)
			break;
		up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		if (up < 0)
			return fargs_fail(err, errno, "'%s': cannot open its parent: %s", path,
					  strerror(errno));
		fd = up;
	}
	close(fd);
	return 0;
}

/* Returns a descriptor of the cgroup @path, opened with @flags, or -errno with @err. */
static int open_cgroup(const char *path, int flags, struct fargs_error_text *err)
{
	char mount[PATH_BYTES];
	bool has_mount = find_mount(mount);
	int fd = open_directory(path, has_mount ? mount : NULL, flags), ret;

	if (fd < 0 && has_mount)
		return fargs_fail(err, errno, "'%s' is not a cgroup (%s): give a directory in '%s'",
				  path, strerror(errno), mount);
	if (fd >= 0 && is_version_2(fd))
		return fd;
	ret = fail_kind(fd, path, has_mount ? mount : NULL, err);
	if (fd >= 0)
		close(fd);
	return ret;
}

int fargs_cgroup_open(const char *path, struct fargs_error_text *err)
{
	return open_cgroup(path, O_RDONLY, err);
}

int fargs_cgroup_init(struct fargs_cgroup *cgroup, const char *path, struct fargs_error_text *err)
{
	int fd = open_cgroup(path, O_PATH, err), ret;
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st)) {
		ret = fargs_fail(err, errno, "'%s': %s", path, strerror(errno));
		close(fd);
		return ret;
	}
	cgroup->id = st.st_ino;
	return count_levels(fd, &cgroup->level, path, err);
}
