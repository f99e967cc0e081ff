/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of events whose names were not recorded: perf's default names. And the events that have a
 * name in perf.
 */
#ifndef FARGS_SOURCE_PERF_DATA_EVENT_NAME_H
#define FARGS_SOURCE_PERF_DATA_EVENT_NAME_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the event's name with modifiers, such as "cycles:u". The caller frees the name. NULL: out
 * of memory.
 */
char *fargs_perf_event_name(const struct perf_event_attr *attr);

/*
 * Finds the hardware or software event @name, one of perf's names without modifiers. Sets *@type
 * and *@config, the members of struct perf_event_attr. Returns false if there is none.
 */
bool fargs_perf_event_find(const char *name, uint32_t *type, uint64_t *config);

/* Returns the type of the event (enum fargs_perf_event_type). */
uint8_t fargs_perf_event_type(const struct perf_event_attr *attr);

/* Is the addr of the event's samples an address in code, such as the target of a branch? */
bool fargs_perf_event_has_code_addr(const struct perf_event_attr *attr);

#endif
