/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exports events to the formats of other tools. Each export is a sink (pipeline/sink.h) that
 * converts each event that fargs report would show.
 */
#ifndef FARGS_SINK_EXPORT_EXPORT_H
#define FARGS_SINK_EXPORT_EXPORT_H

#include <stdbool.h>

#include "base/error.h"
#include "model/facts.h"
#include "model/meta.h"
#include "pipeline/sink.h"
#include "sink/export/redact.h"

struct fargs_export_options {
	const char *path;	/* output path, for formats that create files */
	struct fargs_meta *meta;	/* must outlive the export */
	bool is_by_duration;	/* folded stacks: sum up durations instead of counting calls */
	bool is_compressed;	/* rows: compress the files of a directory by zstd */
	struct fargs_redact redact;	/* values that tables do not have */
	int table;		/* enum fargs_table_id (rows/), FARGS_TABLE_ALL or _UNSET */
};

/* Base of an export; embedded in the struct of each format. */
struct fargs_export {
	struct fargs_sink sink;
	void (*destroy)(struct fargs_export *e);
	struct fargs_error_text err;	/* why a function of the sink failed; may be empty */
};

/* Instead of a table's id: all tables; none was chosen. */
#define FARGS_TABLE_ALL		(-1)
#define FARGS_TABLE_UNSET	(-2)

/* Whether a format has the tables of many machines, in sink/export/rows/table.h. */
enum fargs_export_tables {
	FARGS_EXPORT_NO_TABLES,
	FARGS_EXPORT_ANY_TABLES,	/* it has, but also something else, if none is chosen */
	FARGS_EXPORT_ONLY_TABLES,	/* one must be chosen, or all: files in a directory */
	FARGS_EXPORT_ALL_TABLES,	/* all, in one stream, unless one is chosen */
};

struct fargs_export_format {
	const char *name;
	const char *what;
	uint32_t needs;		/* set of enum fargs_fact */
	/*
	 * The format creates files at its path. Other formats return their output in the sink's
	 * buffer.
	 */
	bool has_files;
	enum fargs_export_tables tables;
	/*
	 * What the format shows of an Intel PT trace by default, as in --itrace, with recorded
	 * samples and switches beside it; NULL: as perf script, and without these.
	 */
	const char *itrace;
	/* Creates an export. Returns NULL with @err on error. */
	struct fargs_export *(*create)(const struct fargs_export_options *o,
				       struct fargs_error_text *err);
};

/* All formats, terminated by an entry whose name is NULL. */
extern const struct fargs_export_format fargs_export_formats[];

/* Does the export create files at its path? */
static inline bool fargs_export_has_files(const struct fargs_export_format *f,
					  const struct fargs_export_options *o)
{
	return f->has_files ||
	       (o->table == FARGS_TABLE_ALL && f->tables != FARGS_EXPORT_ALL_TABLES);
}

struct fargs_export *fargs_chrome_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err);
struct fargs_export *fargs_clickhouse_create(const struct fargs_export_options *o,
					     struct fargs_error_text *err);
struct fargs_export *fargs_csv_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err);
struct fargs_export *fargs_ctf_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err);
struct fargs_export *fargs_folded_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err);
struct fargs_export *fargs_jsonl_create(const struct fargs_export_options *o,
					struct fargs_error_text *err);
struct fargs_export *fargs_parquet_export_create(const struct fargs_export_options *o,
						 struct fargs_error_text *err);
struct fargs_export *fargs_perf_postgresql_create(const struct fargs_export_options *o,
						  struct fargs_error_text *err);
struct fargs_export *fargs_perf_sqlite_create(const struct fargs_export_options *o,
					      struct fargs_error_text *err);
struct fargs_export *fargs_perfetto_create(const struct fargs_export_options *o,
					   struct fargs_error_text *err);
struct fargs_export *fargs_sqlite_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err);
struct fargs_export *fargs_tracedat_create(const struct fargs_export_options *o,
					   struct fargs_error_text *err);

struct fargs_export *fargs_tsv_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err);
/* A table of many machines, if one is chosen, or else fargs_csv_create(). */
struct fargs_export *fargs_csv_table_create(const struct fargs_export_options *o,
					    struct fargs_error_text *err);

static inline void fargs_export_destroy(struct fargs_export *e)
{
	if (e)
		e->destroy(e);
}

#endif
