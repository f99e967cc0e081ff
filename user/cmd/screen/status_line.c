// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/status_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Default width, for a terminal that does not report its width. */
#define COLUMNS		80
#define COLUMNS_MAX	250

/* Is the status line shown? There is only one per process, because it is on standard error. */
static bool is_shown;

bool fargs_status_line_can(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") && isatty(STDERR_FILENO) &&
	       tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static unsigned int columns(void)
{
	struct winsize size;
	unsigned int n = COLUMNS;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		n = size.ws_col;
	/* Do not use the last column, because some terminals wrap after it. */
	return n > COLUMNS_MAX ? COLUMNS_MAX : n - 1;
}

/*
 * Writes with a single write(), so that the text is not interleaved with other output. Ignores
 * errors.
 */
static void put(const char *text, int n)
{
	ssize_t ret __attribute__((unused)) = write(STDERR_FILENO, text, n);
}

void fargs_status_line_show(const char *text)
{
	char line[COLUMNS_MAX + 16];

	if (!fargs_status_line_can())
		return;
	put(line, snprintf(line, sizeof(line), "\r%.*s\033[K", (int)columns(), text));
	is_shown = true;
}

void fargs_status_line_hide(void)
{
	if (is_shown)
		put("\r\033[K", 4);
	is_shown = false;
}

bool fargs_status_line_is_shown(void)
{
	return is_shown;
}
