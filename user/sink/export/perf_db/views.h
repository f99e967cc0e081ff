/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The views of perf's databases.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_VIEWS_H
#define FARGS_SINK_EXPORT_PERF_DB_VIEWS_H

#include "sink/export/perf_db/tables.h"

/*
 * The views, for PostgreSQL and for SQLite: only "to_hex(" must be replaced there, by
 * "printf('%x', ", and "text(" by "(". The last one has no name.
 */
extern const struct fargs_pdb_view {
	const char *name;
	enum fargs_pdb_table_id table;	/* the view exists if this table does */
	const char *select;
} fargs_pdb_views[];

/* The view power_events_view, for PostgreSQL and for SQLite: they differ in more. */
extern const char fargs_pdb_power_view[], fargs_pdb_power_view_sqlite[];

#endif
