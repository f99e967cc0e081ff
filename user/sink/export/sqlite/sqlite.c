// SPDX-License-Identifier: GPL-2.0-only
/*
 * An SQLite database: tables of events, calls, arguments, functions and tasks, and views that
 * answer common questions (fargs-export(1)).
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "model/event_record.h"
#include "sink/export/sqlite/calls.h"
#include "sink/export/sqlite/db.h"
#include "sink/export/sqlite/places.h"
#include "sink/export/sqlite/rows.h"
#include "sink/export/sqlite/schema.h"
#include "sink/export/sqlite/tasks.h"
#include "sink/export/sqlite/values.h"

struct base {
	struct fargs_export e;
	struct fargs_db db;
	struct fargs_outfile file;
	char *path;
	uint64_t nr_events;
	struct fargs_db_tasks tasks;
	struct fargs_db_places places;
	struct fargs_db_rows rows;
	struct fargs_db_values values;
	struct fargs_db_calls calls;
};

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct base *b = arg;
	struct fargs_db_event_ids ids = { };
	int ret = 0;

	if (ev->kind == FARGS_KIND_TASK)
		return 0;
	ids.event = ++b->nr_events;
	if (ev->kind != FARGS_KIND_LOST)
		ret = fargs_db_tasks_add(&b->tasks, ev, &ids.thread, &ids.comm);
	if (!ret)
		ret = fargs_db_places_event(&b->places, d, ev, &ids.function);
	if (!ret)
		ret = fargs_db_places_path(&b->places, d, ev, ids.function, &ids.path);
	if (!ret)
		ret = fargs_db_rows_add(&b->rows, d, ev, &ids);
	if (!ret)
		ret = fargs_db_calls_take(&b->calls, ev, &ids);
	if (!ret && ev->kind != FARGS_KIND_LOST && ev->kind != FARGS_KIND_SWITCH)
		ret = fargs_db_values_add(&b->values, d, ev, ids.event);
	return ret;
}

static int begin(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct base *b = arg;
	int ret;

	/* Use no journal: an incomplete file is useless, and the export can be repeated. */
	ret = fargs_db_run(&b->db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;");
	if (!ret)
		ret = fargs_db_run(&b->db, fargs_schema_tables);
	if (!ret)
		ret = fargs_db_tasks_prepare(&b->tasks);
	if (!ret)
		ret = fargs_db_places_prepare(&b->places);
	if (!ret)
		ret = fargs_db_rows_prepare(&b->rows);
	if (!ret)
		ret = fargs_db_values_prepare(&b->values);
	return ret ? ret : fargs_db_calls_prepare(&b->calls);
}

static void close_base(struct base *b)
{
	if (!b->db.db)
		return;
	fargs_db_tasks_finalize(&b->tasks);
	fargs_db_places_finalize(&b->places);
	fargs_db_rows_finalize(&b->rows);
	fargs_db_values_finalize(&b->values);
	fargs_db_calls_finalize(&b->calls);
	fargs_db_close(&b->db);
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct base *b = arg;
	int ret = fargs_db_calls_finish(&b->calls);

	if (!ret)
		ret = fargs_db_run(&b->db, fargs_schema_indexes);
	if (!ret)
		ret = fargs_db_run(&b->db, fargs_schema_views);
	if (!ret)
		ret = fargs_db_run(&b->db, "COMMIT;");
	if (ret)
		return ret;
	close_base(b);
	ret = fargs_outfile_finish(&b->file);
	return ret ? fargs_fail(&b->e.err, -ret, "cannot write '%s': %s", b->path,
				strerror(-ret)) : 0;
}

static void destroy(struct fargs_export *e)
{
	struct base *b = (struct base *)e;

	close_base(b);
	fargs_outfile_deinit(&b->file);
	fargs_db_deinit(&b->db);
	fargs_db_tasks_deinit(&b->tasks);
	fargs_db_places_deinit(&b->places);
	fargs_db_rows_deinit(&b->rows);
	fargs_db_values_deinit(&b->values);
	fargs_db_calls_deinit(&b->calls);
	free(b->path);
	free(b);
}

static int open_base(struct base *b, const struct fargs_export_options *o,
		     struct fargs_error_text *err)
{
	int ret = fargs_db_load(&b->db, err);

	if (ret)
		return ret;
	ret = fargs_outfile_open(&b->file, o->path, FARGS_OUTFILE_SEEKS, err);
	if (ret)
		return ret;
	/* SQLite opens files by name: the output must be a regular file, not a pipe or a device. */
	if (!b->file.temp)
		return fargs_fail(err, EINVAL,
				  "'%s' is not a regular file, which a database needs", o->path);
	b->path = strdup(o->path);
	if (!b->path || fargs_db_places_init(&b->places, &b->db, o->meta))
		return fargs_fail(err, ENOMEM, "out of memory");
	b->db.path = b->path;
	b->db.err = err;
	ret = fargs_db_open(&b->db, b->file.temp);
	b->db.err = &b->e.err;
	return ret;
}

struct fargs_export *fargs_sqlite_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err)
{
	struct base *b = calloc(1, sizeof(*b));

	if (!b) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	b->tasks.db = &b->db;
	b->rows = (struct fargs_db_rows){ .db = &b->db, .places = &b->places };
	b->values.db = &b->db;
	b->calls = (struct fargs_db_calls){ .db = &b->db, .places = &b->places };
	b->e.destroy = destroy;
	b->e.sink = (struct fargs_sink){
		.begin = begin, .event = add, .end = end, .arg = b, .is_in_order = true,
		.needs_callers = true,
	};
	if (!open_base(b, o, err))
		return &b->e;
	destroy(&b->e);
	return NULL;
}
