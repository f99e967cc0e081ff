/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the calls around calls that were recorded when they returned, or without their returns.
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_NESTING_H
#define FARGS_SINK_EXPORT_SQLITE_NESTING_H

#include "sink/export/sqlite/db.h"
#include "sink/export/sqlite/places.h"

/*
 * Sets the parents and, unless callers were recorded, the call paths in table "nested_calls". A
 * call is inside another one of its task if its time is. SQLite sorts the calls in a temporary
 * file; memory use: the calls around a call. Returns 0 or -errno.
 */
int fargs_db_nest_calls(struct fargs_db *db, struct fargs_db_places *places);

#endif
