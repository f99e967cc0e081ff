/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Letter d of --itrace: writes a log of decoding.
 */
#ifndef FARGS_CMD_REPORT_PT_LOG_H
#define FARGS_CMD_REPORT_PT_LOG_H

#include "cmd/report/pt_options.h"
#include "source/pt/input/input.h"

/* The name of the log, in the current directory. */
#define FARGS_PT_LOG	"intel_pt.log"

/* Writes the log of @in, if @o asks for one. Returns the exit status. */
int fargs_pt_report_log(const struct fargs_pt_report_options *o, const struct fargs_pt_input *in);

#endif
