/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An SQLite database that is being written.
 *
 * The SQLite library is loaded on demand, because nothing else in fargs uses it.
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_DB_H
#define FARGS_SINK_EXPORT_SQLITE_DB_H

#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "base/buf.h"
#include "base/error.h"

/* The functions of the SQLite library that are used here. */
struct fargs_db_functions {
	typeof(sqlite3_open_v2) *open_v2;
	typeof(sqlite3_close) *close;
	typeof(sqlite3_exec) *exec;
	typeof(sqlite3_prepare_v2) *prepare_v2;
	typeof(sqlite3_step) *step;
	typeof(sqlite3_reset) *reset;
	typeof(sqlite3_finalize) *finalize;
	typeof(sqlite3_bind_int64) *bind_int64;
	typeof(sqlite3_bind_text) *bind_text;
	typeof(sqlite3_bind_null) *bind_null;
	typeof(sqlite3_bind_blob) *bind_blob;
	typeof(sqlite3_column_int64) *column_int64;
	typeof(sqlite3_column_type) *column_type;
	typeof(sqlite3_errmsg) *errmsg;
};

/* Initialize with zeroes. */
struct fargs_db {
	struct fargs_db_functions sql;
	void *library;
	sqlite3 *db;		/* NULL: closed */
	const char *path;	/* name for messages; owned by the caller */
	struct fargs_error_text *err;	/* messages of all functions but fargs_db_load() */
};

/* Loads the library. Returns 0 or -ENOENT with @err. */
int fargs_db_load(struct fargs_db *db, struct fargs_error_text *err);
/* Opens the existing file @path. Returns 0 or -EIO with a message. */
int fargs_db_open(struct fargs_db *db, const char *path);
/* Closes the database. All statements must have been finalized. */
void fargs_db_close(struct fargs_db *db);
void fargs_db_deinit(struct fargs_db *db);

/* The following functions return 0; -ENOMEM; or another -errno with a message in db->err. */
int fargs_db_run(struct fargs_db *db, const char *sql);
int fargs_db_prepare(struct fargs_db *db, const char *sql, sqlite3_stmt **stmt);
/* Runs a statement that returns no rows, and resets it. */
int fargs_db_step(struct fargs_db *db, sqlite3_stmt *stmt);
/* Like fargs_db_step() for a statement that returns rows: returns 1 while there is a row. */
int fargs_db_next_row(struct fargs_db *db, sqlite3_stmt *stmt);

/* Finalizes a statement; NULL: does nothing. */
void fargs_db_finalize(struct fargs_db *db, sqlite3_stmt *stmt);

/* Binds the id of a row; 0: NULL. */
void fargs_db_bind_id(struct fargs_db *db, sqlite3_stmt *stmt, int i, int64_t id);
/* Binds a number. SQLite's integers have 64 bits and a sign: larger numbers become text. */
void fargs_db_bind_u64(struct fargs_db *db, sqlite3_stmt *stmt, int i, uint64_t v);
/* Binds text. SQLite's text is UTF-8: invalid bytes become U+FFFD. NULL: binds NULL. */
void fargs_db_bind_text(struct fargs_db *db, sqlite3_stmt *stmt, int i, const char *text);
/* Binds a string. If it is not valid UTF-8, it becomes a blob. */
void fargs_db_bind_string(struct fargs_db *db, sqlite3_stmt *stmt, int i, const void *text,
			  size_t len);
/* Binds @text, which must be UTF-8. */
void fargs_db_bind_buf(struct fargs_db *db, sqlite3_stmt *stmt, int i,
		       const struct fargs_buf *text);

#endif
