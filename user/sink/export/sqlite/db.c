// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/sqlite/db.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sink/json/json.h"

#define LIBRARY "libsqlite3.so.0"

int fargs_db_load(struct fargs_db *db, struct fargs_error_text *err)
{
	const struct {
		const char *name;
		void *to;
	} wanted[] = {
		{ "sqlite3_open_v2", &db->sql.open_v2 },
		{ "sqlite3_close", &db->sql.close },
		{ "sqlite3_exec", &db->sql.exec },
		{ "sqlite3_prepare_v2", &db->sql.prepare_v2 },
		{ "sqlite3_step", &db->sql.step },
		{ "sqlite3_reset", &db->sql.reset },
		{ "sqlite3_finalize", &db->sql.finalize },
		{ "sqlite3_bind_int64", &db->sql.bind_int64 },
		{ "sqlite3_bind_text", &db->sql.bind_text },
		{ "sqlite3_bind_null", &db->sql.bind_null },
		{ "sqlite3_bind_blob", &db->sql.bind_blob },
		{ "sqlite3_column_int64", &db->sql.column_int64 },
		{ "sqlite3_column_type", &db->sql.column_type },
		{ "sqlite3_errmsg", &db->sql.errmsg },
	};
	void *function;
	size_t i;

	db->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!db->library)
		return fargs_fail(err, ENOENT, "%s is not installed: install libsqlite3-0, or the "
				  "equivalent package", LIBRARY);
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		function = dlsym(db->library, wanted[i].name);
		if (!function)
			return fargs_fail(err, ENOENT, "%s has no function "
					  "%s", LIBRARY, wanted[i].name);
		memcpy(wanted[i].to, &function, sizeof(function));
	}
	return 0;
}

int fargs_db_open(struct fargs_db *db, const char *path)
{
	if (db->sql.open_v2(path, &db->db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK)
		return 0;
	return fargs_fail(db->err, EIO, "cannot create '%s': %s", db->path,
			  db->db ? db->sql.errmsg(db->db) : "out of memory");
}

void fargs_db_close(struct fargs_db *db)
{
	if (db->db)
		db->sql.close(db->db);
	db->db = NULL;
}

void fargs_db_deinit(struct fargs_db *db)
{
	fargs_db_close(db);
	if (db->library)
		dlclose(db->library);
	*db = (struct fargs_db){ };
}

/* Converts an error of SQLite to -errno. */
static int fail(struct fargs_db *db, int code)
{
	if (code == SQLITE_NOMEM)
		return -ENOMEM;
	return fargs_fail(db->err, EIO, "'%s': %s", db->path, db->sql.errmsg(db->db));
}

int fargs_db_run(struct fargs_db *db, const char *sql)
{
	int code = db->sql.exec(db->db, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : fail(db, code);
}

int fargs_db_prepare(struct fargs_db *db, const char *sql, sqlite3_stmt **stmt)
{
	int code = db->sql.prepare_v2(db->db, sql, -1, stmt, NULL);

	return code == SQLITE_OK ? 0 : fail(db, code);
}

int fargs_db_step(struct fargs_db *db, sqlite3_stmt *stmt)
{
	int code = db->sql.step(stmt);

	db->sql.reset(stmt);
	return code == SQLITE_DONE ? 0 : fail(db, code);
}

int fargs_db_next_row(struct fargs_db *db, sqlite3_stmt *stmt)
{
	int code = db->sql.step(stmt);

	if (code == SQLITE_ROW)
		return 1;
	return code == SQLITE_DONE ? 0 : fail(db, code);
}

void fargs_db_finalize(struct fargs_db *db, sqlite3_stmt *stmt)
{
	if (stmt)
		db->sql.finalize(stmt);
}

void fargs_db_bind_id(struct fargs_db *db, sqlite3_stmt *stmt, int i, int64_t id)
{
	if (id)
		db->sql.bind_int64(stmt, i, id);
	else
		db->sql.bind_null(stmt, i);
}

void fargs_db_bind_u64(struct fargs_db *db, sqlite3_stmt *stmt, int i, uint64_t v)
{
	char digits[24];
	int n;

	if (v <= INT64_MAX) {
		db->sql.bind_int64(stmt, i, v);
		return;
	}
	n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v);
	db->sql.bind_text(stmt, i, digits, n, SQLITE_TRANSIENT);
}

void fargs_db_bind_text(struct fargs_db *db, sqlite3_stmt *stmt, int i, const char *text)
{
	struct fargs_buf utf8 = { };

	if (!text) {
		db->sql.bind_null(stmt, i);
		return;
	}
	fargs_json_put_utf8(&utf8, text, strlen(text));
	fargs_db_bind_buf(db, stmt, i, &utf8);
	fargs_buf_deinit(&utf8);
}

void fargs_db_bind_string(struct fargs_db *db, sqlite3_stmt *stmt, int i, const void *text,
			  size_t len)
{
	if (fargs_json_is_utf8(text, len))
		db->sql.bind_text(stmt, i, text, len, SQLITE_TRANSIENT);
	else
		db->sql.bind_blob(stmt, i, text, len, SQLITE_TRANSIENT);
}

void fargs_db_bind_buf(struct fargs_db *db, sqlite3_stmt *stmt, int i,
		       const struct fargs_buf *text)
{
	db->sql.bind_text(stmt, i, text->n ? text->text : "", text->n, SQLITE_TRANSIENT);
}
