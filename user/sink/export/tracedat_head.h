/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The head of a trace.dat file, which precedes the pages of its CPUs: trace-cmd.dat.v6(5).
 */
#ifndef FARGS_SINK_EXPORT_TRACEDAT_HEAD_H
#define FARGS_SINK_EXPORT_TRACEDAT_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/meta.h"
#include "sink/export/ring_pages.h"
#include "sink/export/task_set.h"

/* The format of an event. */
struct fargs_tracedat_class {
	char *system;
	char *text;		/* as in tracefs' events/SYSTEM/EVENT/format */
	size_t bytes;		/* size of @text */
};

/*
 * Writes the head to @out, an empty buffer. The caller checks its is_short. The pages of CPU 0
 * follow the head, then those of CPU 1, and so on.
 */
void fargs_tracedat_head_put(struct fargs_buf *out, const struct fargs_meta *meta,
			     const struct fargs_tracedat_class *classes, size_t nr_classes,
			     const struct fargs_task_set *tasks,
			     const struct fargs_ring_pages *pages);

#endif
