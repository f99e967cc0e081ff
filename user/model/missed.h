/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Missed calls by function: calls that are not recorded since the limit of calls that wait for
 * their return was reached.
 */
#ifndef FARGS_MODEL_MISSED_H
#define FARGS_MODEL_MISSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"

/* Sorts the functions, those with the most missed calls first. */
void fargs_missed_sort(struct fargs_missed *missed);

/* Missed calls of traced tasks, also if they were not counted by function. */
uint64_t fargs_missed_count(const struct fargs_meta *meta);
/* Calls of traced tasks that were nested too deeply for the kernel to trace their return. */
uint64_t fargs_missed_count_deep(const struct fargs_missed *missed);
/* How many of the calls that the kernel missed (any) are not assigned to a function. */
uint64_t fargs_missed_nameless(const struct fargs_missed *missed);
/* True if calls may have been missed without being counted, since the recording was cut short. */
bool fargs_missed_is_unknown(const struct fargs_meta *meta);
/* The function that the counters of @func belong to, or NULL. */
const struct fargs_func *fargs_missed_func(const struct fargs_meta *meta,
					   const struct fargs_missed_func *func);

#endif
