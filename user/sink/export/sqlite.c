// SPDX-License-Identifier: GPL-2.0-only
/*
 * A SQLite database: tables of events, their arguments, functions and tasks, and views that answer
 * common questions (fargs-export(1)).
 *
 * The SQLite library is loaded on demand, because nothing else in fargs uses it.
 */
#include "sink/export/export.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/errname.h"
#include "base/intern.h"
#include "base/outfile.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "select/typing/typename.h"
#include "sink/export/call_paths.h"
#include "sink/export/field_text.h"
#include "sink/export/named.h"
#include "sink/export/task_set.h"
#include "sink/json/json.h"
#include "sink/text/text.h"
#include "sink/text/value.h"

static const char schema[] =
	"CREATE TABLE functions (id INTEGER PRIMARY KEY, name TEXT NOT NULL, module TEXT);\n"
	"CREATE TABLE tasks (tid INTEGER NOT NULL, pid INTEGER, comm TEXT NOT NULL,"
	" from_ns INTEGER NOT NULL);\n"
	"CREATE TABLE events (id INTEGER PRIMARY KEY, time_ns INTEGER, type TEXT NOT NULL,"
	" cpu INTEGER, tid INTEGER, pid INTEGER, comm TEXT,"
	" function_id INTEGER REFERENCES functions, duration_ns INTEGER, result, error TEXT,"
	" caller TEXT, lost INTEGER, text TEXT, duration_min_ns INTEGER, duration_max_ns INTEGER,"
	" call_path_id INTEGER REFERENCES call_paths);\n"
	"CREATE TABLE call_paths (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES call_paths,"
	" function_id INTEGER REFERENCES functions);\n"
	"CREATE TABLE args (event_id INTEGER NOT NULL REFERENCES events,"
	" position INTEGER NOT NULL, place TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,"
	" value, text TEXT NOT NULL);\n";

static const char indexes[] =
	"CREATE INDEX events_by_time ON events (time_ns);\n"
	"CREATE INDEX events_by_function ON events (function_id, duration_ns);\n"
	"CREATE INDEX events_by_call_path ON events (call_path_id);\n"
	"CREATE INDEX call_paths_by_parent ON call_paths (parent_id);\n"
	"CREATE INDEX args_by_event ON args (event_id);\n"
	"CREATE INDEX args_by_name ON args (name, value);\n"
	"CREATE VIEW calls AS SELECT events.id, time_ns, cpu, tid, pid, comm, functions.name AS"
	" function, module, duration_ns, result, error, caller, duration_min_ns, duration_max_ns,"
	" call_path_id FROM events JOIN functions ON"
	" functions.id = function_id WHERE type IN ('call', 'return');\n"
	"CREATE VIEW latencies AS SELECT function, module, count(*) AS calls, sum(duration_ns) AS"
	" total_ns, min(duration_ns) AS min_ns, avg(duration_ns) AS mean_ns, max(duration_ns) AS"
	" max_ns FROM calls WHERE duration_ns IS NOT NULL GROUP BY function, module"
	" ORDER BY total_ns DESC;\n"
	"CREATE VIEW slowest AS SELECT * FROM calls WHERE duration_ns IS NOT NULL"
	" ORDER BY duration_ns DESC;\n"
	"CREATE VIEW errors AS SELECT function, module, error, count(*) AS calls FROM calls"
	" WHERE error IS NOT NULL GROUP BY function, module, error ORDER BY calls DESC;\n"
	"CREATE VIEW values_of AS SELECT functions.name AS function, args.name AS argument,"
	" args.text AS value, count(*) AS calls FROM args JOIN events ON events.id = event_id"
	" JOIN functions ON functions.id = function_id GROUP BY function_id, argument, args.text"
	" ORDER BY calls DESC;\n"
	"CREATE VIEW by_task AS SELECT comm, pid, tid, count(*) AS events, sum(duration_ns) AS"
	" total_ns FROM events WHERE tid IS NOT NULL GROUP BY comm, pid, tid"
	" ORDER BY events DESC;\n"
	"CREATE VIEW samples AS SELECT events.id, time_ns, cpu, tid, pid, comm, functions.name AS"
	" function, module, text FROM events LEFT JOIN functions ON functions.id = function_id"
	" WHERE type = 'sample';\n"
	"CREATE VIEW stacks AS WITH RECURSIVE path (id, stack) AS (SELECT call_paths.id,"
	" coalesce(name, '[unknown]') FROM call_paths LEFT JOIN functions ON functions.id ="
	" function_id WHERE parent_id IS NULL UNION ALL SELECT call_paths.id, stack || ';' ||"
	" coalesce(name, '[unknown]') FROM path JOIN call_paths ON parent_id = path.id"
	" LEFT JOIN functions ON functions.id = function_id) SELECT id, stack FROM path;\n"
	"CREATE VIEW by_stack AS SELECT stack, count(*) AS events, sum(duration_ns) AS total_ns"
	" FROM events JOIN stacks ON stacks.id = call_path_id GROUP BY call_path_id"
	" ORDER BY events DESC;\n"
	"CREATE VIEW losses AS SELECT cpu, sum(lost) AS lost FROM events WHERE type = 'lost'"
	" GROUP BY cpu;\n";

