// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

#define PART_BYTES	(1 << 20)

/* Adds PART_BYTES of the file from @at on, or up to its end. */
static int add_part(int fd, off_t at, uint64_t *hash)
{
	uint8_t bytes[4096];
	off_t end = at + PART_BYTES;
	ssize_t n;

	for (; at < end; at += n) {
		n = pread(fd, bytes, sizeof(bytes), at);
		if (n < 0)
			return -errno;
		if (!n)
			return 0;
		*hash = fargs_hash_fnv(*hash, bytes, n);
	}
	return 0;
}

static int name(struct fargs_origin *o, int fd)
{
	uint64_t hash = FARGS_HASH_FNV;
	struct stat st;
	int ret;

	if (fstat(fd, &st))
		return -errno;
	ret = add_part(fd, 0, &hash);
	if (!ret && st.st_size > PART_BYTES)
		ret = add_part(fd, st.st_size - PART_BYTES, &hash);
	hash = fargs_hash_fnv(hash, &st.st_size, sizeof(st.st_size));
	snprintf(o->recording, sizeof(o->recording), "%016" PRIx64, hash);
	return ret;
}

int fargs_recording_name(struct fargs_origin *o, const char *path, struct fargs_error_text *err)
{
	int fd, ret, data;

	if (o->recording[0])
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	data = fd < 0 ? -1 : openat(fd, "data", O_RDONLY | O_CLOEXEC);
	ret = fd < 0 ? -errno : name(o, data < 0 ? fd : data);
	if (data >= 0)
		close(data);
	if (fd >= 0)
		close(fd);
	return ret ? fargs_fail(err, -ret, "cannot read '%s': %s", path, strerror(-ret)) : 0;
}
