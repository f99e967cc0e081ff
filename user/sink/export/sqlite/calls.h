/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table "nested_calls" of a database: a row for each call, with the call in which it was made.
 *
 * A call whose entry and return are two events is on a stack of its task until it returns; then its
 * row is added. Memory use: a frame for each open call. A call with one event is added at once, and
 * nesting.h finds the call around it when all calls are known.
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_CALLS_H
#define FARGS_SINK_EXPORT_SQLITE_CALLS_H

#include <stdbool.h>

#include "base/hash.h"
#include "model/event.h"
#include "sink/export/sqlite/db.h"
#include "sink/export/sqlite/places.h"

struct fargs_db_nest;

struct fargs_db_calls {
	struct fargs_db *db;
	struct fargs_db_places *places;
	sqlite3_stmt *insert;
	/* The open calls of each task, found by fargs_task_id(). */
	struct fargs_db_nest **nests;
	size_t nr_nests;
	struct fargs_hash by_id;
	int64_t nr_calls;		/* the last id */
	bool has_single_events;		/* there are calls with only one event */
};

/* Ids of an event's rows in other tables; 0: none. */
struct fargs_db_event_ids {
	int64_t event, thread, comm, function, path;
};

/* Initialize with the database, the places and zeroes. */
void fargs_db_calls_deinit(struct fargs_db_calls *c);
/* Prepares the statements, after the tables were created. Returns 0 or -errno. */
int fargs_db_calls_prepare(struct fargs_db_calls *c);
/* Finalizes the statements. */
void fargs_db_calls_finalize(struct fargs_db_calls *c);

/* Takes an event, which need not be a call or a return. Returns 0 or -errno. */
int fargs_db_calls_take(struct fargs_db_calls *c, const struct fargs_event *ev,
			const struct fargs_db_event_ids *ids);
/* Adds the calls that have not returned, after the last event. Returns 0 or -errno. */
int fargs_db_calls_finish(struct fargs_db_calls *c);

#endif
