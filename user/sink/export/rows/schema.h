/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statements that create the tables of table.h in a database, and views of them.
 */
#ifndef FARGS_SINK_EXPORT_ROWS_SCHEMA_H
#define FARGS_SINK_EXPORT_ROWS_SCHEMA_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Prints the statements for ClickHouse from version 18.16 on. With @cluster (NULL: none), which
 * must be a name (fargs_schema_is_name()), the statements are those for each server of it: the
 * tables have names that end with _local, and tables without _local are of all servers.
 */
void fargs_schema_clickhouse(FILE *to, const char *cluster);

/*
 * Prints views of the directory of Parquet files in which they are run, for DuckDB from version 1.1
 * on. @cluster is not used.
 */
void fargs_schema_duckdb(FILE *to, const char *cluster);

/* Is @name an identifier, of letters, digits and '_', that does not begin with a digit? */
bool fargs_schema_is_name(const char *name);

#endif
