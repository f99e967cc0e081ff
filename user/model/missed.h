/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that are not in a recording since their return could not be waited for, by function.
 */
#ifndef FARGS_DECODE_MISSED_H
#define FARGS_DECODE_MISSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"

/* Puts those of which most calls were missed first. */
void fargs_missed_sort(struct fargs_missed *missed);

/* Calls of traced tasks that were missed, also if nobody counted them by function. */
uint64_t fargs_missed_count(const struct fargs_meta *meta);
/* Calls of traced tasks that were made too deep inside others for the kernel to follow. */
uint64_t fargs_missed_count_deep(const struct fargs_missed *missed);
/* Of those that the kernel missed (any), how many are not by function. */
uint64_t fargs_missed_nameless(const struct fargs_missed *missed);
/* May calls have been missed without anything saying so? The recording did not come to its end. */
bool fargs_missed_is_unknown(const struct fargs_meta *meta);
/* The function that @func counts, or NULL. */
const struct fargs_func *fargs_missed_func(const struct fargs_meta *meta,
					   const struct fargs_missed_func *func);

#endif
