// SPDX-License-Identifier: GPL-2.0-only
#include "capture/control.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *name;
	enum fargs_control_verb verb;
	bool has_options;	/* "evlist -v": options of perf, which change nothing here */
} commands[] = {
	{ "enable", FARGS_CONTROL_ENABLE, false },
	{ "disable", FARGS_CONTROL_DISABLE, false },
	{ "snapshot", FARGS_CONTROL_SNAPSHOT, false },
	{ "stop", FARGS_CONTROL_STOP, false },
	{ "ping", FARGS_CONTROL_PING, false },
	{ "evlist", FARGS_CONTROL_EVLIST, true },
};

/*
 * Opens a FIFO for reading and writing: so opening it does not wait for the other process, and the
 * FIFO goes on when that process closes it. Returns -1 with @err.
 */
static int open_fifo(const char *path, struct fargs_error_text *err)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd < 0) {
		fargs_fail(err, errno, "cannot open '%s': %s", path, strerror(errno));
		return -1;
	}
	if (!fstat(fd, &st) && S_ISFIFO(st.st_mode))
		return fd;
	close(fd);
	fargs_fail(err, EINVAL, "'%s' is not a FIFO: make one with mkfifo(1)", path);
	return -1;
}

/* Returns the descriptor that @text is the number of; -1 with @err. */
static int take_fd(const char *text, struct fargs_error_text *err)
{
	unsigned long fd;
	char *end;

	errno = 0;
	fd = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end || errno || fd > INT_MAX) {
		fargs_fail(err, EINVAL, "'%s' is not the number of a descriptor", text);
		return -1;
	}
	if (fcntl(fd, F_GETFD) >= 0)
		return fd;
	fargs_fail(err, EBADF, "descriptor %lu is not open", fd);
	return -1;
}

int fargs_control_open(struct fargs_control *c, const char *spec, struct fargs_error_text *err)
{
	bool is_fifo = !strncmp(spec, "fifo:", strlen("fifo:"));
	int (*open_one)(const char *text, struct fargs_error_text *err) = is_fifo ? open_fifo :
									   take_fd;
	char *first, *comma;

	*c = FARGS_CONTROL_CLOSED;
	if (!is_fifo && strncmp(spec, "fd:", strlen("fd:")))
		return fargs_fail(err, EINVAL, "'%s' is neither fifo:FILE[,FILE] nor fd:N[,N]",
				  spec);
	first = strdup(strchr(spec, ':') + 1);
	if (!first)
		return fargs_fail(err, ENOMEM, "out of memory");
	c->is_owned = is_fifo;
	comma = strchr(first, ',');
	if (comma)
		*comma = '\0';
	c->fd = open_one(first, err);
	if (c->fd >= 0 && comma)
		c->ack_fd = open_one(comma + 1, err);
	free(first);
	if (c->fd >= 0 && (!comma || c->ack_fd >= 0))
		return 0;
	fargs_control_close(c);
	return -EINVAL;
}

void fargs_control_close(struct fargs_control *c)
{
	if (c->is_owned && c->fd >= 0)
		close(c->fd);
	if (c->is_owned && c->ack_fd >= 0)
		close(c->ack_fd);
	*c = FARGS_CONTROL_CLOSED;
}

static bool is_ready(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, 0) > 0;
}

/*
 * Reads a byte, without waiting. Reads no more than that: the rest may be for whoever uses the
 * descriptor next. Returns false if there is none.
 */
static bool read_byte(struct fargs_control *c, char *byte)
{
	ssize_t n;

	if (c->fd < 0 || !is_ready(c->fd, POLLIN))
		return false;
	n = read(c->fd, byte, 1);
	if (n == 1)
		return true;
	/* The other side has closed the descriptor, or it cannot be read: do not poll it again. */
	if (!n || (errno != EAGAIN && errno != EINTR)) {
		if (c->is_owned)
			close(c->fd);
		c->fd = -1;
	}
	return false;
}

static enum fargs_control_verb find_verb(const char *text)
{
	size_t i, length;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		length = strlen(commands[i].name);
		if (!strncmp(text, commands[i].name, length) &&
		    (!text[length] || (commands[i].has_options && text[length] == ' ')))
			return commands[i].verb;
	}
	return FARGS_CONTROL_UNKNOWN;
}

enum fargs_control_verb fargs_control_next(struct fargs_control *c, char *text)
{
	bool is_long;
	char byte;

	while (read_byte(c, &byte)) {
		if (byte != '\n' && byte != '\0') {
			c->is_long |= c->n == sizeof(c->text) - 1;
			if (!c->is_long)
				c->text[c->n++] = byte;
			continue;
		}
		/* Empty lines are not commands. */
		if (!c->n)
			continue;
		memcpy(text, c->text, c->n);
		text[c->n] = '\0';
		is_long = c->is_long;
		c->n = 0;
		c->is_long = false;
		return is_long ? FARGS_CONTROL_UNKNOWN : find_verb(text);
	}
	return FARGS_CONTROL_NONE;
}

int fargs_control_ack(struct fargs_control *c)
{
	static const char ack[] = "ack\n";

	if (c->ack_fd < 0)
		return 0;
	/* A descriptor of the caller may block. */
	if (!is_ready(c->ack_fd, POLLOUT))
		return -EAGAIN;
	return write(c->ack_fd, ack, sizeof(ack) - 1) < 0 ? -errno : 0;
}
