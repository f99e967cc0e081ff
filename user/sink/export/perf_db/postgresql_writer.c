// SPDX-License-Identifier: GPL-2.0-only
/*
 * A script for psql, which creates all or nothing. Rows follow COPY commands, as pg_dump writes
 * them: a row a line, with tabs between values, and \. after the last one.
 */
#include "sink/export/perf_db/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "base/row.h"
#include "sink/json/json.h"

/* Rows of a table are kept until they are so many bytes, so that COPY commands are few. */
#define KEPT_MAX	(256 << 10)

struct writer {
	struct fargs_pdb_writer w;
	struct fargs_buf rows[FARGS_PDB_TABLES];	/* that were not written yet */
	struct fargs_buf text;
};

static struct writer *of(struct fargs_pdb_writer *w)
{
	return (struct writer *)w;
}

static int result(const struct fargs_buf *out)
{
	return out->is_short ? -ENOMEM : 0;
}

static int open_script(struct fargs_pdb_writer *w, const char *path, struct fargs_error_text *err)
{
	return 0;
}

static int flush(struct writer *s, int table)
{
	struct fargs_buf *out = s->w.out, *rows = &s->rows[table];

	if (!rows->n || !fargs_row(D8))
		return 0;
	fargs_put(out, "COPY ");
	fargs_put(out, fargs_pdb_tables[table].name);
	fargs_put(out, " FROM stdin;\n");
	fargs_buf_add(out, rows->text, rows->n);
	fargs_put(out, "\\.\n");
	rows->n = 0;
	return result(out);
}

/* The first statement follows settings that make the script mean the same on each server. */
static int run(struct fargs_pdb_writer *w, const char *sql)
{
	struct writer *s = of(w);
	int id, ret = 0;

	for (id = 0; !ret && id < FARGS_PDB_TABLES; id++)
		ret = flush(s, id);
	if (ret)
		return ret;
	if (!w->has_table[0])
		fargs_put(w->out, "\\set ON_ERROR_STOP on\n"
			  "SET client_encoding = 'UTF8';\n"
			  "SET standard_conforming_strings = on;\n"
			  "SET client_min_messages = warning;\n"
			  "BEGIN;\n");
	fargs_put(w->out, sql);
	fargs_put(w->out, ";\n");
	return result(w->out);
}

static int prepare(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table)
{
	return 0;
}

/* Writes text as COPY reads it. The server accepts only valid UTF-8. */
static void put_text(struct writer *s, struct fargs_buf *out, const char *text)
{
	size_t i;

	if (!text) {
		fargs_put(out, "\\N");
		return;
	}
	s->text.n = 0;
	fargs_json_put_utf8(&s->text, text, strlen(text));
	out->is_short |= s->text.is_short;
	for (i = 0; i < s->text.n; i++) {
		char c = s->text.text[i];

		if (c == '\\')
			fargs_put(out, "\\\\");
		else if (c == '\t')
			fargs_put(out, "\\t");
		else if (c == '\n')
			fargs_put(out, "\\n");
		else if (c == '\r')
			fargs_put(out, "\\r");
		else
			fargs_put_char(out, c);
	}
}

static int add_row(struct fargs_pdb_writer *w, enum fargs_pdb_table_id table,
		   const struct fargs_pdb_value *values)
{
	const struct fargs_pdb_table *t = &fargs_pdb_tables[table];
	struct writer *s = of(w);
	struct fargs_buf *out = &s->rows[table];
	unsigned int i;

	for (i = 0; i < t->nr; i++) {
		if (i)
			fargs_put_char(out, '\t');
		switch (t->columns[i].type) {
		case FARGS_PDB_TEXT:
			put_text(s, out, values[i].text);
			break;
		case FARGS_PDB_BOOLEAN:
		case FARGS_PDB_SMALL_BOOLEAN:
			fargs_put_char(out, values[i].number ? 't' : 'f');
			break;
		default:
			fargs_put_s64(out, values[i].number);
		}
	}
	fargs_put_char(out, '\n');
	return out->n < KEPT_MAX ? result(out) : flush(s, table);
}

static int finish(struct fargs_pdb_writer *w)
{
	return run(w, "COMMIT");
}

static void destroy(struct fargs_pdb_writer *w)
{
	struct writer *s = of(w);
	int id;

	for (id = 0; id < FARGS_PDB_TABLES; id++)
		fargs_buf_deinit(&s->rows[id]);
	fargs_buf_deinit(&s->text);
	free(s);
}

static const struct fargs_pdb_writer_ops ops = {
	.open = open_script, .run = run, .prepare = prepare, .row = add_row, .finish = finish,
	.destroy = destroy,
};

struct fargs_pdb_writer *fargs_pdb_postgresql_writer(void)
{
	struct writer *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->w.ops = &ops;
	s->w.is_postgresql = true;
	return &s->w;
}
