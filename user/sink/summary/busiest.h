/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats the summary of a short interval as a table for a screen: calls per second, errors,
 * latencies, and the most frequent value.
 */
#ifndef FARGS_SINK_SUMMARY_BUSIEST_H
#define FARGS_SINK_SUMMARY_BUSIEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "sink/summary/summary.h"

/* Does @name match @filter? @filter: a glob, or a substring; empty: everything matches. */
bool fargs_busiest_wants(const char *filter, const char *name);

/* Writes the line of column titles, including those of latencies if @s has latencies. */
void fargs_busiest_put_head(struct fargs_buf *out, const struct fargs_summary *s);
/*
 * Writes at most @most lines of @s, a sorted summary of @ms milliseconds. Each ends with a newline.
 */
void fargs_busiest_put(struct fargs_buf *out, const struct fargs_summary *s, uint64_t ms,
		       const char *filter, size_t most);

#endif
