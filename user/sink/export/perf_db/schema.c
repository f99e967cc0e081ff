// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/schema.h"

#include <errno.h>
#include <string.h>

#include "base/put.h"
#include "sink/export/perf_db/views.h"

static const char *type_of(const struct fargs_pdb_writer *w, const struct fargs_pdb_column *c)
{
	switch (c->type) {
	case FARGS_PDB_BIGINT:
		return "bigint";
	case FARGS_PDB_INTEGER:
		return "integer";
	case FARGS_PDB_SMALL_BOOLEAN:
		return w->is_postgresql ? "boolean" : "integer";
	case FARGS_PDB_BOOLEAN:
		return "boolean";
	default:
		return "varchar";
	}
}

/* "transaction" is a reserved word of SQLite. */
static bool is_reserved(const struct fargs_pdb_writer *w, const struct fargs_pdb_column *c)
{
	return !w->is_postgresql && !strcmp(c->name, "transaction");
}

/* Runs the SQL in @sql, and frees it. */
static int run(struct fargs_pdb_writer *w, struct fargs_buf *sql)
{
	int ret;

	fargs_put_char(sql, '\0');
	ret = sql->is_short ? -ENOMEM : w->ops->run(w, sql->text);
	fargs_buf_deinit(sql);
	return ret;
}

int fargs_pdb_create(struct fargs_pdb_writer *w, enum fargs_pdb_table_id id)
{
	const struct fargs_pdb_table *table = &fargs_pdb_tables[id];
	struct fargs_buf sql = { };
	unsigned int i;
	int ret;

	if (w->has_table[id])
		return 0;
	fargs_put(&sql, "CREATE TABLE ");
	fargs_put(&sql, table->name);
	for (i = 0; i < table->nr; i++) {
		fargs_put(&sql, i ? ", " : " (");
		fargs_put(&sql, table->columns[i].name);
		if (is_reserved(w, &table->columns[i]))
			fargs_put_char(&sql, '_');
		fargs_put_char(&sql, ' ');
		/* SQLite uses ids as row numbers if they are of this type. */
		fargs_put(&sql, i || w->is_postgresql ? type_of(w, &table->columns[i]) :
							"integer");
		if (!i)
			fargs_put(&sql, w->is_postgresql ? " NOT NULL" : " NOT NULL PRIMARY KEY");
	}
	fargs_put_char(&sql, ')');
	ret = run(w, &sql);
	if (ret)
		return ret;
	w->has_table[id] = true;
	return w->ops->prepare(w, id);
}

int fargs_pdb_row(struct fargs_pdb_writer *w, enum fargs_pdb_table_id id,
		  const struct fargs_pdb_value *values)
{
	int ret = fargs_pdb_create(w, id);

	return ret ? ret : w->ops->row(w, id, values);
}

int fargs_pdb_begin(struct fargs_pdb_writer *w)
{
	const struct fargs_pdb_value zeros[FARGS_PDB_COLUMNS_MAX] = { };
	const struct fargs_pdb_value event[] = { { }, FARGS_PDB_T("unknown") };
	const struct fargs_pdb_value machine[] = { { }, { }, FARGS_PDB_T("unknown") };
	const struct fargs_pdb_value host[] = { FARGS_PDB_N(1), FARGS_PDB_N(-1), FARGS_PDB_T("") };
	const struct fargs_pdb_value thread[] = { { }, { }, { }, FARGS_PDB_N(-1), FARGS_PDB_N(-1) };
	const struct fargs_pdb_value comm[] = { { }, FARGS_PDB_T("unknown"), { }, { }, { } };
	const struct fargs_pdb_value dso[] = {
		{ }, { }, FARGS_PDB_T("unknown"), FARGS_PDB_T("unknown"), FARGS_PDB_T(""),
	};
	const struct fargs_pdb_value symbol[] = {
		{ }, { }, { }, { }, { }, FARGS_PDB_T("unknown"),
	};
	const struct {
		enum fargs_pdb_table_id table;
		const struct fargs_pdb_value *values;
	} rows[] = {
		{ FARGS_PDB_SELECTED_EVENTS, event }, { FARGS_PDB_MACHINES, machine },
		{ FARGS_PDB_MACHINES, host }, { FARGS_PDB_THREADS, thread },
		{ FARGS_PDB_COMMS, comm }, { FARGS_PDB_DSOS, dso }, { FARGS_PDB_SYMBOLS, symbol },
		{ FARGS_PDB_SAMPLES, zeros }, { FARGS_PDB_CALL_PATHS, zeros },
		{ FARGS_PDB_CALLS, zeros },
	};
	int id, ret = 0;
	size_t i;

	for (id = 0; !ret && id < FARGS_PDB_OPTIONAL; id++)
		ret = fargs_pdb_create(w, id);
	for (i = 0; !ret && i < sizeof(rows) / sizeof(*rows); i++)
		ret = fargs_pdb_row(w, rows[i].table, rows[i].values);
	return ret;
}

