/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the names of recorded events in a perf.data file: in the feature EVENT_DESC or, if perf
 * wrote to a pipe, in EVENT_UPDATE records. The input is not trusted.
 */
#ifndef FARGS_SOURCE_PERF_DATA_EVENT_DESC_H
#define FARGS_SOURCE_PERF_DATA_EVENT_DESC_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the name of the @nr-th event in an EVENT_DESC of @size bytes. The caller frees the name.
 * NULL: no name, or out of memory.
 */
char *fargs_perf_event_desc_name(const uint8_t *bytes, uint64_t size, size_t nr);

/*
 * Returns the name in an EVENT_UPDATE record, and sets *@id to the event's id. The caller frees the
 * name. @bytes: the @size bytes after the record's header. NULL: no name, or out of memory.
 */
char *fargs_perf_event_update_name(const uint8_t *bytes, uint64_t size, uint64_t *id);

#endif
