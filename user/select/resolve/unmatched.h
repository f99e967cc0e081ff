/* SPDX-License-Identifier: GPL-2.0-only */
/* Explains why a selector selects no functions, and suggests others. */
#ifndef FARGS_SELECT_RESOLVE_UNMATCHED_H
#define FARGS_SELECT_RESOLVE_UNMATCHED_H

#include <stdbool.h>

#include "select/resolve/resolve.h"
#include "select/resolve/select.h"
#include "select/resolve/apply.h"

/* Maximum number of modules that a message names. */
#define FARGS_UNLOADED_NAMED	3

/*
 * Modules that are not loaded and have functions or tracepoints that match a pattern. A callback of
 * type fargs_unloaded_fn finds them.
 */
struct fargs_unloaded {
	struct {
		char name[64];
		size_t nr;		/* number of matching functions or tracepoints */
	} modules[FARGS_UNLOADED_NAMED];
	size_t nr_modules;		/* number of modules, including those not in @modules */
	size_t nr_searched;
};

struct fargs_unmatched {
	const struct fargs_ksyms *ksyms;
	const struct fargs_ksyms *loaded;	/* symbols of all modules; NULL: those in @ksyms */
	const struct fargs_avail *avail;	/* functions that ftrace can trace; NULL: unknown */
	struct fargs_resolver *resolver;
	bool is_tpoint;
	fargs_unloaded_fn *unloaded;	/* NULL: modules that are not loaded are not searched */
	const char *tracefs;		/* as in struct fargs_patterns */
	struct fargs_missing *missing;	/* as in struct fargs_patterns */
	/* The rule is for recording, which can begin when the rule's module is loaded. */
	bool is_recorded;
	struct fargs_select *sel;	/* fargs_unmatched_check() fills @sel->overlaps */
};

/*
 * Call after all symbols were matched. Returns 0 if the rule @active selected functions or may be
 * skipped, else -errno with the reason in @err.
 */
int fargs_unmatched_check(const struct fargs_unmatched *unmatched,
			  const struct fargs_active_rule *active, struct fargs_error_text *err);

#endif
