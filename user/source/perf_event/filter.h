/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters in the kernel's syntax, for PERF_EVENT_IOC_SET_FILTER. The functions return a string that
 * the caller frees, or NULL on failure.
 */
#ifndef FARGS_SOURCE_PERF_EVENT_FILTER_H
#define FARGS_SOURCE_PERF_EVENT_FILTER_H

#include <stddef.h>

/* Returns a filter that excludes all threads of this process: "common_pid != N && …". */
char *fargs_perf_exclude_self(void);

/* Joins @nr filters with "&&"; skips those that are NULL. */
char *fargs_perf_join_filters(const char *const *filters, size_t nr);

#endif
