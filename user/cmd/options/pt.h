/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of record for Intel PT.
 */
#ifndef FARGS_CMD_OPTIONS_PT_H
#define FARGS_CMD_OPTIONS_PT_H

#include "cmd/options/capture.h"

/* Options --pt, --pt-filter etc., which set members of struct fargs_capture_options. */
extern const struct fargs_option fargs_pt_options[];

/* Checks that these options go with the others. Returns 0, or the status of cmd_usage_fail(). */
int fargs_pt_options_check(const struct fargs_capture_options *o);

#endif
