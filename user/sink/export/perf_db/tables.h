/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables that perf's scripts export-to-sqlite.py and export-to-postgresql.py create, with the
 * same names, columns and meaning. Row 0 of most tables stands for what is unknown.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_TABLES_H
#define FARGS_SINK_EXPORT_PERF_DB_TABLES_H

#include <stdint.h>

#define FARGS_PDB_COLUMNS_MAX	25

enum fargs_pdb_table_id {
	FARGS_PDB_SELECTED_EVENTS,
	FARGS_PDB_MACHINES,
	FARGS_PDB_THREADS,
	FARGS_PDB_COMMS,
	FARGS_PDB_COMM_THREADS,
	FARGS_PDB_DSOS,
	FARGS_PDB_SYMBOLS,
	FARGS_PDB_BRANCH_TYPES,
	FARGS_PDB_SAMPLES,
	FARGS_PDB_CALL_PATHS,
	FARGS_PDB_CALLS,
	/* These are only in databases that have rows for them. */
	FARGS_PDB_PTWRITE,
	FARGS_PDB_CBR,
	FARGS_PDB_MWAIT,
	FARGS_PDB_PWRE,
	FARGS_PDB_EXSTOP,
	FARGS_PDB_PWRX,
	FARGS_PDB_CONTEXT_SWITCHES,
	FARGS_PDB_TABLES,
	FARGS_PDB_OPTIONAL = FARGS_PDB_PTWRITE,
};

enum fargs_pdb_type {
	FARGS_PDB_BIGINT,
	FARGS_PDB_INTEGER,
	FARGS_PDB_BOOLEAN,
	FARGS_PDB_SMALL_BOOLEAN,	/* an integer for SQLite, as perf's script has it */
	FARGS_PDB_TEXT,
};

struct fargs_pdb_column {
	const char *name;
	uint8_t type;			/* enum fargs_pdb_type */
	const char *references;		/* for PostgreSQL: the table whose ids it has; NULL: none */
};

/* The first column is the id, and the primary key. */
struct fargs_pdb_table {
	const char *name;
	struct fargs_pdb_column columns[FARGS_PDB_COLUMNS_MAX];
	unsigned int nr;		/* of columns */
};

extern const struct fargs_pdb_table fargs_pdb_tables[FARGS_PDB_TABLES];

/* A value of a row: FARGS_PDB_N() a number, FARGS_PDB_T() text; { } is 0. */
struct fargs_pdb_value {
	int64_t number;
	const char *text;		/* only of FARGS_PDB_TEXT; NULL: NULL */
};

#define FARGS_PDB_N(v)	{ .number = (int64_t)(v) }
#define FARGS_PDB_T(v)	{ .text = (v) }

#endif
