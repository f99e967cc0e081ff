/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of fargs info about Intel PT.
 */
#ifndef FARGS_CMD_INFO_PT_H
#define FARGS_CMD_INFO_PT_H

#include <stdio.h>

#include "base/error.h"

/*
 * Prints the description of a perf.data file. Reads the file, but does not decode the trace.
 * Returns 0 or -errno.
 */
int fargs_info_put_perf(FILE *out, const char *path, struct fargs_error_text *err);

/* Prints the lines about Intel PT; none if the file contains no trace. Returns 0 or -errno. */
int fargs_info_put_pt(FILE *out, const char *path, struct fargs_error_text *err);

#endif