/* Adds the keys of a table, which SQLite got with the table, or cannot have later. */
static int add_keys(struct fargs_pdb_writer *w, const struct fargs_pdb_table *table,
		    bool is_foreign)
{
	struct fargs_buf sql = { };
	unsigned int i, nr = 0;

	fargs_put(&sql, "ALTER TABLE ");
	fargs_put(&sql, table->name);
	for (i = 0; is_foreign && i < table->nr; i++) {
		if (!table->columns[i].references)
			continue;
		fargs_put(&sql, nr++ ? ", ADD FOREIGN KEY (" : " ADD FOREIGN KEY (");
		fargs_put(&sql, table->columns[i].name);
		fargs_put(&sql, ") REFERENCES ");
		fargs_put(&sql, table->columns[i].references);
	}
	if (!is_foreign)
		fargs_put(&sql, " ADD PRIMARY KEY (id)");
	if (!is_foreign || nr)
		return run(w, &sql);
	fargs_buf_deinit(&sql);
	return 0;
}

static int add_all_keys(struct fargs_pdb_writer *w, bool is_foreign)
{
	int id, ret = 0;

	for (id = 0; !ret && w->is_postgresql && id < FARGS_PDB_TABLES; id++)
		if (w->has_table[id])
			ret = add_keys(w, &fargs_pdb_tables[id], is_foreign);
	return ret;
}

/* Writes a view that is for PostgreSQL as one for SQLite. */
static void put_for_sqlite(struct fargs_buf *sql, const char *select)
{
	static const struct {
		const char *from, *to;
	} changes[] = {
		{ "to_hex(", "printf('%x', " },
		/* A column's values may have different types. */
		{ "text(", "(" },
	};
	size_t i;

	while (*select) {
		for (i = 0; i < sizeof(changes) / sizeof(*changes); i++)
			if (!strncmp(select, changes[i].from, strlen(changes[i].from)))
				break;
		if (i < sizeof(changes) / sizeof(*changes)) {
			fargs_put(sql, changes[i].to);
			select += strlen(changes[i].from);
		} else {
			fargs_put_char(sql, *select++);
		}
	}
}

static int add_view(struct fargs_pdb_writer *w, const char *name, const char *select)
{
	struct fargs_buf sql = { };

	fargs_put(&sql, "CREATE VIEW ");
	fargs_put(&sql, name);
	fargs_put(&sql, " AS ");
	if (w->is_postgresql)
		fargs_put(&sql, select);
	else
		put_for_sqlite(&sql, select);
	return run(w, &sql);
}

/* As in perf's databases, all tables of power events exist if one of them but cbr has rows. */
static int create_power(struct fargs_pdb_writer *w, bool *has_power)
{
	int id, ret = 0;

	*has_power = false;
	for (id = FARGS_PDB_MWAIT; id <= FARGS_PDB_PWRX; id++)
		*has_power |= w->has_table[id];
	for (id = FARGS_PDB_CBR; *has_power && !ret && id <= FARGS_PDB_PWRX; id++)
		ret = fargs_pdb_create(w, id);
	return ret;
}

static int add_views(struct fargs_pdb_writer *w, bool has_power)
{
	const struct fargs_pdb_view *view;
	int ret = 0;

	for (view = fargs_pdb_views; !ret && view->name; view++)
		if (w->has_table[view->table])
			ret = add_view(w, view->name, view->select);
	if (ret || !has_power)
		return ret;
	return add_view(w, "power_events_view", w->is_postgresql ? fargs_pdb_power_view :
								    fargs_pdb_power_view_sqlite);
}

int fargs_pdb_end(struct fargs_pdb_writer *w)
{
	bool has_power;
	int ret = create_power(w, &has_power);

	if (!ret)
		ret = add_all_keys(w, false);
	if (!ret)
		ret = add_all_keys(w, true);
	if (!ret)
		ret = w->ops->run(w, "CREATE INDEX pcpid_idx ON calls (parent_call_path_id)");
	if (!ret)
		ret = w->ops->run(w, "CREATE INDEX pid_idx ON calls (parent_id)");
	if (!ret)
		ret = w->ops->run(w, "ALTER TABLE comms ADD has_calls boolean");
	if (!ret)
		ret = w->ops->run(w, w->is_postgresql ?
				  "UPDATE comms SET has_calls = TRUE WHERE id IN"
				  " (SELECT DISTINCT comm_id FROM calls)" :
				  "UPDATE comms SET has_calls = 1 WHERE id IN"
				  " (SELECT DISTINCT comm_id FROM calls)");
	return ret ? ret : add_views(w, has_power);
}
