/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A summary of a short time as a table for a screen: how often a second, how many failed, how
 * long, and the commonest value.
 */
#ifndef FARGS_REPORT_BUSIEST_H
#define FARGS_REPORT_BUSIEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "sink/summary/summary.h"

/* Is a function of this @name to be shown? @filter: a glob, or a part of it; empty: all. */
bool fargs_busiest_wants(const char *filter, const char *name);

/* A line that names the columns; with latencies if @s has any. */
void fargs_busiest_put_head(struct fargs_buf *out, const struct fargs_summary *s);
/* Lines of @s, which was sorted and took @ms, @most of them; each ends with a newline. */
void fargs_busiest_put(struct fargs_buf *out, const struct fargs_summary *s, uint64_t ms,
		       const char *filter, size_t most);

#endif