#define LIBRARY "libsqlite3.so.0"

/* The number of possible ids of formatted events. */
#define NR_FORMATS	(1 << 16)

/* The functions of the SQLite library that are used here. */
struct functions {
	typeof(sqlite3_open_v2) *open_v2;
	typeof(sqlite3_close) *close;
	typeof(sqlite3_exec) *exec;
	typeof(sqlite3_prepare_v2) *prepare_v2;
	typeof(sqlite3_step) *step;
	typeof(sqlite3_reset) *reset;
	typeof(sqlite3_finalize) *finalize;
	typeof(sqlite3_bind_int64) *bind_int64;
	typeof(sqlite3_bind_text) *bind_text;
	typeof(sqlite3_bind_null) *bind_null;
	typeof(sqlite3_bind_blob) *bind_blob;
	typeof(sqlite3_errmsg) *errmsg;
};

struct base {
	struct fargs_export e;
	struct functions sql;
	void *library;
	sqlite3 *db;
	sqlite3_stmt *event, *arg, *function, *task, *path_stmt;
	struct fargs_outfile file;
	struct fargs_task_set tasks;
	uint8_t *known;		/* for each function of @meta: is it in table "functions"? */
	const struct fargs_meta *meta;
	uint64_t nr_events;
	/*
	 * Number of formatted events in the database's table "functions". Their ids follow those
	 * of the meta->nr_funcs functions.
	 */
	uint64_t nr_functions;
	/*
	 * Ids of formatted events in the table "functions", indexed by 16-bit event id; 0: the
	 * event was not added yet.
	 */
	int64_t *ids;
	/*
	 * Functions of samples and of calls without a record, each with its module or file. Their
	 * ids follow those of the NR_FORMATS possible formatted events.
	 */
	struct fargs_intern sampled;
	struct fargs_call_paths paths;
	char *path;
	struct fargs_buf text;
};

/*
 * Converts a SQLite error. Returns -ENOMEM if out of memory; otherwise a negative errno, with the
 * database's message in the export's err.
 */
static int fail(struct base *b, int code)
{
	if (code == SQLITE_NOMEM)
		return -ENOMEM;
	return fargs_fail(&b->e.err, EIO, "'%s': %s", b->path, b->sql.errmsg(b->db));
}

static int run(struct base *b, const char *sql)
{
	int code = b->sql.exec(b->db, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : fail(b, code);
}

static int step(struct base *b, sqlite3_stmt *stmt)
{
	int code = b->sql.step(stmt);

	b->sql.reset(stmt);
	return code == SQLITE_DONE ? 0 : fail(b, code);
}

static void bind_u64(struct base *b, sqlite3_stmt *stmt, int i, uint64_t v)
{
	char digits[24];
	int n;

	/* SQLite integers are signed, with 64 bits: larger values are stored as text. */
	if (v <= INT64_MAX) {
		b->sql.bind_int64(stmt, i, v);
		return;
	}
	n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v);
	b->sql.bind_text(stmt, i, digits, n, SQLITE_TRANSIENT);
}

/* Binds @text. SQLite text is UTF-8: invalid bytes become U+FFFD. */
static void bind_text(struct base *b, sqlite3_stmt *stmt, int i, const char *text)
{
	struct fargs_buf utf8 = { };

	if (!text) {
		b->sql.bind_null(stmt, i);
		return;
	}
	fargs_json_put_utf8(&utf8, text, strlen(text));
	b->sql.bind_text(stmt, i, utf8.n ? utf8.text : "", utf8.n, SQLITE_TRANSIENT);
	fargs_buf_deinit(&utf8);
}

