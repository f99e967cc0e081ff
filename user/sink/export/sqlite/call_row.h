/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of table "nested_calls" of a database.
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_CALL_ROW_H
#define FARGS_SINK_EXPORT_SQLITE_CALL_ROW_H

#include "sink/export/sqlite/db.h"

/* The numbers are those of perf's export-to-sqlite.py. */
enum fargs_db_call_flags {
	FARGS_DB_CALL_NO_CALL = 1,	/* the call itself is not in the database */
	FARGS_DB_CALL_NO_RETURN = 2,
	FARGS_DB_CALL_JUMP = 4,		/* the function was entered by a jump out of another one */
	/* Not one of perf's: the call path is that of recorded callers, not of calls. */
	FARGS_DB_CALL_STACK = 8,
};

/* Ids are 0, and times and the CPU are -1, if they are unknown. */
struct fargs_db_call_row {
	int64_t id;
	int64_t thread, comm;
	int64_t function;
	int64_t path;
	int64_t call_event, return_event;
	int64_t parent;
	int64_t call_ns, return_ns, elapsed_ns;
	int64_t cpu;
	unsigned int flags;	/* enum fargs_db_call_flags */
};

/* Returns 0 or -errno. Call fargs_db_finalize() for *@stmt. */
int fargs_db_call_row_prepare(struct fargs_db *db, sqlite3_stmt **stmt);
int fargs_db_call_row_insert(struct fargs_db *db, sqlite3_stmt *stmt,
			     const struct fargs_db_call_row *row);

#endif
