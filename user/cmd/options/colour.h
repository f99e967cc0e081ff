/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --color: when text output is coloured.
 */
#ifndef FARGS_CMD_OPTIONS_COLOUR_H
#define FARGS_CMD_OPTIONS_COLOUR_H

#include <stdbool.h>

#include "base/error.h"

enum fargs_colour_when {
	FARGS_COLOUR_AUTO,	/* on a terminal with colours, unless NO_COLOR is set */
	FARGS_COLOUR_ALWAYS,
	FARGS_COLOUR_NEVER,
};

/* Help text and values of --color, for struct fargs_option. */
#define FARGS_COLOUR_HELP \
	"show functions, values and errors in colours: auto (on a terminal, unless NO_COLOR is " \
	"set; the default), always or never"
#define FARGS_COLOUR_WORDS	"auto always never"

/* Parses the value of --color; NULL means always. Returns 0, or -EINVAL with @err. */
int fargs_colour_parse(enum fargs_colour_when *when, const char *value,
		       struct fargs_error_text *err);
/* Should text written to @fd be coloured? */
bool fargs_colour_is_wanted(enum fargs_colour_when when, int fd);

#endif
