/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fargs trace alone has: how its events look, and how many there are to be.
 */
#ifndef FARGS_LIVE_OPTIONS_H
#define FARGS_LIVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum fargs_colour_when {
	FARGS_COLOUR_AUTO,	/* on a terminal that has it, unless NO_COLOR says no */
	FARGS_COLOUR_ALWAYS,
	FARGS_COLOUR_NEVER,
};

struct fargs_live_options {
	bool is_set;		/* one of them was given */
	bool is_json;		/* --json */
	enum fargs_colour_when colour;	/* --color */
	uint64_t count;		/* --count: events, of top screens; 0: no end */
	/* Of top: */
	bool is_batch;		/* --batch */
	uint64_t interval_ns;	/* --interval; 0: not given */
	const char *sort;	/* --sort; NULL: by count */
	const char *top;	/* --top; NULL: of all arguments */
};

extern const char fargs_live_options_help[];

/* -EINVAL with the reason in @err. @value of --color may be NULL. */
int fargs_live_options_set_colour(struct fargs_live_options *o, const char *value,
				  struct fargs_error_text *err);
int fargs_live_options_set_count(struct fargs_live_options *o, const char *value,
				 struct fargs_error_text *err);
/* Are lines that go to @fd to have colours? */
bool fargs_live_options_has_colour(const struct fargs_live_options *o, int fd);

#endif
