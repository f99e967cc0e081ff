/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Missed calls, counted by function: calls that were not recorded because their return could not be
 * traced.
 */
#ifndef FARGS_MODEL_MISSED_H
#define FARGS_MODEL_MISSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"

/* Sorts the functions by missed calls, most first. */
void fargs_missed_sort(struct fargs_missed *missed);

/* Returns the number of missed calls of traced tasks, even if they were not counted by function. */
uint64_t fargs_missed_count(const struct fargs_meta *meta);
/* Returns the number of calls of traced tasks that were nested too deeply to trace their return. */
uint64_t fargs_missed_count_deep(const struct fargs_missed *missed);
/* Returns how many of the missed calls in missed->any are not counted for any function. */
uint64_t fargs_missed_nameless(const struct fargs_missed *missed);
/* Is it possible that missed calls were not counted, because the recording was cut short? */
bool fargs_missed_is_unknown(const struct fargs_meta *meta);
/* Returns the function that the counters in @func belong to, or NULL. */
const struct fargs_func *fargs_missed_func(const struct fargs_meta *meta,
					   const struct fargs_missed_func *func);

#endif
