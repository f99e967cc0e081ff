/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table "events" of a database, and the tables "selected_events" and "branch_types".
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_ROWS_H
#define FARGS_SINK_EXPORT_SQLITE_ROWS_H

#include "base/intern.h"
#include "model/decoder.h"
#include "sink/export/sqlite/calls.h"
#include "sink/export/sqlite/db.h"
#include "sink/export/sqlite/places.h"

struct fargs_db_rows {
	struct fargs_db *db;
	struct fargs_db_places *places;
	sqlite3_stmt *event, *selected_event, *branch_type;
	struct fargs_intern selected;	/* names of sampled events: name @n has id @n + 1 */
	struct fargs_intern types;	/* words of branches whose types were added */
	struct fargs_buf text;
};

/* Initialize with the database, the places and zeroes. */
void fargs_db_rows_deinit(struct fargs_db_rows *r);
/* Prepares the statements, after the tables were created. Returns 0 or -errno. */
int fargs_db_rows_prepare(struct fargs_db_rows *r);
/* Finalizes the statements. */
void fargs_db_rows_finalize(struct fargs_db_rows *r);

/* Adds @ev. Returns 0 or -errno. */
int fargs_db_rows_add(struct fargs_db_rows *r, struct fargs_decoder *d,
		      const struct fargs_event *ev, const struct fargs_db_event_ids *ids);

#endif
