/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What writes the rows of tables.h: to an SQLite database, or as a script for PostgreSQL.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_WRITER_H
#define FARGS_SINK_EXPORT_PERF_DB_WRITER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "sink/export/perf_db/tables.h"

struct fargs_pdb_writer;

/* All functions return 0; -ENOMEM; or another -errno, with a message in w->err. */
struct fargs_pdb_writer_ops {
	/* Opens @path, if the writer has files; the message is in @err. */
	int (*open)(struct fargs_pdb_writer *w, const char *path, struct fargs_error_text *err);
	/* Runs SQL that returns no rows, after all rows that were added. */
	int (*run)(struct fargs_pdb_writer *w, const char *sql);
	/* Call before the first row of a table, which run() has created. */
	int (*prepare)(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table);
	/* Adds a row, with a value for each column. */
	int (*row)(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table,
		   const struct fargs_pdb_value *values);
	/* Completes the output after the last statement. */
	int (*finish)(struct fargs_pdb_writer *w);
	void (*destroy)(struct fargs_pdb_writer *w);
};

struct fargs_pdb_writer {
	const struct fargs_pdb_writer_ops *ops;
	bool is_postgresql;
	struct fargs_error_text *err;
	struct fargs_buf *out;		/* where a writer without files writes; set for each call */
	bool has_table[FARGS_PDB_TABLES];	/* was created */
};

/* Return NULL if out of memory. */
struct fargs_pdb_writer *fargs_pdb_sqlite_writer(void);
struct fargs_pdb_writer *fargs_pdb_postgresql_writer(void);

/* Adds a row. Creates a table that is only in databases with rows for it. */
int fargs_pdb_row(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table,
		  const struct fargs_pdb_value *values);

#endif
