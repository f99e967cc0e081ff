/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that select a part of a file: -C, --comm, --pid, --tid, --time, --filter.
 */
#ifndef FARGS_CMD_REPORT_PART_H
#define FARGS_CMD_REPORT_PART_H

#include "cmd/options/parse.h"

/* Options that set members of struct fargs_pipeline_options. */
extern const struct fargs_option fargs_part_options[];

#endif
