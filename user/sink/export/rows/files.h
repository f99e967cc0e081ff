/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory with a file for each table (table.h), and what waits to be written to them.
 */
#ifndef FARGS_SINK_EXPORT_ROWS_FILES_H
#define FARGS_SINK_EXPORT_ROWS_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "file/zout.h"
#include "sink/export/rows/table.h"

struct fargs_row_files {
	int dir;			/* descriptor of the directory; -1: there is none */
	FILE *files[FARGS_TABLES];
	struct fargs_zout zouts[FARGS_TABLES];	/* by which @files are written */
	struct fargs_buf waiting[FARGS_TABLES];	/* what is to be written to @files */
};

void fargs_row_files_init(struct fargs_row_files *f);
void fargs_row_files_deinit(struct fargs_row_files *f);

/*
 * Creates the directory @path, and a file TABLE.@suffix in it for each table. Returns 0, or -errno
 * with @err.
 */
int fargs_row_files_make(struct fargs_row_files *f, const char *path, const char *suffix,
			 bool is_compressed, struct fargs_error_text *err);
/* The same with files that have no names, in $TMPDIR, and can be read. */
int fargs_row_files_make_scratch(struct fargs_row_files *f, const char *path,
				 struct fargs_error_text *err);

/* Writes what waits, if it is much or @is_all. Returns 0, or -errno with @err. */
int fargs_row_files_write(struct fargs_row_files *f, int table, bool is_all,
			  struct fargs_error_text *err);
/* Writes what waits and completes the file. Returns 0, or -errno with @err. */
int fargs_row_files_finish(struct fargs_row_files *f, int table, struct fargs_error_text *err);

#endif
