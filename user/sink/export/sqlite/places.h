/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables "functions", "dsos" and "call_paths" of a database. Rows are added when they are first
 * used. Memory use: the names of all functions and modules, and the call paths, that occur.
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_PLACES_H
#define FARGS_SINK_EXPORT_SQLITE_PLACES_H

#include "base/intern.h"
#include "model/decoder.h"
#include "model/meta.h"
#include "sink/export/call_paths.h"
#include "sink/export/sqlite/db.h"

struct fargs_db_places {
	struct fargs_db *db;
	const struct fargs_meta *meta;
	sqlite3_stmt *function, *dso, *path;
	struct fargs_intern functions;	/* function @n has id @n + 1; see put_key() */
	struct fargs_intern dsos;	/* long names; dso @n has id @n + 1 */
	struct fargs_call_paths paths;
	/* Ids of the functions of @meta, and of formatted events by their 16-bit ids; 0: none. */
	int64_t *traced, *formatted;
	struct fargs_buf text;
};

/* Returns 0 or -ENOMEM. Call fargs_db_places_deinit() in both cases. */
int fargs_db_places_init(struct fargs_db_places *p, struct fargs_db *db,
			 const struct fargs_meta *meta);
void fargs_db_places_deinit(struct fargs_db_places *p);
/* Prepares the statements, after the tables were created. Returns 0 or -errno. */
int fargs_db_places_prepare(struct fargs_db_places *p);
/* Finalizes the statements. */
void fargs_db_places_finalize(struct fargs_db_places *p);

/*
 * The following functions set an id, which is 0 if nothing is known, and return 0 or -errno.
 * fargs_db_places_event() finds the event's function, tracepoint or formatted event.
 */
int fargs_db_places_event(struct fargs_db_places *p, struct fargs_decoder *d,
			  const struct fargs_event *ev, int64_t *id);
int fargs_db_places_function(struct fargs_db_places *p, const struct fargs_event_place *place,
			     int64_t *id);
/* Finds the path from the outermost caller of @ev to @function; 0: no callers are known. */
int fargs_db_places_path(struct fargs_db_places *p, struct fargs_decoder *d,
			 const struct fargs_event *ev, int64_t function, int64_t *path);
/* Extends *@path by @function. */
int fargs_db_places_extend(struct fargs_db_places *p, int64_t function, int64_t *path);

#endif
