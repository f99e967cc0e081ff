/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts as metrics in Prometheus' text format 0.0.4, for the textfile collector of node_exporter.
 * (The format: prometheus.io, "Exposition formats".) Metrics contain no arguments and no addresses.
 */
#ifndef FARGS_SINK_SUMMARY_PROMETHEUS_H
#define FARGS_SINK_SUMMARY_PROMETHEUS_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "sink/summary/summary.h"

/* The most functions, tracepoints and events that have metrics of their own. */
#define FARGS_PROMETHEUS_ROWS	1000

/*
 * Appends the metrics of @s, whose rows are in the order in which they were added: the counts
 * since @began_s, in seconds since 1970. Rows after the first FARGS_PROMETHEUS_ROWS are summed up
 * with the label "(others)", so that a metric which has appeared does not disappear. Returns 0 or
 * -ENOMEM.
 */
int fargs_prometheus_put(struct fargs_buf *out, const struct fargs_summary *s, uint64_t began_s);

/*
 * The same, to the file @path, which is replaced when it is complete. Returns 0, or -errno with
 * @err.
 */
int fargs_prometheus_write(const char *path, const struct fargs_summary *s, uint64_t began_s,
			   struct fargs_error_text *err);

#endif
