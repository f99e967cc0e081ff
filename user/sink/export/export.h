/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events in the formats of other tools. Each export is a view (report/report.h) that makes
 * something of each event that fargs report shows.
 */
#ifndef FARGS_EXPORT_H
#define FARGS_EXPORT_H

#include <stdbool.h>

#include "model/meta.h"
#include "cmd/report/records.h"
#include "base/error.h"

struct fargs_export_options {
	const char *path;	/* where it goes, of those that write it themselves */
	struct fargs_meta *meta;	/* must outlive the export */
	bool is_by_duration;	/* folded stacks: ns, not calls */
};

/* Embedded in what each format needs. */
struct fargs_export {
	struct fargs_report_view view;
	void (*destroy)(struct fargs_export *e);
	struct fargs_error_text err;	/* why a view's function failed, if it says */
};

struct fargs_export_format {
	const char *name;
	const char *what;
	/* Makes files of its own, at the path; others give text, or bytes, to be written. */
	bool has_files;
	/* NULL with @err. */
	struct fargs_export *(*create)(const struct fargs_export_options *o,
				       struct fargs_error_text *err);
};

/* All there are; the last one has no name. */
extern const struct fargs_export_format fargs_export_formats[];

struct fargs_export *fargs_chrome_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err);
struct fargs_export *fargs_ctf_create(const struct fargs_export_options *o,
				      struct fargs_error_text *err);
struct fargs_export *fargs_folded_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err);
struct fargs_export *fargs_perfetto_create(const struct fargs_export_options *o,
					   struct fargs_error_text *err);
struct fargs_export *fargs_sqlite_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err);

static inline void fargs_export_destroy(struct fargs_export *e)
{
	if (e)
		e->destroy(e);
}

#endif
