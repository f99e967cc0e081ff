/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the recorded events, as a perf.data has them: in its feature EVENT_DESC, or of what came
 * through a pipe in records EVENT_UPDATE. Not to be trusted.
 */
#ifndef FARGS_PT_PERF_EVENT_DESC_H
#define FARGS_PT_PERF_EVENT_DESC_H

#include <stddef.h>
#include <stdint.h>

/* Of the @nr-th event in the @size bytes of the feature. To be freed; NULL: none, or no memory. */
char *fargs_perf_event_desc_name(const uint8_t *bytes, uint64_t size, size_t nr);

/* Of the event with *@id, in the @size bytes behind the header of the record. The same. */
char *fargs_perf_event_update_name(const uint8_t *bytes, uint64_t size, uint64_t *id);

#endif
