/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands from another process that control a recording, in the protocol of perf record --control:
 * lines of text from a FIFO or a descriptor, each of which is acknowledged by the line "ack".
 */
#ifndef FARGS_CAPTURE_CONTROL_H
#define FARGS_CAPTURE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum fargs_control_verb {
	FARGS_CONTROL_NONE,	/* no command has arrived */
	FARGS_CONTROL_ENABLE,
	FARGS_CONTROL_DISABLE,
	FARGS_CONTROL_SNAPSHOT,
	FARGS_CONTROL_STOP,
	FARGS_CONTROL_PING,
	FARGS_CONTROL_EVLIST,
	FARGS_CONTROL_UNKNOWN,	/* not a command; must not be acknowledged */
};

/* Size of the longest command; it is perf's, with the newline. */
#define FARGS_CONTROL_MAX	64

struct fargs_control {
	int fd;			/* to read commands from; -1: none, or closed by the other side */
	int ack_fd;		/* to write acknowledgements to; -1: none */
	bool is_owned;		/* the descriptors were opened by fargs_control_open() */
	bool is_long;		/* the rest of an overlong command is to be skipped */
	char text[FARGS_CONTROL_MAX];	/* the first @n bytes of the next command */
	size_t n;
};

/* Without descriptors: there are no commands. */
#define FARGS_CONTROL_CLOSED	((struct fargs_control){ .fd = -1, .ack_fd = -1 })

/*
 * Opens what @spec names: "fifo:FILE[,FILE]", or "fd:N[,N]" for descriptors that are already open.
 * The first is read, the second one receives acknowledgements. Returns 0 or -errno with @err.
 */
int fargs_control_open(struct fargs_control *c, const char *spec, struct fargs_error_text *err);
void fargs_control_close(struct fargs_control *c);

/*
 * Reads the next command, without waiting. @text has room for FARGS_CONTROL_MAX bytes, and receives
 * the command as it was written.
 */
enum fargs_control_verb fargs_control_next(struct fargs_control *c, char *text);
/*
 * Acknowledges a command, without waiting. Returns 0 or -errno, for example -EPIPE or -EAGAIN if
 * nobody reads the acknowledgements.
 */
int fargs_control_ack(struct fargs_control *c);

#endif
