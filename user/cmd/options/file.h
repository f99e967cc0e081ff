/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of fargs record that control how the trace file is written.
 */
#ifndef FARGS_CMD_OPTIONS_FILE_H
#define FARGS_CMD_OPTIONS_FILE_H

#include "cmd/options/parse.h"
#include "file/writer.h"
#include "model/origin.h"

/* Sets all options to their defaults. */
void fargs_file_options_init(struct fargs_writer_options *o);

/* Options that set members of struct fargs_writer_options. */
extern const struct fargs_option fargs_file_options[];
/* Option --label, which adds to the labels of a struct fargs_origin. */
extern const struct fargs_option fargs_label_option[];

#endif
