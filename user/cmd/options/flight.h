/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of the flight recorder: --flight, --after, --count, --split.
 */
#ifndef FARGS_FLIGHT_OPTIONS_H
#define FARGS_FLIGHT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_flight_options {
	bool is_on;
	uint64_t ring_bytes;	/* 0: not given */
	uint64_t after_ns;	/* from a trigger until the rings are read */
	uint32_t count;		/* triggers until the end; 0: not given, one; is_split: no end */
	bool is_split;		/* a file for each trigger */
};

/* -EINVAL with the reason in @err. @value of --flight may be NULL. */
int fargs_flight_options_set(struct fargs_flight_options *o, const char *value,
			     struct fargs_error_text *err);
int fargs_flight_options_set_after(struct fargs_flight_options *o, const char *value,
				   struct fargs_error_text *err);
int fargs_flight_options_set_count(struct fargs_flight_options *o, const char *value,
				   struct fargs_error_text *err);
/* All were read: do they go together? */
int fargs_flight_options_finish(const struct fargs_flight_options *o,
				struct fargs_error_text *err);

#endif