/* Binds a string. If it is not valid UTF-8, it is stored as a blob. */
static void bind_string(struct base *b, sqlite3_stmt *stmt, int i, const void *text, size_t len)
{
	if (fargs_json_is_utf8(text, len))
		b->sql.bind_text(stmt, i, text, len, SQLITE_TRANSIENT);
	else
		b->sql.bind_blob(stmt, i, text, len, SQLITE_TRANSIENT);
}

static void bind_buf(struct base *b, sqlite3_stmt *stmt, int i, const struct fargs_buf *text)
{
	b->sql.bind_text(stmt, i, text->n ? text->text : "", text->n, SQLITE_TRANSIENT);
}

static int add_function(struct base *b, int64_t id, const char *name, const char *module)
{
	b->sql.bind_int64(b->function, 1, id);
	bind_text(b, b->function, 2, name);
	bind_text(b, b->function, 3, module);
	return step(b, b->function);
}

/* Like find_function(), for the function in which a sample was taken. */
static int find_sampled(struct base *b, const struct fargs_event_place *place, int64_t *id)
{
	const char *file = place->module ? place->module : place->file;
	uint32_t number, nr = b->sampled.nr;
	int ret;

	if (!place->symbol)
		return 0;
	b->text.n = 0;
	fargs_buf_add(&b->text, place->symbol, strlen(place->symbol) + 1);
	if (file)
		fargs_put(&b->text, file);
	ret = b->text.is_short ? -ENOMEM :
	      fargs_intern_add(&b->sampled, b->text.text, b->text.n, &number);
	if (ret)
		return ret;
	*id = (int64_t)b->meta->nr_funcs + NR_FORMATS + 1 + number;
	return number < nr ? 0 : add_function(b, *id, place->symbol, file);
}

/* Like find_function(), for a call that only an Intel PT trace shows. */
static int find_shown(struct base *b, struct fargs_decoder *d, uint64_t addr, int64_t *id)
{
	const struct fargs_ksym *sym = fargs_decoder_symbol(d, addr);
	const struct fargs_event_place place = {
		.symbol = sym ? sym->name : NULL, .module = sym ? sym->module : NULL,
	};

	return find_sampled(b, &place, id);
}

/*
 * Sets *@id to the id of the event's function, 1 or more; 0: the event has no function. Adds the
 * function if it is new.
 */
static int find_function(struct base *b, struct fargs_decoder *d, const struct fargs_event *ev,
			 int64_t *id)
{
	struct fargs_format_head head;
	char buf[FARGS_NAMED_MAX];
	size_t i;

	*id = 0;
	if (ev->kind == FARGS_KIND_EVENT) {
		fargs_formats_head(fargs_decoder_formats(d), &ev->formatted, &head);
		i = head.id % NR_FORMATS;
		if (!b->ids[i]) {
			b->ids[i] = b->meta->nr_funcs + ++b->nr_functions;
			*id = b->ids[i];
			return add_function(b, *id, fargs_named(d, ev, buf), NULL);
		}
		*id = b->ids[i];
	} else if (ev->sample && ev->sample->has_place) {
		return find_sampled(b, &ev->sample->place, id);
	} else if (ev->func) {
		i = ev->func - b->meta->funcs;
		*id = i + 1;
		if (b->known[i])
			return 0;
		b->known[i] = 1;
		return add_function(b, *id, ev->func->name, ev->func->module);
	} else if (ev->trace) {
		return find_shown(b, d, ev->trace->addr, id);
	}
	return 0;
}

/* Extends *@path by @function. Adds the new path to the database unless it is there. */
static int extend_path(struct base *b, int64_t function, int64_t *path)
{
	int64_t parent = *path;
	bool is_new;
	int ret = fargs_call_paths_add(&b->paths, parent, function, path, &is_new);

	if (ret || !is_new)
		return ret;
	b->sql.bind_int64(b->path_stmt, 1, *path);
	b->sql.bind_null(b->path_stmt, 2);
	b->sql.bind_null(b->path_stmt, 3);
	if (parent)
		b->sql.bind_int64(b->path_stmt, 2, parent);
	if (function)
		b->sql.bind_int64(b->path_stmt, 3, function);
	return step(b, b->path_stmt);
}

/*
 * Sets *@path to the number of the path from the outermost caller to the event's @function; 0: no
 * callers are known. Adds functions and paths that are new.
 */
