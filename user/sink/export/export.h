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

struct fargs_export_options {
	const char *path;	/* output path, for formats that create files */
	struct fargs_meta *meta;	/* must outlive the export */
	bool is_by_duration;	/* folded stacks: sum up durations instead of counting calls */
};

/* Base of an export; embedded in the struct of each format. */
struct fargs_export {
	struct fargs_sink sink;
	void (*destroy)(struct fargs_export *e);
	struct fargs_error_text err;	/* why a function of the sink failed; may be empty */
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

struct fargs_export *fargs_chrome_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err);
struct fargs_export *fargs_csv_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err);
struct fargs_export *fargs_ctf_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err);
struct fargs_export *fargs_folded_create(const struct fargs_export_options *o,
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

static inline void fargs_export_destroy(struct fargs_export *e)
{
	if (e)
		e->destroy(e);
}

#endif
