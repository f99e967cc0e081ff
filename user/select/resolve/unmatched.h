/* SPDX-License-Identifier: GPL-2.0-only */
/* Explains why a selector has no functions, and suggests others. */
#ifndef FARGS_SELECT_RESOLVE_UNMATCHED_H
#define FARGS_SELECT_RESOLVE_UNMATCHED_H

#include <stdbool.h>

#include "select/resolve/resolve.h"
#include "select/resolve/select.h"
#include "select/resolve/apply.h"

/* Most modules that are named. */
#define FARGS_UNLOADED_NAMED	3

/* Modules that are not loaded and have matches; see struct fargs_patterns. */
struct fargs_unloaded {
	struct {
		char name[64];
		size_t nr;		/* matching functions or tracepoints */
	} modules[FARGS_UNLOADED_NAMED];
	size_t nr_modules;		/* including those that are not in @modules */
	size_t nr_searched;
};

struct fargs_unmatched {
	const struct fargs_ksyms *ksyms;
	const struct fargs_ksyms *loaded;	/* symbols with all modules; NULL: ksyms has them */
	const struct fargs_avail *avail;	/* NULL: unknown */
	struct fargs_resolver *resolver;
	bool is_tpoint;
	fargs_unloaded_fn *unloaded;	/* NULL: no search */
	bool is_recorded;		/* rule for recording: can wait for its module to load */
	struct fargs_select *sel;	/* its overlaps are filled in */
};

/*
 * Call once all symbols were seen. 0 if the rule has functions, else -errno with the reason in
 * @err.
 */
int fargs_unmatched_check(const struct fargs_unmatched *unmatched,
			  const struct fargs_active_rule *active, struct fargs_error_text *err);

#endif
