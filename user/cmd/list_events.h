/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs list -e: lists the kernel's formatted events.
 */
#ifndef FARGS_CMD_LIST_EVENTS_H
#define FARGS_CMD_LIST_EVENTS_H

#include <stdbool.h>

#include "source/perf_event/selection.h"

/* Prints the events that match @actives, with fields if @has_proto. Returns the exit status. */
int fargs_list_events(const struct fargs_event_rules *actives, bool has_proto);

#endif
