/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parquet files, written by DuckDB's library (libduckdb.so, its C API: duckdb.org/docs/api/c),
 * which is loaded where it is installed.
 */
#ifndef FARGS_SINK_EXPORT_ROWS_PARQUET_H
#define FARGS_SINK_EXPORT_ROWS_PARQUET_H

#include <stdint.h>

#include "base/error.h"
#include "sink/export/rows/table.h"

struct fargs_parquet;

/* Loads the library. Returns NULL with @err, which says what is needed, on error. */
struct fargs_parquet *fargs_parquet_create(struct fargs_error_text *err);
void fargs_parquet_destroy(struct fargs_parquet *p);

/* Where files are written, and of which recording. */
struct fargs_parquet_place {
	const char *path;	/* a directory */
	int dir;		/* its descriptor */
	const char *recording, *host;
	uint16_t date;		/* of the recording: days since 1970 */
};

/*
 * Writes the rows of @table in @fd, in the form fargs_row_csv, to files
 * PATH/TABLE/host=HOST/date=DATE/RECORDING_N.parquet. Of a table without rows, there is one file,
 * so that views of the directory work. Returns 0, or -errno with @err.
 */
int fargs_parquet_write(struct fargs_parquet *p, const struct fargs_parquet_place *place,
			const struct fargs_table *table, int fd, uint64_t nr_rows,
			struct fargs_error_text *err);

#endif
