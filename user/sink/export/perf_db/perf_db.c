// SPDX-License-Identifier: GPL-2.0-only
/*
 * The databases of perf's export-to-sqlite.py and export-to-postgresql.py, for the same programs,
 * such as exported-sql-viewer.py. One model of rows, in this folder, and a writer for each.
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdlib.h>

#include "sink/export/branch_type.h"
#include "sink/export/perf_db/calls.h"
#include "sink/export/perf_db/places.h"
#include "sink/export/perf_db/samples.h"
#include "sink/export/perf_db/schema.h"
#include "sink/export/perf_db/switches.h"
#include "sink/export/perf_db/tasks.h"
#include "sink/export/perf_db/writer.h"

struct base {
	struct fargs_export e;
	struct fargs_pdb_writer *w;
	struct fargs_pdb_tasks tasks;
	struct fargs_pdb_places places;
	struct fargs_pdb_calls calls;
	struct fargs_pdb_samples samples;
	struct fargs_pdb_switches switches;
};

static int add_branch_types(struct base *b)
{
	char name[FARGS_BRANCH_TYPE_MAX];
	int ret = 0, type;
	size_t i;

	for (i = 0; !ret && (type = fargs_branch_type_of(i)) >= 0; i++) {
		fargs_branch_type_name(name, type);
		ret = fargs_pdb_row(b->w, FARGS_PDB_BRANCH_TYPES, (struct fargs_pdb_value []){
			FARGS_PDB_N(type), FARGS_PDB_T(name),
		});
	}
	return ret;
}

static int begin(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct base *b = arg;
	int ret;

	b->w->out = out;
	ret = fargs_pdb_begin(b->w);
	return ret ? ret : add_branch_types(b);
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct base *b = arg;

	b->w->out = out;
	if (ev->sw)
		return fargs_pdb_switches_add(&b->switches, ev);
	return ev->sample ? fargs_pdb_samples_add(&b->samples, d, ev) : 0;
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct base *b = arg;
	int ret;

	b->w->out = out;
	ret = fargs_pdb_calls_finish(&b->calls);
	if (!ret)
		ret = fargs_pdb_end(b->w);
	return ret ? ret : b->w->ops->finish(b->w);
}

static void destroy(struct fargs_export *e)
{
	struct base *b = (struct base *)e;

	fargs_pdb_samples_deinit(&b->samples);
	fargs_pdb_calls_deinit(&b->calls);
	fargs_pdb_places_deinit(&b->places);
	fargs_pdb_tasks_deinit(&b->tasks);
	if (b->w)
		b->w->ops->destroy(b->w);
	free(b);
}

static struct fargs_export *create(struct fargs_pdb_writer *w,
				   const struct fargs_export_options *o,
				   struct fargs_error_text *err)
{
	struct base *b = calloc(1, sizeof(*b));

	if (!b || !w) {
		fargs_fail(err, ENOMEM, "out of memory");
		if (w)
			w->ops->destroy(w);
		free(b);
		return NULL;
	}
	b->w = w;
	w->err = &b->e.err;
	b->tasks.w = w;
	b->places.w = w;
	b->calls = (struct fargs_pdb_calls){ .w = w, .places = &b->places };
	b->samples = (struct fargs_pdb_samples){
		.w = w, .places = &b->places, .tasks = &b->tasks, .calls = &b->calls,
	};
	b->switches = (struct fargs_pdb_switches){ .w = w, .tasks = &b->tasks };
	b->e.destroy = destroy;
	b->e.sink = (struct fargs_sink){
		.begin = begin, .event = add, .end = end, .arg = b, .is_in_order = true,
		.details = FARGS_DETAIL_FILES | FARGS_DETAIL_INSN | FARGS_DETAIL_IPC |
			   FARGS_DETAIL_ADDR | FARGS_DETAIL_SYMBOL,
	};
	if (!w->ops->open(w, o->path, err))
		return &b->e;
	destroy(&b->e);
	return NULL;
}

struct fargs_export *fargs_perf_sqlite_create(const struct fargs_export_options *o,
					      struct fargs_error_text *err)
{
	return create(fargs_pdb_sqlite_writer(), o, err);
}

struct fargs_export *fargs_perf_postgresql_create(const struct fargs_export_options *o,
						  struct fargs_error_text *err)
{
	return create(fargs_pdb_postgresql_writer(), o, err);
}
