/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports trace that is missing in a recording, and which the trace itself does not show.
 */
#ifndef FARGS_CMD_SCREEN_PT_GAPS_H
#define FARGS_CMD_SCREEN_PT_GAPS_H

struct fargs_pt_input;

/* Prints a line to stderr for each reason, and nothing if no trace is missing. */
void cmd_report_pt_gaps(const struct fargs_pt_input *in);

#endif
