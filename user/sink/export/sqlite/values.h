/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table "args" of a database: the values of events.
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_VALUES_H
#define FARGS_SINK_EXPORT_SQLITE_VALUES_H

#include "model/decoder.h"
#include "sink/export/sqlite/db.h"

struct fargs_db_values {
	struct fargs_db *db;
	sqlite3_stmt *insert;
	struct fargs_buf text;
};

/* Initialize with the database and zeroes. */
void fargs_db_values_deinit(struct fargs_db_values *v);
/* Prepares the statement, after the tables were created. Returns 0 or -errno. */
int fargs_db_values_prepare(struct fargs_db_values *v);
/* Finalizes the statement. */
void fargs_db_values_finalize(struct fargs_db_values *v);

/* Adds the values of @ev, which has the id @event. Returns 0 or -errno. */
int fargs_db_values_add(struct fargs_db_values *v, struct fargs_decoder *d,
			const struct fargs_event *ev, int64_t event);

/*
 * Binds numbers and strings as such, enums and errors as numbers, and all other values as text,
 * which is @text for numbers of 128 bits.
 */
void fargs_db_bind_value(struct fargs_db *db, sqlite3_stmt *stmt, int i,
			 const struct fargs_arg *arg, const struct fargs_buf *text);

#endif
