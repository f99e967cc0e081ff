/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sink that writes events as lines of perf script, with the fields of -F.
 */
#ifndef FARGS_SINK_TEXT_PERF_LINE_H
#define FARGS_SINK_TEXT_PERF_LINE_H

#include "pipeline/sink.h"
#include "sink/text/perf_fields.h"

struct fargs_perf_lines;

/*
 * @meta must outlive the result. Returns NULL with @err if the events lack what the fields need, or
 * if out of memory.
 */
struct fargs_perf_lines *fargs_perf_lines_create(const struct fargs_perf_fields *fields,
						 const struct fargs_meta *meta,
						 struct fargs_error_text *err);
void fargs_perf_lines_destroy(struct fargs_perf_lines *lines);
const struct fargs_sink *fargs_perf_lines_sink(const struct fargs_perf_lines *lines);

#endif
