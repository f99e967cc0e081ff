/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the names of recorded events in a perf.data: in its feature EVENT_DESC or, of a
 * recording through a pipe, in EVENT_UPDATE records. Input is not trusted.
 */
#ifndef FARGS_SOURCE_PERF_DATA_EVENT_DESC_H
#define FARGS_SOURCE_PERF_DATA_EVENT_DESC_H

#include <stddef.h>
#include <stdint.h>

/*
 * The name of the @nr-th event in the @size bytes of EVENT_DESC. The caller frees it; NULL: none,
 * or out of memory.
 */
char *fargs_perf_event_desc_name(const uint8_t *bytes, uint64_t size, size_t nr);

/*
 * The name in an EVENT_UPDATE, @size bytes after the record's header, and the event's id in *@id.
 * The caller frees it; NULL: none, or out of memory.
 */
char *fargs_perf_event_update_name(const uint8_t *bytes, uint64_t size, uint64_t *id);

#endif
