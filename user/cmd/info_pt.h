/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs info: the lines about Intel PT.
 */
#ifndef FARGS_INFO_PT_H
#define FARGS_INFO_PT_H

#include <stdio.h>

#include "base/error.h"

/* All there is of a perf.data; it is read for that, but not decoded. -errno. */
int fargs_info_put_perf(FILE *out, const char *path, struct fargs_error_text *err);

/* Prints nothing for a file that has none. -errno. */
int fargs_info_put_pt(FILE *out, const char *path, struct fargs_error_text *err);

#endif
