// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/sqlite/nesting.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "sink/export/sqlite/call_row.h"

/*
 * A call whose return or begin is unknown is inside each call that runs at its known time. The
 * idle task of each CPU has calls of its own. Of calls with the same times, the outer one returned
 * last.
 */
static const char sorted[] =
	"SELECT nested_calls.id, thread_id, CASE WHEN tid = 0 THEN cpu ELSE 0 END AS idle_cpu,"
	" coalesce(call_ns, return_ns) AS begin_ns,"
	" CASE WHEN call_ns IS NULL THEN NULL ELSE return_ns END AS end_ns, function_id,"
	" call_path_id, parent_id, flags FROM nested_calls JOIN threads ON threads.id = thread_id"
	" ORDER BY thread_id, idle_cpu, begin_ns, end_ns IS NULL, end_ns DESC,"
	" nested_calls.id DESC";

static const char update[] =
	"UPDATE nested_calls SET parent_id = ?, call_path_id = ? WHERE id = ?";

/* Maximum number of calls around a call. No kernel stack is as deep: such times are invalid. */
#define OUTERS_MAX	4096

/* The columns of @sorted. */
enum { ID, THREAD, CPU, BEGIN, END, FUNCTION, PATH, PARENT, FLAGS };

/* A call that encloses the current one. */
struct outer {
	int64_t id, end_ns, path;
};

struct nesting {
	struct fargs_db *db;
	struct fargs_db_places *places;
	sqlite3_stmt *rows, *update;
	struct outer *outers;
	size_t nr, room;
	int64_t thread, cpu;	/* the current task */
};

static int64_t column(struct nesting *n, int i)
{
	return n->db->sql.column_int64(n->rows, i);
}

static bool is_null(struct nesting *n, int i)
{
	return n->db->sql.column_type(n->rows, i) == SQLITE_NULL;
}

/* Drops calls that had returned when the current call was made. */
static void drop_returned(struct nesting *n)
{
	int64_t last = column(n, is_null(n, END) ? BEGIN : END);

	if (column(n, THREAD) != n->thread || column(n, CPU) != n->cpu)
		n->nr = 0;
	n->thread = column(n, THREAD);
	n->cpu = column(n, CPU);
	while (n->nr && n->outers[n->nr - 1].end_ns < last)
		n->nr--;
}

/* Sets the parent of the current call, and its path unless callers were recorded. */
static int set_parent(struct nesting *n, const struct outer *parent, int64_t *path)
{
	int ret = 0;

	if (!(column(n, FLAGS) & FARGS_DB_CALL_STACK)) {
		*path = parent->path;
		ret = fargs_db_places_extend(n->places, column(n, FUNCTION), path);
	}
	if (ret)
		return ret;
	n->db->sql.bind_int64(n->update, 1, parent->id);
	fargs_db_bind_id(n->db, n->update, 2, *path);
	n->db->sql.bind_int64(n->update, 3, column(n, ID));
	return fargs_db_step(n->db, n->update);
}

static int nest_call(struct nesting *n)
{
	struct outer *outer;
	int64_t path;
	int ret = 0;

	drop_returned(n);
	if (n->nr == OUTERS_MAX)
		n->nr = 0;
	path = column(n, PATH);
	if (n->nr && is_null(n, PARENT))
		ret = set_parent(n, &n->outers[n->nr - 1], &path);
	if (ret || is_null(n, END))
		return ret;
	outer = fargs_array_push(n->outers, n->nr, n->room);
	if (!outer)
		return -ENOMEM;
	*outer = (struct outer){ .id = column(n, ID), .end_ns = column(n, END), .path = path };
	return 0;
}

int fargs_db_nest_calls(struct fargs_db *db, struct fargs_db_places *places)
{
	struct nesting n = { .db = db, .places = places };
	int ret = fargs_db_prepare(db, sorted, &n.rows);

	if (!ret)
		ret = fargs_db_prepare(db, update, &n.update);
	while (!ret) {
		ret = fargs_db_next_row(db, n.rows);
		if (ret <= 0)
			break;
		ret = nest_call(&n);
	}
	fargs_db_finalize(db, n.rows);
	fargs_db_finalize(db, n.update);
	free(n.outers);
	return ret;
}
