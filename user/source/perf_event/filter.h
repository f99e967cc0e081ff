/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters in the kernel's syntax, for PERF_EVENT_IOC_SET_FILTER. Both functions return a string
 * that the caller frees, or NULL on failure.
 */
#ifndef FARGS_SOURCE_PERF_EVENT_FILTER_H
#define FARGS_SOURCE_PERF_EVENT_FILTER_H

#include <stddef.h>

/* "common_pid != N && …": excludes all threads of this process. */
char *fargs_perf_exclude_self(void);

/* The conjunction of @nr filters; those that are NULL are skipped. */
char *fargs_perf_join_filters(const char *const *filters, size_t nr);

#endif
