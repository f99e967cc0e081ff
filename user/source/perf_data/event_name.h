/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Default names, as in perf, of events whose names are not recorded.
 */
#ifndef FARGS_SOURCE_PERF_DATA_EVENT_NAME_H
#define FARGS_SOURCE_PERF_DATA_EVENT_NAME_H

#include <linux/perf_event.h>
#include <stdbool.h>

/* The name with modifiers: "cycles:u". The caller frees it; NULL: out of memory. */
char *fargs_perf_event_name(const struct perf_event_attr *attr);

/* Does the addr of a sample of this event belong to a function, as that of a branch does? */
bool fargs_perf_event_has_code_addr(const struct perf_event_attr *attr);

#endif
