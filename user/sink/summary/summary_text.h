/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a summary as text: a table, most frequent values, histograms, and the difference of two
 * summaries.
 */
#ifndef FARGS_SINK_SUMMARY_SUMMARY_TEXT_H
#define FARGS_SINK_SUMMARY_SUMMARY_TEXT_H

#include "base/buf.h"
#include "sink/summary/summary.h"

/*
 * Writes @s, which must be sorted, as a table. Each line ends with a newline. The caller checks
 * is_short of @out.
 */
void fargs_summary_put_table(struct fargs_buf *out, const struct fargs_summary *s);
void fargs_summary_put_histograms(struct fargs_buf *out, const struct fargs_summary *s);
/*
 * Compares the functions of both summaries. The functions are sorted by how much their total time
 * changed, then by how much their number of calls changed, largest change first. Returns 0 or
 * -ENOMEM.
 */
int fargs_summary_put_diff(struct fargs_buf *out, const struct fargs_summary *before,
			   const struct fargs_summary *after);

#endif
