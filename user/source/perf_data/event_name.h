/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf calls an event whose name the recording does not have.
 */
#ifndef FARGS_PERF_EVENT_NAME_H
#define FARGS_PERF_EVENT_NAME_H

#include <linux/perf_event.h>
#include <stdbool.h>

/* With modifiers: "cycles:u". To be freed; NULL: no memory. */
char *fargs_perf_event_name(const struct perf_event_attr *attr);

/* Does the address of a sample of it belong to a function, as that of a branch does? */
bool fargs_perf_event_has_code_addr(const struct perf_event_attr *attr);

#endif
