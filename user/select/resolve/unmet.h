/* SPDX-License-Identifier: GPL-2.0-only */
/* What was asked for and is not there: why, and what may have been meant. */
#ifndef FARGS_LAYOUT_UNMET_H
#define FARGS_LAYOUT_UNMET_H

#include <stdbool.h>

#include "select/resolve/resolve.h"
#include "select/resolve/select.h"
#include "select/resolve/wish.h"

/* A few are named. */
#define FARGS_UNLOADED_NAMED	3

/* Modules that are not loaded and have what was asked for: struct fargs_patterns. */
struct fargs_unloaded {
	struct {
		char name[64];
		size_t nr;		/* functions or tracepoints that match */
	} modules[FARGS_UNLOADED_NAMED];
	size_t nr_modules;		/* also those that have no place there */
	size_t nr_searched;
};

struct fargs_unmet {
	const struct fargs_ksyms *ksyms;
	const struct fargs_ksyms *loaded;	/* has all modules; NULL: ksyms has */
	const struct fargs_avail *avail;	/* NULL: not known */
	struct fargs_resolver *resolver;
	bool is_tpoint;
	fargs_unloaded_fn *unloaded;	/* NULL: nobody knows */
	bool is_recorded;		/* what is looked at now: it may come with its module */
	struct fargs_select *sel;	/* gets what globs have in common */
};

/* When all symbols were seen: 0 if the wish has functions, else -errno and why not. */
int fargs_unmet_check(const struct fargs_unmet *unmet, const struct fargs_wish *wish,
		      struct fargs_error_text *err);

#endif
