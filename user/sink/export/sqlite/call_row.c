// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/sqlite/call_row.h"

int fargs_db_call_row_prepare(struct fargs_db *db, sqlite3_stmt **stmt)
{
	return fargs_db_prepare(db, "INSERT INTO nested_calls VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
				stmt);
}

static void bind_known(struct fargs_db *db, sqlite3_stmt *stmt, int i, int64_t v)
{
	if (v < 0)
		db->sql.bind_null(stmt, i);
	else
		db->sql.bind_int64(stmt, i, v);
}

int fargs_db_call_row_insert(struct fargs_db *db, sqlite3_stmt *stmt,
			     const struct fargs_db_call_row *row)
{
	db->sql.bind_int64(stmt, 1, row->id);
	fargs_db_bind_id(db, stmt, 2, row->thread);
	fargs_db_bind_id(db, stmt, 3, row->comm);
	bind_known(db, stmt, 4, row->cpu);
	fargs_db_bind_id(db, stmt, 5, row->function);
	fargs_db_bind_id(db, stmt, 6, row->path);
	bind_known(db, stmt, 7, row->call_ns);
	bind_known(db, stmt, 8, row->return_ns);
	fargs_db_bind_id(db, stmt, 9, row->call_event);
	fargs_db_bind_id(db, stmt, 10, row->return_event);
	fargs_db_bind_id(db, stmt, 11, row->parent);
	bind_known(db, stmt, 12, row->elapsed_ns);
	db->sql.bind_int64(stmt, 13, row->flags);
	return fargs_db_step(db, stmt);
}
