// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "sink/export/sqlite/db.h"

struct writer {
	struct fargs_pdb_writer w;
	struct fargs_db db;
	struct fargs_outfile file;
	char *path;
	struct sqlite3_stmt *rows[FARGS_PDB_TABLES];
};

static struct writer *of(struct fargs_pdb_writer *w)
{
	return (struct writer *)w;
}

static int open_file(struct fargs_pdb_writer *w, const char *path, struct fargs_error_text *err)
{
	struct writer *s = of(w);
	int ret = fargs_db_load(&s->db, err);

	if (!ret)
		ret = fargs_outfile_open(&s->file, path, FARGS_OUTFILE_SEEKS, err);
	if (ret)
		return ret;
	/* SQLite opens files by name: the output must be a regular file, not a pipe or a device. */
	if (!s->file.temp)
		return fargs_fail(err, EINVAL,
				  "'%s' is not a regular file, which a database needs", path);
	s->path = strdup(path);
	if (!s->path)
		return fargs_fail(err, ENOMEM, "out of memory");
	s->db.path = s->path;
	s->db.err = err;
	ret = fargs_db_open(&s->db, s->file.temp);
	s->db.err = w->err;
	/* Use no journal: an incomplete file is useless, and the export can be repeated. */
	return ret ? ret : fargs_db_run(&s->db, "PRAGMA journal_mode = OFF;"
					" PRAGMA synchronous = OFF; BEGIN;");
}

static int run(struct fargs_pdb_writer *w, const char *sql)
{
	return fargs_db_run(&of(w)->db, sql);
}

static int prepare(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table)
{
	unsigned int i, nr = fargs_pdb_tables[table].nr;
	char sql[64 + 2 * FARGS_PDB_COLUMNS_MAX];
	size_t n;

	n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?", fargs_pdb_tables[table].name);
	for (i = 1; i < nr; i++)
		n += snprintf(sql + n, sizeof(sql) - n, ",?");
	snprintf(sql + n, sizeof(sql) - n, ")");
	return fargs_db_prepare(&of(w)->db, sql, &of(w)->rows[table]);
}

static int add_row(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table,
		   const struct fargs_pdb_value *values)
{
	const struct fargs_pdb_table *t = &fargs_pdb_tables[table];
	struct writer *s = of(w);
	unsigned int i;

	for (i = 0; i < t->nr; i++) {
		if (t->columns[i].type == FARGS_PDB_TEXT)
			fargs_db_bind_text(&s->db, s->rows[table], i + 1, values[i].text);
		else
			s->db.sql.bind_int64(s->rows[table], i + 1, values[i].number);
	}
	return fargs_db_step(&s->db, s->rows[table]);
}

static void close_base(struct writer *s)
{
	int id;

	for (id = 0; id < FARGS_PDB_TABLES; id++)
		fargs_db_finalize(&s->db, s->rows[id]);
	memset(s->rows, 0, sizeof(s->rows));
	fargs_db_close(&s->db);
}

static int finish(struct fargs_pdb_writer *w)
{
	struct writer *s = of(w);
	int ret = fargs_db_run(&s->db, "COMMIT;");

	if (ret)
		return ret;
	close_base(s);
	ret = fargs_outfile_finish(&s->file);
	return ret ? fargs_fail(w->err, -ret, "cannot write '%s': %s", s->path,
				strerror(-ret)) : 0;
}

static void destroy(struct fargs_pdb_writer *w)
{
	struct writer *s = of(w);

	if (s->db.db)
		close_base(s);
	fargs_outfile_deinit(&s->file);
	fargs_db_deinit(&s->db);
	free(s->path);
	free(s);
}

static const struct fargs_pdb_writer_ops ops = {
	.open = open_file, .run = run, .prepare = prepare, .row = add_row, .finish = finish,
	.destroy = destroy,
};

struct fargs_pdb_writer *fargs_pdb_sqlite_writer(void)
{
	struct writer *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->w.ops = &ops;
	s->file = FARGS_OUTFILE_NONE;
	return &s->w;
}
