/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Describes faults of a capture request in terms of the options that caused them.
 */
#ifndef FARGS_CMD_OPTIONS_REQUEST_H
#define FARGS_CMD_OPTIONS_REQUEST_H

#include "base/error.h"
#include "capture/hooks.h"
#include "capture/request.h"

/* Returns the text for @fault, which must not be FARGS_REQUEST_IS_GOOD. */
const char *fargs_request_fault_text(enum fargs_request_fault fault);
/* Describes @err, an error of the capture that @r requested. */
void fargs_request_error_text(const struct fargs_capture_request *r,
			      const struct fargs_capture_error *err,
			      struct fargs_error_text *text);

#endif
