/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports missed calls as text: which calls were missed, why, and the remedy.
 */
#ifndef FARGS_CMD_SCREEN_MISSED_H
#define FARGS_CMD_SCREEN_MISSED_H

#include <stdio.h>

#include "model/meta.h"

/* Reports missed calls on standard error; prints nothing if no calls were missed. */
void fargs_missed_tell(const struct fargs_meta *meta);
/* Writes missed calls as lines of fargs info, which begin with @key. */
void fargs_missed_put(FILE *out, const struct fargs_meta *meta, const char *key);

#endif
