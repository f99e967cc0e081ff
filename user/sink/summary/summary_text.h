/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a summary as text: a table, top values, histograms, and the difference of two summaries.
 */
#ifndef FARGS_SINK_SUMMARY_SUMMARY_TEXT_H
#define FARGS_SINK_SUMMARY_SUMMARY_TEXT_H

#include "base/buf.h"
#include "sink/summary/summary.h"

/* Each line ends with a newline; the caller checks is_short. @s must be sorted. */
void fargs_summary_put_table(struct fargs_buf *out, const struct fargs_summary *s);
void fargs_summary_put_histograms(struct fargs_buf *out, const struct fargs_summary *s);
/*
 * Compares the functions of both summaries. Sorted by the change of total time, then of the number
 * of calls, largest first. Returns 0 or -ENOMEM.
 */
int fargs_summary_put_diff(struct fargs_buf *out, const struct fargs_summary *before,
			   const struct fargs_summary *after);

#endif
