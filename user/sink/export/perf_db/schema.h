/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Creates the tables of tables.h, and the views, indexes and keys of them.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_SCHEMA_H
#define FARGS_SINK_EXPORT_PERF_DB_SCHEMA_H

#include "sink/export/perf_db/writer.h"

/* All functions return 0 or -errno, as those of struct fargs_pdb_writer_ops. */
int fargs_pdb_create(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table);
/* Creates the tables that all databases have, with their first rows. */
int fargs_pdb_begin(struct fargs_pdb_writer *w);
/* Call after the last row. */
int fargs_pdb_end(struct fargs_pdb_writer *w);

#endif
