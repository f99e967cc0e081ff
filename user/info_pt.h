/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs info: the lines about Intel PT.
 */
#ifndef FARGS_INFO_PT_H
#define FARGS_INFO_PT_H

#include <stdio.h>

#include "util/error.h"

/* Prints nothing for a file that has none. -errno. */
int fargs_info_put_pt(FILE *out, const char *path, struct fargs_error_text *err);

#endif
