/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes lines of source files below addresses: the field srccode. Private to sink/text/perf_*.c.
 */
#ifndef FARGS_SINK_TEXT_PERF_SOURCE_H
#define FARGS_SINK_TEXT_PERF_SOURCE_H

#include "sink/text/perf_parts.h"

struct fargs_perf_source;

/* Returns NULL if out of memory. */
struct fargs_perf_source *fargs_perf_source_create(void);
void fargs_perf_source_destroy(struct fargs_perf_source *s);

/*
 * Writes the line of source of @place if srccode is a field, unless it is the one that was written
 * last for the task of the event. If out of memory, sets is_short of the writer's buffer.
 */
void fargs_perf_put_source(struct fargs_perf_writer *w, const struct fargs_event_place *place);

#endif
