/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace file of fargs as a source. The file may still be growing.
 */
#ifndef FARGS_SOURCE_FARGS_DAT_FARGS_DAT_H
#define FARGS_SOURCE_FARGS_DAT_FARGS_DAT_H

#include "file/reader.h"
#include "source/source.h"

/*
 * Returns NULL with @err on error. @r and @meta, which @r has filled in, must outlive the source.
 * The data of an item is its record. The source needs memory for two chunks per CPU.
 */
struct fargs_event_source *fargs_dat_source_create(struct fargs_reader *r, struct fargs_meta *meta,
					     struct fargs_error_text *err);
void fargs_dat_source_destroy(struct fargs_event_source *source);

#endif
