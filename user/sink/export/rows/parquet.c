// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/rows/parquet.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/outfile.h"
#include "base/put.h"

#define LIBRARY	"libduckdb.so"

/* duckdb_result of duckdb.h has 48 bytes; its members are read by functions only. */
struct result {
	void *members[16];
};

struct fargs_parquet {
	void *library;
	void *database, *connection;
	int (*open)(const char *path, void **database);
	void (*close)(void **database);
	int (*connect)(void *database, void **connection);
	void (*disconnect)(void **connection);
	int (*query)(void *connection, const char *text, struct result *result);
	const char *(*result_error)(struct result *result);
	void (*destroy_result)(struct result *result);
};

static bool find_functions(struct fargs_parquet *p)
{
	const struct { const char *name; void *at; } functions[] = {
		{ "duckdb_open", &p->open },
		{ "duckdb_close", &p->close },
		{ "duckdb_connect", &p->connect },
		{ "duckdb_disconnect", &p->disconnect },
		{ "duckdb_query", &p->query },
		{ "duckdb_result_error", &p->result_error },
		{ "duckdb_destroy_result", &p->destroy_result },
	};
	size_t i;
	void *at;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		at = dlsym(p->library, functions[i].name);
		if (!at)
			return false;
		memcpy(functions[i].at, &at, sizeof(at));
	}
	return true;
}

/* Runs a statement. Returns 0, or -EIO with the first line of DuckDB's message. */
static int run(struct fargs_parquet *p, const char *statement, struct fargs_error_text *err)
{
	struct result result = { };
	const char *said;
	int ret = 0;

	if (p->query(p->connection, statement, &result)) {
		said = p->result_error(&result);
		if (!said)
			said = "no reason is given";
		ret = fargs_fail(err, EIO, "DuckDB: %.*s", (int)strcspn(said, "\n"), said);
	}
	p->destroy_result(&result);
	return ret;
}

static int start(struct fargs_parquet *p, struct fargs_error_text *err)
{
	/* Nothing is fetched from the network, and memory is bounded. */
	static const char *const settings[] = {
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		"SET threads = 1",
		"SET memory_limit = '512MB'",
	};
	size_t i;
	int ret;

	p->library = dlopen(LIBRARY, RTLD_NOW);
	if (!p->library)
		return fargs_fail(err, ENOENT, "'--format parquet' needs DuckDB's library, " LIBRARY
				  ": install it, or give its directory in LD_LIBRARY_PATH (%s)",
				  dlerror());
	if (!find_functions(p))
		return fargs_fail(err, EINVAL, "the " LIBRARY " that is installed lacks functions "
				  "of DuckDB's C API");
	if (p->open(NULL, &p->database) || p->connect(p->database, &p->connection))
		return fargs_fail(err, EIO, "DuckDB cannot be started");
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		ret = run(p, settings[i], err);
		if (ret)
			return ret;
	}
	return 0;
}

struct fargs_parquet *fargs_parquet_create(struct fargs_error_text *err)
{
	struct fargs_parquet *p = calloc(1, sizeof(*p));

	if (!p) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	if (!start(p, err))
		return p;
	fargs_parquet_destroy(p);
	return NULL;
}

void fargs_parquet_destroy(struct fargs_parquet *p)
{
	if (!p)
		return;
	if (p->connection)
		p->disconnect(&p->connection);
	if (p->database)
		p->close(&p->database);
	/* The library stays loaded: its threads may still end. */
	free(p);
}

/* ---- statements ---- */

static const char *const types[] = {
	[FARGS_COLUMN_DATE] = "DATE", [FARGS_COLUMN_U8] = "UTINYINT",
	[FARGS_COLUMN_U16] = "USMALLINT", [FARGS_COLUMN_U32] = "UINTEGER",
	[FARGS_COLUMN_I32] = "INTEGER", [FARGS_COLUMN_U64] = "UBIGINT",
	[FARGS_COLUMN_I64] = "BIGINT", [FARGS_COLUMN_TEXT] = "VARCHAR",
	[FARGS_COLUMN_WORD] = "VARCHAR",
};

static void put_quoted(struct fargs_buf *out, const char *text)
{
	fargs_put_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			fargs_put_char(out, '\'');
		fargs_put_char(out, *text);
	}
	fargs_put_char(out, '\'');
}

static bool is_text(const struct fargs_column *c)
{
	return c->type == FARGS_COLUMN_TEXT || c->type == FARGS_COLUMN_WORD;
}

/* Appends the rows in @fd, whose texts may be empty, as something to select from. */
static void put_source(struct fargs_buf *out, const struct fargs_table *t, int fd)
{
	const struct fargs_column *c;
	bool is_first = true;

	fargs_put(out, "read_csv('/proc/self/fd/");
	fargs_put_u64(out, fd, 0, ' ');
	fargs_put(out, "', auto_detect = false, header = true, delim = ',', quote = '\"', "
		  "escape = '\"', nullstr = '', columns = {");
	for (c = t->columns; c < t->columns + t->nr; c++) {
		fargs_put(out, c == t->columns ? "" : ", ");
		put_quoted(out, c->name);
		fargs_put(out, ": ");
		put_quoted(out, types[c->type]);
	}
	fargs_put(out, "}, force_not_null = [");
	for (c = t->columns; c < t->columns + t->nr; c++) {
		if (!is_text(c))
			continue;
		fargs_put(out, is_first ? "" : ", ");
		is_first = false;
		put_quoted(out, c->name);
	}
	fargs_put(out, "])");
}