static int find_path(struct base *b, struct fargs_decoder *d, const struct fargs_event *ev,
		     int64_t function, int64_t *path)
{
	const uint8_t *p = ev->stack;
	unsigned int i = ev->nr_stack;
	int64_t caller;
	uint64_t addr;
	int ret = 0;

	*path = 0;
	if (!i)
		return 0;
	while (i-- && !ret) {
		memcpy(&addr, p + 8 * i, sizeof(addr));
		caller = 0;
		ret = find_shown(b, d, addr, &caller);
		if (!ret)
			ret = extend_path(b, caller, path);
	}
	return ret ? ret : extend_path(b, function, path);
}

static int add_task(struct base *b, const struct fargs_event *ev)
{
	int ret = fargs_task_set_add(&b->tasks, ev);

	if (ret != 1)
		return ret;
	b->sql.bind_int64(b->task, 1, ev->tid);
	if (ev->tgid >= 0)
		b->sql.bind_int64(b->task, 2, ev->tgid);
	else
		b->sql.bind_null(b->task, 2);
	bind_text(b, b->task, 3, ev->comm);
	b->sql.bind_int64(b->task, 4, ev->time_ns);
	return step(b, b->task);
}

/* Binds numbers and strings as such, enums and errors as numbers, and all other values as text. */
static void bind_value(struct base *b, sqlite3_stmt *stmt, int i, const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;

	if (val->is_fault)
		b->sql.bind_null(stmt, i);
	else if (val->type == FARGS_TYPE_STR)
		bind_string(b, stmt, i, val->data, val->bytes);
	else if (val->type == FARGS_TYPE_BYTES)
		b->sql.bind_blob(stmt, i, val->data, val->bytes, SQLITE_TRANSIENT);
	else if (val->type == FARGS_TYPE_U128 || val->type == FARGS_TYPE_S128)
		bind_buf(b, stmt, i, &b->text);
	else if (fargs_type_is_signed(val->type))
		b->sql.bind_int64(stmt, i, fargs_value_s64(val));
	else
		bind_u64(b, stmt, i, fargs_value_u64(val));
}

static int add_arg(struct base *b, struct fargs_decoder *d, unsigned int position,
		   const char *place, const struct fargs_arg *arg)
{
	char name[FARGS_TYPENAME_MAX];

	b->text.n = 0;
	if (!strcmp(place, "result"))
		fargs_value_put_return(&b->text, d, arg);
	else
		fargs_value_put(&b->text, d, arg);
	if (b->text.is_short)
		return -ENOMEM;
	b->sql.bind_int64(b->arg, 1, b->nr_events);
	b->sql.bind_int64(b->arg, 2, position);
	bind_text(b, b->arg, 3, place);
	bind_text(b, b->arg, 4, arg->val.name);
	bind_text(b, b->arg, 5, arg->btf && arg->btf_id ?
		  fargs_typename(arg->btf, arg->btf_id, name) : fargs_type_name(arg->val.type));
	bind_value(b, b->arg, 6, arg);
	bind_buf(b, b->arg, 7, &b->text);
	return step(b, b->arg);
}

struct field_arg {
	struct base *b;
	unsigned int position;
};

static int add_field(void *arg, const struct fargs_field *field)
{
	struct field_arg *f = arg;
	struct base *b = f->b;

	b->text.n = 0;
	fargs_field_text_put(&b->text, field);
	if (b->text.is_short)
		return -ENOMEM;
	b->sql.bind_int64(b->arg, 1, b->nr_events);
	b->sql.bind_int64(b->arg, 2, f->position++);
	bind_text(b, b->arg, 3, "field");
	bind_text(b, b->arg, 4, field->name);
	bind_text(b, b->arg, 5, field->type);
	if (field->kind == FARGS_FIELD_STRING)
		bind_string(b, b->arg, 6, field->data, field->bytes);
	else if (field->is_array || field->kind == FARGS_FIELD_BYTES)
		b->sql.bind_blob(b->arg, 6, field->data, field->bytes, SQLITE_TRANSIENT);
	else if (field->kind == FARGS_FIELD_SIGNED)
		b->sql.bind_int64(b->arg, 6, (int64_t)fargs_field_number(field, 0));
	else
		bind_u64(b, b->arg, 6, fargs_field_number(field, 0));
	bind_buf(b, b->arg, 7, &b->text);
	return step(b, b->arg);
}

