/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As text: which calls were missed, why, and what to do about it.
 */
#ifndef FARGS_MISSED_H
#define FARGS_MISSED_H

#include <stdio.h>

#include "model/meta.h"

/* On standard error, in lines of a command; nothing if no calls were missed. */
void fargs_missed_tell(const struct fargs_meta *meta);
/* As lines of fargs info, with @key in front. */
void fargs_missed_put(FILE *out, const struct fargs_meta *meta, const char *key);

#endif
