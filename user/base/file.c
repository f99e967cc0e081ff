// SPDX-License-Identifier: GPL-2.0-only
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Initial buffer size for files that report no size, as in /proc; a smaller value would only cost
 * more read() calls.
 */
#define FIRST_BYTES	65536

static char *read_all(int fd, size_t *size, int (*between)(void *arg), void *arg)
{
	size_t room = FIRST_BYTES, used = 0, due = FIRST_BYTES;
	struct stat st;
	char *buf;
	int saved;

	/*
	 * One byte more than the file's size, so that the final read(), which returns 0, has room.
	 */
	if (!fstat(fd, &st) && st.st_size > 0)
		room = st.st_size + 1;
	buf = malloc(room + 1);
	while (buf) {
		ssize_t n = read(fd, buf + used, room - used);
		char *larger;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		used += n;
		if (!n) {
			buf[used] = '\0';
			*size = used;
			return buf;
		}
		if (between && used >= due) {
			int ret = between(arg);

			if (ret) {
				errno = -ret;
				break;
			}
			due = used + FIRST_BYTES;
		}
		if (used < room)
			continue;
		room *= 2;
		larger = realloc(buf, room + 1);
		if (!larger)
			break;
		buf = larger;
	}
	saved = errno;
	free(buf);
	errno = saved;
	return NULL;
}

char *fargs_file_read_amid(const char *path, size_t *size, int (*between)(void *arg), void *arg)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int saved;
	char *buf;

	if (fd < 0)
		return NULL;
	buf = read_all(fd, size, between, arg);
	saved = errno;
	close(fd);
	errno = saved;
	return buf;
}

char *fargs_file_read(const char *path, size_t *size)
{
	return fargs_file_read_amid(path, size, NULL, NULL);
}

int fargs_file_line(const char *path, char *buf, size_t size)
{
	size_t len;
	char *text = fargs_file_read(path, &len);

	if (!text)
		return -errno;
	len = strcspn(text, "\n");
	if (len >= size)
		len = size - 1;
	memcpy(buf, text, len);
	buf[len] = '\0';
	free(text);
	return 0;
}

bool fargs_file_has_proc(void)
{
	return !access("/proc/self", F_OK);
}

bool fargs_file_has_sys(void)
{
	return !access("/sys/kernel", F_OK);
}
