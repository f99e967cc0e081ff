/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Identifies recordings of other tools among those of all machines.
 */
#ifndef FARGS_CMD_REPORT_RECORDING_H
#define FARGS_CMD_REPORT_RECORDING_H

#include "base/error.h"
#include "model/origin.h"

/*
 * Sets o->recording, if the file does not name it, from the file's size and the bytes at its begin
 * and end: a copy has the same name. @path may be a directory of perf record. Returns 0 or -errno
 * with @err.
 */
int fargs_recording_name(struct fargs_origin *o, const char *path, struct fargs_error_text *err);

#endif
