/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports missed calls as text: which ones, why, and the remedy.
 */
#ifndef FARGS_CMD_SCREEN_MISSED_H
#define FARGS_CMD_SCREEN_MISSED_H

#include <stdio.h>

#include "model/meta.h"

/* On standard error; nothing if no calls were missed. */
void fargs_missed_tell(const struct fargs_meta *meta);
/* As lines of fargs info that begin with @key. */
void fargs_missed_put(FILE *out, const struct fargs_meta *meta, const char *key);

#endif