static int add_values(struct base *b, struct fargs_decoder *d, const struct fargs_event *ev)
{
	struct field_arg field = { b, 0 };
	unsigned int i, n = 0;
	int ret = 0;

	if (ev->kind == FARGS_KIND_EVENT) {
		ret = fargs_formats_fields(fargs_decoder_formats(d), &ev->formatted, add_field,
					   &field);
		return ret == -ENOENT ? 0 : ret;
	}
	for (i = 0; i < ev->nr_args && !ret; i++)
		ret = add_arg(b, d, n++, "argument", &ev->args[i]);
	if (ev->ret && !ret)
		ret = add_arg(b, d, n++, "result", ev->ret);
	for (i = 0; i < ev->nr_out && !ret; i++)
		ret = add_arg(b, d, n++, "return", &ev->out[i]);
	return ret;
}

/*
 * Binds the text of an event as in text output, without the columns of task, CPU, flags and time.
 * Losses have no such text.
 */
static int bind_line(struct base *b, struct fargs_decoder *d, const struct fargs_event *ev)
{
	int ret = 0;

	b->text.n = 0;
	if (ev->kind == FARGS_KIND_EVENT) {
		ret = fargs_text_formatted(&b->text, d, ev, false);
	} else if (ev->sample) {
		fargs_put(&b->text, ev->sample->event);
		fargs_text_args(&b->text, d, ev);
	} else if (ev->error) {
		fargs_put(&b->text, ev->error->text);
		if (ev->error->has_count) {
			fargs_put_char(&b->text, ' ');
			fargs_put_u64(&b->text, ev->error->count, 0, ' ');
			fargs_put(&b->text, ev->error->unit);
		}
	} else if (ev->kind != FARGS_KIND_LOST && ev->kind != FARGS_KIND_SWITCH) {
		fargs_text_call(&b->text, d, ev);
		if (ev->kind == FARGS_KIND_RETURN)
			fargs_text_result(&b->text, d, ev);
	} else if (ev->kind == FARGS_KIND_SWITCH) {
		fargs_put(&b->text, "switch -> ");
		fargs_put_s64(&b->text, ev->next_tid);
	}
	if (b->text.is_short)
		ret = -ENOMEM;
	bind_buf(b, b->event, 14, &b->text);
	return ret;
}

static int add_event(struct base *b, struct fargs_decoder *d, const struct fargs_event *ev,
		     int64_t function, int64_t path)
{
	int error = ev->ret ? fargs_value_error(ev->ret) : 0, i, ret;
	const struct fargs_ksym *sym = fargs_decoder_symbol(d, ev->parent_ip);

	for (i = 1; i <= 17; i++)
		b->sql.bind_null(b->event, i);
	b->sql.bind_int64(b->event, 1, ++b->nr_events);
	if (ev->time_ns)
		b->sql.bind_int64(b->event, 2, ev->time_ns);
	bind_text(b, b->event, 3, fargs_named_kind(ev));
	if (!ev->has_no_cpu)
		b->sql.bind_int64(b->event, 4, ev->cpu);
	if (ev->kind == FARGS_KIND_LOST) {
		b->sql.bind_int64(b->event, 13, ev->lost);
		return step(b, b->event);
	}
	b->sql.bind_int64(b->event, 5, ev->tid);
	if (ev->tgid >= 0)
		b->sql.bind_int64(b->event, 6, ev->tgid);
	bind_text(b, b->event, 7, ev->comm);
	if (function)
		b->sql.bind_int64(b->event, 8, function);
	if (ev->has_duration)
		b->sql.bind_int64(b->event, 9, ev->duration_ns);
	if (ev->trace && ev->trace->has_bounds) {
		b->sql.bind_int64(b->event, 15, ev->trace->least_ns);
		b->sql.bind_int64(b->event, 16, ev->trace->most_ns);
	}
	if (path)
		b->sql.bind_int64(b->event, 17, path);
	if (ev->ret && ev->ret->val.type != FARGS_TYPE_U128 && ev->ret->val.type != FARGS_TYPE_S128)
		bind_value(b, b->event, 10, ev->ret);
	if (error)
		bind_text(b, b->event, 11, fargs_errname(-error));
	if (sym)
		bind_text(b, b->event, 12, sym->name);
	ret = bind_line(b, d, ev);
	return ret ? ret : step(b, b->event);
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct base *b = arg;
	int64_t function = 0, path = 0;
	int ret = 0;

	if (ev->kind == FARGS_KIND_TASK)
		return 0;
	if (ev->kind != FARGS_KIND_LOST)
		ret = add_task(b, ev);
	if (!ret)
		ret = find_function(b, d, ev, &function);
	if (!ret)
		ret = find_path(b, d, ev, function, &path);
	if (!ret)
		ret = add_event(b, d, ev, function, path);
	if (!ret && ev->kind != FARGS_KIND_LOST && ev->kind != FARGS_KIND_SWITCH)
		ret = add_values(b, d, ev);
	return ret;
}

