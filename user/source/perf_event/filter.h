/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions in the kernel's words, for PERF_EVENT_IOC_SET_FILTER. Both return a string that the
 * caller frees; NULL: no memory.
 */
#ifndef FARGS_SOURCE_PERF_EVENT_FILTER_H
#define FARGS_SOURCE_PERF_EVENT_FILTER_H

#include <stddef.h>

/* "common_pid != N && …": all threads of this process are left out. */
char *fargs_perf_exclude_self(void);

/* All of @nr conditions have to hold; those that are NULL are none. */
char *fargs_perf_join_filters(const char *const *filters, size_t nr);

#endif
