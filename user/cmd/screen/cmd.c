// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/screen/status_line.h"

int cmd_fail(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* Lines after the first one show where the error is: print them only on a terminal. */
	if (!isatty(STDERR_FILENO))
		text[strcspn(text, "\n")] = '\0';
	fargs_status_line_hide();
	fprintf(stderr, "fargs: %s\n", text);
	return 1;
}

int cmd_usage_fail(const char *verb, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "fargs %s: ", verb);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, " (see fargs %s --help)\n", verb);
	return 1;
}

void cmd_tell_none(void)
{
	fargs_status_line_hide();
	fprintf(stderr, "fargs: 0 events\n");
}

void cmd_complain(const struct fargs_btfs *btfs)
{
	const char *text;
	size_t i;

	for (i = 0; (text = fargs_btfs_complaint(btfs, i)); i++)
		cmd_fail("warning: %s", text);
}

int cmd_write(const char *text, size_t bytes)
{
	ssize_t n;

	for (; bytes; text += n, bytes -= n) {
		n = write(STDOUT_FILENO, text, bytes);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return -errno;
	}
	return 0;
}

int cmd_print(const char *text, size_t bytes)
{
	errno = 0;
	if (fwrite(text, 1, bytes, stdout) == bytes && !ferror(stdout))
		return 0;
	return errno ? -errno : -EIO;
}

bool cmd_is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
