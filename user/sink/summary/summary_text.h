/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A summary for a person: a table, top values, histograms; and what two differ in.
 */
#ifndef FARGS_REPORT_SUMMARY_TEXT_H
#define FARGS_REPORT_SUMMARY_TEXT_H

#include "base/buf.h"
#include "sink/summary/summary.h"

/* Each line ends with a newline; the caller looks at is_short. @s has been sorted. */
void fargs_summary_put_table(struct fargs_buf *out, const struct fargs_summary *s);
void fargs_summary_put_histograms(struct fargs_buf *out, const struct fargs_summary *s);
/* Functions of either, those first whose total time, or else number, changed most. 0 or -ENOMEM. */
int fargs_summary_put_diff(struct fargs_buf *out, const struct fargs_summary *before,
			   const struct fargs_summary *after);

#endif
