/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of the flight recorder: --flight, --after, --count, --split.
 */
#ifndef FARGS_CMD_OPTIONS_FLIGHT_H
#define FARGS_CMD_OPTIONS_FLIGHT_H

#include "capture/request.h"
#include "cmd/options/parse.h"

/* Options that set members of struct fargs_flight_request. */
extern const struct fargs_option fargs_flight_options[];
/* Checks, after parsing, that the options are consistent. Returns 0, or -EINVAL with @err. */
int fargs_flight_options_finish(const struct fargs_flight_request *o,
				struct fargs_error_text *err);

#endif