static int begin(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct base *b = arg;
	static const char *const inserts[] = {
		"INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		"INSERT INTO args VALUES (?,?,?,?,?,?,?)",
		"INSERT INTO functions VALUES (?,?,?)",
		"INSERT INTO tasks VALUES (?,?,?,?)",
		"INSERT INTO call_paths VALUES (?,?,?)",
	};
	sqlite3_stmt **stmts[] = { &b->event, &b->arg, &b->function, &b->task, &b->path_stmt };
	size_t i;
	int code, ret;

	/* Use no journal: an incomplete file is useless, and the export can be repeated. */
	ret = run(b, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;");
	if (!ret)
		ret = run(b, schema);
	for (i = 0; i < sizeof(stmts) / sizeof(stmts[0]) && !ret; i++) {
		code = b->sql.prepare_v2(b->db, inserts[i], -1, stmts[i], NULL);
		if (code != SQLITE_OK)
			ret = fail(b, code);
	}
	return ret;
}

static void close_base(struct base *b)
{
	if (!b->db)
		return;
	b->sql.finalize(b->event);
	b->sql.finalize(b->arg);
	b->sql.finalize(b->function);
	b->sql.finalize(b->task);
	b->sql.finalize(b->path_stmt);
	b->sql.close(b->db);
	b->db = NULL;
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct base *b = arg;
	int ret = run(b, indexes);

	if (!ret)
		ret = run(b, "COMMIT;");
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
	if (b->library)
		dlclose(b->library);
	fargs_task_set_deinit(&b->tasks);
	fargs_intern_deinit(&b->sampled);
	fargs_call_paths_deinit(&b->paths);
	fargs_buf_deinit(&b->text);
	free(b->known);
	free(b->ids);
	free(b->path);
	free(b);
}

static int load(struct base *b, struct fargs_error_text *err)
{
	const struct {
		const char *name;
		void *to;
	} wanted[] = {
		{ "sqlite3_open_v2", &b->sql.open_v2 },
		{ "sqlite3_close", &b->sql.close },
		{ "sqlite3_exec", &b->sql.exec },
		{ "sqlite3_prepare_v2", &b->sql.prepare_v2 },
		{ "sqlite3_step", &b->sql.step },
		{ "sqlite3_reset", &b->sql.reset },
		{ "sqlite3_finalize", &b->sql.finalize },
		{ "sqlite3_bind_int64", &b->sql.bind_int64 },
		{ "sqlite3_bind_text", &b->sql.bind_text },
		{ "sqlite3_bind_null", &b->sql.bind_null },
		{ "sqlite3_bind_blob", &b->sql.bind_blob },
		{ "sqlite3_errmsg", &b->sql.errmsg },
	};
	void *function;
	size_t i;

	b->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!b->library)
		return fargs_fail(err, ENOENT, "%s is not installed: install libsqlite3-0, or the "
				  "equivalent package", LIBRARY);
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		function = dlsym(b->library, wanted[i].name);
		if (!function)
			return fargs_fail(err, ENOENT, "%s has no function "
					  "%s", LIBRARY, wanted[i].name);
		memcpy(wanted[i].to, &function, sizeof(function));
	}
	return 0;
}

static int open_base(struct base *b, const struct fargs_export_options *o,
		     struct fargs_error_text *err)
{
	int ret = load(b, err);

	if (ret)
		return ret;
	ret = fargs_outfile_open(&b->file, o->path, FARGS_OUTFILE_SEEKS, err);
	if (ret)
		return ret;
	/* SQLite opens files by name: the output must be a regular file, not a pipe or a device. */
	if (!b->file.temp)
		return fargs_fail(err, EINVAL,
				  "'%s' is not a regular file, which a database needs", o->path);
	if (b->sql.open_v2(b->file.temp, &b->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		return fargs_fail(err, EIO, "cannot create '%s': %s", o->path,
				  b->db ? b->sql.errmsg(b->db) : "out of memory");
	b->path = strdup(o->path);
	b->meta = o->meta;
	b->known = calloc(o->meta->nr_funcs + 1, 1);
	b->ids = calloc(NR_FORMATS, sizeof(*b->ids));
	return b->path && b->known && b->ids ? 0 : fargs_fail(err, ENOMEM, "out of memory");
}

struct fargs_export *fargs_sqlite_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err)
{
	struct base *b = calloc(1, sizeof(*b));

	if (!b) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
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