static int run_buf(struct fargs_parquet *p, struct fargs_buf *statement,
		   struct fargs_error_text *err)
{
	int ret;

	fargs_buf_add_char(statement, '\0');
	ret = statement->is_short ? fargs_fail(err, ENOMEM, "out of memory") :
				    run(p, statement->text, err);
	fargs_buf_deinit(statement);
	return ret;
}

static void put_path(struct fargs_buf *out, const struct fargs_parquet_place *place,
		     const struct fargs_table *t, const char *rest)
{
	struct fargs_buf path = { };

	fargs_put(&path, place->path);
	fargs_put_char(&path, '/');
	fargs_put(&path, t->name);
	fargs_put(&path, rest);
	fargs_buf_add_char(&path, '\0');
	if (path.is_short)
		out->is_short = true;
	else
		put_quoted(out, path.text);
	fargs_buf_deinit(&path);
}

static int write_rows(struct fargs_parquet *p, const struct fargs_parquet_place *place,
		      const struct fargs_table *t, int fd, struct fargs_error_text *err)
{
	struct fargs_buf out = { };

	fargs_put(&out, "COPY (SELECT * FROM ");
	put_source(&out, t, fd);
	fargs_put(&out, ") TO ");
	put_path(&out, place, t, "");
	fargs_put(&out, " (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (host, date), "
		  "FILENAME_PATTERN '");
	fargs_put(&out, place->recording);
	fargs_put(&out, "_{i}')");
	return run_buf(p, &out, err);
}

/* Puts "/host=HOST/date=DATE", with those characters encoded in HOST that DuckDB encodes. */
static void put_partition(char *to, size_t size, const struct fargs_parquet_place *place)
{
	time_t seconds = (time_t)place->date * 86400;
	const char *at;
	char date[16];
	struct tm tm;
	size_t n;

	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	n = snprintf(to, size, "/host=");
	for (at = place->host; *at && n + 4 < size; at++)
		n += snprintf(to + n, size - n, isalnum((unsigned char)*at) || strchr("_-~.", *at) ?
			      "%c" : "%%%02X", (unsigned char)*at);
	snprintf(to + n, size - n, "/date=%s", date);
}

/* Creates the directories @path in @dir. Returns 0, or -errno with @err. */
static int make_dirs(int dir, char *path, struct fargs_error_text *err)
{
	char *name, *rest = path;
	int ret = 0, inner, outer = dup(dir);

	if (outer < 0)
		return fargs_fail(err, errno, "cannot create directories: %s", strerror(errno));
	while (!ret && (name = strsep(&rest, "/"))) {
		inner = fargs_outfile_mkdir_in(outer, name, err);
		close(outer);
		outer = inner;
		ret = inner < 0 ? inner : 0;
	}
	if (outer >= 0)
		close(outer);
	return ret;
}

/* A file without rows, where rows of the recording would be. */
static int write_nothing(struct fargs_parquet *p, const struct fargs_parquet_place *place,
			 const struct fargs_table *t, struct fargs_error_text *err)
{
	char partition[512], path[600], rest[600];
	const struct fargs_column *c;
	struct fargs_buf out = { };
	bool is_first = true;
	int ret;

	put_partition(partition, sizeof(partition), place);
	snprintf(path, sizeof(path), "%s%s", t->name, partition);
	ret = make_dirs(place->dir, path, err);
	if (ret)
		return ret;
	fargs_put(&out, "COPY (SELECT ");
	for (c = t->columns; c < t->columns + t->nr; c++) {
		/* Those are in the names of the directories. */
		if (c == t->columns + FARGS_ROW_HOST || c == t->columns + FARGS_ROW_DATE)
			continue;
		fargs_put(&out, is_first ? "NULL::" : ", NULL::");
		is_first = false;
		fargs_put(&out, types[c->type]);
		fargs_put(&out, " AS ");
		fargs_put(&out, c->name);
	}
	fargs_put(&out, " LIMIT 0) TO ");
	snprintf(rest, sizeof(rest), "%s/%s_0.parquet", partition, place->recording);
	put_path(&out, place, t, rest);
	fargs_put(&out, " (FORMAT parquet)");
	return run_buf(p, &out, err);
}

int fargs_parquet_write(struct fargs_parquet *p, const struct fargs_parquet_place *place,
			const struct fargs_table *table, int fd, uint64_t nr_rows,
			struct fargs_error_text *err)
{
	/* DuckDB creates files by the umask; for their mode, see base/outfile.h. */
	mode_t mask = umask(077);
	int ret = nr_rows ? write_rows(p, place, table, fd, err) :
			    write_nothing(p, place, table, err);

	umask(mask);
	return ret;
}
