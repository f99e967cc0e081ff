/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of trace and top: format and number of events or screens.
 */
#ifndef FARGS_CMD_OPTIONS_LIVE_H
#define FARGS_CMD_OPTIONS_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/options/colour.h"
#include "cmd/options/parse.h"

struct fargs_live_options {
	bool is_json;		/* --json was given */
	const char *fields;	/* value of --fields; NULL: not given */
	const char *display_filter;	/* value of --display-filter; NULL: not given */
	enum fargs_colour_when colour;	/* value of --color */
	uint64_t count;	/* value of --count, in events (for top: in screens); 0: unlimited */
	/* The following members are used only by top. */
	bool is_batch;		/* --batch was given */
	uint64_t interval_ns;	/* value of --interval; 0: not given */
	const char *prometheus;	/* value of --prometheus; NULL: not given */
	const char *sort;	/* value of --sort; NULL: sort by count */
	const char *top;	/* value of --top; NULL: count all arguments */
};

/* Options that set members of struct fargs_live_options. */
extern const struct fargs_option fargs_live_options[];	/* options of trace */
extern const struct fargs_option fargs_top_options[];	/* options of top */

/* Should lines written to @fd be coloured? */
bool fargs_live_options_has_colour(const struct fargs_live_options *o, int fd);

#endif
