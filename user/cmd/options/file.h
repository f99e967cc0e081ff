/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of record that are about its file.
 */
#ifndef FARGS_FILE_OPTIONS_H
#define FARGS_FILE_OPTIONS_H

#include "file/writer.h"
#include "base/error.h"

/* What they are when none is given. */
void fargs_file_options_init(struct fargs_writer_options *o);

/* Each 0; -EINVAL with @err saying what is wrong with @value. */

/* --compress[=LEVEL]; @value may be NULL. */
int fargs_file_options_set_compress(struct fargs_writer_options *o, const char *value,
				    struct fargs_error_text *err);
/* --sync TIME */
int fargs_file_options_set_sync(struct fargs_writer_options *o, const char *value,
				struct fargs_error_text *err);

#endif
