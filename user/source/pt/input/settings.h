/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Variables of perf's configuration that are about Intel PT: those of the section intel-pt, and
 * itrace.debug-log-buffer-size.
 */
#ifndef FARGS_SOURCE_PT_INPUT_SETTINGS_H
#define FARGS_SOURCE_PT_INPUT_SETTINGS_H

#include "base/error.h"
#include "source/pt/input/input.h"

/*
 * Reads perf's configuration files into in->settings. Adds a message to @in for each variable of
 * Intel PT that is unknown. Returns 0, or a negative errno with @err if a value is invalid.
 */
int fargs_pt_settings_read(struct fargs_pt_input *in, struct fargs_error_text *err);

#endif
